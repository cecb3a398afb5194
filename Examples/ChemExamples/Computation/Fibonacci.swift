import ChemActors

/// Fibonacci numbers by recursive definitions: each number is a small chemistry of its own, which waits for two others.
///
///     one(x) & other(y) → result(x + y)
///
/// `result` is a molecule of the definition that asked: `one` or `other` of the next larger number. Nobody waits in a
/// task or a thread, and a definition is freed when it has reacted. It is the slowest way to add ones; it shows that
/// definitions are cheap and need no owner.
enum Fibonacci {
    /// Injects the number of this index into `result`; those of 1 and 2 are 1.
    @Sendable static func compute(_ index: Int, into result: SlowMolecule<Int>) {
        guard index > 2 else { return result(1) }
        let (one, other) = Join.define("fibonacci") { join in
            let one = join.slow("one", of: Int.self)
            let other = join.slow("other", of: Int.self)
            join.when(one, other) { x, y in result(x + y) }
            return (one, other)
        }
        compute(index - 1, into: one)
        compute(index - 2, into: other)
    }

    static func number(_ index: Int) async throws -> Int {
        let (result, value) = Collector<Int>.define()
        compute(index, into: result)
        return try await value()
    }
}

extension Gallery {
    static let fibonacci = Example(
        "fibonacci",
        "Fibonacci numbers by a tree of definitions",
        from: "tutorials of JoCaml"
    ) { stage, _, _ in
        let largest = stage.pick(full: 20, small: 12)
        let expected = largest == 20 ? 6765 : 144
        var checks = [Check("fibonacci \(largest)", try await Fibonacci.number(largest), is: expected)]
        var found: [Int] = []
        for index in 1...10 { found.append(try await Fibonacci.number(index)) }
        checks.append(Check("the first ten", found, is: [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]))
        return checks
    }
}
