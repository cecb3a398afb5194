// Why is my task stuck? A look into a definition.

import ChemActors

// snippet.show
let (left, right, exchange) = Join.define("exchange") { join in
    let left = join.fast("left", of: String.self, returning: Int.self)
    let right = join.fast("right", of: Int.self, returning: String.self)

    join.when(left, right) { toLeft, toRight in
        toLeft(toRight.value)
        toRight(toLeft.value)
    }
    return (left, right, join.definition)
}

let trader = Task { try await left("seven") }
while exchange.statistics.waitingCalls == 0 { await Task.yield() }

let snapshot = exchange.snapshot()
print(snapshot)
for reaction in snapshot.reactions { print(reaction.inputs, "lacks", reaction.missing) }
// ["left", "right"] lacks ["right"]
// snippet.hide
print(exchange.statistics)
precondition(snapshot.reactions[0].missing == ["right"])
precondition(snapshot.waitingCalls.map(\.molecule) == ["left"])
precondition(exchange.statistics.isBalanced)
print(try await right(7))
let seven = try await trader.value
precondition(seven == 7)
