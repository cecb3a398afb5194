import ChemActors
import ChemLibrary
import Synchronization

/// Work in which somebody has to wait.
enum WaitingRows {
    static let all = [
        Row("answer/async-idle", 100_000, quick: 20_000, against: "baseline/taskgroup-child") { count in
            try await askIdle(count)
        },
        Row("ask/async-body", 50_000, quick: 10_000, against: "baseline/continuation-meet") { count in
            try await askThroughBody(count)
        },
        Row("channel/rendezvous", 50_000, quick: 10_000, against: "baseline/continuation-meet") { count in
            try await passWithoutBuffer(count)
        },
        Row("baseline/continuation-meet", 100_000, quick: 20_000) { count in
            let place = MeetingPlace()
            let start = ContinuousClock.now
            async let fromRight = visit(place, count, sign: 1)
            async let fromLeft = visit(place, count, sign: -1)
            let sums = await (fromRight, fromLeft)
            let measurement = Measurement.since(start)
            let sum = count * (count - 1) / 2
            try expect("what the tasks got", [sums.0, sums.1], is: [-sum, sum])
            return measurement
        },
    ]

    /// Asks a definition that does nothing else for an answer that an asynchronous body gives, one call after the
    /// other.
    private static func askIdle(_ count: Int) async throws -> Measurement {
        let square = Join.define("square") { join in
            let square = join.fast("square", of: Int.self, returning: Int.self)
            join.answer(square) { number in await squared(number) }
            return square
        }
        var sum = 0
        let start = ContinuousClock.now
        for number in 0..<count { sum &+= try await square(number) }
        let measurement = Measurement.since(start)
        try expect("the sum of the answers", sum, is: (count - 1) * count * (2 * count - 1) / 6)
        return measurement
    }

    /// Asynchronous, and never suspends.
    @inline(never)
    @_optimize(none)
    private static func squared(_ number: Int) async -> Int { number &* number }

    /// Injects a question whose asynchronous body calls another definition and injects the result, and waits for that.
    private static func askThroughBody(_ count: Int) async throws -> Measurement {
        let value = Counting.withMolecule(from: 3).value
        let (question, result) = Join.define("asker") { join in
            let question = join.slow("question", of: Int.self)
            let found = join.slow("found", of: Int.self)
            let result = join.fast("result", returning: Int.self)
            join.when(question) { number in found(number &+ (try await value())) }
            join.answer(result, with: found) { _, number in number }
            return (question, result)
        }
        var sum = 0
        let start = ContinuousClock.now
        for number in 0..<count {
            question(number)
            sum &+= try await result()
        }
        let measurement = Measurement.since(start)
        try expect("the sum of the answers", sum, is: count * (count - 1) / 2 + 3 * count)
        return measurement
    }

    /// One task sends `count` numbers through a channel that holds none, this one receives them.
    private static func passWithoutBuffer(_ count: Int) async throws -> Measurement {
        let channel = JoinChannel<Int>(capacity: 0)
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

    @concurrent
    private static func visit(_ place: MeetingPlace, _ count: Int, sign: Int) async -> Int {
        var sum = 0
        for number in 0..<count { sum += await place.meet(sign * number) }
        return sum
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
