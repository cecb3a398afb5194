import ChemActors

/// What somebody has said in a room.
struct Message: Codable, Hashable, Sendable {
    /// Its number in the room. The first one is 1.
    let number: Int
    let author: String
    let text: String
}

/// What somebody wants to say.
struct Draft: Codable {
    let author: String
    let text: String
}

// snippet.room
/// A chat room, which keeps its last messages.
struct Room: JoinDefinition {
    /// Answered with the message, when it is kept.
    let post = FastMolecule<Draft, Message>()
    /// Answered as soon as there is a message with this number or a later one, with all from it on.
    let read = FastMolecule<Int, [Message]>()
    private let history: StateMolecule<History>

    init(keeping limit: Int) { history = StateMolecule(History(limit: limit)) }

    func react(in join: inout Join.Builder) {
        join.answer(post, updating: history) { history, draft in history.append(draft) }
        join.answer(read, updating: history, amount: \.self, atMost: \.last) { history, number in
            history.messages(from: number)
        }
    }
}
// snippet.end

/// The last messages of a room.
private struct History {
    let limit: Int
    /// The number of the last message, 0 if there was none.
    private(set) var last = 0
    private var messages: [Message] = []

    init(limit: Int) { self.limit = limit }

    mutating func append(_ draft: Draft) -> Message {
        last += 1
        let message = Message(number: last, author: draft.author, text: draft.text)
        messages.append(message)
        if messages.count > limit { messages.removeFirst() }
        return message
    }

    func messages(from number: Int) -> [Message] {
        let first = last - messages.count + 1
        return Array(messages.dropFirst(max(0, number - first)))
    }
}
