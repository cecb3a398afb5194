import ChemActors
import Dispatch
import TestSupport
import Testing

/// What is said of molecules that nobody makes because a body has failed, or that only set something off.
@Suite("Stuck after a failure, or for want of a signal", .endsInTime)
struct StuckAfterFailureTests {
    private struct Bad: Error {}

    /// Calls, waits until the report says something, and returns it.
    private func report(
        _ machine: ChemicalMachine,
        saying text: String,
        _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> StuckReport {
        let waiting = Task { try await call() }
        let last = Guarded(machine.explainStuck())
        let hasCome = await Patience.until {
            let report = machine.explainStuck()
            last.withLock { $0 = report }
            return "\(report)".contains(text)
        }
        #expect(hasCome, "\(last.now)")
        machine.deactivate()
        _ = await waiting.result
        return last.now
    }

    private static func work() throws { throw Bad() }

    private func worker(
        _ policy: FailurePolicy,
        on machine: ChemicalMachine
    ) -> (job: SlowMolecule<Void>, done: FastMolecule<Void, Void>, line: Int) {
        let line = #line + 5
        let (job, done) = machine.define("worker") { join in
            join.failurePolicy = policy
            let (job, finished) = (join.slow("job"), join.slow("finished"))
            let done = join.fast("done")
            join.when(job) { _ in
                try Self.work()
                finished()
            }
            join.answer(done, with: finished) { _, _ in }
            return (job, done)
        }
        return (job, done, line)
    }

    @Test func theReactionThatFailsInsteadIsNamedWithItsError() async throws {
        let machine = ChemicalMachine.observed
        let (job, done, line) = worker(.drop, on: machine)
        job()
        job()
        try await machine.quiescence()
        let report = try await report(machine, saying: "lacks finished") { try await done() }
        #expect(report.says("job (\(here(line))) has failed 2 times, the last time with Bad"))
        #expect(!"\(report)".contains("tried again"))
        extendLifetime(job)
    }

    @Test func whatIsPutBackOrTriedAgainIsSaidToBe() async throws {
        for policy in [FailurePolicy.putBack(after: .seconds(3_600)), .retry(9, backOff: .seconds(3_600))] {
            let machine = ChemicalMachine.observed
            let (job, done, line) = worker(policy, on: machine)
            job()
            let report = try await report(machine, saying: "will be tried again") { try await done() }
            #expect(report.says("job (\(here(line)))", "with Bad; one that has failed will be tried again"))
            extendLifetime(job)
        }
    }

    /// A semaphore whose permits come back by a reaction of their own.
    @Test func aSignalFromOutsideIsNotExpectedFromWhoTookIt() async throws {
        let machine = ChemicalMachine.observed
        let (acquire, release) = machine.define("semaphore") { join in
            let (token, release) = (join.slow("token"), join.slow("release"))
            let acquire = join.fast("acquire")
            join.answer(acquire, with: token) { _, _ in }
            join.when(release) { _ in token() }
            token()
            return (acquire, release)
        }
        // So often that a flight recorder knows all by then.
        for _ in 0..<1_100 {
            try await acquire()
            release()
        }
        let line = #line + 1
        try await acquire()
        // The worker that has answered the call before may still be on its way out of that body.
        let report = try await report(machine, saying: "makes 'token', and lacks release") { try await acquire() }
        #expect(report.says("code outside of any reaction has injected 'release'"))
        #expect(!"\(report)".contains("taken the last 'release'"), "\(report)")
        #expect(report.says("has taken the last 'token' for the call at \(here(line)), and nobody has made another"))
        extendLifetime(release)
    }

    /// Somebody has the reply: it waits in the soup, for what another reaction lacks.
    @Test func aReplyThatIsInTheSoupIsTracedToWhatItWaitsFor() async throws {
        let machine = ChemicalMachine.observed
        let line = #line + 5
        let (ask, permit) = machine.define("desk") { join in
            let ask = join.fast("ask")
            let question = join.slow("question", of: Reply<Void, Void>.self)
            let permit = join.slow("permit")
            join.when(ask) { reply in question(reply) }
            join.when(question, permit) { reply, _ in reply() }
            // This one waits as well, for a copy that can't hold a reply.
            let number = join.slow("number", of: Int.self)
            join.when(number, join.slow("nothing")) { _, _ in }
            number(1)
            return (ask, permit)
        }
        let report = try await report(machine, saying: "lacks permit") { try await ask() }
        #expect(report.says("ask (\(here(line)))", "somebody has the reply"))
        #expect(report.says("    question & permit (\(here(line + 1))) lacks permit"))
        #expect(report.says("nobody has injected 'permit'"))
        #expect(!report.says("number & nothing"), "\(report)")
        extendLifetime(permit)
    }

    @Test func whatHasFailedIsToldOnceHoweverMuchItWouldHaveMade() async throws {
        let machine = ChemicalMachine.observed
        let (job, done) = machine.define("worker") { join in
            let (job, first, second) = (join.slow("job"), join.slow("first"), join.slow("second"))
            let done = join.fast("done")
            join.when(job) { _ in
                try Self.work()
                first()
                second()
            }
            join.answer(done, with: first, second) { _, _, _ in }
            return (job, done)
        }
        job()
        try await machine.quiescence()
        let report = try await report(machine, saying: "lacks first, second") { try await done() }
        #expect("\(report)".ranges(of: "has failed once").count == 1, "\(report)")
    }

    /// A reaction that makes nothing before its 2,001st body.
    private func late(
        on machine: ChemicalMachine
    ) -> (work: SlowMolecule<Int>, done: FastMolecule<Void, Void>, line: Int) {
        let line = #line + 4
        let (work, done) = machine.define("worker") { join in
            let (work, finished) = (join.slow("work", of: Int.self, order: .oldestFirst), join.slow("finished"))
            let done = join.fast("done")
            join.when(work) { number in if number > 2_000 { finished() } }
            join.answer(done, with: finished) { _, _ in }
            return (work, done)
        }
        return (work, done, line)
    }

    /// A flight recorder follows the first bodies of a reaction, and some of the later ones.
    @Test func whatABodyBeginsToMakeLateIsLearned() async throws {
        let machine = ChemicalMachine.observed
        let (work, done, line) = late(on: machine)
        work.inject(contentsOf: 1...2_032)
        for _ in 0..<32 { try await done() }
        try await machine.quiescence()
        let report = try await report(machine, saying: "lacks finished") { try await done() }
        #expect(report.says("work (\(here(line))) makes 'finished', and lacks work"), "\(report)")
        extendLifetime(work)
    }

    @Test func whatABodyHasMadeUnseenIsNotPutDownToTheBeginning() async throws {
        let machine = ChemicalMachine.observed
        let (work, done) = machine.define("worker") { join in
            let (work, finished) = (join.slow("work", of: Int.self, order: .oldestFirst), join.slow("finished"))
            let done = join.fast("done")
            join.when(work) { number in if number == 2_001 { finished() } }
            join.answer(done, with: finished, finished) { _, _, _ in }
            return (work, done)
        }
        work.inject(contentsOf: 1...2_001)
        try await machine.quiescence()
        let report = try await report(machine, saying: "lacks finished") { try await done() }
        #expect(report.says("'worker' or a body of it has injected 'finished'", "so far"), "\(report)")
        extendLifetime(work)
    }

    @Test(.blocksThreads) func whoHoldsAStateHasNotFailedBecauseAnotherReactionHas() async throws {
        let machine = ChemicalMachine.observed
        let mayEnd = DispatchSemaphore(value: 0)
        let holds = Guarded(false)
        let (hold, flaky, get) = machine.define("bank") { join in
            join.failurePolicy = .retry(9, backOff: .seconds(3_600))
            let value = join.state("value", 0)
            let (hold, flaky) = (join.slow("hold"), join.slow("flaky"))
            let get = join.fast("get", returning: Int.self)
            // Of bodies that don't suspend, it isn't noted what they have.
            join.when(hold, updating: value) { value, _ in
                holds.withLock { $0 = true }
                mayEnd.wait()
                value += 1
            }
            join.when(flaky) { _ in try Self.work() }
            join.answer(get, reading: value) { value, _ in value }
            return (hold, flaky, get)
        }
        flaky()
        hold()
        // A body that has failed still runs until its failure was told of: who runs says itself that it has the state.
        #expect(await Patience.until { machine.statistics.failed == 1 && holds.now })
        let report = try await report(machine, saying: "has 'value'") { _ = try await get() }
        #expect(report.says("has 'value': its body runs"))
        #expect(!"\(report)".contains("has 'value': its body has failed"))
        mayEnd.signal()
        extendLifetime((hold, flaky))
    }

    @Test func aLoopOfRetriesIsFedFromOutside() async throws {
        let machine = ChemicalMachine.observed
        let (job, result) = machine.define("worker") { join in
            let job = join.slow("job", of: Int.self)
            let (failed, done) = (join.slow("failed", of: Int.self), join.slow("done", of: Int.self))
            let worker = join.slow("worker")
            let result = join.fast("result", returning: Int.self)
            join.when(job, worker) { number, _ in
                if number == 3 { failed(4) } else { done(number) }
                worker()
            }
            join.when(failed) { number in job(number) }
            join.answer(result, with: done) { _, number in number }
            worker()
            return (job, result)
        }
        for number in 1...5 {
            job(number)
            _ = try await result()
        }
        // The last body may still be on its way out.
        try await machine.quiescence()
        let report = try await report(machine, saying: "lacks done") { _ = try await result() }
        #expect(report.says("code outside of any reaction has injected 'job'"))
        extendLifetime(job)
    }

    @Test func aBodyThatRunsMayHaveTheReplyThatAnotherHasKept() async throws {
        let machine = ChemicalMachine.observed
        let mayEnd = ControlProbe.Gate()
        let line = #line + 8
        let ask = machine.define("desk") { join in
            let ask = join.fast("ask", returning: Int.self)
            let kept = join.slow("kept", of: Reply<Void, Int>.self)
            join.when(ask) { reply in
                kept(reply)
            }
            // It has taken the reply, and is busy.
            join.when(kept) { reply async in
                await mayEnd.pass()
                reply(1)
            }
            return ask
        }
        let waiting = Task { try await ask() }
        let expected = "kept (\(here(line))) of 'desk' runs"
        #expect(await Patience.until { machine.explainStuck().says(expected) }, "\(machine.explainStuck())")
        #expect(machine.explainStuck().says("somebody has the reply"))
        mayEnd.open()
        #expect(try await waiting.value == 1)
    }
}
