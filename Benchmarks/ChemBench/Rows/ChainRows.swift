import ChemActors

/// One value that goes through a row of molecules, again and again. An operation is a reaction.
enum ChainRows {
    private static let length = 100

    static let all = [
        Row("chain/100", 2_000 * length, quick: 500 * length, against: "baseline/mutex-increment") { count in
            let (first, finished) = define(steps: count)
            let start = ContinuousClock.now
            first(0)
            let steps = try await finished()
            let measurement = Measurement.since(start)
            try expect("the steps", steps, is: count)
            return measurement
        }
    ]

    private static func define(steps: Int) -> (SlowMolecule<Int>, FastMolecule<Void, Int>) {
        Join.define("chain") { join in
            let row = (0..<length).map { join.slow("m\($0)", of: Int.self) }
            let arrived = join.slow("arrived", of: Int.self)
            let finished = join.fast("finished", returning: Int.self)

            for (here, next) in zip(row, row.dropFirst()) {
                join.when(here) { n in next(n + 1) }
            }
            let (first, last) = (row[0], row[length - 1])
            join.when(last) { n in
                if n + 1 == steps { arrived(n + 1) } else { first(n + 1) }
            }
            join.answer(finished, with: arrived) { _, n in n }

            return (first, finished)
        }
    }
}
