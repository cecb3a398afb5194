import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// A computation in steps, CocoaJoin's fifth example.
@Suite("Cancelable steps", .endsInTime)
struct CancelableStepsTests {
    typealias Steps = CancelableSteps<[Int]>

    /// Steps that append their number.
    private func steps(_ count: Int, _ extra: @escaping @concurrent @Sendable (Int) async throws -> Void = { _ in })
        -> [Steps.Step]
    {
        (1...count).map { number in
            { numbers in
                try await extra(number)
                return numbers + [number]
            }
        }
    }

    private func isFinished<Value>(_ outcome: CancelableSteps<Value>.Outcome) -> Bool {
        if case .finished = outcome.ending { true } else { false }
    }

    private func isCancelled<Value>(_ outcome: CancelableSteps<Value>.Outcome) -> Bool {
        if case .cancelled = outcome.ending { true } else { false }
    }

    @Test func allStepsRunInOrder() async throws {
        let computation = Steps(from: [], steps: steps(10))
        let outcome = try await computation.run()
        #expect(outcome.value == Array(1...10))
        #expect(outcome.completed == 10)
        #expect(isFinished(outcome))
        #expect(try await computation.outcome().value == Array(1...10))
    }

    @Test("Whoever has the outcome of a run sees all its progress, also if the task was cancelled")
    func progressIsThatOfTheOutcome() async throws {
        for _ in 0..<500 {
            let computation = Steps(from: [], steps: steps(2))
            let outcome = try await computation.run()
            #expect(computation.progress.value.completed == outcome.completed && outcome.completed == 2)
            let cancelled = Steps(
                from: [],
                steps: steps(2) { n in if n == 2 { withUnsafeCurrentTask { $0?.cancel() } } }
            )
            let late = try await Task { try await cancelled.run() }.value
            #expect(cancelled.progress.value.completed == late.completed && late.completed == 2)
        }
    }

    @Test func noStepsAreFinishedAtOnce() async throws {
        let outcome = try await Steps(from: [7], steps: []).run()
        #expect(outcome.value == [7] && outcome.completed == 0 && isFinished(outcome))
    }

    @Test func cancellingBeforeTheRunLetsNoStepBegin() async throws {
        let begun = Occupancy()
        let computation = Steps(from: [7], steps: steps(3) { _ in begun.enter() })
        #expect(try await computation.cancel() == 0)
        let outcome = try await computation.run()
        #expect(outcome.value == [7] && outcome.completed == 0 && isCancelled(outcome))
        #expect(begun.total == 0)
    }

    @Test func cancellingFromAnotherTaskHandsOutThePartialResult() async throws {
        let (begun, gate) = (Occupancy(), Gate())
        let computation = Steps(
            from: [],
            steps: steps(10) { number in
                begun.enter()
                if number == 4 { try await gate.pass() }
            }
        )
        let task = Task { try await computation.run() }
        try await eventually { begun.total == 4 }
        #expect(computation.progress.value.completed == 3)
        #expect(computation.progress.value.value == [1, 2, 3])
        #expect(try await computation.cancel() == 4)
        gate.open()
        let outcome = try await task.value
        #expect(outcome.value == [1, 2, 3, 4] && outcome.completed == 4 && isCancelled(outcome))
        #expect(begun.total == 4)
        #expect(try await computation.outcome().completed == 4)
        #expect(try await computation.cancel() == 4)
    }

    @Test func cancellingTheTaskHandsOutThePartialResult() async throws {
        let (begun, gate) = (Occupancy(), Gate())
        let computation = Steps(
            from: [],
            steps: steps(10) { number in
                begun.enter()
                if number == 4 { try await gate.pass() }
            }
        )
        let task = Task { try await computation.run() }
        try await eventually { begun.total == 4 }
        task.cancel()
        // The step looks at the cancellation and throws: three are completed.
        let outcome = try await task.value
        #expect(outcome.value == [1, 2, 3] && outcome.completed == 3 && isCancelled(outcome))
        #expect(try await computation.outcome().value == [1, 2, 3])
    }

