public import ChemActors
import ChemBase
import Foundation
import Synchronization

/// A message on its way: a box whose content only the actor it is for can open. Nil marks the place where draining
/// ends.
@usableFromInline
struct Letter: @unchecked Sendable {
    // Checked by hand: the content was sent into the box, and is taken out once, by the turn that handles it.
    let content: AnyObject?

    @usableFromInline
    init(content: AnyObject?) { self.content = content }

    /// The end of what a draining actor handles.
    static let end = Letter(content: nil)
}

/// What an actor is told besides messages. Comes before all messages.
enum MailboxCommand: Sendable {
    case start
    /// Look at the phase: the actor was cancelled.
    case wake
    /// Go on with what was put aside. From the actor itself, and no command that messages wait for.
    case resume
    case restart
    case fail(any Error)
    case urgent(Letter)
    case watch(Int, @Sendable (MailboxTermination) -> Void)
    case unwatch(Int)
    /// From now on the actor has a supervisor.
    case link(Supervisor)
    /// A group of the actor's children has ended, with an error if they failed too often.
    case childrenEnded(Int, MailboxTermination)
}

/// The names of an actor's definition that are used outside.
struct MailboxNames: Exportable {
    /// Where messages arrive.
    enum Mail: Exportable {
        case slow(SlowMolecule<Letter>)
        case bounded(BoundedMolecule<Letter>)

        var exported: Mail {
            switch self {
            case .slow(let molecule): .slow(molecule.exported)
            case .bounded(let molecule): .bounded(molecule.exported)
            }
        }
    }

    let mail: Mail
    let control: SlowMolecule<MailboxCommand>
    let answered: FastMolecule<AnyAnswerWaiter, Void>
    let ended: FastMolecule<Void, MailboxTermination>

    var exported: MailboxNames {
        MailboxNames(
            mail: mail.exported,
            control: control.exported,
            answered: answered.exported,
            ended: ended.exported
        )
    }
}

/// What all references to a mailbox actor share, and its reactions use: identity, names, counters.
@usableFromInline
final class MailboxCore: Sendable {
    /// How far the actor has come. It only grows, but for `cancelled` and `stopping`, of which the first one counts.
    enum Phase {
        static let new = 0
        static let draining = 1
        static let stopping = 2
        static let cancelled = 3
        static let ended = 4
        /// Its children have ended as well, and it is gone.
        static let finished = 5
    }

    let uuid = UUID()
    let name: String
    let options: MailboxOptions
    /// Whether messages carry names of molecules, which have to travel exported.
    @usableFromInline let carriesNames: Bool
    let definition: Join
    /// The names, local.
    let names: MailboxNames

    let phase = Atomic<Int>(Phase.new)
    /// Whether somebody has started it.
    private let started = Atomic<Bool>(false)
    /// How many commands have been announced and not been handled: while there are any, messages wait.
    let pendingCommands = Atomic<Int>(0)
    let processed = Atomic<Int>(0)
    let dropped = Atomic<Int>(0)
    let unknown = Atomic<Int>(0)
    let failed = Atomic<Int>(0)
    let restarts = Atomic<Int>(0)
    let askers = Atomic<Int>(0)
    /// Whether somebody else decides after a failure.
    let isSupervised = Atomic<Bool>(false)
    /// The task of the asynchronous handler that runs now.
    let handling = HandlingTask()

    init(name: String, options: MailboxOptions, carriesNames: Bool, definition: Join, names: MailboxNames) {
        self.name = name
        self.options = options
        self.carriesNames = carriesNames
        self.definition = definition
        self.names = names
    }

    var description: String { "\(name) \(Unmanaged.passUnretained(self).toOpaque()) \(uuid.uuidString)" }

    // MARK: Messages

    /// Puts a message into its box.
    @inlinable
    func letter<Message>(_ message: sending Message) -> Letter {
        guard carriesNames, let names = message as? any Exportable, let exported = names.exported as? Message else {
            return Letter(content: Parcel(message))
        }
        return Letter(content: Parcel(exported))
    }

