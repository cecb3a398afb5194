import ChemActors
import ChemLibrary

/// Map/reduce as in CocoaJoin's example 3: `begin` is mapped to `done`, two results become one.
enum MapReduceRows {
    static let all = [
        Row("mapreduce/1e5", 100_000, quick: 100_000, against: "baseline/taskgroup-mapreduce") { count in
            let start = ContinuousClock.now
            let sum = try await mapReduce(1...count, map: { $0 * $0 }, reduce: +)
            let measurement = Measurement.since(start)
            try expect("the sum of squares", sum, is: sumOfSquares(count))
            return measurement
        },
        Row("mapreduce/tree", 100_000, quick: 100_000, against: "baseline/taskgroup-mapreduce") { count in
            let start = ContinuousClock.now
            let sum = try await mapReduce(1...count, by: .tree, map: { $0 * $0 }, reduce: +)
            let measurement = Measurement.since(start)
            try expect("the sum of squares", sum, is: sumOfSquares(count))
            return measurement
        },
        // The chemistry written out, as one would write it by hand.
        Row("mapreduce/by-hand", 100_000, quick: 100_000, against: "baseline/taskgroup-mapreduce") { count in
            let (begin, primer, total) = define(count)
            let start = ContinuousClock.now
            for number in 1...count { begin(number) }
            for _ in 1..<count { primer() }
            let sum = try await total()
            let measurement = Measurement.since(start)
            try expect("the sum of squares", sum, is: sumOfSquares(count))
            return measurement
        },
    ]

    static func sumOfSquares(_ count: Int) -> Int { count * (count + 1) * (2 * count + 1) / 6 }

    /// A result, and how many numbers it was made of.
    private struct Partial {
        let sum: Int
        let count: Int
    }

    private typealias Names = (
        begin: SlowMolecule<Int>, primer: SlowMolecule<Void>, total: FastMolecule<Void, Int>
    )

    private static func define(_ count: Int) -> Names {
        let (begin, primer, total) = Join.define("mapreduce") { join in
            let begin = join.slow("begin", of: Int.self)
            let done = join.slow("done", of: Partial.self)
            let primed = join.slow("primed", of: Partial.self)
            let primer = join.slow("primer")
            let allDone = join.slow("allDone", of: Int.self)
            let total = join.fast("total", returning: Int.self)

            join.when(begin) { x in done(Partial(sum: x * x, count: 1)) }
            join.when(done, primer) { result, _ in primed(result) }
            join.when(done, primed) { one, other in
                let both = Partial(sum: one.sum + other.sum, count: one.count + other.count)
                if both.count == count { allDone(both.sum) } else { done(both) }
            }
            join.answer(total, with: allDone) { _, sum in sum }

            return (begin, primer, total)
        }
        return (begin, primer, total)
    }
}
