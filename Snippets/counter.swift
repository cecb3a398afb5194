// The asynchronous counter.

// snippet.show
import ChemActors

let (increment, value, definition) = Join.define("counter") { join in
    let count = join.slow("count", of: Int.self)
    let increment = join.slow("increment")
    let value = join.fast("value", returning: Int.self)

    join.when(increment, count) { _, n in count(n + 1) }
    join.answer(value, with: count) { _, n in
        count(n)
        return n
    }

    count(0)
    return (increment, value, join.definition)
}

increment()
increment()
print(try await value())  // 0, 1 or 2: reactions start in any order

try await definition.quiescence()
print(try await value())  // 2
// snippet.hide
let final = try await value()
precondition(final == 2)
if CommandLine.arguments.contains("--picture") { print(definition.drawing.numberingReactions().svg) }
