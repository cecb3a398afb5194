// Two reactions with the same inputs: an honest coin.

import ChemActors

// snippet.show
let (toss, count, definition) = Join.define("coin") { join in
    let toss = join.slow("toss")
    let heads = join.state("heads", 0)
    let tails = join.state("tails", 0)
    let landed = join.slow("landed", of: Bool.self)
    let count = join.fast("count", returning: (heads: Int, tails: Int).self)

    join.when(toss) { _ in landed(true) }
    join.when(toss) { _ in landed(false) }.mayCompete()
    join.when(landed, updating: heads, tails) { heads, tails, isHeads in
        if isHeads { heads += 1 } else { tails += 1 }
    }
    join.answer(count, reading: heads, tails) { heads, tails, _ in (heads, tails) }

    return (toss, count, join.definition)
}

for _ in 1...1000 { toss() }
try await definition.quiescence()
print(try await count())  // about 500 of each
// snippet.hide
let (heads, tails) = try await count()
precondition(heads + tails == 1000 && heads > 400 && tails > 400)
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
