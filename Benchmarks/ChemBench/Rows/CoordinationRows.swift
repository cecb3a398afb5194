import ChemActors
import ChemLibrary

/// The library's locks and channels.
enum CoordinationRows {
    static let all = [
        Row("semaphore/uncontended", 1_000_000, quick: 200_000, against: "baseline/actor-call") { count in
            let semaphore = AsyncSemaphore(permits: 1)
            let start = ContinuousClock.now
            for _ in 0..<count {
                try await semaphore.acquire()
                semaphore.release()
            }
            let measurement = Measurement.since(start)
            try expect("a permit is left", semaphore.tryAcquire(), is: true)
            try expect("a second one is left", semaphore.tryAcquire(), is: false)
            return measurement
        },
        Row("mutex/uncontended", 1_000_000, quick: 200_000, against: "baseline/actor-call") { count in
            let mutex = AsyncMutex(0)
            let start = ContinuousClock.now
            for _ in 0..<count { try await mutex.withLock { $0 += 1 } }
            let measurement = Measurement.since(start)
            try expect("the value", try await mutex.withLock { $0 }, is: count)
            return measurement
        },
        Row("channel/1p1c", 200_000, quick: 50_000, against: "baseline/asyncstream") { count in
            try await pass(count, through: JoinChannel(capacity: 1_024))
        },
        Row("channel/unbounded", 200_000, quick: 50_000, against: "baseline/asyncstream") { count in
            try await pass(count, through: .unbounded())
        },
    ]

    /// One task sends `count` numbers, this one receives them.
    private static func pass(_ count: Int, through channel: JoinChannel<Int>) async throws -> Measurement {
        let start = ContinuousClock.now
        let producer = Task.detached {
            for number in 0..<count { try await channel.send(number) }
            channel.close()
        }
        var sum = 0
        for await number in channel { sum += number }
        let measurement = Measurement.since(start)
        try await producer.value
        try expect("the sum of the elements", sum, is: count * (count - 1) / 2)
        return measurement
    }
}
