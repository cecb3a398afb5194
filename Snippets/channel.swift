// A channel: what is sent first is received first, by whoever asks first.

import ChemActors

// snippet.show
let (send, receive) = Join.define("channel") { join in
    let send = join.slow("send", of: String.self, order: .oldestFirst)
    let receive = join.fast("receive", returning: String.self, order: .oldestFirst)

    join.answer(receive, with: send) { _, text in text }

    return (send, receive)
}

for word in ["ordered", "from", "synchronous", "code"] { send(word) }
for _ in 1...4 { print(try await receive()) }  // ordered, from, synchronous, code
// snippet.hide
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
