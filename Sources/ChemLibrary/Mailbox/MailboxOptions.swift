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
    /// Who hears of messages that no handler has seen.
    public var deadLetters: DeadLetters
    /// Who hears of everything that the actor does, or nil. Called by the thread on which it happens: it must be quick.
    public var trace: (@Sendable (MailboxEvent) -> Void)?
    /// The machine that the actor runs on, or nil for that of the surrounding code.
    public var machine: ChemicalMachine?

    /// Options.
    ///
    /// - Parameters:
    ///   - name: What the actor is called in descriptions and messages; by default, the name of its type.
    ///   - capacity: How many messages may wait; any number by default.
    ///   - restarts: How often the actor is restarted after failures if nobody supervises it; three times in a second
    ///     by default.
    ///   - supervision: How the actor supervises the children that it spawns; one for one by default.
    ///   - deadLetters: Who hears of messages that no handler has seen; ``DeadLetters/shared`` by default.
    ///   - machine: The machine that the actor runs on, or nil for that of the surrounding code.
    ///   - trace: Who hears of everything that the actor does, or nil.
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

/// How many messages may wait in a mailbox, and what happens to one more.
public struct MailboxCapacity: Sendable {
    /// What happens to a message for which there is no room.
    public enum Overflow: Sendable {
        /// ``MailboxActor/send(_:within:)`` waits for room. ``MailboxActor/tell(_:priority:)``, which never waits,
        /// returns false.
        case suspend
        /// The new message is dropped.
        case dropNewest
        /// The message that has waited longest is dropped.
        case dropOldest
        /// The sender gets a ``MailboxError`` with the code ``MailboxError/Code/full``, and from `tell` false.
        case fail
    }

    let limit: Int?
    let overflow: Overflow

    /// Any number of messages.
    public static let unbounded = MailboxCapacity(limit: nil, overflow: .suspend)

    /// At most `limit` messages. Urgent messages don't count, nor does the one that is being handled.
    ///
    /// - Parameters:
    ///   - limit: How many messages may wait, at least 1.
    ///   - overflow: What happens to one more.
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

/// The class of a message: within one, each sender's order is kept.
public enum MailboxPriority: Sendable {
    /// After all urgent messages.
    case normal
    /// Before all others. It takes no room in a bounded mailbox.
    case urgent
}

/// How an actor is to stop.
public enum MailboxStop: Sendable {
    /// After everything that is in the mailbox now.
    case drain
    /// After the message that is being handled now.
    case now
}

/// Why an actor has ended.
public enum MailboxTermination: Sendable {
    /// It was stopped.
    case stopped
    /// It was cancelled, or its parent has ended.
    case cancelled
    /// Its handler has failed more often than it may be restarted.
    case failed(any Error)
}

/// What a mailbox actor has done, and what waits for it: the numbers of one moment.
public struct MailboxStatistics: Sendable, Equatable {
    /// How many messages wait in the mailbox.
    public let depth: Int
    /// How many senders wait for room in the mailbox.
    public let waitingSenders: Int
    /// How many askers wait for an answer.
    public let waitingAskers: Int
    /// How many messages the handler has handled without a failure.
    public let processed: Int
    /// How many messages no handler has seen, because there was no room or the actor has ended.
    public let dropped: Int
    /// How many messages a handler didn't know.
    public let unknown: Int
    /// How many messages were lost with a failure of their handler.
    public let failed: Int
    /// How often the actor was restarted.
    public let restarts: Int
}

/// Something that a mailbox actor did.
public struct MailboxEvent: Sendable {
    /// What it did.
    public enum Kind: Sendable {
        /// It was started.
        case started
        /// It begins to handle a message.
        case received
        /// It has handled a message.
        case handled
        /// Its handler has thrown.
        case failed(any Error)
        /// It begins anew, with its first state.
        case restarted
        /// A message goes to the dead letters.
        case deadLetter(DeadLetter.Reason)
        /// It has ended.
        case terminated(MailboxTermination)
    }

    /// The description of the actor.
    public let actor: String
    /// What it did.
    public let kind: Kind
}
