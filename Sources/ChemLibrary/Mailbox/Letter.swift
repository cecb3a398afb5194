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

/// A message in its box. The header says whether it is still there.
///
/// The message lies behind the header rather than in an optional, whose type would be looked up at run time twice for
/// each message.
@usableFromInline
final class Parcel<Message>: ManagedBuffer<Bool, Message>, AnyParcel {
    /// Puts a message into a box.
    @inlinable
    static func holding(_ message: sending Message) -> Letter {
        let parcel = create(minimumCapacity: 1) { _ in true }
        parcel.withUnsafeMutablePointerToElements { $0.initialize(to: message) }
        return Letter(content: parcel)
    }

    deinit { discard() }

    func discard() {
        withUnsafeMutablePointers { isThere, message in
            guard isThere.pointee else { return }
            isThere.pointee = false
            message.deinitialize(count: 1)
        }
    }

    /// Takes the message out, once.
    func open() -> sending Message {
        // The box was filled by `sending`, and the turn that has it opens it, so nobody else has the message.
        nonisolated(unsafe) let message = withUnsafeMutablePointers { isThere, message in
            guard isThere.pointee else { fatalError("ChemLibrary: a message was handled twice") }
            isThere.pointee = false
            return message.move()
        }
        return message
    }

    var contentDescription: String {
        header ? withUnsafeMutablePointerToElements { "\($0.pointee)" } : "\(Message.self)"
    }
}

protocol AnyParcel: AnyObject {
    var contentDescription: String { get }
    /// Releases the message, which nobody will handle.
    func discard()
}
