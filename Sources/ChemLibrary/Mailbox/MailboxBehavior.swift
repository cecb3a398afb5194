/// The behavior of a mailbox actor as a type of its own: the properties are the state of the actor.
///
/// ```swift
/// struct Greeter: MailboxBehavior {
///     var greeted = 0
///
///     mutating func receive(_ name: String, in context: MailboxContext<Greeter, String>) async {
///         greeted += 1
///         print("Hello \(name), you are number \(greeted)")
///     }
/// }
/// let greeter = MailboxActor(Greeter()).start()
/// ```
public protocol MailboxBehavior: SendableMetatype {
    /// The messages that the actor understands, usually an enumeration.
    associatedtype Message

    /// Handles one message. The actor handles nothing else until it returns.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - context: What the actor can do besides handling messages. Valid until the function returns.
    /// - Throws: any error from handling the message; the supervisor decides what follows.
    mutating func receive(_ message: sending Message, in context: MailboxContext<Self, Message>) async throws
}
