import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What becomes of those who wait at a recipe when its machine is deactivated or cleared, and of those who come later.
@Suite("Recipes of a deactivated or cleared machine", .endsInTime)
struct DeactivationTests {
    /// For each recipe, a call that waits.
    private static func waitingCalls(_ gate: Gate) -> [(recipe: String, call: @Sendable () async throws -> Void)] {
        let (mutex, lock, condition) = (AsyncMutex(0), ReadWriteLock(), Condition(0))
        let semaphore = AsyncSemaphore(permits: 0)
        let (barrier, latch, exchanger) = (Barrier(parties: 2), Latch(count: 1), Exchanger<Int>())
        let promise = JoinPromise<Int>()
        let flights = SingleFlight<Int, Int> { key in
            try await gate.pass()
            return key
        }
        let (rendezvous, channel) = (JoinChannel<Int>(capacity: 0), JoinChannel<Int>(capacity: 2))
        let queue = PriorityQueue<Int, Int>()
        let topic = Topic<Int>()
        let subscription = topic.subscribe()
        let limit = RateLimit(1, per: .seconds(10_000))
        let (resources, workers) = (ResourcePool([0]), WorkerPool(workers: 1))
        let pipeline = Pipeline { (number: Int) in number }.start()
        let steps = CancelableSteps(from: 0, steps: [])
        let actor = MailboxActor(state: 0) { (_, _: Int, _) in }
        let counter = JoinCounter()
        let source = EventSource<Int>(capacity: 1)
        let sum = source.scan(0, +)
        var calls: [(recipe: String, call: @Sendable () async throws -> Void)] = []
        func add(_ recipe: String, _ call: @escaping @Sendable () async throws -> Void) { calls.append((recipe, call)) }
        add("AsyncMutex") { try await mutex.withLock { _ in try await mutex.withLock { _ in } } }
        add("ReadWriteLock") { try await lock.withWriteLock { try await lock.withReadLock {} } }
        add("Condition") { _ = try await condition.wait { $0 == 1 } }
        add("AsyncSemaphore") { try await semaphore.acquire() }
        add("Barrier") { try await barrier.arrive() }
        add("Latch") { try await latch.wait() }
        add("Exchanger") { _ = try await exchanger.exchange(1) }
        add("JoinPromise") {
            defer { withExtendedLifetime(promise) {} }
            _ = try await promise.future.value()
        }
        add("SingleFlight") { _ = try await flights.value(for: 1) }
        add("JoinChannel, sending") { try await rendezvous.send(1) }
        add("JoinChannel, receiving") { _ = try await channel.receive() }
        add("Select") { _ = try await Select<Int>(.from(channel)).receive() }
        add("PriorityQueue") { _ = try await queue.take() }
        add("Topic") {
            defer { withExtendedLifetime(topic) {} }
            _ = try await subscription.next()
        }
        add("RateLimit") { for _ in 0..<2 { try await limit.acquire() } }
        add("ResourcePool") { try await resources.withResource { _ in try await resources.withResource { _ in } } }
        add("WorkerPool") { try await workers.perform { try await workers.perform {} } }
        add("Pipeline") { _ = try await pipeline.receive() }
        add("CancelableSteps") { _ = try await steps.outcome() }
        add("MailboxActor") { try await actor.termination() }
        add("JoinCounter") {
            _ = try await counter.value()
            _ = try await condition.wait { $0 == 1 }
        }
        add("FlowGraph") {
            defer { withExtendedLifetime(sum) {} }
            // The graph is gone, or waits.
            try await source.sendAndWait(1)
            _ = try await condition.wait { $0 == 1 }
        }
        return calls
    }

    /// What clearing leaves as good as new: it has nothing but states.
    private static let survivors: Set = [
        "Barrier", "Exchanger",
    ]

    @Test("A clearing ends what lives on molecules: those who wait hear of it, and those who come later")
    func cleared() async throws {
        let gate = Gate()
        try await withChemicalMachine { machine in
            let calls = Self.waitingCalls(gate)
            let waiting = calls.map { (recipe, call) in (recipe, Task { try await call() }) }
            try await machine.waits(for: waiting.count, from: #fileID)
            machine.clear()
            for (recipe, task) in waiting {
                guard case .failure(let error as CallError) = await task.result else {
                    Issue.record("\(recipe): no error")
                    continue
                }
                #expect([.cleared, .deactivated].contains(error.code), "\(recipe)")
            }
            machine.activate()
            // A clearing lets bodies go on.
            gate.open()
            for (recipe, call) in calls where !Self.survivors.contains(recipe) {
                await #expect(throws: CallError.self, "\(recipe)") { try await call() }
            }
        }
    }

    @Test func nobodyIsLeftWaiting() async throws {
        let gate = Gate()
        try await withChemicalMachine { machine in
            let waiting = Self.waitingCalls(gate).map { (recipe, call) in (recipe, Task { try await call() }) }
            try await machine.waits(for: waiting.count, from: #fileID)
            machine.deactivate()
            for (recipe, task) in waiting {
                guard case .failure(let error as CallError) = await task.result else {
                    Issue.record("\(recipe): no error")
                    continue
                }
                #expect(error.code == .deactivated, "\(recipe)")
            }
        }
        gate.open()
    }

    /// Whether a call waits already, is about to, or comes later.
    @Test("An end at any moment ends the calls that have begun", arguments: [false, true])
    func atAnyMoment(isCleared: Bool) async throws {
        for seed in 0..<60 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            let gate = Gate()
            try await withChemicalMachine { machine in
                let calls = Self.waitingCalls(gate)
                let begun = calls.map { (recipe, call) in (recipe, Task { try await call() }) }
                await yield(random.roll(0...60))
                if isCleared { machine.clear() } else { machine.deactivate() }
                gate.open()
                for (recipe, task) in begun {
                    // What is as good as new may let calls wait that came after it.
                    if isCleared, Self.survivors.contains(recipe) { task.cancel() }
                    let result = await task.result
                    if case .success = result, recipe != "SingleFlight" { Issue.record("seed \(seed): \(recipe)") }
                }
            }
        }
    }
}
