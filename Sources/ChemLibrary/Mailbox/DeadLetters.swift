import Synchronization

/// Where messages go that no handler will see: counted, and shown to whoever wants to know.
///
/// ```swift
/// let lost = DeadLetters { print("\($0.recipient) never saw \($0.message)") }
/// ```
public final class DeadLetters: Sendable {
    /// The office of all actors that name no other one. It only counts.
    public static let shared = DeadLetters()

    private let counter = Atomic<Int>(0)
    private let handler: (@Sendable (DeadLetter) -> Void)?

    /// An office.
    ///
    /// - Parameter handler: Called with each dead letter, by the thread on which it became one, or nil to count only.
    public init(_ handler: (@Sendable (DeadLetter) -> Void)? = nil) {
        self.handler = handler
    }

    /// How many letters there have been.
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
        /// The actor knows no such message.
        case unknown
    }

    /// The description of the actor that it was for.
    public let recipient: String
    /// What the message says of itself.
    public let message: String
    /// Why no handler has seen it.
    public let reason: Reason
}
