// An account that keeps its invariant across a suspension point, with ordered deposits from synchronous code.

// snippet.show
import ChemActors

/// Money that can't be overdrawn, although authorizing a withdrawal takes time.
struct Account: Sendable {
    let deposit: SlowMolecule<Int>
    let withdraw: FastMolecule<Int, Bool>
    let balance: FastMolecule<Void, Int>

    init(_ initial: Int) {
        (deposit, withdraw, balance) = Join.define("account") { join in
            let funds = join.state("funds", initial)
            let deposit = join.slow("deposit", of: Int.self)
            let withdraw = join.fast("withdraw", of: Int.self, returning: Bool.self)
            let balance = join.fast("balance", returning: Int.self)

            join.when(deposit, updating: funds) { funds, amount in funds += amount }
            join.answer(withdraw, updating: funds) { funds, amount in
                guard funds >= amount else { return false }
                await authorize(amount)  // the one copy of `funds` is here: other reactions wait for it
                funds -= amount
                return true
            }
            join.answer(balance, reading: funds) { funds, _ in funds }

            return (deposit, withdraw, balance)
        }
    }
}

@concurrent func authorize(_ amount: Int) async {
    try? await Task.sleep(for: .milliseconds(20))
}

let account = Account(100)
async let first = account.withdraw(80)
async let second = account.withdraw(80)
print(try await first != second)  // true: one of them was refused
print(try await account.balance())  // 20
account.deposit(5)  // synchronous, never suspends: also from a callback or a button
// snippet.hide
let final = try await account.balance()
precondition(final == 20 || final == 25)
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
