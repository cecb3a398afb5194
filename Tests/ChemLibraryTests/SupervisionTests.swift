import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Failures, restarts, supervisors, children, death watch.
@Suite("Supervision of mailbox actors", .endsInTime)
struct SupervisionTests {
    typealias Log = Mailboxes.Log
    typealias Gate = Mailboxes.Gate
    typealias Broken = Mailboxes.Broken

    /// An actor that counts what it handles, and fails on negative numbers.
    private func makeCounting(
        _ name: String,
        _ log: Log<String>,
        _ options: MailboxOptions = MailboxOptions()
    ) -> MailboxActor<Int> {
        MailboxActor(state: 0, options: options) { (count, n: Int, _) in
            count += 1
            if n < 0 { throw Broken(number: n) }
            log.add("\(name)\(n) #\(count)")
        }
    }

    @Test func aRestartKeepsTheMailboxAndDropsOnlyTheFailingMessage() async throws {
        for seed in 0..<100 {
            let machine = Mailboxes.quietMachine(seed)
            let log = Log<String>()
            let actor = makeCounting("", log, MailboxOptions(machine: machine))
            for n in [1, 2, -3, 4, 5] { actor.tell(n) }
            actor.start()
            #expect(try await log.first(4) == ["1 #1", "2 #2", "4 #1", "5 #2"], "seed \(seed)")
            actor.stop(.drain)
            try await actor.termination()
            #expect(actor.statistics.restarts == 1)
            #expect(actor.statistics.failed == 1)
            #expect(actor.statistics.processed == 4)
            #expect(actor.statistics.dropped == 0)
        }
    }

    @Test("Whose question makes the handler throw is told what it threw", arguments: [false, true])
    func askersAreToldOfErrors(isAsynchronous: Bool) async throws {
        for seed in 0..<50 {
            let options = MailboxOptions(machine: Mailboxes.quietMachine(seed))
            let actor =
                isAsynchronous
                ? MailboxActor(state: 0, options: options) { (_, reply: ReplyTo<Int>, _) async throws in
                    await Task.yield()
                    throw Broken(number: 7)
                }
                : MailboxActor(state: 0, options: options) { (_, _: ReplyTo<Int>, _) in throw Broken(number: 7) }
            actor.start()
            // Handled in the asker's task, or by a worker.
            async let other = Mailboxes.error { _ = try await actor.ask { $0 } }
            for error in [await Mailboxes.error { _ = try await actor.ask { $0 } }, await other] {
                let error = try #require(error as? MailboxError, "seed \(seed)")
                #expect(error.code == .unanswered, "seed \(seed)")
                #expect("\(error)".contains("hasn't answered the question: its handler threw: Broken(number: 7)"))
            }
        }
    }

