import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization

/// Recipes with one mistake each.
enum Mutants {
    static let all: [Trial] = locks + channels + meetings + values + others + flows

    /// Mutants share more than molecules.
    static func mutant(_ name: String, _ trial: Trial) -> Trial {
        Trial(name, timeMayPass: trial.timeMayPass, sharing: .tasks, trial.body)
    }

    // MARK: Locks

    private static let locks = [
        mutant("a semaphore with a permit too many", Trial.permits(0) { Trial.semaphore($0 + 1) }[1]),
        mutant(
            "a semaphore that gets two permits back",
            Trial.permits(0) { count in
                let semaphore = AsyncSemaphore(permits: count)
                return { operation in
                    if case .release = operation { semaphore.release() }
                    return try await Trial.operate(semaphore, operation)
                }
            }[0]
        ),
        mutant(
            "a semaphore that loses a permit which comes while nobody waits",
            Trial.permits(0) { count in
                let semaphore = AsyncSemaphore(permits: count)
                let waiting = Trial.Count()
                return { operation in
                    if case .release = operation, waiting.value == 0 { return true }
                    waiting.add()
                    defer { waiting.add(-1) }
                    return try await Trial.operate(semaphore, operation)
                }
            }[1]
        ),
        mutant(
            "a mutex that lets go between reading and writing",
            .register("it") {
                let mutex = AsyncMutex(0)
                return { operation in
                    let before = try await mutex.withLock { $0 }
                    try await mutex.withLock { value in
                        value = before
                        operation.change(&value)
                    }
                    return before
                }
            }
        ),
        mutant(
            "a lock under which readers write",
            .register("it", [[.add(1)], [.add(2)], [.read]]) {
                let lock = ReadWriteLock()
                let value = Mutex(0)
                return { operation in
                    try await lock.withReadLock {
                        var number = value.withLock { $0 }
                        let before = number
                        await Task.yield()
                        operation.change(&number)
                        value.withLock { [number] in $0 = number }
                        return before
                    }
                }
            }
        ),
        mutant(
            "a condition that is looked at before the change",
            Trial.queue("it", capacity: 1) {
                let condition = Condition([Int]())
                return { operation in
                    switch operation {
                    case .send(let element), .trySend(let element):
                        _ = try await condition.wait(until: \.isEmpty)
                        try await condition.update { $0.append(element) }
                        return .sent(true)
                    case .receive, .tryReceive:
                        _ = try await condition.wait { !$0.isEmpty }
                        return .received(try await condition.update { $0.isEmpty ? nil : $0.removeFirst() })
                    }
                }
            }[0]
        ),
    ]

    // MARK: Channels

    /// A channel by hand, whose elements leave in `order`, and each `copies` times.
    private static func channel(_ order: Join.Order, copies: Int) -> Trial {
        Trial.queue("it", capacity: .max) {
            let (put, take) = Join.define("channel") { join in
                let put = join.slow("put", of: Int.self, order: order)
                let take = join.fast("take", returning: Int.self)
                join.answer(take, with: put) { _, element in element }
                return (put, take)
            }
            return { operation in
                switch operation {
                case .send(let element), .trySend(let element):
                    for _ in 0..<copies { put(element) }
                    return .sent(true)
                case .receive, .tryReceive: return .received(try await take())
                }
            }
        }[0]
    }

    private static let channels = [
        mutant("a channel without an order", channel(.random, copies: 1)),
        mutant("a channel that delivers twice", channel(.oldestFirst, copies: 2)),
        mutant("a channel with room for one more", Trial.queue("it", capacity: 0, of: Trial.channel(capacity: 1))[0]),
        mutant(
            "a channel that drops what it holds when it is closed",
            .closing("it") {
                let channel = JoinChannel<Int>.unbounded()
                let isClosed = Atomic(false)
                return (
                    { try await channel.send($0) },
                    {
                        let element = try await channel.receive()
                        return isClosed.load(ordering: .relaxed) ? nil : element
                    },
                    {
                        isClosed.store(true, ordering: .relaxed)
                        channel.close()
                    }
                )
            }
        ),
        mutant(
            "a channel whose receiver takes an element and then gives up",
            .cancelling("it") {
                let channel = JoinChannel<Int>(capacity: 1)
                return (
                    { try await channel.send($0) },
                    {
                        let element = try await channel.receive()
                        try Task.checkCancellation()
                        return element
                    }
                )
            }
        ),
        mutant(
            "a queue that forgets priorities",
            .priorities {
                let (put, take) = Join.define("queue") { join in
                    let put = join.slow("put", of: Int.self, order: .oldestFirst)
                    let take = join.fast("take", returning: Int.self)
                    join.answer(take, with: put) { _, element -> Int in element }
                    return (put, take)
                }
                return { operation in
                    guard case .put(let element) = operation else { return try await take() }
                    put(element)
                    return element
                }
            }
        ),
        mutant(
            "a select that loses what comes second",
            .selecting { first, second in
                {
                    try await withThrowingTaskGroup(of: Int?.self) { group in
                        for channel in [first, second] { group.addTask { try await channel.receive() } }
                        var element = try await group.next() ?? nil
                        if element == nil { element = try await group.next() ?? nil }
                        group.cancelAll()
                        return element
                    }
                }
            }
        ),
    ]

