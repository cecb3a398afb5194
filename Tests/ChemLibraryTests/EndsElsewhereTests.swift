import ChemActors
import ChemLibrary
import Synchronization
import TestSupport
import Testing

/// Machines and scopes that end beside what goes on, and ends that come from an unexpected side.
@Suite("Ends that come from elsewhere", .endsInTime)
struct EndsElsewhereTests {
    /// What `body` returns, or nil if it hasn't after ten minutes.
    private func ends<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let result = Locked<Result<Value, any Error>?>(nil)
        let task = Task {
            let value: Result<Value, any Error>
            do { value = .success(try await body()) } catch { value = .failure(error) }
            result.update { $0 = value }
        }
        defer { task.cancel() }
        try await eventually { result.value != nil }
        return try result.value!.get()
    }

    private static func fail() throws { throw Mishap() }

    // MARK: Supervision

    private enum Message: Sendable {
        case spawn, fail, ping(ReplyTo<Int>)
    }

    private static func quiet(_ name: String) -> MailboxOptions {
        var options = MailboxOptions(name: name)
        options.trace = { _ in }
        return options
    }

    @Test("A supervised actor that is told to restart while it is restarting is restarted at its next failure too")
    func restartDuringRestart() async throws {
        let gate = AsyncSemaphore(permits: 0)
        let isBusy = AsyncSemaphore(permits: 0)
        let supervisor = Supervisor(Supervision(.oneForAll, limit: RestartLimit(100, within: .seconds(3_600))))
        let parent = MailboxActor<Message>(state: 0, options: Self.quiet("parent")) { (_, message: Message, context) in
            switch message {
            case .spawn:
                let child = context.spawn(
                    MailboxActor<Int>(state: 0, options: Self.quiet("child")) { (_, _: Int) async in
                        isBusy.release()
                        // Takes no notice of its cancellation.
                        await Task.detached { try? await gate.acquire() }.value
                    }
                )
                child.tell(1)
            case .fail: throw Mishap()
            case .ping(let reply): reply(1)
            }
        }
        let sibling = MailboxActor<Message>(state: 0, options: Self.quiet("sibling")) { (_, message: Message) in
            switch message {
            case .fail: throw Mishap()
            case .ping(let reply): reply(2)
            case .spawn: break
            }
        }
        supervisor.supervise(parent)
        supervisor.supervise(sibling)
        parent.tell(.spawn)
        try await isBusy.acquire()
        // The first restart waits for the child, and meanwhile the second one is decided.
        parent.tell(.fail)
        #expect(try await ends { try await sibling.ask { .ping($0) } } == 2)
        sibling.tell(.fail)
        #expect(try await ends { try await sibling.ask { .ping($0) } } == 2)
        gate.release()
        #expect(try await ends { try await parent.ask { .ping($0) } } == 1)
        parent.tell(.fail)
        #expect(try await ends { try await parent.ask { .ping($0) } } == 1)
        supervisor.stop(.now)
        _ = try await ends { try await supervisor.termination() }
    }

    @Test(
        "Who waits for the end of an actor hears of it also if its machine ends",
        arguments: [false, true],
        [0, 1, 2]
    )
    func endedMachine(clears: Bool, when: Int) async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let end: @Sendable () -> Void = { if clears { machine.clear() } else { machine.deactivate() } }
        let ends = Locked(0)
        var options = Self.quiet("child")
        options.machine = machine
        let child = MailboxActor<Message>(state: 0, options: options) { (_, message: Message) in
            if case .ping(let reply) = message { reply(3) }
        }
        let supervisor = Supervisor()
        // Before all, while the commands are on their way, or when they have been obeyed.
        if when == 0 { end() }
        let watch = child.watch { _ in ends.update { $0 += 1 } }
        let other = child.watch { _ in ends.update { $0 += 100 } }
        if when > 0 { other.cancel() }
        supervisor.supervise(child)
        if when == 2 { #expect(try await self.ends { try await child.ask { .ping($0) } } == 3) }
        if when > 0 { end() }
        supervisor.stop(.now)
        _ = try await self.ends { try await supervisor.termination() }
        try await eventually { ends.value % 100 == 1 }
        #expect(child.isFinished)
        // Also who comes later, and after the machine goes on.
        if !clears { machine.activate() }
        child.watch { _ in ends.update { $0 += 1 } }
        try await eventually { ends.value % 100 == 2 }
        #expect(ends.value == (when == 0 ? 102 : 2))
        await #expect(throws: CallError.self) { try await child.termination() }
        #expect(!child.tell(.fail))
        withExtendedLifetime(watch) {}
    }

    @Test("A watch on an actor that nobody holds any more ends")
    func releasedActor() async throws {
        let ends = Locked(0)
        do {
            let actor = MailboxActor<Int>(state: 0) { _, _ in }.start()
            actor.watch { _ in ends.update { $0 += 1 } }
        }
        try await eventually { ends.value == 1 }
    }

    @Test("An actor ends if the machine of its supervisor does", arguments: [false, true], [false, true])
    func endedSupervisor(clears: Bool, fails: Bool) async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let supervisor = Supervisor(machine: machine)
        let child = MailboxActor<Message>(state: 0, options: Self.quiet("child")) { (_, message: Message) in
            switch message {
            case .fail: throw Mishap()
            case .ping(let reply): reply(1)
            case .spawn: break
            }
        }
        supervisor.supervise(child)
        #expect(try await ends { try await child.ask { .ping($0) } } == 1)
        if fails {
            // The supervisor can't decide any more.
            machine.pause()
            child.tell(.fail)
        }
        if clears { machine.clear() } else { machine.deactivate() }
        machine.resume()
        if !clears, fails { child.tell(.fail) }
        _ = try await ends { try await child.termination() }
    }

    @Test("An actor that handles a message while its machine is cleared ends after that", arguments: [nil, 1])
    func clearedWhileHandling(capacity: Int?) async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (gate, isBusy) = (AsyncSemaphore(permits: 0), AsyncSemaphore(permits: 0))
        let (ends, handled) = (Locked(0), Locked(0))
        var options = Self.quiet("busy")
        options.machine = machine
        if let capacity { options.capacity = .bounded(capacity, whenFull: .suspend) }
        let actor = MailboxActor<Int>(state: 0, options: options) { (_, _: Int) async in
            handled.update { $0 += 1 }
            isBusy.release()
            // Takes no notice of its cancellation.
            await Task.detached { try? await gate.acquire() }.value
        }.start()
        actor.tell(1)
        try await isBusy.acquire()
        actor.watch { _ in ends.update { $0 += 1 } }
        actor.tell(2)
        actor.stop(.drain)
        machine.clear()
        // What is told on the way to its end is heard, too.
        actor.watch { _ in ends.update { $0 += 1 } }
        actor.tell(3, priority: .urgent)
        gate.release()
        try await eventually { ends.value == 2 && actor.isFinished }
        #expect(handled.value == 1)
        machine.activate()
        #expect(!actor.tell(4))
        await #expect(throws: CallError.self) { try await actor.termination() }
    }

    // MARK: Conditions

    @Test("The scope of one who waits for a condition ends, and the others wait on, also those who come later")
    func condition() async throws {
        let stock = Condition(0)
        let hasCome = AsyncSemaphore(permits: 0)
        let early = Locked<Task<Int, any Error>?>(nil)
        await #expect(throws: Mishap.self) {
            try await withChemicalMachine { _ in
                async let inner = stock.wait { number in
                    hasCome.release()
                    return number == 1
                }
                try await hasCome.acquire()
                early.update { $0 = Task { try await stock.wait { $0 == 1 } } }
                await yield(50)
                try Self.fail()
                _ = try await inner
            }
        }
        let late = Task { try await stock.wait { $0 == 1 } }
        await yield(50)
        try await stock.update { $0 = 1 }
        #expect(try await ends { try await late.value } == 1)
        #expect(try await ends { try await early.value!.value } == 1)
    }

    // MARK: Topics

    @Test("A subscriber hears of the end of the topic, whatever ends that", arguments: 0..<4)
    func topic(kind: Int) async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let topic = machine.making { Topic<Int>() }
        let subscription = topic.subscribe()
        topic.publish(1)
        try await machine.waitUntilConsumed(2, of: "topic.event")
        try await machine.quiescence()
        switch kind {
        case 0: machine.deactivate()
        case 1: machine.clear()
        case 2:
            machine.deactivate()
            topic.finish()
        default: topic.finish()
        }
        let late = topic.subscribe()
        if kind == 1 { topic.finish() }
        #expect(try await ends { await subscription.reduce(into: [Int]()) { $0.append($1) } } == [1])
        #expect(try await ends { await late.reduce(into: [Int]()) { $0.append($1) } } == [])
    }

    // MARK: Graphs

    @Test("A graph belongs to the machine where its nodes were made, and not to the scope of the first who sends")
    func graphOutlivesTheScope() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        try await withChemicalMachine { _ in try await source.sendAndWait(1) }
        #expect(cell.value == 1)
        try await source.sendAndWait(2)
        #expect(cell.value == 2)
    }

    @Test("A sender that waits for its wave is told at once that it is cancelled, and nothing is sent")
    func cancelledSender() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let values = cell.updates(.suspending(1))
        // Nobody takes them: the second one holds up the graph.
        source.send(1)
        source.send(2)
        try await eventually { cell.value == 2 }
        let sender = Task { try await source.sendAndWait(3) }
        await yield(50)
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await ends { try await sender.value } }
        source.send(4)
        source.finish()
        #expect(try await ends { await values.reduce(into: [Int]()) { $0.append($1) } } == [1, 2, 4])
    }

    @Test("A cutoff that is replaced is released where its deinit may look at the graph")
    func cutoff() async throws {
        final class Reader: Sendable {
            let cell: Cell<Int>
            init(_ cell: Cell<Int>) { self.cell = cell }
            func isSame(_ one: Int, _ other: Int) -> Bool { one == other }
            deinit { _ = cell.value }
        }
        let (other, cell) = (Cell(initialValue: 1), Cell(initialValue: 0))
        do {
            let reader = Reader(other)
            cell.cutoff { reader.isSame($0, $1) }
        }
        cell.cutoff { $0 == $1 }
        #expect(cell.value == 0)
    }

    // MARK: Fetches and promises

    @Test("A fetch ends with the scope in which its single flight was made")
    func fetch() async throws {
        let isCancelled = Locked(false)
        let hasBegun = AsyncSemaphore(permits: 0)
        await #expect(throws: Mishap.self) {
            try await withChemicalMachine { _ in
                let flight = SingleFlight<Int, Int> { _ in
                    hasBegun.release()
                    do { try await Task.sleep(for: .seconds(3_600)) } catch {
                        isCancelled.update { $0 = true }
                        throw error
                    }
                    return 1
                }
                async let value = flight.value(for: 1)
                try await hasBegun.acquire()
                try Self.fail()
                _ = try await value
            }
        }
        #expect(isCancelled.value)
    }

    @Test("A promise that is kept while its machine is paused, and let go, is kept")
    func promiseKeptInAPause() async throws {
        for seed in UInt64(0)..<50 {
            let machine = ChemicalMachine(.init(seed: seed))
            var promise: JoinPromise<Int>? = machine.making { JoinPromise<Int>() }
            let future = promise!.future
            machine.pause()
            promise!.fulfill(7)
            promise = nil
            machine.resume()
            #expect(try await future.value() == 7, "seed \(seed)")
        }
    }
}
