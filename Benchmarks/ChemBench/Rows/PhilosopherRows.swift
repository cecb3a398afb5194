import ChemActors

/// Five philosophers who don't think long. An operation is a meal.
enum PhilosopherRows {
    static let all = [
        Row("philosophers/5", 200_000, quick: 50_000, against: "baseline/mutex-increment") { count in
            let (sit, finished) = define()
            let start = ContinuousClock.now
            for thinking in sit { thinking(Day(meals: 0, appetite: count / 5)) }
            let meals = try await finished()
            let measurement = Measurement.since(start)
            try expect("the meals", meals, is: count / 5 * 5)
            return measurement
        }
    ]

    /// How often a philosopher has eaten and will.
    private struct Day {
        let meals: Int
        let appetite: Int
    }

    private static func define() -> ([SlowMolecule<Day>], FastMolecule<Void, Int>) {
        Join.define("philosophers") { join in
            let forks = (0..<5).map { join.slow("fork\($0)") }
            let thinking = (0..<5).map { join.slow("thinking\($0)", of: Day.self) }
            let hungry = (0..<5).map { join.slow("hungry\($0)", of: Day.self) }
            let full = join.slow("full", of: Int.self)
            let finished = join.fast("finished", returning: Int.self)

            for seat in 0..<5 {
                let (think, hunger) = (thinking[seat], hungry[seat])
                let (left, right) = (forks[seat], forks[(seat + 1) % 5])

                join.when(think) { day in
                    if day.meals == day.appetite { full(day.meals) } else { hunger(day) }
                }
                join.when(hunger, left, right) { day, _, _ in
                    think(Day(meals: day.meals + 1, appetite: day.appetite))
                    left()
                    right()
                }
            }
            join.answer(finished, with: full, full, full, full, full) { _, a, b, c, d, e in a + b + c + d + e }

            for fork in forks { fork() }
            return (thinking, finished)
        }
    }
}
