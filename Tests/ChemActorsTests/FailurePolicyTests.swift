import ChemActors
import Foundation
import TestSupport
import Testing

@Suite("Failure policies", .endsInTime)
struct FailurePolicyTests {
    let events = ControlProbe.Events()
    let machine: ChemicalMachine

    init() { machine = ChemicalMachine(events.configuration()) }

    /// A definition whose first `failures` attempts at a job, and at a call, throw.
    struct Chemistry: Sendable {
        let job: SlowMolecule<Int>
        let ask: FastMolecule<Int, Int>
        let total: StateReader<Int>
        let definition: Join
        let attempts = ControlProbe.Count()

        init(_ machine: ChemicalMachine, _ policy: FailurePolicy, failures: Int, isAsynchronous: Bool) {
            let attempts = attempts
            @Sendable func attempt() throws {
                let number = attempts.add()
                if number <= failures { throw ControlProbe.Failed(number: number) }
            }
            (job, ask, total, definition) = machine.define("failing") { join in
                join.failurePolicy = policy
                let job = join.slow("job", of: Int.self)
                let ask = join.fast("ask", of: Int.self, returning: Int.self)
                let total = join.state("total", 0)
                if isAsynchronous {
                    join.when(job, updating: total) { total, x in
                        total += x
                        await Task.yield()
                        try attempt()
                    }
                    join.answer(ask, updating: total) { total, x in
                        total += x
                        await Task.yield()
                        try attempt()
                        return total
                    }
                } else {
                    join.when(job, updating: total) { total, x in
                        total += x
                        try attempt()
                    }
                    join.answer(ask, updating: total) { total, x in
                        total += x
                        try attempt()
                        return total
                    }
                }
                return (job, ask, total.reader, join.definition)
            }
        }
    }

    @Test(
        "drop: the failure is reported, the inputs are gone, the caller gets the error, the state comes back",
        arguments: [false, true]
    )
    func drop(isAsynchronous: Bool) async throws {
        let chemistry = Chemistry(machine, .drop, failures: 2, isAsynchronous: isAsynchronous)
        chemistry.job(5)
        try await machine.quiescence()
        #expect(events.failedReactions == 1)
        #expect(chemistry.definition.statistics.molecules["job"]?.present == 0)
        #expect(chemistry.total.value == 5, "the value is left as the body left it")
        await #expect(throws: ControlProbe.Failed(number: 2)) { _ = try await chemistry.ask(10) }
        try await machine.quiescence()
        #expect(events.failedReactions == 2)
        let answer = try await chemistry.ask(0)
        #expect(answer == 15)
        #expect(chemistry.definition.statistics.failed == 2)
    }

    @Test(
        "deactivate: the failure is reported, the caller gets the error, and the definition is deactivated",
        arguments: [false, true]
    )
    func deactivate(isAsynchronous: Bool) async throws {
        let chemistry = Chemistry(machine, .deactivate, failures: 1, isAsynchronous: isAsynchronous)
        await #expect(throws: ControlProbe.Failed(number: 1)) { _ = try await chemistry.ask(1) }
        try await machine.quiescence()
        #expect(chemistry.definition.snapshot().phase == .deactivated)
        #expect(events.failedReactions == 1)
        chemistry.job(1)
        #expect(chemistry.definition.statistics.molecules["job"]?.ignored == 1)
        chemistry.definition.activate()
        #expect(chemistry.total.value == 0)
        let answer = try await chemistry.ask(3)
        #expect(answer == 3)
    }

    @Test("retry: the job is done after n failures, and reported after n + 1", arguments: [false, true], [3, 4])
    func retry(isAsynchronous: Bool, failures: Int) async throws {
        let chemistry = Chemistry(
            machine,
            .retry(3, backOff: .milliseconds(1)),
            failures: failures,
            isAsynchronous: isAsynchronous
        )
        chemistry.job(1)
        try await machine.quiescence()
        #expect(chemistry.attempts.now == 4)
        #expect(events.failedReactions == (failures == 4 ? 1 : 0))
        #expect(chemistry.definition.statistics.failed == failures)
        #expect(chemistry.total.value == 4, "each attempt begins with the state as the one before has left it")
    }

