import ChemActors
import ChemLibrary
import FieldWorks

/// From one task to another.
enum Passing {
    static let works = [
        Work("meeting", "fast molecules", 100_000) { try await meet($0) },
        Work("channel-buffered", "JoinChannel", 1_000_000) { count in
            try await pass(count, through: JoinChannel(capacity: 1_024))
        },
        Work("channel-unbuffered", "JoinChannel", 100_000) { count in
            try await pass(count, through: JoinChannel(capacity: 0))
        },
    ]

    /// Two tasks meet in one reaction, which gives each the number of the other.
    private static func meet(_ count: Int) async throws -> Outcome {
        let (left, right) = Join.define("meeting") { join in
            let left = join.fast("left", of: Int.self, returning: Int.self)
            let right = join.fast("right", of: Int.self, returning: Int.self)
            join.when(left, right) { toLeft, toRight in
                toLeft(toRight.value)
                toRight(toLeft.value)
            }
            return (left, right)
        }
        let start = ContinuousClock.now
        async let fromRight = visit(left, count, factor: 1)
        async let fromLeft = visit(right, count, factor: 2)
        let sum = try await fromRight + fromLeft
        return try Outcome(count, start.elapsed, "what both got", sum, wanted: 3 * triangle(count))
    }

    @concurrent
    private static func visit(_ side: FastMolecule<Int, Int>, _ count: Int, factor: Int) async throws -> Int {
        var sum = 0
        for number in 0..<count { sum += try await side(factor * number) }
        return sum
    }

    /// One task sends, this one receives.
    private static func pass(_ count: Int, through channel: JoinChannel<Int>) async throws -> Outcome {
        let start = ContinuousClock.now
        let producer = Task.detached {
            for number in 0..<count { try await channel.send(number) }
            channel.close()
        }
        var sum = 0
        for await number in channel { sum += number }
        let time = start.elapsed
        try await producer.value
        return try Outcome(count, time, "the sum of the elements", sum, wanted: triangle(count))
    }
}
