// Several states, an array of states, and one that is read.

import ChemActors

// snippet.show
let (order, transfer, sales, balances, definition) = Join.define("shop") { join in
    let order = join.slow("order", of: Int.self)
    let transfer = join.slow("transfer", of: (from: Int, to: Int, amount: Int).self)
    let price = join.state("price", 3)
    let stock = join.state("stock", 100)
    let sales = join.state("sales", 0)
    let accounts = ["bank", "till", "safe"].map { join.state($0, 50) }

    // Two are changed, one is read: the changed ones come first, then the inputs as written.
    join.when(order, price.value, updating: stock, sales) { stock, sales, amount, price in
        stock -= amount
        sales += amount * price
    }
    // An array of states is changed as one.
    join.when(transfer, updating: accounts) { accounts, transfer in
        accounts[transfer.from] -= transfer.amount
        accounts[transfer.to] += transfer.amount
    }
    return (order, transfer, sales.reader, accounts.map(\.reader), join.definition)
}
// snippet.hide
order(5)
transfer((from: 0, to: 2, amount: 10))
try await definition.quiescence()
precondition(sales.value == 15 && balances.map(\.value) == [40, 50, 60])
if CommandLine.arguments.contains("--picture") { print(definition.drawing.numberingReactions().svg) }
