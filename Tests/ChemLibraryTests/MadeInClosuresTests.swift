import ChemActors
import ChemLibrary
import Synchronization
import TestSupport
import Testing

/// What a definition makes in its closure and uses in its bodies ends with it.
@Suite("Made in closures", .endsInTime)
struct MadeInClosuresTests {
    /// Makes a recipe, which may use these names, and returns what a body does with it.
    private typealias Use =
        @Sendable (_ own: SlowMolecule<Int>, _ ask: FastMolecule<Void, Int>) -> @Sendable () async throws -> Void

    private static let uses: [(name: String, use: Use)] = [
        (
            "mutex",
            { _, _ in
                let mutex = AsyncMutex(0)
                return { try await mutex.withLock { $0 += 1 } }
            }
        ),
        (
            "semaphore",
            { _, _ in
                let semaphore = AsyncSemaphore(permits: 1)
                return { try await semaphore.withPermit {} }
            }
        ),
        (
            "condition",
            { _, _ in
                let condition = Condition(0)
                return { try await condition.update { $0 += 1 } }
            }
        ),
        (
            "readWriteLock",
            { _, _ in
                let lock = ReadWriteLock()
                return { try await lock.withReadLock {} }
            }
        ),
        (
            "latch",
            { _, _ in
                let latch = Latch(count: 1)
                return {
                    latch.countDown()
                    try await latch.wait()
                }
            }
        ),
        (
            "channel",
            { _, _ in
                let channel = JoinChannel<Int>(capacity: 2)
                return {
                    try await channel.send(1)
                    for try await _ in channel { break }
                }
            }
        ),
        (
            "counter",
            { _, _ in
                let counter = JoinCounter()
                return {
                    counter.increment()
                    _ = try await counter.value()
                }
            }
        ),
        (
            "promise",
            { _, _ in
                let promise = JoinPromise<Int>()
                return {
                    promise.fulfill(1)
                    _ = try await promise.future.value()
                }
            }
        ),
        (
            "rateLimit",
            { _, _ in
                let limit = RateLimit(1_000, per: .milliseconds(1))
                return { try await limit.acquire() }
            }
        ),
        (
            "topic",
            { _, _ in
                let topic = Topic<Int>()
                return {
                    let subscription = topic.subscribe()
                    topic.publish(1)
                    for try await _ in subscription { break }
                }
            }
        ),
        (
            "debounce",
            { own, _ in
                let debounce = Debounce(for: .milliseconds(1), to: own)
                return { debounce.send(1) }
            }
        ),
        (
            "throttle",
            { own, _ in
                let throttle = Throttle(every: .milliseconds(1), to: own)
                return { throttle.send(1) }
            }
        ),
        (
            "sharedRefresh",
            { _, ask in
                let refresh = SharedRefresh { try await ask() }
                return { _ = try await refresh.value() }
            }
        ),
        (
            "singleFlight",
            { _, ask in
                let flights = SingleFlight<Int, Int> { _ in try await ask() }
                return { _ = try await flights.value(for: 1) }
            }
        ),
        (
            "resourcePool",
            { _, ask in
                let pool = ResourcePool<Int>(atMost: 2) { try await ask() }
                return { try await pool.withResource { _ in } }
            }
        ),
        (
            "workerPool",
            { own, _ in
                let pool = WorkerPool(workers: 1)
                return {
                    pool.submit { own(1) }
                    try await pool.perform { own(2) }
                }
            }
        ),
        (
            "pipeline",
            { _, ask in
                let pipeline = Pipeline { (n: Int) async throws in try await ask() + n }.start()
                return {
                    try await pipeline.send(1)
                    _ = try await pipeline.receive()
                }
            }
        ),
        (
            "switch",
            { _, _ in
                let light = Switch(isOn: false)
                return {
                    try await light.on()
                    _ = try await light.isOn()
                }
            }
        ),
        (
            "actor",
            { own, _ in
                let actor = MailboxActor(state: 0) { (sum, n: Int) in own(n) }.start()
                return { actor.tell(1) }
            }
        ),
    ]

    @Test("A definition ends with what it has made for its bodies", arguments: uses.indices, [false, true])
    func ends(index: Int, isUsed: Bool) async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }, patience: nil))
        let (name, use) = Self.uses[index]
        // Of the definition and of what the recipe has made, none is left.
        do {
            let go = machine.define("user") { join in
                let (go, own) = (join.fast("go"), join.slow("own", of: Int.self))
                let ask = join.fast("ask", returning: Int.self)
                let body = use(own, ask)
                join.when(own) { _ in }
                join.answer(ask) { 1 }
                join.answer(go) { _ async throws in try await body() }
                return go
            }
            if isUsed { try await go() }
            extendLifetime(go)
        }
        try await eventually { machine.snapshot().isEmpty }
        #expect(machine.statistics.failed == 0, "\(name)")
    }
}
