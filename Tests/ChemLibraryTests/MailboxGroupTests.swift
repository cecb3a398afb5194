import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Groups of actors: how they end, and what has ended when they have.
@Suite("Groups of mailbox actors", .endsInTime)
struct MailboxGroupTests {
    typealias Log = Mailboxes.Log
    typealias Gate = Mailboxes.Gate

    private enum Order: Sendable { case spawn(Int), fail }

    /// Quadratic, this takes minutes.
    @Test(
        "A group of twenty thousand actors ends in linear time, from outside and by itself",
        arguments: [false, true]
    )
    func manyMembers(stopThemselves: Bool) async throws {
        let supervisor = Supervisor()
        let members = (0..<20_000).map { _ in
            supervisor.supervise(MailboxActor(state: 0) { (_, n: Int, context) in context.stop() })
        }
        if stopThemselves {
            for member in members { member.tell(1) }
            for member in members { try await member.termination() }
        }
        supervisor.cancel()
        let termination = try await supervisor.termination()
        if case .cancelled = termination {} else { Issue.record("it ended as \(termination)") }
        #expect(!members.contains { !$0.isFinished })
    }

    @Test("Of a group that has shrunk, those are restarted that are behind the one that failed")
    func shrunk() async throws {
        for seed in 0..<20 {
            let machine = Mailboxes.quietMachine(seed)
            let log = Log<String>()
            let supervisor = Supervisor(
                Supervision(.restForOne, limit: RestartLimit(100, within: .seconds(600))),
                machine: machine
            )
            let members = (0..<100).map { number in
                let options = MailboxOptions(machine: machine) { event in
                    if case .restarted = event.kind { log.add("\(number)") }
                }
                return supervisor.supervise(
                    MailboxActor(state: 0, options: options) { (_, n: Int, context) in
                        if n < 0 { throw Mailboxes.Broken(number: n) }
                        context.stop()
                    }
                )
            }
            for member in members[0..<90] { member.tell(1) }
            for member in members[0..<90] { try await member.termination() }
            try await machine.quiescence()
            members[95].tell(-1)
            try await machine.quiescence()
            #expect(try await log.all().sorted() == ["95", "96", "97", "98", "99"], "seed \(seed)")
            supervisor.cancel()
            try await supervisor.termination()
        }
    }

    @Test("A restart, and an end during one, wait for the children of before", arguments: [false, true])
    func childrenOfBefore(isCancelled: Bool) async throws {
        for seed in 0..<50 {
            let machine = Mailboxes.quietMachine(seed)
            let (gate, log) = (Gate(), Log<String>())
            let options = MailboxOptions(machine: machine) { event in
                switch event.kind {
                case .failed: log.add("failed")
                case .restarted: log.add("restarted")
                case .terminated: log.add("terminated")
                default: break
                }
            }
            let parent = MailboxActor(state: 0, options: options) { (_: inout Int, order: Order, context) in
                guard case .spawn(let number) = order else { throw Mailboxes.Broken(number: 1) }
                context.spawn(
                    MailboxActor(state: 0, options: MailboxOptions(machine: machine)) { (_: inout Int, _: Int) async in
                        // Cancelling it doesn't end it.
                        try? await Task.detached { try await gate.pass() }.value
                        log.add("child \(number)")
                    }
                ).tell(1)
            }.start()
            parent.tell(.spawn(1))
            try await gate.arrived()
            parent.tell(.fail)
            parent.tell(.spawn(2))
            #expect(try await log.first(1) == ["failed"], "seed \(seed)")
            if isCancelled { parent.cancel() }
            await Task.yield()
            gate.open()
            if !isCancelled {
                try await gate.arrived()
                parent.cancel()
                #expect(!parent.isFinished, "seed \(seed)")
                gate.open()
            }
            try await parent.termination()
            let rest = isCancelled ? ["terminated"] : ["restarted", "child 2", "terminated"]
            #expect(try await log.all() == ["failed", "child 1"] + rest, "seed \(seed)")
        }
    }
}

/// Messages that no handler sees.
@Suite("Lost messages of mailbox actors", .endsInTime)
struct LostMessageTests {
    typealias Log = Mailboxes.Log
    typealias Gate = Mailboxes.Gate

    @Test("Urgent messages of an actor that nobody has started become dead letters, too")
    func urgent() async throws {
        let lost = Log<DeadLetter.Reason>()
        let mishaps = Log<String>()
        let options = MailboxOptions(
            name: "A",
            deadLetters: DeadLetters { lost.add($0.reason) },
            machine: ChemicalMachine(.init(reporter: { if $0.isMishap { mishaps.add($0.description) } }))
        )
        do {
            let actor = MailboxActor(state: 0, options: options) { (_, _: Int) in }
            actor.tell(1)
            actor.tell(2, priority: .urgent)
            actor.tell(3)
        }
        #expect(try await lost.first(3) == [.notStarted, .notStarted, .notStarted])
        let mishap = try await mishaps.first(1)[0]
        #expect(mishap.hasSuffix("so 3 messages are lost: call start()"))
        do {
            let stopped = MailboxActor(state: 0, options: options) { (_, _: Int) in }
            stopped.tell(1, priority: .urgent)
            stopped.cancel()
            try await stopped.termination()
        }
        let reasons = try await lost.first(4)
        #expect(reasons.last == .terminated)
        #expect(try await lost.all().count == 4)
    }

    @Test("Who asks an actor whose mailbox drops the oldest message, and loses, hears that it was full")
    func oldestQuestion() async throws {
        let gate = Gate()
        let options = MailboxOptions(capacity: .bounded(1, whenFull: .dropOldest))
        let actor = MailboxActor(state: 0, options: options) { (_: inout Int, reply: ReplyTo<Int>) async in
            try? await gate.pass()
            reply(1)
        }.start()
        let first = Task { try await actor.ask { $0 } }
        try await gate.arrived()
        let second = Task { await Mailboxes.code { _ = try await actor.ask { $0 } } }
        try await eventually { actor.statistics.depth == 1 }
        let third = Task { try await actor.ask { $0 } }
        #expect(await second.value == .full)
        gate.open()
        gate.open()
        #expect(try await first.value == 1)
        #expect(try await third.value == 1)
        #expect(actor.statistics.dropped == 1)
    }
}
