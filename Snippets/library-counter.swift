// The counter of the library.

import _Pictures

// snippet.show
import ChemLibrary

let counter = JoinCounter(from: 10)
counter.increment()
print(try await counter.value())  // 10 or 11
// snippet.hide
keepPicture(of: "counter", held: counter, as: "recipe-counter")
