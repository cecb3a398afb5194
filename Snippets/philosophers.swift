// Dining philosophers: no deadlock, because a reaction takes both forks or none.

import ChemActors

// snippet.show
/// Returns how often each philosopher has eaten.
func dine(philosophers: Int, meals: Int) async throws -> [Int] {
    let (hungry, finished) = Join.define("table") { join in
        let forks = (0..<philosophers).map { join.slow("fork \($0)") }
        let hungry = (0..<philosophers).map { join.slow("hungry \($0)", of: Int.self) }
        let done = join.slow("done", of: (who: Int, meals: Int).self)
        let finished = join.fast("finished", returning: (who: Int, meals: Int).self)

        for who in 0..<philosophers {
            let left = forks[who]
            let right = forks[(who + 1) % philosophers]
            join.when(hungry[who], left, right) { eaten, _, _ in
                left()
                right()
                if eaten + 1 == meals { done((who, meals)) } else { hungry[who](eaten + 1) }
            }
        }
        join.answer(finished, with: done) { _, meal in meal }

        for fork in forks { fork() }
        return (hungry, finished)
    }
    for philosopher in hungry { philosopher(0) }
    var eaten = [Int](repeating: 0, count: philosophers)
    for _ in 0..<philosophers {
        let (who, meals) = try await finished()
        eaten[who] = meals
    }
    return eaten
}

print(try await dine(philosophers: 5, meals: 100))  // [100, 100, 100, 100, 100]
// snippet.hide
if CommandLine.arguments.contains("--picture") {
    _ = try await dine(philosophers: 3, meals: 2)
    if let table = ChemicalMachine.shared.drawings.last { print(table.numberingReactions().svg) }
}
