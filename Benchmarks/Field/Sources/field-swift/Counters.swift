import FieldWorks
import Synchronization

/// What increments and is asked for its value. Only some do so without suspending.
protocol Counter: Sendable {
    init(from initial: Int)
    func increment() async
    func value() async -> Int
    func stop()
}

extension Counter {
    func stop() {}
}

/// A lock around a number.
final class LockedCounter: Counter {
    private let count: Mutex<Int>

    init(from initial: Int) { count = Mutex(initial) }

    func increment() { count.withLock { $0 += 1 } }
    func value() -> Int { count.withLock { $0 } }
}

/// An actor. An increment is awaited: nobody can send it a message without.
actor CounterActor: Counter {
    private var count: Int

    init(from initial: Int) { count = initial }

    func increment() { count += 1 }
    func value() -> Int { count }
}

/// A task that owns the number, and a stream as its mailbox.
struct CounterTask: Counter {
    private enum Message: Sendable {
        case increment
        case value(CheckedContinuation<Int, Never>)
    }

    private let mailbox: AsyncStream<Message>.Continuation

    init(from initial: Int) {
        let (messages, mailbox) = AsyncStream.makeStream(of: Message.self)
        self.mailbox = mailbox
        Task.detached {
            var count = initial
            for await message in messages {
                switch message {
                case .increment: count += 1
                case .value(let caller): caller.resume(returning: count)
                }
            }
        }
    }

    func increment() { mailbox.yield(.increment) }
    func value() async -> Int { await withCheckedContinuation { _ = mailbox.yield(.value($0)) } }
    func stop() { mailbox.finish() }
}

enum Counters {
    static let works = [
        Work("counter-1", "Mutex", 20_000_000) { count in
            try await measure(count, LockedCounter.self, injectors: 1) { for _ in 0..<$1 { $0.increment() } }
        },
        Work("counter-1", "actor", 2_000_000) { count in
            try await measure(count, CounterActor.self, injectors: 1) { await increment($0, $1) }
        },
        Work("counter-1", "AsyncStream", 500_000) { count in
            try await measure(count, CounterTask.self, injectors: 1) { for _ in 0..<$1 { $0.increment() } }
        },
        Work("counter-8", "Mutex", 5_000_000) { count in
            try await measure(count, LockedCounter.self, injectors: 8) { for _ in 0..<$1 { $0.increment() } }
        },
        Work("counter-8", "actor", 2_000_000) { count in
            try await measure(count, CounterActor.self, injectors: 8) { await increment($0, $1) }
        },
        Work("counter-8", "AsyncStream", 500_000) { count in
            try await measure(count, CounterTask.self, injectors: 8) { for _ in 0..<$1 { $0.increment() } }
        },
        Work("define", "actor", 1_000_000) { try await define($0, CounterActor.self) },
        Work("define", "AsyncStream", 50_000) { try await define($0, CounterTask.self) },
    ]

    /// The black hole runs where the caller is: without it the optimizer leaves out the way back from one actor call
    /// before the next, and the loop runs on the actor.
    private static func increment(_ counter: CounterActor, _ count: Int) async {
        for number in 0..<count {
            await counter.increment()
            blackHole(number)
        }
    }

    /// `increments` is written for each kind, so that what doesn't suspend is called without `await`.
    private static func measure<Kind: Counter>(
        _ count: Int,
        _: Kind.Type,
        injectors: Int,
        increments: @escaping @concurrent @Sendable (Kind, Int) async -> Void
    ) async throws -> Outcome {
        let counter = Kind(from: 0)
        let share = count / injectors
        let start = ContinuousClock.now
        if injectors == 1 {
            await increments(counter, share)
        } else {
            await withDiscardingTaskGroup { group in
                for _ in 0..<injectors { group.addTask { await increments(counter, share) } }
            }
        }
        let value = await counter.value()
        let time = start.elapsed
        counter.stop()
        return try Outcome(share * injectors, time, "the count", value, wanted: share * injectors)
    }

    /// Counters that live for a moment.
    private static func define<Kind: Counter>(_ count: Int, _: Kind.Type) async throws -> Outcome {
        var sum = 0
        let start = ContinuousClock.now
        for _ in 0..<count {
            let counter = Kind(from: 7)
            await counter.increment()
            blackHole(sum)
            let value = await counter.value()
            blackHole(value)
            sum += value
            counter.stop()
        }
        return try Outcome(count, start.elapsed, "the sum of the values", sum, wanted: 8 * count)
    }
}
