import ChemActors
import ChemBase

/// Reactions that look at values: what that costs, and whether it matters how many wait.
enum GuardRows {
    static let all = [
        Row(
            "guard/part",
            1_000_000,
            quick: 200_000,
            against: "counter/inject",
            and: ["baseline/mutex-increment"]
        ) { try await CounterRows.measure(withPart(), $0, from: 1) },
        Row("guard/key-1e3", 1_000_000, quick: 200_000, against: "baseline/mutex-increment") { count in
            try await pair(count, waiting: 1_000)
        },
        Row("guard/key-1e6", 1_000_000, quick: 200_000, against: "baseline/mutex-increment") { count in
            try await pair(count, waiting: 1_000_000)
        },
        Row("guard/state", 200_000, quick: 50_000, against: "channel/1p1c") { try await buffer($0) },
        Row("guard/threshold", 100_000, quick: 100_000, against: "baseline/mutex-increment") { count in
            try await withdraw(count)
        },
        Row("guard/where", 4_000, quick: 4_000, against: "baseline/mutex-increment") { count in
            try await search(count) { $0 }
        },
        Row("guard/where-shuffled", 4_000, quick: 4_000, against: "baseline/mutex-increment") { count in
            // 1,597 has no divisor in common with the number.
            try await search(count) { $0 * 1_597 % count }
        },
        Row("guard/where-flood", 2_000, quick: 2_000, against: "baseline/mutex-increment") { count in
            try await flood(count, waiting: 100_000)
        },
    ]

    /// A counter whose increments are a part of a molecule.
    private static func withPart() -> Counting {
        let (increment, value, definition) = Join.define("counter") { join in
            let count = join.slow("count", of: Int.self)
            let command = join.slow("command")
            let increment = join.part("increment", of: command, where: { _ in true })
            let value = join.fast("value", returning: Int.self)

            join.when(increment, count) { _, n in count(n + 1) }
            join.when(command, count) { _, n in count(n) }
            join.answer(value, with: count) { _, n in
                count(n)
                return n
            }

            count(0)
            return (command, value, join.definition)
        }
        return Counting(increment: increment, value: value, definition: definition)
    }

    /// Injects `count` numbers on one side, and each of them on the other side when so many have come after it.
    ///
    /// Now and then it waits until all pairs have reacted, or many more would wait: a thousandth of a wake-up for each.
    private static func pair(_ count: Int, waiting: Int) async throws -> Measurement {
        let sum = Sum()
        let (a, b, definition) = Join.define("keys") { join in
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            join.when(a, b, matching: \.self, \.self) { x, y in sum.add(x + y) }
            return (a, b, join.definition)
        }
        for number in 0..<waiting { a(number) }
        let start = ContinuousClock.now
        for number in 0..<count {
            a(number + waiting)
            b(number)
            if number % 1_000 == 999 { try await definition.quiescence() }
        }
        try await definition.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum over all pairs", sum.total, is: count * (count - 1))
        try expect("those that wait", definition.snapshot().molecules, is: ["a": waiting])
        return measurement
    }

    /// A buffer of bounded size, written as a state with two conditions.
    private static func buffer(_ count: Int) async throws -> Measurement {
        let (put, take) = Join.define("buffer") { join in
            let put = join.fast("put", of: Int.self, order: .oldestFirst)
            let take = join.fast("take", returning: Int.self, order: .oldestFirst)
            let items = join.state("items", FIFO<Int>())
            join.answer(put, updating: items.while { $0.count < 1_024 }) { items, item in items.append(item) }
            join.answer(take, updating: items.while { !$0.isEmpty }) { items, _ in items.popFirst() ?? 0 }
            return (put, take)
        }
        let start = ContinuousClock.now
        // As the channel does it: first without waiting.
        let producer = Task.detached {
            for number in 0..<count where try put.tryCall(number) == nil { try await put(number) }
        }
        var sum = 0
        for _ in 0..<count {
            if let number = try take.tryCall() { sum += number } else { sum += try await take() }
        }
        let measurement = Measurement.since(start)
        try await producer.value
        try expect("the sum of the elements", sum, is: count * (count - 1) / 2)
        return measurement
    }

    /// A hundred thousand amounts wait for a level, which rises until all are covered.
    private static func withdraw(_ count: Int) async throws -> Measurement {
        let sum = Sum()
        let (want, give, definition) = Join.define("account") { join in
            let want = join.slow("want", of: Int.self)
            let give = join.slow("give", of: Int.self)
            let level = join.state("level", 0)
            join.when(want, updating: level, amount: \.self, atMost: \.self) { level, amount in
                level -= amount
                sum.add(amount)
            }
            join.when(give, updating: level) { level, amount in level += amount }
            return (want, give, join.definition)
        }
        for number in 0..<count { want((number * 7919) % count + 1) }
        let start = ContinuousClock.now
        for number in 0..<count { give(number + 1) }
        try await definition.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum of the amounts", sum.total, is: count * (count + 1) / 2)
        return measurement
    }

    /// Pairs that only a condition finds, among as many others.
    private static func search(_ count: Int, order: (Int) -> Int) async throws -> Measurement {
        let sum = Sum()
        let (a, b, definition) = searching(sum)
        for number in 0..<count { a(number) }
        let start = ContinuousClock.now
        for number in 0..<count { b(order(number)) }
        try await definition.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum over all pairs", sum.total, is: count * (count - 1))
        return measurement
    }

    /// What fits with nothing that waits.
    private static func flood(_ count: Int, waiting: Int) async throws -> Measurement {
        let sum = Sum()
        let (a, b, definition) = searching(sum)
        for number in 0..<waiting { a(number) }
        let start = ContinuousClock.now
        for number in 0..<count { b(-1 - number) }
        try await definition.quiescence()
        let measurement = Measurement.since(start)
        try expect("the sum over all pairs", sum.total, is: 0)
        return measurement
    }

    private static func searching(_ sum: Sum) -> (a: SlowMolecule<Int>, b: SlowMolecule<Int>, definition: Join) {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (a, b, definition) = machine.define("search") { join in
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            join.when(a, b, where: { $0 == $1 }) { x, y in sum.add(x + y) }
            return (a, b, join.definition)
        }
        return (a, b, definition)
    }
}
