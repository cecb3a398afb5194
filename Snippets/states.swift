// A counter whose count is a state.

import ChemActors

// snippet.show
let (increment, value, definition) = Join.define("counter") { join in
    let count = join.state("count", 0)
    let increment = join.slow("increment")
    let value = join.fast("value", returning: Int.self)

    join.when(increment, updating: count) { n, _ in n += 1 }
    join.answer(value, reading: count) { n, _ in n }

    return (increment, value, join.definition)
}
// snippet.hide
for _ in 1...100 { increment() }
try await definition.quiescence()
let final = try await value()
precondition(final == 100)
if CommandLine.arguments.contains("--picture") { print(definition.drawing.numberingReactions().svg) }
