// Two states that change together, or not at all.

import ChemActors

// snippet.show
let (transfer, total) = Join.define("bank") { join in
    let checking = join.state("checking", 100)
    let savings = join.state("savings", 0)
    let transfer = join.fast("transfer", of: Int.self, returning: Bool.self)
    let total = join.fast("total", returning: Int.self)

    join.answer(transfer, updating: checking, savings) { checking, savings, amount in
        guard checking >= amount else { return false }
        checking -= amount
        savings += amount
        return true
    }
    join.answer(total, reading: checking, savings) { checking, savings, _ in checking + savings }

    return (transfer, total)
}

print(try await transfer(70), try await transfer(70), try await total())  // true false 100
// snippet.hide
let sum = try await total()
precondition(sum == 100)
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
