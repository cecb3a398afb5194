import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// How actors are tied to each other: who may wait for whom, what ends with whom, and who is whose child.
@Suite("Ties of mailbox actors", .endsInTime)
struct MailboxTiesTests {
    typealias Log = Mailboxes.Log
    typealias Payload = MailboxTests.Payload

    // MARK: Waiting for the end

    /// If it weren't told so, it would wait for ever.
    @Test("A handler that waits for the end of its own actor hears at once that it would wait for itself")
    func ownEnd() async throws {
        let results = Log<MailboxError.Code?>()
        let actor = MailboxActor(state: 0) { (_, stops: Bool, context) async throws in
            let me = context.actor
            if stops { context.stop(.drain) }
            results.add(await Mailboxes.code { try await me.termination() })
        }.start()
        // One that isn't ending, and one that is.
        actor.tell(false)
        #expect(try await results.first(1) == [.deadlock])
        actor.tell(true)
        #expect(try await actor.termination().word == "stopped")
        #expect(try await results.all() == [.deadlock, .deadlock])
    }

    @Test("Tasks that a handler starts may wait for the end of its actor")
    func endInOtherTasks() async throws {
        let waiting = Log<Task<String, any Error>>()
        let results = Log<MailboxError.Code?>()
        let actor = MailboxActor(state: 0) { (_, _: Int, context) async throws in
            let me = context.actor
            waiting.add(Task { try await me.termination().word })
            await withDiscardingTaskGroup { group in
                group.addTask { results.add(await Mailboxes.code { try await me.termination() }) }
                for _ in 0..<10 { await Task.yield() }
                group.cancelAll()
            }
        }.start()
        actor.tell(1)
        // The child task was cancelled, and heard of nothing else.
        let code = try await results.first(1)[0]
        #expect(code == nil)
        let waiter = try await waiting.first(1)[0]
        actor.stop(.drain)
        #expect(try await waiter.value == "stopped")
    }

    // MARK: What ends with whom

    @Test("An actor that is watched for long keeps nothing of watchers that have ended")
    func endedWatchers() async throws {
        let machine = Mailboxes.quietMachine(1)
        let options = MailboxOptions(machine: machine)
        let gone = Log<Int>()
        let watched = MailboxActor(state: 0, options: options) { (_, _: Int) in }.start()
        for number in 0..<10_000 {
            let watcher = MailboxActor(state: 0, options: options) { (_, payload: Payload, context) in
                context.watch(watched) { _ in payload }
                context.stop()
            }.start()
            watcher.tell(Payload(number, gone.add))
        }
        try await machine.quiescence()
        #expect(try await gone.all().count == 10_000)
        #expect(!watched.isTerminating)
    }

    @Test("Nor of those that nobody holds any more")
    func droppedWatchers() async throws {
        let gone = Log<Int>()
        let watched = MailboxActor(state: 0) { (_, _: Int) in }.start()
        for number in 0..<1_000 {
            let watcher = MailboxActor(state: 0) { (_, payload: Payload, context) in
                context.watch(watched) { _ in payload }
            }.start()
            watcher.tell(Payload(number, gone.add))
        }
        #expect(try await Set(gone.first(1_000)).count == 1_000)
        #expect(!watched.isTerminating)
    }

    /// The one that is released first may have to do with one that nothing reaches any more.
    @Test("Actors that go together, of which one watches another, report nothing")
    func droppedTogether() async throws {
        let mishaps = Log<String>()
        let machine = ChemicalMachine(.init(reporter: { if $0.isMishap { mishaps.add("\($0)") } }))
        let options = MailboxOptions(machine: machine)
        for _ in 0..<100 {
            let watched = MailboxActor(state: 0, options: options) { (_, _: Int) in }.start()
            let watcher = MailboxActor(state: 0, options: options) { (_, other: MailboxActor<Int>?, context) in
                guard let other else { return }
                context.watch(other) { _ in nil }
            }.start()
            watcher.tell(watched)
            let holder = MailboxActor(state: (watcher, watched), options: options) { (_, _: Int) in }
            holder.start()
        }
        try await machine.quiescence()
        #expect(try await mishaps.all().isEmpty)
    }

