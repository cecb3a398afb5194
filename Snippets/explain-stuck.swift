// Down to the root: what a call waits for, who could make it, and what they lack.

import ChemActors

// snippet.show
let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: .flight))
let (confirm, open) = machine.define("shop") { join in
    let confirm = join.fast("confirm", returning: Void.self)
    let open = join.slow("open")
    join.answer(confirm, with: open) { _, _ in }
    return (confirm, open)
}
let (transfer, balance) = machine.define("bank") { join in
    let account = join.state("account", 0)
    let transfer = join.slow("transfer")
    let balance = join.fast("balance", returning: Int.self)
    join.when(transfer, updating: account) { account, _ in
        try await confirm()
        account += 1
    }
    join.answer(balance, reading: account) { amount, _ in amount }
    return (transfer, balance)
}

transfer()
while machine.explainStuck().calls.isEmpty { await Task.yield() }
let question = Task { try await balance() }
while machine.explainStuck().calls.count < 2 { await Task.yield() }
print(machine.explainStuck())
// snippet.hide
let text = machine.explainStuck().calls.map(\.molecule)
precondition(Set(text) == ["shop.confirm", "bank.balance"])
precondition("\(machine.explainStuck())".contains("nobody has injected 'open'"))
open()
let amount = try await question.value
precondition(amount <= 1)
