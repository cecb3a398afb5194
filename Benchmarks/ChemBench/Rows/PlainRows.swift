import Synchronization

/// Baselines without actors: a lock, a stream.
enum PlainRows {
    static let all = [
        Row("baseline/mutex-increment", 1_000_000, quick: 200_000) { count in
            let counter = LockedCounter()
            let start = ContinuousClock.now
            for _ in 0..<count { counter.increment() }
            let measurement = Measurement.since(start)
            try expect("the value of the counter", counter.value, is: count)
            return measurement
        },
        Row("baseline/asyncstream", 200_000, quick: 50_000) { count in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            let start = ContinuousClock.now
            let producer = Task.detached {
                for number in 0..<count { continuation.yield(number) }
                continuation.finish()
            }
            var sum = 0
            for await number in stream { sum += number }
            let measurement = Measurement.since(start)
            await producer.value
            try expect("the sum of the elements", sum, is: count * (count - 1) / 2)
            return measurement
        },
    ]
}

private final class LockedCounter: Sendable {
    private let count = Mutex(0)

    @inline(never)
    func increment() { count.withLock { $0 += 1 } }

    var value: Int { count.withLock { $0 } }
}
