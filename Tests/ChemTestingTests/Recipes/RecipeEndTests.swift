import ChemActors
import ChemLibrary
import ChemTesting
import TestSupport
import Testing

/// A recipe, and a call of it that waits for ever.
struct WaitingRecipe: Sendable, CustomTestStringConvertible {
    typealias Call = @Sendable () async throws -> Void

    let name: String
    /// Whether a call that comes after a clearing finds everything as new, and waits.
    let isRenewed: Bool
    let make: @Sendable () -> Call

    var testDescription: String { name }

    init(_ name: String, isRenewed: Bool = false, _ make: @escaping @Sendable () -> Call) {
        (self.name, self.isRenewed, self.make) = (name, isRenewed, make)
    }

    private struct Over: Error {}

    static let all = locks + meetings + channels + jobs

    private static let locks: [WaitingRecipe] = [
        WaitingRecipe("AsyncMutex") {
            let mutex = AsyncMutex(0)
            return { try await mutex.withLock { _ in try await mutex.withLock { _ in } } }
        },
        WaitingRecipe("ReadWriteLock") {
            let lock = ReadWriteLock()
            return { try await lock.withWriteLock { try await lock.withReadLock {} } }
        },
        WaitingRecipe("Condition") {
            let condition = Condition(0)
            return { _ = try await condition.wait { $0 == 1 } }
        },
        WaitingRecipe("Condition, changed") {
            let condition = Condition(0)
            return {
                async let change: Void = condition.update { $0 = 2 }
                try await condition.update(when: { $0 == 1 }) { $0 = 0 }
                try await change
            }
        },
        WaitingRecipe("AsyncSemaphore") {
            let semaphore = AsyncSemaphore(permits: 0)
            return { try await semaphore.acquire() }
        },
        WaitingRecipe("ResourcePool") {
            let pool = ResourcePool([0])
            return { try await pool.withResource { _ in try await pool.withResource { _ in } } }
        },
    ]

    private static let meetings: [WaitingRecipe] = [
        WaitingRecipe("Barrier", isRenewed: true) {
            let barrier = Barrier(parties: 2)
            return { try await barrier.arrive() }
        },
        WaitingRecipe("Latch") {
            let latch = Latch(count: 1)
            return { try await latch.wait() }
        },
        WaitingRecipe("Exchanger", isRenewed: true) {
            let exchanger = Exchanger<Int>()
            return { _ = try await exchanger.exchange(1) }
        },
        WaitingRecipe("JoinPromise") {
            let promise = JoinPromise<Int>()
            return {
                defer { withExtendedLifetime(promise) {} }
                _ = try await promise.future.value()
            }
        },
        WaitingRecipe("SingleFlight") {
            let never = AsyncSemaphore(permits: 0)
            let flights = SingleFlight<Int, Int> { key in
                try await never.acquire()
                return key
            }
            return { _ = try await flights.value(for: 1) }
        },
    ]

    private static let channels: [WaitingRecipe] = [
        WaitingRecipe("JoinChannel, full") {
            let channel = JoinChannel<Int>(capacity: 1)
            return { for number in 0..<2 { try await channel.send(number) } }
        },
        WaitingRecipe("JoinChannel, rendezvous") {
            let channel = JoinChannel<Int>(capacity: 0)
            return { try await channel.send(1) }
        },
        WaitingRecipe("JoinChannel, empty") {
            let channel = JoinChannel<Int>(capacity: 2)
            return { _ = try await channel.receive() }
        },
        WaitingRecipe("Select") {
            let (one, other) = (JoinChannel<Int>(capacity: 0), JoinChannel<Int>(capacity: 2))
            return { _ = try await Select<Int>(.from(one), .from(other)).receive() }
        },
        WaitingRecipe("PriorityQueue") {
            let queue = PriorityQueue<Int, Int>()
            return { _ = try await queue.take() }
        },
        WaitingRecipe("Topic", isRenewed: true) {
            let topic = Topic<Int>()
            return {
                let subscription = topic.subscribe()
                defer { withExtendedLifetime(topic) {} }
                // Who subscribes to a topic that has ended is told of the end.
                if try await subscription.next() == nil { throw Over() }
            }
        },
        WaitingRecipe("EventSource") {
            let (source, never) = (EventSource<Int>(), AsyncSemaphore(permits: 0))
            let sum = source.scan(0, +)
            return {
                defer { withExtendedLifetime(sum) {} }
                try await source.sendAndWait(1)
                // A wave that has begun comes to its end.
                try await never.acquire()
            }
        },
    ]

    private static let jobs: [WaitingRecipe] = [
        WaitingRecipe("WorkerPool") {
            let workers = WorkerPool(workers: 1)
            return { try await workers.perform { try await workers.perform {} } }
        },
        WaitingRecipe("Pipeline") {
            let pipeline = Pipeline { (number: Int) in number }.start()
            return { _ = try await pipeline.receive() }
        },
        WaitingRecipe("CancelableSteps", isRenewed: true) {
            let steps = CancelableSteps(from: 0, steps: [])
            return { _ = try await steps.outcome() }
        },
        WaitingRecipe("MailboxActor") {
            let actor = MailboxActor(state: 0) { (_, _: Int, _) in }
            return { try await actor.termination() }
        },
        WaitingRecipe("MailboxActor, asked") {
            // It keeps what it would answer with.
            let actor = MailboxActor(state: [ReplyTo<Int>]()) { replies, reply, _ in replies.append(reply) }.start()
            return { _ = try await actor.ask { $0 } }
        },
    ]
}

@Suite("Every recipe ends with its machine, whoever is about to wait", .endsInTime)
struct RecipeEndTests {
    @Test("A deactivation ends every call", arguments: WaitingRecipe.all)
    func deactivated(_ recipe: WaitingRecipe) async throws {
        try await expectError(from: recipe) { machine, _ in machine.deactivate() }
    }

    @Test("A clearing ends every call, unless it finds everything as new", arguments: WaitingRecipe.all)
    func cleared(_ recipe: WaitingRecipe) async throws {
        try await expectError(from: recipe) { machine, call in
            machine.clear()
            if recipe.isRenewed { call.cancel() }
        }
    }

    /// Ends the machine while a call waits, is about to, or comes.
    private func expectError(
        from recipe: WaitingRecipe,
        whenEndedBy end: @escaping @Sendable (ChemicalMachine, Task<Void, any Error>) -> Void
    ) async throws {
        try await explore(.random(300), allowing: .everything) { machine in
            let call = recipe.make()
            let result = Task { try await call() }
            end(machine, result)
            let error = await #expect(throws: (any Error).self) { try await result.value }
            withExtendedLifetime((call, error)) {}
        }
    }
}
