// An account that keeps its invariant across a suspension point, with ordered deposits from synchronous code.

// snippet.show
import ChemActors

/// Money that can't be overdrawn, although authorizing a withdrawal takes time.
struct Account: JoinDefinition {
    let deposit = SlowMolecule<Int>()
    let withdraw = FastMolecule<Int, Bool>()
    let balance = FastMolecule<Void, Int>()
    private let funds: StateMolecule<Int>

    init(_ initial: Int) { funds = StateMolecule(initial) }

    func react(in join: inout Join.Builder) {
        join.when(deposit, updating: funds) { funds, amount in funds += amount }
        join.answer(withdraw, updating: funds) { funds, amount in
            guard funds >= amount else { return false }
            await authorize(amount)  // the one copy of `funds` is here: other reactions wait for it
            funds -= amount
            return true
        }
        join.answer(balance, reading: funds) { funds, _ in funds }
    }
}

@concurrent func authorize(_ amount: Int) async {
    try? await Task.sleep(for: .milliseconds(20))
}

let account = Join.make(Account(100))
async let first = account.withdraw(80)
async let second = account.withdraw(80)
print(try await first != second)  // true: one of them was refused
print(try await account.balance())  // 20
account.deposit(5)  // synchronous, never suspends: also from a callback or a button
// snippet.hide
let final = try await account.balance()
precondition(final == 20 || final == 25)
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
