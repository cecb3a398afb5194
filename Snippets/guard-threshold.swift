// Withdrawals that wait for funds. Shown in "Reactions that look at values".

// snippet.show
import ChemActors

let (withdraw, deposit) = Join.define("account") { join in
    let withdraw = join.fast("withdraw", of: Int.self, returning: Int.self)
    let deposit = join.slow("deposit", of: Int.self)
    let balance = join.state("balance", 0)

    join.answer(withdraw, updating: balance, amount: \.self, atMost: \.self) { balance, amount in
        balance -= amount
        return balance
    }
    join.when(deposit, updating: balance) { balance, amount in balance += amount }

    return (withdraw, deposit)
}

async let left = withdraw(80)  // waits until 80 are there
deposit(50)
deposit(50)
print(try await left)  // 20
// snippet.end
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
