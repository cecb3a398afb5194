import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Running many jobs, CocoaJoin's second example.
@Suite("Run all", .endsInTime)
struct RunAllTests {
    typealias Job = @Sendable () throws -> Int
    typealias AsyncJob = @concurrent @Sendable () async throws -> Int

    @TaskLocal static var label = "none"

    @Test func noJobsAreDoneAtOnce() async throws {
        #expect(try await runAll([Job]()) == [])
        #expect(try await runAll([AsyncJob]()) == [])
        #expect(try await settleAll([Job]()).isEmpty)
        #expect(try await settleAll([AsyncJob]()).isEmpty)
    }

    @Test func oneJobIsAllJobs() async throws {
        let job: Job = { 42 }
        let asyncJob: AsyncJob = {
            await Task.yield()
            return 42
        }
        #expect(try await runAll([job]) == [42])
        #expect(try await runAll([asyncJob]) == [42])
    }

    @Test func jobsMayBeMadeInPlace() async throws {
        #expect(try await runAll((1...3).map { number in { number * 2 } }) == [2, 4, 6])
        #expect(try await runAll((1...3).map { number in { await slowly(number) } }) == [1, 2, 3])
    }

    @Test("A function and the elements for it will do, of any sequence, and the limit holds for them")
    func elements() async throws {
        #expect(try await runAll(1...3) { number in number * 2 } == [2, 4, 6])
        #expect(try await runAll(["a": 1].values) { await slowly($0) } == [1])
        #expect(try await runAll([Int]()) { await slowly($0) } == [])
        let (running, most) = (Locked(0), Locked(0))
        let ended = Locked<[Int]>([])
        let results = try await runAll(
            stride(from: 0, to: 200, by: 2),
            atMost: 3,
            progress: { now, _ in ended.update { $0.append(now) } }
        ) { number in
            let now = running.update {
                $0 += 1
                return $0
            }
            most.update { $0 = max($0, now) }
            await Task.yield()
            running.update { $0 -= 1 }
            return number
        }
        #expect(results == Array(stride(from: 0, to: 200, by: 2)))
        #expect((2...3).contains(most.value))
        #expect(ended.value == Array(1...100))
        await #expect(throws: Mishap(number: 2)) { try await runAll(1...3, atMost: 1) { try mishap(at: $0) } }
        await #expect(throws: Mishap(number: 2)) { try await runAll(1...3, atMost: 1) { try await slowMishap(at: $0) } }
        let outcomes = try await settleAll(1...3) { try mishap(at: $0) }
        let slowOutcomes = try await settleAll(1...3, atMost: 2) { try await slowMishap(at: $0) }
        for outcomes in [outcomes, slowOutcomes] {
            #expect(try outcomes[0].get() == 1 && outcomes[2].get() == 3)
            #expect(throws: Mishap(number: 2)) { try outcomes[1].get() }
        }
    }

    private func mishap(at number: Int) throws -> Int {
        if number == 2 { throw Mishap(number: 2) }
        return number
    }

    @concurrent private func slowMishap(at number: Int) async throws -> Int {
        await Task.yield()
        return try mishap(at: number)
    }

    @Test func resultsOf100000JobsComeInTheOrderOfTheJobs() async throws {
        let jobs = (0..<100_000).map { number -> Job in { number * 2 } }
        let results = try await runAll(jobs)
        #expect(results == (0..<100_000).map { $0 * 2 })
    }

    @Test func resultsOfAsynchronousJobsComeInTheOrderOfTheJobs() async throws {
        let jobs = (0..<2_000).map { number -> AsyncJob in
            {
                await yield(number % 3)
                return number
            }
        }
        #expect(try await runAll(jobs) == Array(0..<2_000))
        #expect(try await runAll(jobs, atMost: 7) == Array(0..<2_000))
    }

    @Test func asynchronousJobsMayBe100000Too() async throws {
        let jobs = (0..<100_000).map { number -> AsyncJob in { number } }
        #expect(try await runAll(jobs, atMost: 1_000) == Array(0..<100_000))
    }

    @Test func neverMoreThan3JobsRunAtOnce() async throws {
        let inside = Occupancy()
        let jobs = (0..<200).map { number -> AsyncJob in
            {
                inside.enter()
                await yield(3)
                inside.leave()
                return number
            }
        }
        #expect(try await runAll(jobs, atMost: 3).count == 200)
        #expect(inside.peak <= 3)
        #expect(inside.total == 200)
    }

    @Test func oneSynchronousJobAtATimeRunsInOrder() async throws {
        let order = Locked<[Int]>([])
        let jobs = (0..<500).map { number -> Job in
            {
                order.update { $0.append(number) }
                return number
            }
        }
        #expect(try await runAll(jobs, atMost: 1).count == 500)
        #expect(order.value == Array(0..<500))
    }

