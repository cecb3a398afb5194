import AsyncAlgorithms
import FieldWorks
import Synchronization

/// From one task to another.
enum Passing {
    static let works = [
        Work("meeting", "Mutex and continuation", 200_000) { count in
            let place = MeetingPlace()
            return try await meet(count) { number in
                await place.meet(number)
            } right: { number in
                await place.meet(number)
            }
        },
        Work("meeting", "AsyncChannel", 50_000) { count in
            let (there, back) = (AsyncChannel<Int>(), AsyncChannel<Int>())
            return try await meet(count) { number in
                await there.send(number)
                return await first(of: back)
            } right: { number in
                let other = await first(of: there)
                await back.send(number)
                return other
            }
        },
        Work("channel-buffered", "AsyncStream, unbounded", 500_000) { count in
            let (numbers, sender) = AsyncStream.makeStream(of: Int.self)
            return try await receive(count, numbers) {
                for number in 0..<count { sender.yield(number) }
                sender.finish()
            }
        },
        Work("channel-buffered", "AsyncChannel with buffer", 50_000) { count in
            let channel = AsyncChannel<Int>()
            return try await receive(count, channel.buffer(policy: .bounded(1_024))) {
                for number in 0..<count { await channel.send(number) }
                channel.finish()
            }
        },
        Work("channel-unbuffered", "AsyncChannel", 100_000) { count in
            let channel = AsyncChannel<Int>()
            return try await receive(count, channel) {
                for number in 0..<count { await channel.send(number) }
                channel.finish()
            }
        },
    ]

    /// One task sends, this one receives.
    private static func receive<Numbers: AsyncSequence>(
        _ count: Int,
        _ numbers: Numbers,
        send: @escaping @concurrent @Sendable () async -> Void
    ) async throws -> Outcome where Numbers.Element == Int {
        let start = ContinuousClock.now
        let producer = Task.detached { await send() }
        var sum = 0
        for try await number in numbers { sum += number }
        let time = start.elapsed
        await producer.value
        return try Outcome(count, time, "the sum of the elements", sum, wanted: triangle(count))
    }

    /// Two tasks that exchange numbers: neither goes on before it has the other's.
    private static func meet(
        _ count: Int,
        left: @escaping @concurrent @Sendable (Int) async -> Int,
        right: @escaping @concurrent @Sendable (Int) async -> Int
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        async let fromRight = visit(count, factor: 1, left)
        async let fromLeft = visit(count, factor: 2, right)
        let sum = await fromRight + fromLeft
        return try Outcome(count, start.elapsed, "what both got", sum, wanted: 3 * triangle(count))
    }

    @concurrent
    private static func visit(
        _ count: Int,
        factor: Int,
        _ meet: @concurrent @Sendable (Int) async -> Int
    ) async -> Int {
        var sum = 0
        for number in 0..<count { sum += await meet(factor * number) }
        return sum
    }

    private static func first(of channel: AsyncChannel<Int>) async -> Int {
        var numbers = channel.makeAsyncIterator()
        return await numbers.next() ?? 0
    }
}

/// Where two tasks exchange numbers: a lock, and the continuation of whoever came first.
private final class MeetingPlace: Sendable {
    private struct Visitor {
        let number: Int
        let continuation: CheckedContinuation<Int, Never>
    }

    private let waiting = Mutex<Visitor?>(nil)

    /// Waits for the other, and returns its number.
    func meet(_ number: Int) async -> Int {
        await withCheckedContinuation { continuation in
            let first = waiting.withLock { visitor -> Visitor? in
                defer { visitor = visitor == nil ? Visitor(number: number, continuation: continuation) : nil }
                return visitor
            }
            guard let first else { return }
            first.continuation.resume(returning: number)
            continuation.resume(returning: first.number)
        }
    }
}
