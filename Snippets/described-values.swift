// What a recorder writes down of values.

import ChemActors

// snippet.hide
struct Order { let number: Int, address: String }
// snippet.show
let machine = ChemicalMachine(ChemicalMachine.Configuration(recorder: .full()))
let order = machine.define("shop") { join in
    let order = join.slow("order", of: Order.self)
    join.describe(order) { "no. \($0.number)" }
    join.when(order) { order in deliver(order) }
    return order
}
// snippet.hide
func deliver(_ order: Order) {}

order(Order(number: 17, address: "1 Long Lane"))
try await machine.quiescence()
let text = "\(machine.recording())"
precondition(text.contains("+ order(no. 17)") && !text.contains("Lane"))
extendLifetime(order)