    /// Whether somebody has started it.
    var isStarted: Bool { started.load(ordering: .acquiring) }
    /// Whether it is gone, and its children with it.
    var isFinished: Bool { phase.load(ordering: .acquiring) == Phase.finished }

    func start() {
        if !started.exchange(true, ordering: .acquiringAndReleasing) { command(.start) }
    }

    /// Whether nothing that is told from now on will be handled.
    var isTerminating: Bool { phase.load(ordering: .acquiring) != Phase.new }
    /// Whether the actor has ended, or ends after its current message.
    var isOver: Bool { phase.load(ordering: .acquiring) >= Phase.stopping }

    @usableFromInline
    func tell(_ letter: Letter) -> Bool {
        guard phase.load(ordering: .relaxed) == Phase.new else {
            lose(letter, .terminated)
            return false
        }
        switch names.mail {
        case .slow(let mail):
            mail(letter)
            return true
        case .bounded(let mail):
            if mail.tryInject(letter) { return true }
            lose(letter, .full)
            return false
        }
    }

    @usableFromInline
    func tellUrgently(_ letter: Letter) -> Bool {
        guard phase.load(ordering: .relaxed) == Phase.new else {
            lose(letter, .terminated)
            return false
        }
        command(.urgent(letter))
        return true
    }

    nonisolated(nonsending) func send(
        _ letter: consuming Letter,
        within duration: Duration?,
        isQuestion: Bool = false
    ) async throws {
        guard case .bounded(let mail) = names.mail, !isTerminating else {
            if tell(letter) { return }
            throw MailboxError(.terminated, self)
        }
        if mail.tryInject(letter) { return }
        switch options.capacity.overflow {
        case .suspend:
            // Only an actor that handles messages makes room.
            guard isStarted else { throw MailboxError(.notStarted, self) }
            do {
                if let duration {
                    try await mail.inject(letter, within: duration)
                } else {
                    try await mail.inject(letter)
                }
            } catch let error as CallError {
                throw MailboxError(error.code == .timedOut ? .timedOut : .terminated, self)
            }
        case .fail:
            throw MailboxError(.full, self)
        case .dropNewest, .dropOldest:
            lose(letter, .full)
            if isQuestion { throw MailboxError(.full, self) }
        }
    }

    /// Sends a question and waits for what becomes of it.
    nonisolated(nonsending) func ask<Answer: Sendable>(
        _ waiter: AnswerWaiter<Answer>,
        _ letter: consuming Letter,
        within duration: Duration?
    ) async throws -> Answer {
        let deadline = duration.map { ContinuousClock().instant(after: $0) }
        try Task.checkCancellation()
        guard isStarted || isTerminating else { throw MailboxError(.notStarted, self) }
        askers.add(1, ordering: .relaxed)
        defer { askers.subtract(1, ordering: .releasing) }
        // The letter holds the way to answer, whose end tells this asker: so it must not be held here while this waits.
        try await send(letter, within: duration, isQuestion: true)
        if let result = waiter.result { return try result.get() }
        waiter.deadline = deadline
        do {
            try await withTaskCancellationHandler {
                if let deadline {
                    // Less than nothing would be no time to be taken, and it is the reply that this waits for.
                    try await names.answered(waiter, within: max(deadline - .now, .microseconds(1)))
                } else {
                    try await names.answered(waiter)
                }
            } onCancel: {
                _ = waiter.fail(CancellationError())
            }
        } catch {
            // The call was withdrawn, or the definition has ended: unless there is an answer, that is the result.
            _ = waiter.fail((error as? CallError)?.code == .timedOut ? MailboxError(.timedOut, self) : error)
        }
        guard let result = waiter.result else { throw MailboxError(.unanswered, self) }
        return try result.get()
    }

