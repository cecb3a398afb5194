/// A reference that doesn't keep its mailbox actor alive, for rings and for children that know their parent.
///
/// ```swift
/// next.weak.tell(message)
/// ```
public struct WeakMailboxActor<Message>: Sendable {
    private weak let actor: MailboxActor<Message>?

    init(_ actor: MailboxActor<Message>) {
        self.actor = actor
    }

    /// The actor, or nil if nobody holds it any more.
    public var strong: MailboxActor<Message>? { actor }

    /// Puts `message` into the mailbox, if the actor still exists.
    ///
    /// - Parameter message: The message.
    /// - Returns: whether the message was put into the mailbox.
    @discardableResult
    public func tell(_ message: sending Message) -> Bool {
        guard let actor else { return false }
        return actor.tell(message)
    }
}
