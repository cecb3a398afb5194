// Orders and payments that belong together. Shown in "Reactions that look at values".

// snippet.show
import ChemActors

struct Order: Sendable {
    let id: Int
    let item: String
}

struct Payment: Sendable {
    let orderID: Int
    let amount: Int
}

let (order, payment, shipped) = Join.define("shop") { join in
    let order = join.slow("order", of: Order.self)
    let payment = join.slow("payment", of: Payment.self)
    let parcel = join.slow("parcel", of: String.self, order: .oldestFirst)
    let shipped = join.fast("shipped", returning: String.self)

    join.when(order, payment, matching: \.id, \.orderID) { order, payment in
        parcel("\(order.item) for \(payment.amount)")
    }
    join.answer(shipped, with: parcel) { _, text in text }

    return (order, payment, shipped)
}

order(Order(id: 1, item: "tea"))
order(Order(id: 2, item: "milk"))
payment(Payment(orderID: 2, amount: 3))
print(try await shipped())  // milk for 3
// snippet.end
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
