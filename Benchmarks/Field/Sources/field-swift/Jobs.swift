import FieldWorks

/// Many small jobs, and many small actors.
enum Jobs {
    /// So many actors are made at a time.
    private static let crowd = 10_000

    static let works = [
        Work("mapreduce", "task group", 100_000) { count in
            let start = ContinuousClock.now
            let sum = await withTaskGroup(of: Int.self) { group in
                for number in 1...count { group.addTask { number * number } }
                return await group.reduce(0, +)
            }
            return try Outcome(count, start.elapsed, "the sum of squares", sum, wanted: sumOfSquares(count))
        },
        Work("create", "actor", 500_000) { count in
            try await inCrowds(count) { size in
                let total = Total()
                let actors = (0..<size).map { _ in Receiver(total) }
                for (number, actor) in actors.enumerated() {
                    await actor.receive(number)
                    blackHole(number)
                }
                return await total.sum
            }
        },
        Work("create", "AsyncStream", 50_000) { count in
            try await inCrowds(count) { size in
                let (numbers, total) = AsyncStream.makeStream(of: Int.self)
                let mailboxes = (0..<size).map { _ in
                    let (messages, mailbox) = AsyncStream.makeStream(of: Int.self)
                    Task.detached { for await message in messages { total.yield(message) } }
                    return mailbox
                }
                for (number, mailbox) in mailboxes.enumerated() { mailbox.yield(number) }
                var sum = 0
                for await number in numbers.prefix(size) { sum += number }
                for mailbox in mailboxes { mailbox.finish() }
                return sum
            }
        },
    ]

    private static func inCrowds(_ count: Int, make: (_ size: Int) async -> Int) async throws -> Outcome {
        var (found, wanted) = (0, 0)
        let start = ContinuousClock.now
        for begin in stride(from: 0, to: count, by: crowd) {
            let size = min(crowd, count - begin)
            found += await make(size)
            wanted += triangle(size)
        }
        return try Outcome(count, start.elapsed, "the sum", found, wanted: wanted)
    }
}

private actor Total {
    private(set) var sum = 0

    func add(_ number: Int) { sum += number }
}

/// Passes what it gets on.
private actor Receiver {
    private let total: Total

    init(_ total: Total) { self.total = total }

    func receive(_ number: Int) async { await total.add(number) }
}
