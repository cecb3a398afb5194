import ChemActors
import Foundation
import TestSupport
import Testing

/// What becomes of failed reactions while they wait to be tried again.
@Suite("Pending retries", .endsInTime)
struct PendingRetryTests {
    let events = ControlProbe.Events()
    let machine: ChemicalMachine

    init() { machine = ChemicalMachine(events.configuration()) }

    private static let hour = Duration.seconds(3600)

    private func make(
        _ policy: FailurePolicy,
        failures: Int = 1,
        isAsynchronous: Bool = false
    ) -> FailurePolicyTests.Chemistry {
        FailurePolicyTests.Chemistry(machine, policy, failures: failures, isAsynchronous: isAsynchronous)
    }

    @Test("A pending retry is not quiet")
    func notQuiet() async throws {
        for policy in [FailurePolicy.retry(1, backOff: Self.hour), .putBack(after: Self.hour)] {
            let (job, definition) = machine.define("failing") { join in
                join.failurePolicy = policy
                let job = join.slow("job")
                join.when(job) { _ in throw ControlProbe.Failed() }
                return (job, join.definition)
            }
            job()
            try await ControlProbe.until("it waits") { definition.statistics.pendingRetries == 1 }
            let quiet = ControlProbe.Count()
            let waiter = Task {
                try await definition.quiescence()
                quiet.add()
            }
            try await ControlProbe.letOthersRun()
            #expect(quiet.now == 0)
            definition.clear()
            try await waiter.value
            #expect(definition.statistics.pendingRetries == 0)
            #expect(events.droppedRetries > 0)
        }
        #expect(events.droppedRetries == 2)
    }

    @Test("Deactivating and activating at the same time never makes two of the state that a retry holds")
    func stateAgainstActivate() async throws {
        for round in 0..<300 {
            let chemistry = make(.retry(1, backOff: Self.hour))
            let call = Task { try await chemistry.ask(1) }
            try await ControlProbe.until("it waits") { chemistry.definition.statistics.pendingRetries == 1 }
            async let activated: Void = chemistry.definition.activate()
            chemistry.definition.deactivate()
            await activated
            await #expect(throws: ControlProbe.Failed(number: 1)) { _ = try await call.value }
            chemistry.definition.activate()
            try await chemistry.definition.quiescence()
            let answer = try await chemistry.ask(5)
            #expect(answer == 5, "round \(round)")
        }
    }

    @Test("Clear and deactivate drop it, report it and answer its caller", arguments: [false, true], [false, true])
    func dropped(isAsynchronous: Bool, deactivates: Bool) async throws {
        let chemistry = make(.retry(1, backOff: Self.hour), isAsynchronous: isAsynchronous)
        let call = Task { try await chemistry.ask(1) }
        try await ControlProbe.until("it waits") { chemistry.definition.statistics.pendingRetries == 1 }
        if deactivates { chemistry.definition.deactivate() } else { chemistry.definition.clear() }
        await #expect(throws: ControlProbe.Failed(number: 1)) { _ = try await call.value }
        try await chemistry.definition.quiescence()
        #expect(events.droppedRetries == 1)
        #expect(chemistry.attempts.now == 1)
        if deactivates { chemistry.definition.activate() }
        let answer = try await chemistry.ask(5)
        #expect(answer == 5, "the state has its initial value again")
    }

    @Test("A state that a dropped retry held has its initial value after clear")
    func stateAfterClear() async throws {
        let chemistry = make(.retry(1, backOff: Self.hour))
        chemistry.job(100)
        try await ControlProbe.until("it waits") { chemistry.definition.statistics.pendingRetries == 1 }
        chemistry.definition.clear()
        #expect(chemistry.total.value == 0)
        #expect(chemistry.definition.statistics.molecules["total"]?.present == 1)
        #expect(chemistry.definition.statistics.isBalanced)
    }

