// The names of the projects that the library goes back to.

// snippet.show
import ChemLibrary
import SeedNames  // Source and Stream are EventSource and EventStream

let numbers = Source<Int>()
let even = Stream<Int>()
let latest = Cell(initialValue: 0)

numbers --| (even, { $0 % 2 == 0 }) --^ latest
// snippet.hide

for number in 1...7 { numbers.send(number) }
try await numbers.graph.quiescence()
precondition(latest.value == 6)
