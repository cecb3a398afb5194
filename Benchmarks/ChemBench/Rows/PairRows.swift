import ChemActors

/// Two molecules that vanish together: how fast they find each other, and whether it matters how many are waiting.
enum PairRows {
    static let all = [
        Row("pairs/two-injectors", 1_000_000, quick: 200_000, against: "baseline/mutex-increment") { count in
            try await injectFromTwoTasks(count)
        },
        Row("bag/1e3", 1_000_000, quick: 200_000, against: "baseline/mutex-increment") { count in
            try await pairAfterWaiting(count, bag: 1_000)
        },
        Row("bag/1e4", 1_000_000, quick: 200_000, against: "bag/1e3") { count in
            try await pairAfterWaiting(count, bag: 10_000)
        },
        Row("bag/1e5", 1_000_000, quick: 200_000, against: "bag/1e3") { count in
            try await pairAfterWaiting(count, bag: 100_000)
        },
        Row("bag/1e6", 1_000_000, quick: 1_000_000, against: "bag/1e3") { count in
            try await pairAfterWaiting(count, bag: 1_000_000)
        },
    ]

    private static func injectFromTwoTasks(_ count: Int) async throws -> Measurement {
        let pairs = Pairs()
        let start = ContinuousClock.now
        await withDiscardingTaskGroup { group in
            group.addTask { inject(count, into: pairs.a) }
            group.addTask { inject(count, into: pairs.b) }
        }
        try await pairs.definition.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum over all pairs", pairs.sum.total, is: count * (count - 1))
        return measurement
    }

    /// Injects `bag` molecules that have no partner and then their partners, until there were `count` pairs.
    ///
    /// Waiting for quiet after each bag counts too: a thousandth of a wake-up for each pair of the smallest bags.
    private static func pairAfterWaiting(_ count: Int, bag: Int) async throws -> Measurement {
        let pairs = Pairs()
        let start = ContinuousClock.now
        for _ in 0..<(count / bag) {
            inject(bag, into: pairs.a)
            inject(bag, into: pairs.b)
            try await pairs.definition.quiescence()
        }
        let measurement = Measurement.since(start)
        try expect("the sum over all pairs", pairs.sum.total, is: count / bag * (bag * (bag - 1)))
        return measurement
    }

    private static func inject(_ count: Int, into molecule: SlowMolecule<Int>) {
        for number in 0..<count { molecule(number) }
    }
}

/// a(x) & b(y) → nothing, but for a sum that shows that each value was taken once.
private final class Pairs: Sendable {
    let a: SlowMolecule<Int>
    let b: SlowMolecule<Int>
    let definition: Join
    let sum: Sum

    init() {
        let sum = Sum()
        (a, b, definition) = Join.define("pairs") { join in
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            join.when(a, b) { x, y in sum.add(x + y) }
            return (a, b, join.definition)
        }
        self.sum = sum
    }
}
