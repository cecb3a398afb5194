// The counter of the library.

// snippet.show
import ChemLibrary

let counter = JoinCounter(from: 10)
counter.increment()
print(try await counter.value())  // 10 or 11