    @Test("Dropping what was to be put back leaves the state alone: one copy exists")
    func putBackAndState() async throws {
        // In a process of its own: a second copy of the state makes a reaction possible without its other input.
        await #expect(processExitsWith: .success) {
            let machine = ChemicalMachine(.init(reporter: { _ in }))
            let chemistry = FailurePolicyTests.Chemistry(
                machine,
                .putBack(after: .seconds(3600)),
                failures: 1,
                isAsynchronous: false
            )
            chemistry.job(1)
            try await ControlProbe.until("it waits") { chemistry.definition.statistics.pendingRetries == 1 }
            chemistry.definition.clear()
            let reactions = chemistry.definition.snapshot().reactions
            try #require(reactions.allSatisfy { !$0.missing.isEmpty })
            try await machine.quiescence()
            try #require(chemistry.definition.statistics.isBalanced)
            try #require(chemistry.definition.statistics.started == 1)
        }
    }

    @Test("The state stays taken between the attempts, and can be read")
    func stateStaysTaken() async throws {
        let chemistry = make(.retry(1, backOff: Self.hour))
        chemistry.job(100)
        try await ControlProbe.until("it waits") { chemistry.definition.statistics.pendingRetries == 1 }
        #expect(chemistry.total.value == 0, "the last committed value")
        chemistry.job(1)
        try await ControlProbe.letOthersRun()
        #expect(chemistry.definition.statistics.started == 1)
        // A worker that hasn't left yet takes the inbox with it, whenever it does.
        let job = try #require(chemistry.definition.statistics.molecules["job"])
        #expect(job.present + job.inInbox == 1)
        chemistry.definition.deactivate()
    }

    @Test("Resuming with a due retry leaves nothing behind on the thread that resumed")
    func resumingThread() async throws {
        let other = ChemicalMachine(.init(reporter: { _ in }))
        let chemistry = make(.retry(1, backOff: .milliseconds(1)), isAsynchronous: true)
        chemistry.definition.pause()
        chemistry.definition.resume()
        chemistry.job(1)
        chemistry.definition.pause()
        chemistry.definition.resume()
        try await ControlProbe.until("first attempt") { chemistry.attempts.now >= 1 }
        try await machine.quiescence()

        for _ in 1...20 {
            let held = make(.retry(1, backOff: .milliseconds(5)))
            held.job(1)
            // On a busy machine its time may have come before anybody has looked.
            try await ControlProbe.until("it waits, or has waited") {
                held.definition.statistics.pendingRetries == 1 || held.attempts.now == 2
            }
            held.definition.pause()
            try await ControlProbe.outwait(.milliseconds(5))
            // In one go, without suspending: a definition made after `resume` belongs to nobody's body.
            let name: SlowMolecule<Void> = {
                held.definition.resume()
                return Join.define("independent") { join in
                    let name = join.slow("name")
                    join.when(name) { _ in }
                    return name
                }
            }()
            let isInherited = machine.snapshot().contains { $0.definition == "independent" }
            try #require(!isInherited, "it was placed on the machine of the definition that was resumed")
            _ = name
            try await machine.quiescence()
        }
        _ = other
    }

    @Test("What a dropped retry held is released when it is dropped, not when its back-off would end")
    func released() async throws {
        final class Payload: Sendable {
            let count: ControlProbe.Count
            init(_ count: ControlProbe.Count) { self.count = count }
            deinit { count.add() }
        }
        let count = ControlProbe.Count()
        let (job, definition) = machine.define("payload") { join in
            join.failurePolicy = .putBack(after: Self.hour)
            let job = join.slow("job", of: Payload.self)
            join.when(job) { _ in throw ControlProbe.Failed() }
            return (job, join.definition)
        }
        job(Payload(count))
        try await ControlProbe.until("it waits") { definition.statistics.pendingRetries == 1 }
        definition.clear()
        try await ControlProbe.until("it is released") { count.now == 1 }
    }

    @Test("A pause that comes just before a retry falls due holds it, whatever the interleaving")
    func pauseAgainstDue() async throws {
        for round in 1...300 {
            let chemistry = make(.retry(1, backOff: .microseconds(round % 50)))
            chemistry.job(1)
            try await ControlProbe.until("first attempt") { chemistry.attempts.now >= 1 }
            chemistry.definition.pause()
            let started = chemistry.definition.statistics.started
            for _ in 1...20 { await Task.yield() }
            try #require(chemistry.definition.statistics.started == started, "round \(round)")
            chemistry.definition.resume()
            try await chemistry.definition.quiescence()
            try #require(chemistry.attempts.now == 2, "round \(round)")
        }
    }

    @Test("What becomes due in a pause begins after it, and not on the thread that resumes", arguments: [false, true])
    func resumeRunsNothing(isAsynchronous: Bool) async throws {
        for _ in 0..<20 {
            let wereOnResumer = Guarded<[Bool]>([])
            let (job, definition) = machine.define("failing") { join in
                join.failurePolicy = .retry(1)
                let job = join.slow("job")
                let body: @Sendable (Join) throws -> Void = { definition in
                    let isFirst = wereOnResumer.withLock {
                        $0.append(Thread.current.name == "resumer")
                        return $0.count == 1
                    }
                    // Without a back-off, the retry is due as soon as this has failed: in the pause.
                    if isFirst {
                        definition.pause()
                        throw ControlProbe.Failed()
                    }
                }
                if isAsynchronous {
                    join.when(job) { [definition = join.definition] _ async throws in try body(definition) }
                } else {
                    join.when(job) { [definition = join.definition] _ in try body(definition) }
                }
                return (job, join.definition)
            }
            job()
            try await ControlProbe.until("it waits") { definition.statistics.pendingRetries == 1 }
            #expect(machine.pendingDeadlines == 0, "it is due")
            try await ControlProbe.letOthersRun()
            #expect(wereOnResumer.now.count == 1)
            let hasResumed = Signal()
            Thread.detachNewThread {
                Thread.current.name = "resumer"
                definition.resume()
                hasResumed.send()
            }
            await hasResumed.wait()
            try await definition.quiescence()
            #expect(wereOnResumer.now == [false, false])
        }
    }

    @Test("Repetitions of synchronous bodies count against the limit of workers", arguments: [1, 2])
    func workerLimit(limit: Int) async throws {
        let machine = ChemicalMachine(.init(workerLimit: limit, reporter: { _ in }))
        let running = Guarded((now: 0, peak: 0))
        let (job, definition) = machine.define("failing") { join in
            join.failurePolicy = .retry(1)
            let job = join.slow("job", of: Int.self)
            let attempts = Guarded<[Int: Int]>([:])
            join.when(job) { n in
                running.withLock {
                    $0.now += 1
                    $0.peak = max($0.peak, $0.now)
                }
                let end = ContinuousClock.now + .microseconds(200)
                while ContinuousClock.now < end {}
                running.withLock { $0.now -= 1 }
                let attempt = attempts.withLock {
                    $0[n, default: 0] += 1
                    return $0[n] ?? 0
                }
                if attempt == 1 { throw ControlProbe.Failed() }
            }
            return (job, join.definition)
        }
        job.inject(contentsOf: 0..<100)
        try await definition.quiescence()
        #expect(running.now.peak <= limit)
        #expect(definition.statistics.started == 200)
        #expect(definition.statistics.peakRunning <= limit)
    }

    @Test(
        "A paused definition that nothing leads to dissolves, whatever waits to be tried again",
        arguments: [false, true]
    )
    func dissolvesWhilePaused(isDue: Bool) async throws {
        var kept: (SlowMolecule<Void>, Join)? = machine.define("failing") { join in
            join.failurePolicy = .retry(1, backOff: isDue ? .milliseconds(1) : Self.hour)
            let job = join.slow("job")
            let count = join.state("count", 0)
            join.when(job, updating: count) { [definition = join.definition] _, _ in
                definition.pause()
                throw ControlProbe.Failed()
            }
            return (job, join.definition)
        }
        let definition = try #require(kept).1
        kept?.0()
        try await ControlProbe.until("it waits") { definition.statistics.pendingRetries == 1 }
        if isDue { try await ControlProbe.outwait(.milliseconds(1)) }
        kept = nil
        try await ControlProbe.until("it dissolves") { definition.snapshot().phase == .dissolved }
        #expect(events.droppedRetries == 1)
        #expect(machine.pendingDeadlines == 0)
    }
}
