import ChemActors

/// Calls of fast molecules.
enum FastRows {
    static let all = [
        Row("fast/call", 1_000_000, quick: 200_000, against: "baseline/actor-call") { count in
            try await callInTurn(count)
        },
        Row("fast/call-main", 1_000_000, quick: 200_000, against: "fast/call") { @MainActor count in
            try await callInTurn(count)
        },
        Row("fast/rendezvous", 100_000, quick: 10_000, against: "baseline/continuation-meet") { count in
            try await meet(count)
        },
    ]

    /// Asks a counter for its value, one call after the other, in the isolation of the caller.
    private static func callInTurn(_ count: Int) async throws -> Measurement {
        let value = Counting.withMolecule(from: 3).value
        var sum = 0
        let start = ContinuousClock.now
        for _ in 0..<count {
            let answer = try await value()
            blackHole(answer)
            sum += answer
        }
        let measurement = Measurement.since(start)
        try expect("the sum of the answers", sum, is: 3 * count)
        return measurement
    }

    /// Two tasks meet `count` times in one reaction, which hands each the value of the other.
    private static func meet(_ count: Int) async throws -> Measurement {
        let (left, right) = Join.define("rendezvous") { join in
            let left = join.fast("left", of: Int.self, returning: Int.self)
            let right = join.fast("right", of: Int.self, returning: Int.self)

            join.when(left, right) { one, other in
                one(other.value)
                other(one.value)
            }
            return (left, right)
        }
        let start = ContinuousClock.now
        async let fromRight = visit(left, count, sign: 1)
        async let fromLeft = visit(right, count, sign: -1)
        let sums = try await (fromRight, fromLeft)
        let measurement = Measurement.since(start)

        let sum = count * (count - 1) / 2
        try expect("what the left task got", sums.0, is: -sum)
        try expect("what the right task got", sums.1, is: sum)
        return measurement
    }

    @concurrent
    private static func visit(_ side: FastMolecule<Int, Int>, _ count: Int, sign: Int) async throws -> Int {
        var sum = 0
        for number in 0..<count { sum += try await side(sign * number) }
        return sum
    }
}
