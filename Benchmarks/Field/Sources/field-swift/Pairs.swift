import AsyncAlgorithms
import FieldWorks
import Synchronization

/// Messages that have no partner yet, behind a lock. Whoever brings a partner consumes the pair.
private final class LockedPairs: Sendable {
    private struct Waiting {
        var a: [Int] = []
        var b: [Int] = []
        var sum = 0
    }

    private let waiting = Mutex(Waiting())

    func a(_ number: Int) {
        waiting.withLock { waiting in
            if let other = waiting.b.popLast() { waiting.sum += number + other } else { waiting.a.append(number) }
        }
    }

    func b(_ number: Int) {
        waiting.withLock { waiting in
            if let other = waiting.a.popLast() { waiting.sum += number + other } else { waiting.b.append(number) }
        }
    }

    var sum: Int { waiting.withLock { $0.sum } }
}

enum Pairs {
    static let works = [
        Work("pairs", "Mutex", 3_000_000) { count in
            let pairs = LockedPairs()
            let start = ContinuousClock.now
            await together {
                for number in 0..<count { pairs.a(number) }
            } _: {
                for number in 0..<count { pairs.b(number) }
            }
            return try outcome(count, start, pairs.sum)
        },
        Work("pairs", "AsyncStream", 200_000) { count in
            let (a, sendA) = AsyncStream.makeStream(of: Int.self)
            let (b, sendB) = AsyncStream.makeStream(of: Int.self)
            let start = ContinuousClock.now
            async let sum = addPairs(a, b)
            await together {
                for number in 0..<count { sendA.yield(number) }
                sendA.finish()
            } _: {
                for number in 0..<count { sendB.yield(number) }
                sendB.finish()
            }
            return try outcome(count, start, await sum)
        },
        Work("pairs", "AsyncChannel", 50_000) { count in
            let (a, b) = (AsyncChannel<Int>(), AsyncChannel<Int>())
            let start = ContinuousClock.now
            async let sum = addPairs(a, b)
            await together {
                for number in 0..<count { await a.send(number) }
                a.finish()
            } _: {
                for number in 0..<count { await b.send(number) }
                b.finish()
            }
            return try outcome(count, start, await sum)
        },
        Work("pairs-waiting", "Mutex", 1_000_000) { count in
            let pairs = LockedPairs()
            let start = ContinuousClock.now
            for number in 0..<count { pairs.a(number) }
            for number in 0..<count { pairs.b(number) }
            return try outcome(count, start, pairs.sum)
        },
        // With 10⁶ a repetition takes three seconds.
        Work("pairs-waiting", "AsyncStream, after 200,000", 200_000) { count in
            let (a, sendA) = AsyncStream.makeStream(of: Int.self)
            let (b, sendB) = AsyncStream.makeStream(of: Int.self)
            let start = ContinuousClock.now
            for number in 0..<count { sendA.yield(number) }
            sendA.finish()
            async let sum = addPairs(a, b)
            for number in 0..<count { sendB.yield(number) }
            sendB.finish()
            return try outcome(count, start, await sum)
        },
    ]

    private static func outcome(_ count: Int, _ start: ContinuousClock.Instant, _ sum: Int) throws -> Outcome {
        try Outcome(count, start.elapsed, "the sum over all pairs", sum, wanted: 2 * triangle(count))
    }

    /// Takes one of each, until there is none.
    @concurrent
    private static func addPairs<Numbers: AsyncSequence & Sendable>(_ a: Numbers, _ b: Numbers) async -> Int
    where Numbers.Element == Int, Numbers.Failure == Never {
        var (fromA, fromB) = (a.makeAsyncIterator(), b.makeAsyncIterator())
        var sum = 0
        while let x = await fromA.next(isolation: nil), let y = await fromB.next(isolation: nil) { sum += x + y }
        return sum
    }

    private static func together(
        _ one: @escaping @concurrent @Sendable () async -> Void,
        _ other: @escaping @concurrent @Sendable () async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await one() }
            group.addTask { await other() }
        }
    }
}
