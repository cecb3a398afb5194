// Calls that become copies in one step, and take them: a channel that can be closed.

import ChemActors

// snippet.show
let (send, receive, ready, close, definition) = Join.define("channel") { join in
    let send = join.fast("send", of: Int?.self, order: .oldestFirst)
    let receive = join.fast("receive", returning: Int?.self, order: .oldestFirst)
    let ready = join.fast("ready")
    let close = join.slow("close")
    let item = join.slow("item", of: Int?.self, order: .oldestFirst)
    let (room, open) = (join.slow("room"), join.slow("open"))

    join.turn(send, into: item, with: room, while: open)
    join.turn(receive, from: item, into: room)  // nil means the end: it answers everybody, and stays
    join.answer(ready, while: item)
    join.when(close, open) { _, _ in item(nil) }.produces(item)

    room.inject(contentsOf: repeatElement((), count: 2))
    open()
    return (send, receive, ready, close, join.definition)
}

async let isReady: Void = ready()  // waits until there is something to receive
try await send(1)
try await isReady
try await send(2)
close()  // whoever sends now waits: limit it with within:
print(try await receive() ?? 0, try await receive() ?? 0)  // 1 2
print(try await receive() as Any)  // nil
// snippet.hide
let end = try await receive()
precondition(end == nil)
if CommandLine.arguments.contains("--picture") { print(definition.drawing.numberingReactions().svg) }
