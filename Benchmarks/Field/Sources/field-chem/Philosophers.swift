import ChemActors
import FieldWorks

/// Five philosophers: a meal is a reaction that takes both forks.
enum Philosophers {
    private static let seats = 5

    static let works = [
        Work("philosophers", "definition", 3_000_000) { count in
            let (hungry, finished) = table(meals: count / seats)
            let start = ContinuousClock.now
            for philosopher in hungry { philosopher(0) }
            var meals = 0
            for _ in 0..<seats { meals += try await finished() }
            let wanted = count / seats * seats
            return try Outcome(wanted, start.elapsed, "the meals", meals, wanted: wanted)
        }
    ]

    private static func table(meals: Int) -> ([SlowMolecule<Int>], FastMolecule<Void, Int>) {
        Join.define("table") { join in
            let forks = (0..<seats).map { join.slow("fork \($0)") }
            let hungry = (0..<seats).map { join.slow("hungry \($0)", of: Int.self) }
            let done = join.slow("done", of: Int.self)
            let finished = join.fast("finished", returning: Int.self)

            for seat in 0..<seats {
                let (left, right) = (forks[seat], forks[(seat + 1) % seats])
                let again = hungry[seat]
                join.when(again, left, right) { eaten, _, _ in
                    left()
                    right()
                    if eaten + 1 >= meals { done(eaten + 1) } else { again(eaten + 1) }
                }
            }
            join.answer(finished, with: done) { _, eaten in eaten }

            for fork in forks { fork() }
            return (hungry, finished)
        }
    }
}