    @Test func aStepThatIgnoresTheCancellationOfItsTaskCompletes() async throws {
        let begun = Occupancy()
        let computation = Steps(
            from: [],
            steps: steps(10) { number in
                begun.enter()
                if number == 4 { while !Task.isCancelled { await Task.yield() } }
            }
        )
        let task = Task { try await computation.run() }
        try await eventually { begun.total == 4 }
        task.cancel()
        let outcome = try await task.value
        #expect(outcome.value == [1, 2, 3, 4] && outcome.completed == 4 && isCancelled(outcome))
    }

    @Test func aTaskThatIsCancelledAlreadyHasAnOutcome() async throws {
        let computation = Steps(from: [7], steps: steps(3))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await computation.run()
        }
        task.cancel()
        let outcome = try await task.value
        #expect(outcome.value == [7] && outcome.completed == 0 && isCancelled(outcome))
        #expect(isCancelled(try await computation.outcome()))
    }

    @Test func aFailedStepDoesNotLoseTheValue() async throws {
        let computation = Steps(from: [], steps: steps(5) { if $0 == 3 { throw Mishap(number: 3) } })
        let outcome = try await computation.run()
        #expect(outcome.value == [1, 2] && outcome.completed == 2)
        guard case .failed(let error) = outcome.ending else {
            Issue.record("not failed")
            return
        }
        #expect(error as? Mishap == Mishap(number: 3))
    }

    @Test func theStepsRunOnceForAllWhoRunThem() async throws {
        let begun = Occupancy()
        let computation = Steps(
            from: [],
            steps: steps(5) { _ in
                begun.enter()
                await Task.yield()
            }
        )
        let outcomes = try await runAll((0..<8).map { _ in { try await computation.run() } })
        #expect(outcomes.allSatisfy { $0.value == Array(1...5) })
        #expect(begun.total == 5)
    }

    @Test func whoWaitsForTheOutcomeMayGiveUp() async throws {
        let computation = Steps(from: [], steps: steps(2))
        let waiting = Task { try await computation.outcome() }
        await yield(5)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try await computation.run().completed == 2)
    }

    @Test func noStepBeginsAfterCancelHasAnsweredIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let patience = Int.random(in: 0..<30, using: &random)
            let byTask = Bool.random(using: &random)
            let begun = Occupancy()
            let computation = Steps(
                from: [],
                steps: steps(8) { number in
                    begun.enter()
                    await yield(number % 3)
                }
            )
            let task = Task { try await computation.run() }
            let watcher = Task { try await computation.outcome() }
            await yield(patience)
            var limit = 8
            if byTask { task.cancel() } else { limit = try await computation.cancel() }
            let outcome = try await task.value
            #expect(outcome.value == Array(1...8).prefix(outcome.completed) + [], "seed \(seed)")
            #expect(outcome.completed == begun.total, "seed \(seed)")
            #expect(begun.total <= limit, "seed \(seed)")
            #expect(isFinished(outcome) == (outcome.completed == 8), "seed \(seed)")
            #expect(try await watcher.value.completed == outcome.completed, "seed \(seed)")
        }
    }

    @Test("A run whose scope is cancelled has an outcome, as any cancelled run", arguments: [false, true])
    func cancelledScope(_ isCancelledFirst: Bool) async throws {
        let gate = Gate()
        let outcome = Locked<CancelableSteps<Int>.Outcome?>(nil)
        let begun = Locked(0)
        let task = Task {
            try await withChemicalMachine { _ in
                let steps = CancelableSteps(
                    from: 0,
                    steps: [
                        { value in
                            begun.update { $0 += 1 }
                            try? await gate.pass()
                            return value + 1
                        },
                        { $0 + 10 },
                    ]
                )
                if isCancelledFirst {
                    while !Task.isCancelled { await Task.yield() }
                    // The machine is deactivated then.
                    try? await ChemicalMachine.current.quiescence()
                }
                let result = try await steps.run()
                outcome.update { $0 = result }
            }
        }
        if !isCancelledFirst { try await eventually { begun.value == 1 } }
        task.cancel()
        gate.open()
        _ = await task.result
        let result = try #require(outcome.value)
        #expect(result.value == (isCancelledFirst ? 0 : 1))
        #expect(result.completed == (isCancelledFirst ? 0 : 1))
        guard case .cancelled = result.ending else {
            Issue.record("\(result.ending)")
            return
        }
    }
}
