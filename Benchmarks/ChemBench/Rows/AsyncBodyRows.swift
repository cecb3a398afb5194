import ChemActors

/// Reactions with an asynchronous body that doesn't suspend, each of which injects the next.
enum AsyncBodyRows {
    static let all = [
        Row("async-body", 200_000, quick: 50_000, against: "baseline/taskgroup-child") { count in
            let (step, finished) = define(steps: count)
            let start = ContinuousClock.now
            step(1)
            let steps = try await finished()
            let measurement = Measurement.since(start)
            try expect("the steps", steps, is: count)
            return measurement
        }
    ]

    private static func define(steps: Int) -> (SlowMolecule<Int>, FastMolecule<Void, Int>) {
        Join.define("async-body") { join in
            let step = join.slow("step", of: Int.self)
            let arrived = join.slow("arrived", of: Int.self)
            let finished = join.fast("finished", returning: Int.self)

            join.when(step) { n in
                await doNothing()
                if n == steps { arrived(n) } else { step(n + 1) }
            }
            join.answer(finished, with: arrived) { _, n in n }

            return (step, finished)
        }
    }

    /// Asynchronous, and never suspends.
    @inline(never)
    @_optimize(none)
    private static func doNothing() async {}
}