    // MARK: Meeting

    private static let meetings = [
        mutant(
            "an exchanger that gives one's own value back at times",
            .exchanging {
                let exchanger = Exchanger<Int>()
                let count = Trial.Count()
                return { count.enter() == 4 ? $0 : try await exchanger.exchange($0, within: .seconds(1)) }
            }
        ),
        mutant(
            "a barrier for one party too few",
            .meeting {
                let barrier = Barrier(parties: 2)
                return { try await barrier.arrive() }
            }
        ),
        mutant("a latch that opens one too early", .opening(of: Trial.latch(3))),
        mutant(
            "a pool that gives a resource back before it is free",
            .sharing {
                let pool = ResourcePool([0, 1])
                return { use in
                    let resource = try await pool.withResource { $0 }
                    try await use(resource)
                }
            }
        ),
        mutant(
            "a pool with a worker too many",
            .working {
                let pool = WorkerPool(workers: 3)
                return ({ pool.submit($0) }, { try await pool.drain() })
            }
        ),
    ]

    // MARK: Values

    private static let values = [
        mutant(
            "a promise that takes a second value",
            .promising {
                let value = Mutex<Int?>(nil)
                let promise = JoinPromise<Int>()
                return { operation in
                    switch operation {
                    case .settle(let new):
                        value.withLock { $0 = new }
                        return .settled(promise.fulfill(new))
                    case .value:
                        _ = try await promise.future.value()
                        return .value(value.withLock { $0 } ?? -1)
                    }
                }
            }
        ),
        mutant("a fetch by everybody", .fetching { fetch in { try await fetch() } }),
        mutant(
            "a fetch that is never repeated",
            .fetching { fetch in
                let first = Mutex<Int?>(nil)
                let flight = SingleFlight<String, Int> { _ in try await fetch() }
                return {
                    if let value = first.withLock({ $0 }) { return value - 1 }
                    let value = try await flight.value(for: "key")
                    first.withLock { $0 = $0 ?? value }
                    return value
                }
            }
        ),
        mutant(
            "a counter that reads and writes",
            .counting {
                let (increment, value) = Join.define("counter") { join in
                    let count = join.state("count", 0)
                    let increment = join.slow("increment")
                    let set = join.slow("set", of: Int.self)
                    let value = join.fast("value", returning: Int.self)
                    join.when(increment, reading: count) { count, _ in set(count + 1) }
                    join.when(set, updating: count) { count, new in count = new }
                    join.answer(value, reading: count) { count, _ in count }
                    return (increment, value)
                }
                return ({ increment() }, { try await value() })
            }
        ),
    ]

    // MARK: Others

    private static let others = [
        mutant(
            "a switch that answers before it has turned",
            .switching {
                let (set, isOn) = Join.define("switch") { join in
                    let state = join.state("state", false)
                    let set = join.slow("set", of: Bool.self)
                    let isOn = join.fast("isOn", returning: Bool.self)
                    join.when(set, updating: state) { state, new in state = new }
                    join.answer(isOn, reading: state) { state, _ in state }
                    return (set, isOn)
                }
                return { operation in
                    switch operation {
                    case .on: set(true)
                    case .off: set(false)
                    case .isOn: return try await isOn()
                    }
                    if case .on = operation { return true }
                    return false
                }
            }
        ),
        mutant(
            "a switch that lets requests through when it goes off",
            .refusing {
                let toggle = Switch(isOn: true)
                return (
                    { try await toggle.off() },
                    { molecule in if toggle.position.value { Task { molecule() } } else { molecule() } }
                )
            }
        ),
        mutant(
            "a topic that tells each subscriber in a task of its own",
            .publishing {
                let topics = [Topic<Int>(), Topic<Int>()]
                let next = Trial.Count()
                return (
                    { value in for topic in topics { Task { topic.publish(value) } } },
                    {
                        let subscription = topics[next.enter() - 1].subscribe()
                        return { try await subscription.next() }
                    },
                    { for topic in topics { Task { topic.finish() } } }
                )
            }
        ),
        mutant(
            "a limit with a permit too many",
            .limiting {
                let limit = RateLimit(3, per: .seconds(1))
                return { try await limit.acquire() }
            }
        ),
        mutant(
            "steps that count what has begun after it was cancelled",
            .stepping { steps in
                let cancelled = Atomic(false)
                let completed = Trial.Count()
                return (
                    {
                        var value = 0
                        for step in steps where !cancelled.load(ordering: .relaxed) {
                            value = try await step(value)
                            completed.add()
                        }
                        return completed.value
                    },
                    {
                        cancelled.store(true, ordering: .relaxed)
                        return completed.value
                    }
                )
            }
        ),
    ]
}

extension Trial {
    /// Does an operation on a semaphore.
    static func operate(_ semaphore: AsyncSemaphore, _ operation: PermitModel.Operation) async throws -> Bool {
        switch operation {
        case .acquire: try await semaphore.acquire()
        case .tryAcquire: return semaphore.tryAcquire()
        case .release: semaphore.release()
        }
        return true
    }
}