    @Test("retry: a caller gets the answer of the last attempt, or its error", arguments: [false, true])
    func retriedCaller(isAsynchronous: Bool) async throws {
        let lucky = Chemistry(machine, .retry(2), failures: 2, isAsynchronous: isAsynchronous)
        let answer = try await lucky.ask(1)
        #expect(answer == 3)
        #expect(lucky.attempts.now == 3)
        let unlucky = Chemistry(machine, .retry(2), failures: 9, isAsynchronous: isAsynchronous)
        await #expect(throws: ControlProbe.Failed(number: 3)) { _ = try await unlucky.ask(1) }
        try await machine.quiescence()
        #expect(events.failedReactions == 1)
    }

    @Test(
        "putBack: the inputs react again after the back-off; a caller gets the error at once",
        arguments: [false, true]
    )
    func putBack(isAsynchronous: Bool) async throws {
        let chemistry = Chemistry(
            machine,
            .putBack(after: .milliseconds(1)),
            failures: 3,
            isAsynchronous: isAsynchronous
        )
        chemistry.job(1)
        try await machine.quiescence()
        #expect(chemistry.attempts.now == 4)
        #expect(chemistry.definition.statistics.molecules["job"]?.putBack == 3)
        #expect(chemistry.definition.statistics.molecules["job"]?.present == 0)
        #expect(events.failedReactions == 3)
        let calling = Chemistry(machine, .putBack(after: .seconds(3600)), failures: 1, isAsynchronous: isAsynchronous)
        await #expect(throws: ControlProbe.Failed(number: 1)) { _ = try await calling.ask(1) }
        let answer = try await calling.ask(1)
        #expect(answer == 2)
    }

    @Test("putBack: after its limit the inputs are dropped", arguments: [false, true])
    func putBackLimit(isAsynchronous: Bool) async throws {
        let policy = FailurePolicy.putBack(after: .milliseconds(1), limit: 2)
        let chemistry = Chemistry(machine, policy, failures: 99, isAsynchronous: isAsynchronous)
        chemistry.job(1)
        try await machine.quiescence()
        #expect(chemistry.attempts.now == 3)
        #expect(chemistry.definition.statistics.molecules["job"]?.putBack == 2)
        #expect(chemistry.definition.statistics.molecules["job"]?.present == 0)
        #expect(events.failedReactions == 3)
    }

    @Test("putBack: the other inputs come back too, and may react with others")
    func putBackAll() async throws {
        let (a, b, c, seen, definition) = machine.define("triple") { join in
            join.failurePolicy = .putBack(after: .milliseconds(1))
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            let c = join.slow("c")
            let seen = join.state("seen", [Int]())
            join.when(a, b) { x, y in
                c()
                throw ControlProbe.Failed()
            }
            join.when(a, c, c, updating: seen) { seen, x, _, _ in seen.append(x) }
            return (a, b, c, seen.reader, join.definition)
        }
        a(7)
        b(8)
        try await ControlProbe.until("the other reaction takes it") { seen.value == [7] }
        try await definition.quiescence()
        let statistics = definition.statistics
        #expect(statistics.molecules["b"]?.present == 1)
        #expect(statistics.isBalanced)
        _ = c
    }

    @Test("A CancellationError is not retried and not put back", arguments: [false, true])
    func cancellation(isAsynchronous: Bool) async throws {
        for policy in [FailurePolicy.retry(5), .putBack(after: .milliseconds(1))] {
            let attempts = ControlProbe.Count()
            let (ask, job) = machine.define("cancelled") { join in
                join.failurePolicy = policy
                let ask = join.fast("ask")
                let job = join.slow("job")
                if isAsynchronous {
                    join.answer(ask) { _ in
                        await Task.yield()
                        attempts.add()
                        throw CancellationError()
                    }
                } else {
                    join.answer(ask) { _ in
                        attempts.add()
                        throw CancellationError()
                    }
                }
                join.when(job) { _ in
                    attempts.add()
                    throw CancellationError()
                }
                return (ask, job)
            }
            await #expect(throws: CancellationError.self) { try await ask() }
            job()
            try await machine.quiescence()
            #expect(attempts.now == 2)
        }
        #expect(events.failedReactions == 4)
        #expect(events.mishaps.count == 2, "nobody was cancelled, and both jobs are lost: \(events.mishaps)")
        #expect(events.mishaps.allSatisfy { $0.hasSuffix("; it has consumed 'job'") }, "\(events.mishaps)")
    }

