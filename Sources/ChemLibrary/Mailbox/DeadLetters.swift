import Synchronization

/// Collects the messages that no handler will see: counts them, and passes each to an optional handler.
///
/// ```swift
/// let lost = DeadLetters { print("\($0.recipient) never saw \($0.message)") }
/// ```
public final class DeadLetters: Sendable {
    /// The office of all actors whose options name no other. It only counts.
    public static let shared = DeadLetters()

    private let counter = Atomic<Int>(0)
    private let handler: (@Sendable (DeadLetter) -> Void)?

    /// Creates an office.
    ///
    /// - Parameter handler: Called with each dead letter, on the thread where it became one, or nil to count only.
    public init(_ handler: (@Sendable (DeadLetter) -> Void)? = nil) {
        self.handler = handler
    }

    /// How many dead letters there have been.
    public var count: Int { counter.load(ordering: .acquiring) }

    func add(_ letter: @autoclosure () -> DeadLetter) {
        counter.add(1, ordering: .acquiringAndReleasing)
        if let handler { handler(letter()) }
    }
}

/// A message that no handler has seen.
public struct DeadLetter: Sendable {
    /// Why no handler has seen it.
    public enum Reason: Sendable {
        /// The mailbox had no room for it, or it had to make room.
        case full
        /// The actor has ended.
        case terminated
        /// Nobody has started the actor, and its last reference has gone.
        case notStarted
        /// The actor doesn't know the message.
        case unknown
    }

    /// The description of the actor that the message was for.
    public let recipient: String
    /// The description of the message.
    public let message: String
    /// Why no handler has seen it.
    public let reason: Reason
}
