/// A message on its way: a box that only the receiving actor can open. Nil marks the place where draining ends.
@usableFromInline
struct Letter: @unchecked Sendable {
    // Checked by hand: the content is sent into the box, and the turn that handles it takes it out once.
    let content: AnyObject?

    @usableFromInline
    init(content: AnyObject?) { self.content = content }

    /// Marks the end of the messages that a draining actor handles.
    static let end = Letter(content: nil)
}

/// A message in its box.
@usableFromInline
final class Parcel<Message>: AnyParcel, @unchecked Sendable {
    // Checked by hand: the box is filled by `sending`, and the turn that has it opens it once, so nobody else has the
    // message.
    @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var message: Message?

    @inlinable
    init(_ message: sending Message) {
        self.message = message
    }

    /// Takes the message out, once.
    func open() -> sending Message {
        guard let content = message.take() else { fatalError("ChemLibrary: a message was handled twice") }
        return content
    }

    var contentDescription: String { message.map { "\($0)" } ?? "\(Message.self)" }
}

protocol AnyParcel: AnyObject {
    var contentDescription: String { get }
}
