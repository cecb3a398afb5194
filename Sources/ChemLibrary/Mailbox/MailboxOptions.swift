public import ChemActors
import ChemBase

/// How a mailbox actor is set up.
///
/// ```swift
/// var options = MailboxOptions(name: "printer")
/// options.capacity = .bounded(10, whenFull: .suspend)
/// ```
public struct MailboxOptions: Sendable {
    /// What the actor is called in descriptions and messages; by default, the name of its type.
    public var name: String?
    /// How many messages may wait.
    public var capacity: MailboxCapacity
    /// How often the actor is restarted after failures if nobody supervises it.
    public var restarts: RestartLimit
    /// How the actor supervises the children that it spawns.
    public var supervision: Supervision
    /// Receives the messages that no handler has seen.
    public var deadLetters: DeadLetters
    /// Called with everything that the actor does, on the thread where it happens, so it must be quick; or nil. Without
    /// it, the machine reports the errors of handlers.
    public var trace: (@Sendable (MailboxEvent) -> Void)?
    /// The machine that the actor runs on, or nil for the machine of the surrounding code.
    public var machine: ChemicalMachine?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - name: What the actor is called in descriptions and messages; by default, the name of its type.
    ///   - capacity: How many messages may wait; any number by default.
    ///   - restarts: How often the actor is restarted after failures if nobody supervises it; three times within a
    ///     second by default.
    ///   - supervision: How the actor supervises the children that it spawns; one for one by default.
    ///   - deadLetters: Receives the messages that no handler has seen; ``DeadLetters/shared`` by default.
    ///   - machine: The machine that the actor runs on, or nil for the machine of the surrounding code.
    ///   - trace: Called with everything that the actor does, or nil.
    public init(
        name: String? = nil,
        capacity: MailboxCapacity = .unbounded,
        restarts: RestartLimit = RestartLimit(3, within: .seconds(1)),
        supervision: Supervision = Supervision(),
        deadLetters: DeadLetters = .shared,
        machine: ChemicalMachine? = nil,
        trace: (@Sendable (MailboxEvent) -> Void)? = nil
    ) {
        self.name = name
        self.capacity = capacity
        self.restarts = restarts
        self.supervision = supervision
        self.deadLetters = deadLetters
        self.machine = machine
        self.trace = trace
    }
}

/// How many messages may wait in a mailbox, and what happens when it is full.
public struct MailboxCapacity: Sendable {
    /// What happens when there is no room for a message.
    public enum Overflow: Sendable {
        /// ``MailboxActor/send(_:within:fileID:line:)`` waits for room. ``MailboxActor/tell(_:priority:)``, which never
        /// waits, returns false.
        case suspend
        /// The new message is dropped.
        case dropNewest
        /// The message that has waited longest is dropped.
        case dropOldest
        /// The sender gets a ``MailboxError`` with the code ``MailboxError/Code/full``; `tell` returns false.
        case fail
    }

    let limit: Int?
    let overflow: Overflow

    /// Any number of messages.
    public static let unbounded = MailboxCapacity(limit: nil, overflow: .suspend)

    /// At most `limit` messages. Urgent messages and the message being handled don't count.
    ///
    /// - Parameters:
    ///   - limit: How many messages may wait, at least 1.
    ///   - overflow: What happens when the mailbox is full.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the capacity.
    public static func bounded(
        _ limit: Int,
        whenFull overflow: Overflow,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> MailboxCapacity {
        demand(limit >= 1, "a bounded mailbox needs a capacity of at least 1, not \(limit)", fileID, line)
        return MailboxCapacity(limit: limit, overflow: overflow)
    }
}

/// The priority of a message. Within one priority, each sender's order is kept.
public enum MailboxPriority: Sendable {
    /// After all urgent messages.
    case normal
    /// Before all other messages. An urgent message takes no room in a bounded mailbox.
    case urgent
}

/// When an actor stops.
public enum MailboxStop: Sendable {
    /// After all messages that are in the mailbox now.
    case drain
    /// After the message that is being handled.
    case now
}

/// Why an actor has ended.
public enum MailboxTermination: Sendable {
    /// The actor was stopped.
    case stopped
    /// The actor was cancelled; or its parent, its machine or that of its supervisor has ended; or nobody holds it any
    /// more.
    case cancelled
    /// The handler has failed more often than the actor may be restarted.
    case failed(any Error)
}

/// What a mailbox actor has done and what is waiting for it, counted at one moment.
public struct MailboxStatistics: Sendable, Equatable {
    /// How many messages wait in the mailbox.
    public let depth: Int
    /// How many senders wait for room in the mailbox.
    public let waitingSenders: Int
    /// How many askers wait for an answer.
    public let waitingAskers: Int
    /// How many messages the actor has handled without a failure.
    public let processed: Int
    /// How many messages no handler has seen because there was no room or the actor had ended.
    public let dropped: Int
    /// How many messages the handler didn't know.
    public let unknown: Int
    /// How many messages were lost because their handler failed.
    public let failed: Int
    /// How often the actor was restarted.
    public let restarts: Int
}

/// Something that a mailbox actor did.
public struct MailboxEvent: Sendable {
    /// What the actor did.
    public enum Kind: Sendable {
        /// The actor was started.
        case started
        /// The actor begins to handle a message.
        case received
        /// The actor has handled a message.
        case handled
        /// The handler has thrown.
        case failed(any Error)
        /// The actor was restarted with its first state.
        case restarted
        /// A message goes to the dead letters.
        case deadLetter(DeadLetter.Reason)
        /// The actor has ended.
        case terminated(MailboxTermination)
    }

    /// The description of the actor.
    public let actor: String
    /// What the actor did.
    public let kind: Kind
}
