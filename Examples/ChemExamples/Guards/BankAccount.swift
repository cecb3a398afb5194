import ChemActors

/// An account from which nobody can withdraw more than is there: whoever wants to waits until the balance covers it.
///
///     deposit(amount) & balance                          → balance + amount
///     withdraw(amount) & balance, amount at most balance → balance - amount; an answer
///
/// Of those that are covered, the smallest goes first. Looking for it takes O(log n) however many wait.
struct BankAccount: Sendable {
    let deposit: SlowMolecule<Int>
    /// Takes an amount as soon as it is there, and says what is left.
    let withdraw: FastMolecule<Int, Int>
    let definition: Join

    init(witness: Witness<AccountLedger>) {
        (deposit, withdraw, definition) = Join.define("account") { join in
            let deposit = join.slow("deposit", of: Int.self)
            let withdraw = join.fast("withdraw", of: Int.self, returning: Int.self)
            let balance = join.state("balance", 0)

            join.when(deposit, updating: balance) { balance, amount in
                balance += amount
                witness.saw(.deposited(amount))
            }
            join.answer(withdraw, updating: balance, amount: \.self, atMost: \.self) { balance, amount in
                balance -= amount
                witness.saw(.withdrawn(amount, left: balance))
                return balance
            }
            return (deposit, withdraw, join.definition)
        }
    }

    private init(deposit: SlowMolecule<Int>, withdraw: FastMolecule<Int, Int>, definition: Join) {
        self.deposit = deposit
        self.withdraw = withdraw
        self.definition = definition
    }
}

/// What the account has seen.
struct AccountLedger: Ledger {
    enum Event: Sendable {
        case deposited(Int)
        case withdrawn(Int, left: Int)
    }

    private(set) var balance = 0
    private(set) var withdrawals: [Int] = []
    private var cover = Invariant("the balance is what was paid in and not withdrawn, and never below 0")

    mutating func record(_ event: Event) {
        switch event {
        case .deposited(let amount): balance += amount
        case .withdrawn(let amount, let left):
            balance -= amount
            withdrawals.append(amount)
            cover.look(balance >= 0 && left == balance ? nil : "\(left) are left after \(amount), of \(balance)")
        }
    }

    var checks: [Check] { [cover.check] }
}

extension Gallery {
    static let account = Example(
        "account",
        "withdrawals that wait until the balance covers them",
        from: "Hoare's conditional critical regions; Chymyst"
    ) { stage, _, machine in
        let (people, visits) = (8, stage.pick(full: 500, small: 10))
        let witness = Witness(AccountLedger())
        let account = BankAccount(witness: witness)
        var paidIn = 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in 1...people {
                var numbers = SeededNumbers(seed: stage.seed &+ UInt64(person))
                let amounts = (0..<visits).map { _ in Int.random(in: 1...100, using: &numbers) }
                paidIn += amounts.reduce(0, +)
                group.addTask { for amount in amounts { _ = try await account.withdraw(amount) } }
                group.addTask {
                    for amount in amounts.reversed() {
                        account.deposit(amount)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        try await machine.quiescence()
        let mixed = try await witness.account()

        // Ten wait; then money comes in little by little.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for amount in (1...10).reversed() { group.addTask { _ = try await account.withdraw(10 * amount) } }
            while account.definition.snapshot().waitingCalls.count < 10 { await Task.yield() }
            for _ in 1...550 { account.deposit(1) }
            try await group.waitForAll()
        }
        try await machine.quiescence()
        let ledger = try await witness.account()
        return ledger.checks + [
            Check("withdrawals", mixed.withdrawals.count, is: people * visits),
            Check("withdrawn of \(paidIn)", mixed.withdrawals.reduce(0, +), is: paidIn),
            Check("ten who waited", Array(ledger.withdrawals.suffix(10)), is: (1...10).map { 10 * $0 }),
            Check("balance", ledger.balance, is: 0),
        ]
    }
}
