// Bodies that wait for each other's states. Shown in "Calling fast molecules".

// snippet.show
import ChemActors

let transfer = Join.define("bank") { join in
    let transfer = join.fast("transfer", of: Int.self, returning: Int.self)
    let read = join.fast("read", returning: Int.self)
    let balance = join.state("balance", 100)

    join.answer(transfer, updating: balance) { balance, amount in
        balance -= amount
        return try await read()  // This body has the balance, so nobody can read it.
    }
    join.answer(read, reading: balance) { balance, _ in balance }

    return transfer
}

do {
    print(try await transfer(10))
} catch let error as CallError where error.code == .deadlock {
    print(error.molecule)  // bank.read
    print(error.explanation)
    // 'bank.read' (main.swift:10) waits for state 'balance', which the body of …
    print(error.explanation.contains("waits for state 'balance'"))  // true
}
// snippet.end