    /// Counts a message that no handler will see, and reports it.
    func lose(_ letter: Letter, _ reason: DeadLetter.Reason) {
        guard let content = letter.content else { return }
        switch reason {
        case .full, .terminated: dropped.add(1, ordering: .relaxed)
        case .unknown: unknown.add(1, ordering: .relaxed)
        }
        options.deadLetters.add(
            DeadLetter(
                recipient: description,
                message: (content as? any AnyParcel)?.contentDescription ?? "a message",
                reason: reason
            )
        )
        trace(.deadLetter(reason))
    }

    // MARK: Commands

    func command(_ command: MailboxCommand) {
        pendingCommands.add(1, ordering: .acquiringAndReleasing)
        names.control(command)
    }

    /// A command was taken, which is one less that messages wait for.
    func countHandled(_ command: MailboxCommand) {
        if case .resume = command { return }
        pendingCommands.subtract(1, ordering: .acquiringAndReleasing)
    }

    func cancel(as target: Int = Phase.cancelled) {
        var seen = phase.load(ordering: .acquiring)
        while seen < Phase.stopping {
            let (exchanged, original) = phase.compareExchange(
                expected: seen,
                desired: target,
                ordering: .acquiringAndReleasing
            )
            if exchanged {
                command(.wake)
                handling.cancel()
                return
            }
            seen = original
        }
    }

    func cancel(as termination: MailboxTermination) {
        if case .stopped = termination { cancel(as: Phase.stopping) } else { cancel(as: Phase.cancelled) }
    }

    func drain() {
        let (exchanged, _) = phase.compareExchange(
            expected: Phase.new,
            desired: Phase.draining,
            ordering: .acquiringAndReleasing
        )
        guard exchanged else { return }
        switch names.mail {
        case .slow(let mail): mail(.end)
        case .bounded(let mail):
            if mail.tryInject(.end) { return }
            // Behind the senders that wait for room already.
            let mail = mail.exported
            Task.detached { try? await mail.inject(.end) }
        }
    }

    func watch(_ handler: @escaping @Sendable (MailboxTermination) -> Void) -> MailboxWatch {
        let number = Self.watches.add(1, ordering: .relaxed).newValue
        command(.watch(number, handler))
        return MailboxWatch(core: self, number: number)
    }

    private static let watches = Atomic<Int>(0)

    // MARK: Reports

    func trace(_ kind: @autoclosure () -> MailboxEvent.Kind) {
        if let trace = options.trace { trace(MailboxEvent(actor: description, kind: kind())) }
    }

    var statistics: MailboxStatistics {
        let molecules = definition.statistics.molecules
        func waiting(_ name: String) -> Int { (molecules[name]?.present ?? 0) + (molecules[name]?.inInbox ?? 0) }
        return MailboxStatistics(
            depth: waiting("mailbox") + waiting("mailbox.post"),
            waitingSenders: molecules["mailbox.inject"]?.present ?? 0,
            waitingAskers: askers.load(ordering: .acquiring),
            processed: processed.load(ordering: .acquiring),
            dropped: dropped.load(ordering: .acquiring),
            unknown: unknown.load(ordering: .acquiring),
            failed: failed.load(ordering: .acquiring),
            restarts: restarts.load(ordering: .acquiring)
        )
    }
}

/// A message in its box.
@usableFromInline
final class Parcel<Message>: AnyParcel, @unchecked Sendable {
    // Checked by hand: the box was filled by `sending` and is opened once, by the turn that has it, so nobody else has
    // what was in it.
    @usableFromInline nonisolated(unsafe) var message: Message?

    @inlinable
    init(_ message: sending Message) {
        self.message = message
    }

    /// Takes the message out, once.
    func open() -> sending Message {
        guard let content = message.take() else { fatalError("ChemLibrary: a message was handled twice") }
        return content
    }

    var contentDescription: String { message.map { "\($0)" } ?? "\(Message.self)" }
}

protocol AnyParcel: AnyObject {
    var contentDescription: String { get }
}

/// The end of a watch.
public struct MailboxWatch: Sendable {
    let core: MailboxCore
    let number: Int

    /// Ends the watch: unless the actor has ended by then, the handler won't be called.
    public func cancel() { core.command(.unwatch(number)) }
}