    @Test(
        "An actor that watches for long keeps nothing of those that have ended, or that it watches no longer",
        arguments: [false, true]
    )
    func endedWatched(cancels: Bool) async throws {
        let machine = Mailboxes.quietMachine(1)
        let gone = Log<Int>()
        let watcher = MailboxActor(state: 0, options: MailboxOptions(machine: machine)) {
            (_, other: MailboxActor<Int>?, context) in
            guard let other else { return }
            let watch = context.watch(other) { _ in nil }
            if cancels { watch.cancel() }
        }.start()
        for number in 0..<1_000 {
            // Whoever holds anything of the actor holds its options.
            let payload = Payload(number, gone.add)
            let office = DeadLetters { _ in _ = payload.number }
            let options = MailboxOptions(deadLetters: office, machine: machine)
            let other = MailboxActor(state: 0, options: options) { (_, _: Int, context) in context.stop() }.start()
            watcher.tell(other)
            if !cancels { other.tell(1) }
        }
        #expect(try await Set(gone.first(1_000)).count == 1_000)
        #expect(!watcher.isTerminating)
    }

    private enum Watching: Sendable {
        case watch(MailboxActor<Watching>, ReplyTo<Void>)
        case hasEnded
    }

    @Test("Whoever watches and is watched may end at the same time")
    func endAtTheSameTime() async throws {
        for seed in 0..<200 {
            let options = MailboxOptions(machine: Mailboxes.quietMachine(seed))
            let pair = (0..<2).map { _ in
                MailboxActor(state: 0, options: options) { (_, message: Watching, context) in
                    guard case .watch(let other, let reply) = message else { return }
                    context.watch(other) { _ in .hasEnded }
                    reply()
                }.start()
            }
            for (one, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                try await one.ask { .watch(other, $0) }
            }
            await withDiscardingTaskGroup { group in
                for actor in pair { group.addTask { actor.stop(.now) } }
            }
            for actor in pair { #expect(try await actor.termination().word == "stopped", "seed \(seed)") }
        }
    }

    // MARK: Families

    private enum Kin: Sendable { case adopt(MailboxActor<Kin>, ReplyTo<Void>) }

    private static func makeKin() -> MailboxActor<Kin> {
        MailboxActor(state: 0) { (_, message: Kin, context) in
            switch message {
            case .adopt(let child, let reply):
                context.spawn(child)
                reply()
            }
        }.start()
    }

    /// Each would wait for the end of its child.
    @Test("An actor as a child of one that is below it is refused")
    func aDescendantAsAParent() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let family = (0..<3).map { _ in MailboxTiesTests.makeKin() }
            for number in 0..<3 {
                let child = family[(number + 1) % 3]
                try await family[number].ask { .adopt(child, $0) }
            }
        }
        expectMessage(result, "can't be a child of", "which is below it", "MailboxTiesTests.swift")
    }

    @Test("Of two actors that spawn each other at the same time, one is refused")
    func eachOther() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (one, other) = (MailboxTiesTests.makeKin(), MailboxTiesTests.makeKin())
            let tasks = [(one, other), (other, one)].map { parent, child in
                Task { try await parent.ask { .adopt(child, $0) } }
            }
            for task in tasks { try await task.value }
        }
        expectMessage(result, "can't be a child of", "which is below it", "MailboxTiesTests.swift")
    }

    @Test("An actor that has children may become a child")
    func aFamilyJoinsAnother() async throws {
        let family = (0..<4).map { _ in Self.makeKin() }
        for (parent, number) in [(1, 2), (0, 1), (2, 3)] {
            let child = family[number]
            try await family[parent].ask { .adopt(child, $0) }
        }
        family[0].cancel()
        try await family[0].termination()
        for actor in family { #expect(actor.isFinished) }
    }
}
