import ChemActors

/// Merge sort in one soup, from below: two sorted runs react if they are the halves of the same run.
///
///     run & run, of one parent → the parent, merged
///     whole & result → the answer
///
/// `mergesort` makes a definition for each pair of halves; here a key says which belong together.
enum PairSort {
    struct Run: Sendable {
        /// How many times it has been merged.
        let level: Int
        /// Which of its level it is, counted from the left.
        let index: Int
        let values: [Int]

        /// The run of which this is a half.
        var parent: MatchingKey { MatchingKey(level + 1, index / 2) }
    }

    static func sort(_ values: [Int]) async throws -> [Int] {
        var depth = 0
        while 1 << depth < values.count { depth += 1 }
        let (run, result) = Join.define("sort") { [depth] join in
            let run = join.slow("run", of: Run.self)
            let whole = join.part("whole", of: run) { $0.level == depth }
            let result = join.fast("result", returning: [Int].self)

            join.when(2, of: run, matching: \.parent) { halves in
                let merged = MergeSort.merge(halves[0].values, halves[1].values)
                run(Run(level: halves[0].level + 1, index: halves[0].index / 2, values: merged))
            }
            join.answer(result, with: whole) { _, whole in whole.values }
            return (run, result)
        }
        for index in 0..<1 << depth {
            run(Run(level: 0, index: index, values: index < values.count ? [values[index]] : []))
        }
        return try await result()
    }
}

extension Gallery {
    static let pairSort = Example(
        "pairsort",
        "merge sort in one soup: halves find each other by the run that they are halves of",
        from: "von Neumann; Chymyst"
    ) { stage, _, _ in
        var numbers = SeededNumbers(seed: stage.seed)
        var checks: [Check] = []
        for count in [0, 1, 2, 7, stage.pick(full: 10_000, small: 200)] {
            let values = (0..<count).map { _ in Int.random(in: 0..<5000, using: &numbers) }
            let sorted = try await PairSort.sort(values)
            checks.append(Check("\(count) numbers are sorted", holds: sorted == values.sorted()))
        }
        return checks
    }
}
