// Pausing, looking at, and deactivating a definition.

import ChemActors

// snippet.show
let (order, ready, kitchen) = Join.define("kitchen") { join in
    let order = join.slow("order", of: String.self)
    let ready = join.fast("ready", returning: String.self)
    join.answer(ready, with: order) { _, dish in dish }
    return (order, ready, join.definition)
}

kitchen.pause()
order("soup")  // accepted, and waits
kitchen.resume()
print(try await ready())  // soup

print(kitchen.statistics)  // what was injected, is present, was consumed, of each molecule

kitchen.deactivate()
do {
    print(try await ready())
} catch let error as CallError where error.code == .deactivated {
    print(error)  // The call of 'kitchen.ready' can't be answered: its definition is deactivated.
}
kitchen.activate()
// snippet.hide
order("salad")
let dish = try await ready()
precondition(dish == "salad")