    @Test func anActorThatHasFailedTooOftenSaysWhatIsLost() async throws {
        let events = Locked<[String]>([])
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { event in events.update { $0.append("\(event)") } })
        )
        let options = MailboxOptions(restarts: RestartLimit(1, within: .seconds(100)), machine: machine)
        let actor = makeCounting("", Log(), options)
        for n in [-1, -2, 3, 4, 5] { actor.tell(n) }
        actor.start()
        try await actor.termination()
        #expect(
            events.value.contains {
                $0.contains("may be restarted 1 time within 100.0 seconds, so it has ended, and 3 messages")
            },
            "\(events.value)"
        )
        // Its messages become dead letters one after the other, and whoever waits for its end may come in between.
        try await machine.quiescence()
        #expect(actor.statistics.dropped == 3)
    }

    @Test func anAsynchronousHandlerIsRestartedToo() async throws {
        for seed in 0..<50 {
            let machine = Mailboxes.quietMachine(seed)
            let log = Log<String>()
            let actor = MailboxActor(state: 0, options: MailboxOptions(machine: machine)) {
                (count, n: Int, context) async throws in
                count += 1
                await Task.yield()
                if n < 0 { throw Broken(number: n) }
                context.become { _, n, _ in log.add("other \(n)") }
                log.add("\(n) #\(count)")
            }.start()
            for n in [-1, 2, 3] { actor.tell(n) }
            #expect(try await log.first(2) == ["2 #1", "other 3"], "seed \(seed)")
        }
    }

    @Test func aGroupThatIsStoppedHandlesWhatItWasTold() async throws {
        for seed in 0..<50 {
            let machine = Mailboxes.quietMachine(seed)
            let log = Log<String>()
            let supervisor = Supervisor(
                Supervision(.oneForOne, limit: RestartLimit(2, within: .seconds(600))),
                machine: machine
            )
            let options = MailboxOptions(machine: machine)
            let actors = ["a", "b"].map { supervisor.supervise(makeCounting($0, log, options)) }
            // The failure comes before the drain, or in the middle of it.
            for n in [1, -2, 3] { for actor in actors { actor.tell(n) } }
            supervisor.stop(.drain)
            guard case .stopped = try await supervisor.termination() else { throw Broken() }
            #expect(try await log.all().sorted() == ["a1 #1", "a3 #1", "b1 #1", "b3 #1"], "seed \(seed)")
            for actor in actors { #expect(actor.isFinished) }
            // Whoever comes later is stopped, too.
            let late = supervisor.supervise(makeCounting("late", log, options))
            guard case .stopped = try await late.termination() else { throw Broken() }
        }
    }

    @Test func aGroupThatIsStoppedNowDropsWhatItWasTold() async throws {
        let gate = Gate()
        let supervisor = Supervisor()
        let office = DeadLetters()
        let actor = supervisor.supervise(
            MailboxActor(state: 0, options: MailboxOptions(deadLetters: office)) { (_, _: Int) async throws in
                try await gate.pass()
            }
        )
        for n in 1...3 { actor.tell(n) }
        try await gate.arrived()
        supervisor.stop(.now)
        gate.open()
        guard case .stopped = try await supervisor.termination() else { throw Broken() }
        // Whoever waits for the end may be faster than what becomes of the messages.
        try await eventually { office.count >= 2 }
        #expect(office.count == 2)
    }

    @Test func aDrainingGroupThatFailsTooOftenOrIsCancelledEndsSo() async throws {
        let log = Log<String>()
        let failing = Supervisor(Supervision(limit: RestartLimit(0, within: .seconds(1))))
        let actor = failing.supervise(makeCounting("a", log))
        for n in [1, -2, 3] { actor.tell(n) }
        failing.stop(.drain)
        guard case .failed = try await failing.termination() else { throw Broken() }

        let gate = Gate()
        let cancelled = Supervisor()
        let waiting = cancelled.supervise(
            MailboxActor(state: 0) { (_, _: Int) async throws in try await gate.pass() }
        )
        waiting.tell(1)
        try await gate.arrived()
        cancelled.stop(.drain)
        cancelled.cancel()
        gate.open()
        guard case .cancelled = try await cancelled.termination() else { throw Broken() }
    }

    @Test func aRestartBringsBackTheFirstHandlerAndWhatWasPutAside() async throws {
        let log = Log<String>()
        let actor = MailboxActor(state: 0) { (_, n: Int, context) in
            if n < 10 { log.add("first \(n)") } else { context.stash(n) }
            if n == 1 {
                context.stash(5)
                context.become { _, n, _ in
                    if n < 0 { throw Broken() }
                    log.add("then \(n)")
                }
            }
        }
        for n in [1, 2, -1, 3] { actor.tell(n) }
        actor.start()
        #expect(try await log.first(4) == ["first 1", "then 2", "first 5", "first 3"])
    }

    @Test func theFourthFailureWithinASecondStopsAnActorThatMayBeRestartedThreeTimes() async throws {
        let clock = ManualClock()
        let log = Log<String>()
        let options = MailboxOptions(restarts: RestartLimit(3, within: .seconds(1), clock: clock))
        let actor = makeCounting("", log, options).start()
        for n in 1...3 {
            actor.tell(-n)
            actor.tell(n)
            _ = try await log.first(n)
            clock.advance(by: .milliseconds(300))
        }
        actor.tell(-4)  // at 900 ms
        actor.tell(4)
        #expect(try await actor.termination().word == "failed \(Broken(number: -4))")
        #expect(actor.statistics.restarts == 3)
        #expect(try await log.all().count == 3)
    }

    @Test func restartsThatAreLongAgoDontCount() async throws {
        let clock = ManualClock()
        let log = Log<String>()
        let options = MailboxOptions(restarts: RestartLimit(3, within: .seconds(1), clock: clock))
        let actor = makeCounting("", log, options).start()
        for n in 1...20 {
            actor.tell(-n)
            actor.tell(n)
            _ = try await log.first(n)
            clock.advance(by: .milliseconds(334))
        }
        #expect(actor.statistics.restarts == 20)
    }

    @Test func withALimitOfZeroTheFirstFailureStopsTheActor() async throws {
        let log = Log<String>()
        let office = DeadLetters()
        let options = MailboxOptions(restarts: RestartLimit(0, within: .seconds(1)), deadLetters: office)
        let actor = makeCounting("", log, options)
        for n in [1, -2, 3] { actor.tell(n) }
        actor.start()
        #expect(try await actor.termination().word == "failed \(Broken(number: -2))")
        while office.count < 1 { await Task.yield() }
        #expect(try await log.all() == ["1 #1"])
    }

    @Test func aNegativeRestartLimitIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = RestartLimit(-1, within: .seconds(1))
        }
        expectMessage(result, "a restart limit needs a count of at least 0, not -1", "SupervisionTests.swift")
    }

    @Test func aRestartLimitWithoutTimeIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = RestartLimit(3, within: .zero)
        }
        expectMessage(result, "a restart limit needs a window above zero, not 0.0 seconds", "SupervisionTests.swift")
    }

    // MARK: Groups

    /// Three actors under a supervisor, each with one message counted before the second one fails.
    private func failTheSecond(_ strategy: Supervision.Strategy, seed: Int) async throws -> [String] {
        let machine = Mailboxes.quietMachine(seed)
        let log = Log<String>()
        let supervisor = Supervisor(Supervision(strategy), machine: machine)
        let actors = ["a", "b", "c"].map {
            supervisor.supervise(makeCounting($0, log, MailboxOptions(machine: machine)))
        }
        for actor in actors { actor.tell(1) }
        _ = try await log.first(3)
        actors[1].tell(-1)
        try await machine.quiescence()
        for actor in actors { actor.tell(2) }
        let lines = Array(try await log.first(6)[3...]).sorted()
        supervisor.cancel()
        try await supervisor.termination()
        return lines
    }

    @Test func oneForOneRestartsTheFailedActorAlone() async throws {
        for seed in 0..<50 {
            #expect(try await failTheSecond(.oneForOne, seed: seed) == ["a2 #2", "b2 #1", "c2 #2"], "seed \(seed)")
        }
    }

    @Test func oneForAllRestartsAll() async throws {
        for seed in 0..<50 {
            #expect(try await failTheSecond(.oneForAll, seed: seed) == ["a2 #1", "b2 #1", "c2 #1"], "seed \(seed)")
        }
    }

    @Test func restForOneRestartsTheFailedActorAndThoseAfterIt() async throws {
        for seed in 0..<50 {
            #expect(try await failTheSecond(.restForOne, seed: seed) == ["a2 #2", "b2 #1", "c2 #1"], "seed \(seed)")
        }
    }

    @Test func aGroupThatFailsTooOftenEnds() async throws {
        for seed in 0..<50 {
            let machine = Mailboxes.quietMachine(seed)
            let clock = ManualClock()
            let log = Log<String>()
            let limit = RestartLimit(3, within: .seconds(1), clock: clock)
            let supervisor = Supervisor(Supervision(.oneForOne, limit: limit), machine: machine)
            let actors = ["a", "b"].map {
                supervisor.supervise(makeCounting($0, log, MailboxOptions(machine: machine)))
            }
            // The limit is that of the group: two failures of each.
            for n in 1...2 {
                for actor in actors {
                    actor.tell(-n)
                    try await machine.quiescence()
                }
            }
            #expect(try await supervisor.termination().word == "failed \(Broken(number: -2))", "seed \(seed)")
            #expect(try await actors[0].termination().word == "cancelled")
            #expect(try await actors[1].termination().word == "failed \(Broken(number: -2))")
        }
    }

    @Test func failuresOfAllActorsAtTheSameTimeLeaveNobodyWaiting() async throws {
        for seed in 0..<100 {
            let machine = Mailboxes.quietMachine(seed)
            let log = Log<String>()
            let limit = RestartLimit(1000, within: .seconds(1))
            let supervisor = Supervisor(Supervision(.oneForAll, limit: limit), machine: machine)
            let actors = (0..<5).map { _ in
                supervisor.supervise(makeCounting("", log, MailboxOptions(machine: machine)))
            }
            for actor in actors { for n in 0..<5 { actor.tell(n % 2 == 0 ? -1 : n) } }
            #expect(try await log.first(10).count == 10, "seed \(seed)")
            supervisor.cancel()
            #expect(try await supervisor.termination().word == "cancelled")
        }
    }

    @Test func anActorThatJoinsAGroupThatHasEndedEnds() async throws {
        let supervisor = Supervisor()
        supervisor.cancel()
        try await supervisor.termination()
        let actor = supervisor.supervise(makeCounting("", Log<String>()))
        #expect(try await actor.termination().word == "cancelled")
    }

    @Test func aSecondSupervisorIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let actor = MailboxActor(state: 0) { (_, _: Int, _) in }
            Supervisor().supervise(actor)
            Supervisor().supervise(actor)
        }
        expectMessage(result, "has a supervisor already", "SupervisionTests.swift")
    }

    // MARK: Children

    private enum Family: Sendable {
        case spawn
        case child(Int, Int)
        case died(String)
        case count(ReplyTo<Int>)
    }

    private func makeParent(
        _ log: Log<String>,
        _ options: MailboxOptions
    ) -> MailboxActor<Family> {
        MailboxActor(state: [MailboxActor<Int>](), options: options) { (children, message: Family, context) in
            switch message {
            case .spawn:
                let name = "child\(children.count) "
                let child = MailboxActor(state: 0) { (count, n: Int, _) in
                    count += 1
                    if n < 0 { throw Broken(number: n) }
                    log.add("\(name)\(n) #\(count)")
                }
                children.append(context.spawn(child))
                context.watch(child) { .died("\(name)\($0.word)") }
            case .child(let index, let n): children[index].tell(n)
            case .died(let text): log.add(text)
            case .count(let reply): reply(children.count)
            }
        }.start()
    }

    @Test func childrenEndWithTheirParentAndBeforeIt() async throws {
        for _ in 0..<50 {
            let ends = Log<String>()
            let gate = Gate()
            let parent = MailboxActor(state: 0) { (_, _: Int, context) in
                for name in ["one", "two"] {
                    let child = MailboxActor(state: 0) { (_, _: Int, _) async in try? await gate.pass() }
                    child.watch { ends.add("\(name) \($0.word)") }
                    context.spawn(child).tell(0)
                }
            }.start()
            parent.watch { ends.add("parent \($0.word)") }
            parent.tell(0)
            try await gate.arrived()
            try await gate.arrived()
            parent.cancel()
            gate.open()
            gate.open()
            try await parent.termination()
            let lines = try await ends.first(3)
            #expect(lines[..<2].sorted() == ["one cancelled", "two cancelled"])
            #expect(lines[2] == "parent cancelled")
        }
    }

    @Test func aParentRestartsItsChildAndHearsOfItsEnd() async throws {
        let log = Log<String>()
        let clock = ManualClock()
        var options = MailboxOptions()
        options.supervision = Supervision(.oneForOne, limit: RestartLimit(1, within: .seconds(1), clock: clock))
        options.restarts = RestartLimit(0, within: .seconds(1), clock: clock)
        let parent = makeParent(log, options)
        parent.tell(.spawn)
        for n in [1, -2, 3] { parent.tell(.child(0, n)) }
        #expect(try await log.first(2) == ["child0 1 #1", "child0 3 #1"])
        parent.tell(.child(0, -4))  // one too many: the parent fails as well, and may not be restarted
        #expect(try await parent.termination().word == "failed \(Broken(number: -4))")
    }

    @Test func aFailureThatGoesUpRestartsTheParentWithoutItsChildren() async throws {
        let log = Log<String>()
        var options = MailboxOptions()
        options.supervision = Supervision(.oneForOne, limit: RestartLimit(0, within: .seconds(1)))
        let parent = makeParent(log, options)
        parent.tell(.spawn)
        #expect(try await parent.ask(Family.count) == 1)
        parent.tell(.child(0, -1))
        while try await parent.ask(Family.count) != 0 { await Task.yield() }
        #expect(parent.statistics.restarts == 1)
        parent.tell(.spawn)
        parent.tell(.child(0, 5))
        while try await !log.all().contains("child0 5 #1") { await Task.yield() }
        parent.cancel()
        try await parent.termination()
    }

    @Test func theFourthFailureOfAChildWithinASecondGoesUpToItsParentAndToItsParentsGroup() async throws {
        let clock = ManualClock()
        let log = Log<String>()
        var options = MailboxOptions()
        options.supervision = Supervision(.oneForOne, limit: RestartLimit(3, within: .seconds(1), clock: clock))
        let parent = makeParent(log, options)
        let group = Supervisor(Supervision(limit: RestartLimit(0, within: .seconds(1), clock: clock)))
        group.supervise(parent)
        parent.tell(.spawn)
        for n in 1...3 {
            parent.tell(.child(0, -n))
            parent.tell(.child(0, n))
            _ = try await log.first(n)
            clock.advance(by: .milliseconds(300))
        }
        #expect(try await log.all() == ["child0 1 #1", "child0 2 #1", "child0 3 #1"])
        parent.tell(.child(0, -4))  // at 900 ms
        #expect(try await parent.termination().word == "failed \(Broken(number: -4))")
        #expect(try await group.termination().word == "failed \(Broken(number: -4))")
    }

    /// Spawns children to the depth that it is told, and then sleeps.
    private struct Node: MailboxBehavior {
        let log: Log<String>

        mutating func receive(_ depth: Int, in context: MailboxContext<Node, Int>) async throws {
            let log = log
            if depth > 0 {
                for _ in 0..<2 {
                    let child = MailboxActor(Node(log: log))
                    child.watch { log.add("\(depth - 1) \($0.word)") }
                    context.spawn(child).tell(depth - 1)
                }
            }
            log.add("\(depth) sleeps")
            do {
                try await Task.sleep(for: .seconds(10_000))
            } catch {
                log.add("\(depth) wakes")
                throw error
            }
        }
    }

    @Test func cancellingAnActorCancelsTheTasksOfAllBelowItAndTheyEndFromTheLeavesUp() async throws {
        let log = Log<String>()
        let root = MailboxActor(Node(log: log)).start()
        root.watch { log.add("2 \($0.word)") }
        root.tell(2)
        _ = try await log.first(7)
        root.cancel()
        #expect(try await root.termination().word == "cancelled")
        let lines = Array(try await log.first(21)[7...])
        for (depth, count) in [(2, 1), (1, 2), (0, 4)] {
            #expect(lines.count { $0 == "\(depth) wakes" } == count)
            #expect(lines.count { $0 == "\(depth) cancelled" } == count)
        }
        #expect(lines.last == "2 cancelled")
        let ends = lines.filter { $0.hasSuffix("cancelled") }
        #expect(ends.firstIndex(of: "1 cancelled").map { ends[..<$0].count { $0 == "0 cancelled" } >= 2 } == true)
    }

    @Test func anActorAsItsOwnChildIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let actor = MailboxActor(state: 0) { (_, _: Int, context) in _ = context.spawn(context.actor) }.start()
            actor.tell(1)
            try await actor.termination()
        }
        expectMessage(result, "can't be its own child", "SupervisionTests.swift")
    }

    // MARK: Death watch

    @Test func whoWatchesIsToldOnceWheneverItBegan() async throws {
        for _ in 0..<100 {
            let log = Log<String>()
            let actor = makeCounting("", Log<String>()).start()
            actor.watch { log.add("early \($0.word)") }
            let ended = actor.watch { log.add("never \($0.word)") }
            ended.cancel()
            actor.stop(.now)
            actor.watch { log.add("late \($0.word)") }
            try await actor.termination()
            actor.watch { log.add("very late \($0.word)") }
            #expect(
                try await log.first(3).sorted() == ["early stopped", "late stopped", "very late stopped"]
            )
        }
    }

    @Test func anActorIsSentAMessageWhenAnotherOneHasEnded() async throws {
        let log = Log<String>()
        let watched = makeCounting("", Log<String>(), MailboxOptions(restarts: RestartLimit(0, within: .seconds(1))))
            .start()
        let watcher = MailboxActor(state: 0) { (_, text: String, context) in
            if text == "watch" {
                context.watch(watched) { "ended: \($0.word)" }
            } else {
                log.add(text)
            }
        }.start()
        watcher.tell("watch")
        watched.tell(-1)
        #expect(try await log.first(1) == ["ended: failed \(Broken(number: -1))"])
    }

    @Test func awaitingTheEndCanBeCancelled() async throws {
        let actor = makeCounting("", Log<String>()).start()
        let waiting = Task { try await actor.termination() }
        await Task.yield()
        waiting.cancel()
        guard case .failure(let error) = await waiting.result else { throw Broken() }
        #expect(error is CancellationError)
    }
}
