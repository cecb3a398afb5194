// One reaction: `a` and `b` meet and make a new `b`.

import ChemActors

// snippet.show
let (a, b, definition) = Join.define("sums") { join in
    let a = join.slow("a", of: Int.self)
    let b = join.slow("b", of: Int.self)

    join.when(a, b) { x, y in
        print(x, y)
        b(x + y)
    }

    return (a, b, join.definition)
}

a.inject(contentsOf: [10, 2, 4, 21, 156])
b.inject(contentsOf: [1, 1, 1])
try await definition.quiescence()
// Five lines, such as "21 1", "2 1", "156 22", "10 3", "4 1":
// which copies meet, and when, is left to chance.
// snippet.hide
if CommandLine.arguments.contains("--picture") { print(definition.drawing.numberingReactions().svg) }
