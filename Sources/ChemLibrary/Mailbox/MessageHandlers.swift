/// The handlers of an actor that receives messages of many types, the dynamic form of a mailbox actor.
///
/// ```swift
/// struct PassItOn: Sendable { var text: String }
///
/// let actor = MailboxActor(state: 0) { on in
///     on.message(PassItOn.self) { count, message in count += 1 }
///     on.message(String.self) { count, text, context in print(context.uuid, text) }
/// }.start()
/// actor.tell(PassItOn(text: "hello"))
/// actor.tell(3.14)    // nobody knows it: a dead letter
/// ```
///
/// The compiler can't tell whether the actor knows a message. Prefer an enumeration, which rules out unknown messages.
public struct MessageHandlers<State> {
    typealias Attempt = @Sendable (inout State, any Sendable, MailboxContext<State, any Sendable>) throws -> Bool

    private(set) var attempts: [Attempt] = []

    /// Declares how messages of a type are handled.
    ///
    /// The first handler whose type matches handles a message, so declare a subclass before its superclass.
    ///
    /// - Parameters:
    ///   - type: The type of the messages: a structure, a class with its subclasses, or a protocol.
    ///   - handler: Handles one message, without suspending.
    public mutating func message<Kind: Sendable>(
        _ type: Kind.Type,
        _ handler: @escaping @Sendable (inout State, Kind, MailboxContext<State, any Sendable>) throws -> Void
    ) {
        attempts.append { state, message, context in
            guard let message = message as? Kind else { return false }
            try handler(&state, message, context)
            return true
        }
    }

    /// Declares how messages of a type are handled, by a handler that needs only the state and the message.
    ///
    /// - Parameters:
    ///   - type: The type of the messages: a structure, a class with its subclasses, or a protocol.
    ///   - handler: Handles one message, without suspending.
    public mutating func message<Kind: Sendable>(
        _ type: Kind.Type,
        _ handler: @escaping @Sendable (inout State, Kind) throws -> Void
    ) {
        message(type) { state, message, _ in try handler(&state, message) }
    }
}

extension MailboxActor where Message == any Sendable {
    /// Creates an actor that receives messages of many types. It waits for ``start()``.
    ///
    /// A message whose type has no handler becomes a dead letter, and the actor goes on.
    ///
    /// - Parameters:
    ///   - state: The state that the actor begins with, and that it begins again with after a failure.
    ///   - options: The name, the capacity of the mailbox, what happens after failures, and who watches.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - handlers: Declares the handlers.
    public convenience init<State>(
        state: @autoclosure @escaping @Sendable () -> State,
        options: MailboxOptions = MailboxOptions(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        handlers: (inout MessageHandlers<State>) -> Void
    ) {
        var declared = MessageHandlers<State>()
        handlers(&declared)
        let attempts = declared.attempts
        self.init(
            state,
            .synchronous { state, message, context in
                for attempt in attempts where try attempt(&state, message, context) { return }
                context.unhandled(message)
            },
            options,
            fileID,
            line
        )
    }
}

@available(*, unavailable)
extension MessageHandlers: Sendable {}