    @Test func progressCountsFrom1ToTheNumberOfJobs() async throws {
        let seen = Locked<[Int]>([])
        let totals = Locked<Set<Int>>([])
        let jobs = (0..<300).map { number -> Job in { number } }
        _ = try await runAll(
            jobs,
            progress: { ended, total in
                seen.update { $0.append(ended) }
                totals.update { _ = $0.insert(total) }
            }
        )
        #expect(seen.value == Array(1...300))
        #expect(totals.value == [300])
    }

    @Test func progressCountsFailedJobs() async throws {
        let seen = Locked<[Int]>([])
        let jobs = (0..<30).map { number -> Job in
            { if number % 3 == 0 { throw Mishap(number: number) } else { number } }
        }
        _ = try await settleAll(jobs, progress: { ended, _ in seen.update { $0.append(ended) } })
        #expect(seen.value == Array(1...30))
    }

    @Test func theFirstErrorIsThrown() async throws {
        let jobs = (0..<100).map { number -> Job in { if number == 50 { throw Mishap(number: number) } else { number } }
        }
        await #expect(throws: Mishap(number: 50)) { try await runAll(jobs) }
    }

    @Test func theFirstErrorCancelsTheOtherJobs() async throws {
        let (inside, gate) = (Occupancy(), Gate())
        var jobs = (0..<20).map { number -> AsyncJob in
            {
                inside.enter()
                defer { inside.leave() }
                try await gate.pass()
                return number
            }
        }
        jobs.append {
            while inside.now < 20 { await Task.yield() }
            throw Mishap()
        }
        await #expect(throws: Mishap()) { try await runAll(jobs) }
        #expect(inside.now == 0)
    }

    @Test func jobsThatHaveNotBegunNeverDoAfterAnError() async throws {
        let begun = Occupancy()
        let jobs = (0..<100).map { number -> AsyncJob in
            {
                begun.enter()
                if number == 9 { throw Mishap() }
                return number
            }
        }
        await #expect(throws: Mishap()) { try await runAll(jobs, atMost: 1) }
        #expect(begun.total == 10)
    }

    @Test func settlingCollectsResultsAndErrors() async throws {
        let jobs = (0..<100).map { number -> Job in
            { if number % 2 == 0 { throw Mishap(number: number) } else { number } }
        }
        let asyncJobs = jobs.map { job -> AsyncJob in
            {
                await Task.yield()
                return try job()
            }
        }
        for outcomes in [
            try await settleAll(jobs), try await settleAll(asyncJobs), try await settleAll(asyncJobs, atMost: 4),
        ] {
            #expect(outcomes.count == 100)
            for (number, outcome) in outcomes.enumerated() {
                switch outcome {
                case .success(let value): #expect(value == number && number % 2 == 1)
                case .failure(let error): #expect(error as? Mishap == Mishap(number: number) && number % 2 == 0)
                }
            }
        }
    }

