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
