import ChemActors

/// Why a message couldn't be sent, or a question wasn't answered.
///
/// ```swift
/// do {
///     print(try await account.ask(within: .seconds(1), Transaction.balance))
/// } catch let error as MailboxError where error.code == .timedOut {
///     print(error)  // The actor 'Account' (Bank.swift:12) didn't answer, or had no room, in time.
/// }
/// ```
///
/// An error that a handler passes to ``ReplyTo/fail(_:)`` reaches the asker unchanged; a cancelled task gets
/// `CancellationError`. This error covers all other cases.
public struct MailboxError: Error, Hashable, Sendable {
    /// The reasons, as a type that can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Value: String { case full, terminated, timedOut, unanswered, notStarted, deadlock }

        let value: Value

        /// The mailbox is full, and its policy isn't to wait.
        public static let full = Code(value: .full)
        /// The actor has ended, or was told to end.
        public static let terminated = Code(value: .terminated)
        /// The time given by `within:` ran out: there was no room, or no answer. A question may have been handled.
        public static let timedOut = Code(value: .timedOut)
        /// The handler has dropped the question without answering it, or has thrown an error, which the description
        /// then says.
        public static let unanswered = Code(value: .unanswered)
        /// Nobody has called ``MailboxActor/start()``, so there is nothing to wait for. Nothing was sent.
        public static let notStarted = Code(value: .notStarted)
        /// The actor's own handler has asked the actor, or waits for room in its mailbox or for its end: it would wait
        /// for itself. Nothing was sent.
        public static let deadlock = Code(value: .deadlock)

        /// The name of the reason.
        public var description: String { value.rawValue }
    }

    /// The reason.
    public let code: Code
    /// The description of the actor.
    public let actor: String
    /// The actor's name, and where it was made.
    private let subject: String
    /// What the handler has thrown that let go of the question, if it has.
    private let cause: String?

    init(_ code: Code, _ core: MailboxCore, cause: (any Error)? = nil) {
        self.code = code
        self.cause = cause.map { "\($0)" }
        actor = core.description
        subject = "'\(core.name)' (\(core.place.fileID):\(core.place.line))"
    }

    /// What the call ends with in which an asker waits.
    init(_ error: CallError, _ core: MailboxCore) {
        switch error.code {
        case .timedOut: self.init(.timedOut, core)
        case .deadlock: self.init(.deadlock, core)
        case .neverAnswerable, .unanswered: self.init(.unanswered, core)
        default: self.init(.terminated, core)
        }
    }
}

extension MailboxError: CustomStringConvertible {
    /// A sentence that names the actor and the reason.
    public var description: String {
        switch code.value {
        case .full: "The mailbox of the actor \(subject) is full."
        case .terminated: "The actor \(subject) has ended."
        case .timedOut: "The actor \(subject) didn't answer, or had no room, in time."
        case .unanswered:
            cause.map { "The actor \(subject) hasn't answered the question: its handler threw: \($0)" }
                ?? "The actor \(subject) has let go of the question without answering it."
        case .notStarted: "The actor \(subject) was not started: call 'start()' before waiting for it."
        case .deadlock: "The actor \(subject) is waited for by its own handler, which would never end."
        }
    }
}
