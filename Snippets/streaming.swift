// Copies of a molecule as an asynchronous sequence, and the elements of one as molecules.

import ChemActors

// snippet.show
let (send, lines) = Join.define("lines") { join in
    let line = join.slow("line", of: String?.self, order: .oldestFirst)
    return (line, join.stream(of: line))
}

let consumer = Task {
    var received: [String] = []
    for await line in lines {
        guard let line else { break }  // nil says: that was all
        received.append(line)
    }
    return received
}

let (source, input) = AsyncStream<String?>.makeStream()
for word in ["to", "be", "or", "not"] { input.yield(word) }
input.finish()

await send.inject(contentsOf: source)  // returns when the source ends
send(nil)
print(await consumer.value)  // ["to", "be", "or", "not"]
// snippet.hide
let received = await consumer.value
precondition(received == ["to", "be", "or", "not"])