    @Test("A CancellationError is no mishap if its task was cancelled, or if nothing is lost by it")
    func expectedCancellation() async throws {
        let (work, sign) = machine.define("cancelled") { join in
            let (work, sign) = (join.slow("work"), join.state("sign", 0))
            join.when(work) { _ in
                await Task.yield()
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                throw CancellationError()
            }
            let change = join.fast("change")
            join.answer(change, updating: sign) { _, _ in throw CancellationError() }
            return (work, change)
        }
        work()
        await #expect(throws: CancellationError.self) { try await sign() }
        try await machine.quiescence()
        #expect(events.failedReactions == 2)
        #expect(events.mishaps == [])
    }

    @Test("A job of 20 steps that each fail half of the time ends done")
    func twentySteps() async throws {
        for seed in UInt64(1)...20 {
            let coin = Guarded(seed)
            let (step, done) = machine.define("steps") { join in
                join.failurePolicy = .retry(64)
                let step = join.slow("step", of: Int.self)
                let done = join.state("done", 0)
                let finish = join.slow("finish")
                join.when(step) { number in
                    let fails = coin.withLock { state in
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        return state >> 63 == 1
                    }
                    if fails { throw ControlProbe.Failed(number: number) }
                    if number < 20 { step(number + 1) } else { finish() }
                }
                join.when(finish, updating: done) { n, _ in n += 1 }
                return (step, done.reader)
            }
            step(1)
            try await machine.quiescence()
            #expect(done.value == 1, "seed \(seed)")
        }
        #expect(events.failedReactions == 0)
    }

    @Test("Nothing is lost unreported: each of 500 jobs is done or in a report", arguments: [false, true])
    func nothingIsLost(isAsynchronous: Bool) async throws {
        for policy in [FailurePolicy.drop, .retry(2), .retry(1, backOff: .milliseconds(1))] {
            let before = events.failedReactions
            let done = ControlProbe.Count()
            let attempts = ControlProbe.Count()
            let job = machine.define("jobs") { join in
                join.failurePolicy = policy
                let job = join.slow("job", of: Int.self)
                if isAsynchronous {
                    join.when(job) { _ in
                        await Task.yield()
                        if attempts.add() % 3 != 0 { throw ControlProbe.Failed() }
                        done.add()
                    }
                } else {
                    join.when(job) { _ in
                        if attempts.add() % 3 != 0 { throw ControlProbe.Failed() }
                        done.add()
                    }
                }
                return job
            }
            job.inject(contentsOf: 1...500)
            try await machine.quiescence()
            #expect(done.now > 0)
            #expect(done.now + events.failedReactions - before == 500)
        }
    }

    @Test("Bad parameters stop the program with a message")
    func badParameters() async throws {
        func check(_ result: ExitTest.Result?, _ message: String) {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains(message), "\(text)")
        }
        check(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = FailurePolicy.retry(0)
            },
            "a retry policy (ChemActorsTests/FailurePolicyTests.swift:"
        )
        check(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = FailurePolicy.retry(1, backOff: .seconds(-1))
            },
            "can't be negative: -1.0 seconds"
        )
        check(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = FailurePolicy.putBack(after: .zero)
            },
            "needs a back-off above zero"
        )
        check(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = FailurePolicy.putBack(after: .milliseconds(1), limit: 0)
            },
            "needs a limit of at least 1, not 0"
        )
    }
}
