import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What is counted and told of messages that no handler sees, and of actors that nobody holds.
@Suite("Messages that nobody handles", .endsInTime)
struct MailboxLossTests {
    private static func options(
        _ office: DeadLetters,
        _ machine: ChemicalMachine,
        _ capacity: MailboxCapacity = .unbounded
    ) -> MailboxOptions {
        var options = MailboxOptions(deadLetters: office, machine: machine)
        options.capacity = capacity
        options.restarts = RestartLimit(0, within: .seconds(1))
        return options
    }

    private static func machine(_ log: Mailboxes.Log<String>) -> ChemicalMachine {
        ChemicalMachine(.init(reporter: { log.add("\($0)") }, patience: nil))
    }

    @Test("The mark at which draining ends is no message", arguments: [0, 1, 3])
    func mark(told: Int) async throws {
        let (log, office) = (Mailboxes.Log<String>(), DeadLetters())
        let machine = Self.machine(log)
        do {
            let actor = MailboxActor(state: 0, options: Self.options(office, machine)) { (_, _: Int) in }
            for n in 0..<told { actor.tell(n) }
            actor.stop(.drain)
            #expect(actor.statistics.depth == told)
        }
        try await machine.quiescence()
        #expect(office.count == told)
        let reports = try await log.all().filter { $0.contains("was never started") }
        #expect(reports.count == min(told, 1))
        #expect(reports.allSatisfy { $0.contains(told == 1 ? "so a message is lost" : "so 3 messages are lost") })
    }

    @Test("An actor that fails as it drains loses no mark")
    func markOfFailed() async throws {
        let (log, office) = (Mailboxes.Log<String>(), DeadLetters())
        let machine = Self.machine(log)
        let actor = MailboxActor(state: 0, options: Self.options(office, machine)) { (_, _: Int) in throw Mishap() }
        actor.tell(1)
        actor.stop(.drain)
        actor.start()
        _ = try await actor.termination()
        try await machine.quiescence()
        #expect(office.count == 0)
        #expect(try await log.all().allSatisfy { !$0.contains("lost") })
    }

    @Test("Each message of an actor that was never started is lost once, whatever becomes of it")
    func cancelledUnstarted() async throws {
        for _ in 0..<50 {
            let (log, office) = (Mailboxes.Log<String>(), DeadLetters())
            let machine = Self.machine(log)
            do {
                let actor = MailboxActor(state: 0, options: Self.options(office, machine)) { (_, _: Int) in }
                for n in 0..<3 { actor.tell(n) }
                actor.cancel()
            }
            try await machine.quiescence()
            #expect(office.count == 3)
        }
    }

    @Test("The mark that had to wait for room is no message either")
    func markWithoutRoom() async throws {
        let office = DeadLetters()
        let machine = Self.machine(Mailboxes.Log<String>())
        let (gate, handled) = (Mailboxes.Gate(), Locked(0))
        let options = Self.options(office, machine, .bounded(2, whenFull: .suspend))
        let actor = MailboxActor(state: 0, options: options) { (_, _: Int) async in
            try? await gate.pass()
            handled.update { $0 += 1 }
        }
        actor.start()
        actor.tell(0)
        try await gate.arrived()
        for number in 1...2 { #expect(actor.tell(number)) }
        actor.stop(.drain)
        #expect(actor.statistics.depth == 2)
        for left in [1, 0] {
            gate.open()
            try await gate.arrived()
            try await eventually { actor.statistics.waitingSenders == 0 && actor.statistics.depth == left }
        }
        gate.open()
        _ = try await actor.termination()
        #expect(handled.value == 3 && office.count == 0)
    }

    @Test("A full actor that was never started, is to drain, and is let go, has ended")
    func fullUnstarted() async throws {
        let (log, office, ends) = (Mailboxes.Log<String>(), DeadLetters(), Mailboxes.Log<String>())
        let machine = Self.machine(log)
        do {
            let options = Self.options(office, machine, .bounded(1, whenFull: .suspend))
            let actor = MailboxActor(state: 0, options: options) { (_, _: Int) in }
            actor.watch { ends.add($0.word) }
            #expect(actor.tell(1))
            actor.stop(.drain)
        }
        try await eventually { try await ends.all() == ["cancelled"] }
        #expect(office.count == 1)
    }

    @Test("What a handler has put aside is lost with its actor")
    func stashed() async throws {
        let (log, office) = (Mailboxes.Log<String>(), DeadLetters())
        let machine = Self.machine(log)
        do {
            let actor = MailboxActor(state: 0, options: Self.options(office, machine)) { (_, n: Int, context) in
                context.stash(n)
            }.start()
            for n in 0..<5 { actor.tell(n) }
        }
        try await eventually { office.count == 5 }
    }

    @Test("A question with a limit ends at it, though the asker's thread could handle it", .blocksThreads)
    func limit() async throws {
        let isHandled = Locked(false)
        let actor = MailboxActor(state: 0) { (_, question: Question) in
            if case .slow = question { while !isHandled.value {} }
            question.reply(1)
        }.start()
        for _ in 0..<10 { _ = try await actor.ask { Question.quick($0) } }
        let error = await #expect(throws: MailboxError.self) {
            try await actor.ask(within: .milliseconds(10)) { Question.slow($0) }
        }
        #expect(error?.code == .timedOut)
        isHandled.update { $0 = true }
        #expect(try await actor.ask { Question.quick($0) } == 1)
    }

    private enum Question: Sendable {
        case quick(ReplyTo<Int>)
        case slow(ReplyTo<Int>)

        var reply: ReplyTo<Int> {
            switch self {
            case .quick(let reply), .slow(let reply): reply
            }
        }
    }

    @Test("A question whose scope ends, or whose machine is deactivated, ends with an error of the actor")
    func ended() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }, patience: nil))
        let gate = Mailboxes.Gate()
        let options = MailboxOptions(machine: machine)
        let actor = MailboxActor(state: 0, options: options) { (_, reply: ReplyTo<Int>) async in
            try? await gate.pass()
            reply(1)
        }.start()
        let asked = Task { try await actor.ask { $0 } }
        try await gate.arrived()
        machine.deactivate()
        gate.open()
        guard case .failure(let error) = await asked.result else { return }
        #expect(error is MailboxError, "\(error)")
    }

    @Test("A handler may say at each message that what is put aside comes first")
    func unstashing() async throws {
        #if DEBUG
            let count = 5_000
        #else
            let count = 30_000
        #endif
        let actor = MailboxActor(state: (isOpen: false, sum: 0)) { (state, n: Int, context) in
            if n < 0 { state.isOpen = true }
            if state.isOpen {
                context.unstashAll()
                state.sum += 1
            } else {
                context.stash(n)
            }
        }.start()
        for n in 0..<count { actor.tell(n) }
        actor.tell(-1)
        try await eventually { actor.statistics.processed == 2 * count + 1 }
    }
}
