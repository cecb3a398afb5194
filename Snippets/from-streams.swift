// What AsyncStream does, and the channel that does it.

import ChemActors
import ChemLibrary

// snippet.callback-before
let (readings, feed) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(2))
for reading in 1...5 { feed.yield(reading) }  // from a callback; 1, 2 and 3 are gone
feed.finish()
var seen: [Int] = []
for await reading in readings { seen.append(reading) }  // one consumer only
print(seen)  // [4, 5]
// snippet.end
precondition(seen == [4, 5])

// snippet.callback-after
let measured = JoinChannel<Int>.unbounded()
for reading in 1...5 { _ = measured.trySend(reading) }  // from a callback; false after close()
measured.close()
async let left = measured.reduce(into: []) { $0.append($1) }
async let right = measured.reduce(into: []) { $0.append($1) }  // as many consumers as you like
print(await (left + right).sorted())  // [1, 2, 3, 4, 5]
// snippet.end
let consumed = await (left + right).sorted()
precondition(consumed == [1, 2, 3, 4, 5])

do {
    // snippet.pressure-before
    let (pages, feed) = AsyncStream.makeStream(of: Int.self)
    let printer = Task {
        var printed = 0
        for await _ in pages { printed += 1 }
        return printed
    }
    for page in 1...10 { feed.yield(page) }  // never waits: what isn't printed yet lies in the buffer
    feed.finish()
    print(await printer.value)  // 10
    // snippet.end
    let printed = await printer.value
    precondition(printed == 10)
}

// snippet.pressure-after
let pages = JoinChannel<Int>(capacity: 2)
let printer = Task {
    var printed = 0
    for await _ in pages { printed += 1 }
    return printed
}
for page in 1...10 { try await pages.send(page) }  // waits while two pages lie there
pages.close()
print(await printer.value)  // 10
// snippet.end
let printed = await printer.value
precondition(printed == 10)

// snippet.cancelled-after
let orders = JoinChannel<String>(capacity: 0)
let sender = Task { try await orders.send("book") }  // waits for a receiver
sender.cancel()
do {
    try await sender.value
} catch is CancellationError {
    print("not sent")  // and nobody will receive it
}
print(orders.tryReceive() ?? "nothing")  // nothing
// snippet.end

// snippet.select-after
let keys = JoinChannel<Character>.unbounded()
let ticks = JoinChannel<Int>.unbounded()
_ = keys.trySend("a")
_ = ticks.trySend(1)
let inputs = Select(.from(keys) { "key \($0)" }, .from(ticks) { "tick \($0)" })
for _ in 1...2 { print(try await inputs.receive() ?? "") }  // both, in random order
// What isn't taken stays.
// snippet.end
precondition(inputs.tryReceive() == nil)
