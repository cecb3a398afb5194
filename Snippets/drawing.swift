// A definition draws itself.

import ChemActors

// snippet.show
let (increment, value, counter) = Join.define("counter") { join in
    let count = join.state("count", 0)
    let increment = join.slow("increment")
    let value = join.fast("value", returning: Int.self)
    join.when(increment, updating: count) { n, _ in n += 1 }
    join.answer(value, reading: count) { n, _ in n }
    return (increment, value, join.definition)
}
print(counter.drawing.mermaid)
// snippet.hide
precondition(counter.drawing.mermaid.contains("m0[(\"count\")]"))
if CommandLine.arguments.contains("--picture") { print(counter.drawing.numberingReactions().svg) }
extendLifetime((increment, value))