    @Test func cancellingTheTaskCancelsItsJobsAndAwaitsThem() async throws {
        let inside = Occupancy()
        for settles in [false, true] {
            // One for each: a task that is cancelled in front of it ends its stream for all.
            let gate = Gate()
            let jobs = (0..<50).map { number -> AsyncJob in
                {
                    inside.enter()
                    defer { inside.leave() }
                    try await gate.pass()
                    return number
                }
            }
            let before = inside.total
            let task = Task { settles ? try await settleAll(jobs).count : try await runAll(jobs).count }
            try await eventually { inside.total == before + 50 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(inside.now == 0)
        }
    }

    @Test func aTaskThatIsCancelledAlreadyBeginsNoJob() async throws {
        let begun = Occupancy()
        let job: Job = {
            begun.enter()
            return 1
        }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await runAll([job, job])
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(begun.total == 0)
    }

    @Test func synchronousJobsSeeTheCancellation() async throws {
        let isRunning = Locked(false)
        let job: Job = {
            isRunning.update { $0 = true }
            while !Task.isCancelled {}
            return 1
        }
        // The job keeps its thread, which must not be one of the pool: other tests need those.
        let configuration = ChemicalMachine.Configuration(executor: BlockingExecutor.shared)
        let task = Task { try await runAll([job], configuration: configuration) }
        try await eventually { isRunning.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func jobsSeeTheTaskLocalValuesOfTheCaller() async throws {
        let jobs: [AsyncJob] = [{ Self.label == "caller" ? 1 : 0 }, { Self.label == "caller" ? 1 : 0 }]
        let syncJobs: [Job] = [{ Self.label == "caller" ? 1 : 0 }]
        try await Self.$label.withValue("caller") {
            let (asynchronous, synchronous) = (try await runAll(jobs), try await runAll(syncJobs))
            #expect(asynchronous == [1, 1] && synchronous == [1])
        }
    }

    @Test func jobsMayRunJobs() async throws {
        let inner = (0..<10).map { number -> Job in { number } }
        let outer = (0..<20).map { _ -> AsyncJob in { try await runAll(inner, atMost: 2).reduce(0, +) } }
        #expect(try await runAll(outer) == Array(repeating: 45, count: 20))
    }

    // MARK: Reporting

    /// A molecule, and what was injected into it.
    private func collector<Value: Sendable>(of type: Value.Type) -> (
        SlowMolecule<Value>, FastMolecule<Void, Value>, Join
    ) {
        Join.define("collector") { join in
            let put = join.slow("put", of: Value.self)
            let take = join.fast("take", returning: Value.self)
            join.answer(take, with: put) { _, value in value }
            return (put, take, join.definition)
        }
    }

    @Test(arguments: [0, 1, 2, 1_000]) func allDoneIsInjectedExactlyOnce(count: Int) async throws {
        let (allDone, outcomes, definition) = collector(of: [Result<Int, any Error>].self)
        let jobs = (0..<count).map { number -> Job in { if number % 5 == 3 { throw Mishap() } else { number } } }
        let running = runAllAndReport(jobs, to: allDone)
        let results = try await outcomes()
        #expect(results.count == count)
        for (number, result) in results.enumerated() where number % 5 != 3 { #expect(try result.get() == number) }
        try await running.quiescence()
        #expect(definition.statistics.molecules["put"]?.injected == 1)
    }

    @Test func asynchronousJobsReportToAMolecule() async throws {
        let (allDone, outcomes, definition) = collector(of: [Result<Int, any Error>].self)
        let jobs = (0..<100).map { number -> AsyncJob in
            {
                await Task.yield()
                return number
            }
        }
        let running = runAllAndReport(jobs, atMost: 5, to: allDone)
        #expect(try await outcomes().map { try $0.get() } == Array(0..<100))
        try await running.quiescence()
        #expect(definition.statistics.molecules["put"]?.injected == 1)
    }

    @Test func deactivatedJobsReportNothing() async throws {
        let (allDone, _, definition) = collector(of: [Result<Int, any Error>].self)
        let (inside, gate) = (Occupancy(), Gate())
        let job: AsyncJob = {
            inside.enter()
            defer { inside.leave() }
            try await gate.pass()
            return 1
        }
        let running = runAllAndReport([job, job, job], atMost: 2, to: allDone)
        try await eventually { inside.now == 2 }
        running.deactivate()
        try await running.quiescence()
        #expect(inside.now == 0 && inside.total == 2)
        #expect(definition.statistics.molecules["put"]?.injected == 0)
    }

    // MARK: Seeds

    @Test func cancellationAtAnyMomentLeavesNoJobBehindIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            let inside = Occupancy()
            var random = SplitMix(seed: seed)
            let yields = (0..<12).map { _ in Int.random(in: 0..<8, using: &random) }
            let failing = Int.random(in: 0..<24, using: &random)
            let limit = Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil
            let patience = Int.random(in: 0..<40, using: &random)
            let jobs = yields.enumerated().map { number, yields -> AsyncJob in
                {
                    inside.enter()
                    defer { inside.leave() }
                    await yield(yields)
                    if number == failing { throw Mishap(number: number) }
                    return number
                }
            }
            let task = Task {
                try await runAll(jobs, atMost: limit, configuration: .init(seed: seed))
            }
            await yield(patience)
            task.cancel()
            switch await task.result {
            case .success(let values): #expect(values == Array(0..<12), "seed \(seed)")
            case .failure(let error):
                #expect(error is CancellationError || error as? Mishap == Mishap(number: failing), "seed \(seed)")
            }
            #expect(inside.now == 0, "seed \(seed)")
            #expect(inside.peak <= limit ?? 12, "seed \(seed)")
        }
    }

    // MARK: Bad input

    @Test func aLimitOfZeroIsRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let job: @Sendable () throws -> Int = { 1 }
            _ = try await runAll([job], atMost: 0)
        }
        #expect(text(result).contains("runAll can't run 0 jobs at once: the limit has to be at least 1, or nil"))
        #expect(text(result).contains("RunAllTests.swift"))
    }

    @Test func aNegativeLimitIsRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let job: @concurrent @Sendable () async throws -> Int = { 1 }
            _ = try await settleAll([job], atMost: -1)
        }
        #expect(text(result).contains("settleAll can't run -1 jobs at once"))
        let report = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let job: @Sendable () throws -> Int = { 1 }
            let allDone = Join.define { join in
                let allDone = join.slow("allDone", of: [Result<Int, any Error>].self)
                join.when(allDone) { _ in }
                return allDone
            }
            runAllAndReport([job], atMost: 0, to: allDone)
        }
        #expect(text(report).contains("runAllAndReport can't run 0 jobs at once"))
        #expect(text(report).contains("RunAllTests.swift"))
    }
}

@concurrent private func slowly<Value: Sendable>(_ value: Value) async -> Value {
    await Task.yield()
    return value
}
