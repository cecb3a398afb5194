// Two callers that exchange values.

import ChemActors

// snippet.show
let (left, right) = Join.define("exchange") { join in
    let left = join.fast("left", of: String.self, returning: Int.self)
    let right = join.fast("right", of: Int.self, returning: String.self)

    join.when(left, right) { toLeft, toRight in
        toLeft(toRight.value)
        toRight(toLeft.value)
    }

    return (left, right)
}

async let number = left("seven")
async let word = right(7)
print(try await number, try await word)  // 7 seven
// snippet.hide
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
