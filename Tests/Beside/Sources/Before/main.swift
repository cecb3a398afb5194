// What users have before they come, as far as it needs packages: the guides show it beside ours.

import AsyncAlgorithms

// snippet.cancelled
let orders = AsyncChannel<String>()
let sender = Task {
    await orders.send("book")  // waits for a consumer
    return "returned"
}
sender.cancel()
print(await sender.value)  // returned: but nobody has the book
// snippet.end
let value = await sender.value
precondition(value == "returned")

do {
    // snippet.pressure
    let pages = AsyncChannel<Int>()
    let printer = Task {
        var printed = 0
        for await _ in pages { printed += 1 }
        return printed
    }
    for page in 1...10 { await pages.send(page) }  // waits each time until the page is taken
    pages.finish()
    print(await printer.value)  // 10
    // snippet.end
    let printed = await printer.value
    precondition(printed == 10)
}

do {
    // snippet.merge
    let keys = AsyncChannel<String>()
    let ticks = AsyncChannel<String>()
    async let key: Void = keys.send("key a")
    async let tick: Void = ticks.send("tick 1")
    var inputs = merge(keys, ticks).makeAsyncIterator()
    for _ in 1...2 { print(await inputs.next() ?? "") }  // both, in any order
    // snippet.end
    _ = await (key, tick)
}
