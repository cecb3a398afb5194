/// What a mailbox actor does, as a type of its own: its properties are the state of the actor.
///
/// ```swift
/// struct Greeter: MailboxBehavior {
///     var greeted = 0
///
/// - Throws: what the handling of the message throws: the supervisor decides what follows.
///     mutating func receive(_ name: String, in context: MailboxContext<Greeter, String>) async {
///         greeted += 1
///         print("Hello \(name), you are number \(greeted)")
///     }
/// }
/// let greeter = MailboxActor(Greeter()).start()
/// ```
public protocol MailboxBehavior: SendableMetatype {
    /// What the actor understands: mostly an enumeration.
    associatedtype Message

    /// Handles one message. Nothing else is handled until it returns.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - context: What the actor can do beside handling messages. Valid until the function returns.
    /// - Throws: what the handling of the message throws: the supervisor decides what follows.
    mutating func receive(_ message: sending Message, in context: MailboxContext<Self, Message>) async throws
}
