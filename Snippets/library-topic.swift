// Publish and subscribe.

// snippet.show
import ChemLibrary

let prices = Topic<Int>()
let screen = prices.subscribe()
let printer = prices.subscribe()

prices.publish(1)
printer.leave()
prices.publish(2)
prices.finish()

for await price in screen { print("screen", price) }  // 1, 2
for await price in printer { print("printer", price) }  // 1
// snippet.hide
let (end, other) = (try await screen.next(), try await printer.next())
precondition(end == nil && other == nil)
