import ChemActors
public import Foundation

/// The handler of an actor's messages, either synchronous or asynchronous.
enum MailboxHandler<State, Message>: Sendable {
    typealias Synchronous = @Sendable (inout State, sending Message, MailboxContext<State, Message>) throws -> Void
    typealias Asynchronous =
        @concurrent @Sendable (inout State, sending Message, MailboxContext<State, Message>) async throws -> Void

    case synchronous(Synchronous)
    case asynchronous(Asynchronous)
}

/// What a handler can use besides the state: its actor, another handler, the stash for messages, and children.
///
/// ```swift
/// let door = MailboxActor(state: 0) { (_, message: String, context) in
///     if message == "open" {
///         context.unstashAll()
///         context.become { _, message, _ in print("comes in: \(message)") }
///     } else {
///         context.stash(message)
///     }
/// }
/// ```
///
/// The context is valid while the handler runs. It isn't `Sendable`, so it can't move to another task.
public final class MailboxContext<State, Message> {
    private let makeState: @Sendable () -> State
    private let firstHandler: MailboxHandler<State, Message>
    @exclusivity(unchecked) private var state: State
    @exclusivity(unchecked) private var handler: MailboxHandler<State, Message>
    private let core: MailboxCore
    /// The cell, which holds this context.
    private unowned(unsafe) var cell: MailboxCell?
    /// The existing reference to the actor, if there is one.
    private weak var reference: MailboxActor<Message>?
    /// The reference, once the actor has children: they keep it alive, so they and those it watches can tell it.
    private var kept: MailboxActor<Message>?

    init(
        _ core: MailboxCore,
        _ makeState: @escaping @Sendable () -> State,
        _ handler: MailboxHandler<State, Message>
    ) {
        self.core = core
        self.makeState = makeState
        self.handler = handler
        firstHandler = handler
        state = makeState()
    }

    /// Sets the first reference. Called before the actor is started.
    func begin(_ reference: MailboxActor<Message>) { self.reference = reference }

    private var owner: MailboxCell {
        guard let cell else { fatalError("ChemLibrary: a context was used before its actor existed") }
        return cell
    }

    // MARK: Who the actor is

    /// The actor itself, for others to send to.
    ///
    /// A reference that the actor keeps in its own state keeps it alive until it is cancelled or stopped.
    public var actor: MailboxActor<Message> {
        if let reference { return reference }
        let new = MailboxActor<Message>(core: core, names: core.names.exported)
        reference = new
        return new
    }

    /// A name that no other actor has.
    public var uuid: UUID { core.uuid }

    /// The kind of actor, its address and its uuid.
    public var description: String { core.description }

    /// Whether the actor was cancelled or told to stop at once. A long handler should check this now and then.
    ///
    /// The task of an asynchronous handler is cancelled as well.
    public var isCancelled: Bool { core.isOver }

    // MARK: What it does next

    /// Makes `handler` the handler from the next message on, until a restart.
    ///
    /// - Parameter handler: A handler that doesn't suspend.
    public func become(
        _ handler: @escaping @Sendable (inout State, sending Message, MailboxContext<State, Message>) throws -> Void
    ) {
        self.handler = .synchronous(handler)
    }

    /// Makes `handler` the handler from the next message on, until a restart.
    ///
    /// - Parameter handler: A handler that may suspend.
    public func become(
        _ handler:
            @escaping @concurrent @Sendable (inout State, sending Message, MailboxContext<State, Message>) async throws
            ->
            Void
    ) {
        self.handler = .asynchronous(handler)
    }

    /// Makes `handler` the handler from the next message on, until a restart.
    ///
    /// - Parameter handler: A handler that doesn't suspend, and needs only the state and the message.
    public func become(_ handler: @escaping @Sendable (inout State, sending Message) throws -> Void) {
        self.handler = .synchronous { state, message, _ in try handler(&state, message) }
    }

    /// Makes `handler` the handler from the next message on, until a restart.
    ///
    /// - Parameter handler: A handler that may suspend, and needs only the state and the message.
    public func become(_ handler: @escaping @concurrent @Sendable (inout State, sending Message) async throws -> Void) {
        self.handler = .asynchronous { state, message, _ in try await handler(&state, message) }
    }

    /// Puts a message aside until ``unstashAll()`` or a restart.
    ///
    /// - Parameter message: The message, usually the one that is being handled.
    public func stash(_ message: sending Message) { owner.stash(Parcel.holding(message)) }

    /// Makes the stashed messages the next to be handled, in the order they were stashed, before those in the mailbox.
    public func unstashAll() { owner.unstashAll() }

    /// Reports that the actor doesn't know `message`, which becomes a dead letter.
    ///
    /// - Parameter message: The message that is being handled.
    public func unhandled(_ message: sending Message) { owner.loseUnknown(Parcel.holding(message)) }

    /// Ends the actor after this message, or after the messages that are in the mailbox now.
    ///
    /// With ``MailboxStop/now``, the task of an asynchronous handler is cancelled, as from outside, so what it awaits
    /// after that may throw.
    ///
    /// - Parameters:
    ///   - mode: Whether the actor still handles the messages that are in the mailbox now.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public func stop(_ mode: MailboxStop = .now, fileID: StaticString = #fileID, line: UInt = #line) {
        switch mode {
        case .now: core.cancel(as: MailboxCore.Phase.stopping)
        case .drain: core.drain(fileID, line)
        }
    }

    // MARK: Others

    /// Starts `child` as a child of this actor, which supervises it. The child ends with this actor.
    ///
    /// ```swift
    /// let worker = context.spawn(MailboxActor(state: 0) { (_, job: Job, _) in try job.run() })
    /// ```
    ///
    /// This actor's ``MailboxOptions/supervision`` determines what happens when the child fails. A restart of this
    /// actor ends its children. From here on, this actor lives until it is cancelled or stopped.
    ///
    /// - Parameters:
    ///   - child: An actor that has no supervisor, and is neither this one nor above it: each would wait for the other
    ///     to end.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the child.
    @discardableResult
    public func spawn<Other>(
        _ child: MailboxActor<Other>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> MailboxActor<Other> {
        owner.adopt(child, fileID, line)
        kept = actor
        return child
    }
}

extension MailboxContext where Message: Sendable {
    /// Sends this actor a message when `other` has ended, or now if it already has (a death watch).
    ///
    /// ```swift
    /// context.watch(worker) { reason in .workerEnded(reason) }
    /// ```
    ///
    /// The watch ends with this actor, and goes on when it restarts.
    ///
    /// - Parameters:
    ///   - other: The actor to watch.
    ///   - message: Makes the message from the reason.
    /// - Returns: a value that can end the watch.
    @discardableResult
    public func watch<Other>(
        _ other: MailboxActor<Other>,
        as message: @escaping @Sendable (MailboxTermination) -> Message
    ) -> MailboxWatch {
        let watcher = actor.weak
        return other.core.watch(for: owner.watches) { termination in watcher.tell(message(termination)) }
    }
}

extension MailboxContext: MailboxContent {
    func attach(_ cell: MailboxCell) { self.cell = cell }

    func receive(_ letter: Letter) throws -> Bool {
        guard case .synchronous(let handler) = handler else { return false }
        try handler(&state, Self.open(letter), self)
        return true
    }

    @concurrent func receiveSuspending(_ letter: Letter) async throws {
        guard case .asynchronous(let handler) = handler else {
            fatalError("ChemLibrary: a handler that doesn't suspend was to suspend")
        }
        try await handler(&state, Self.open(letter), self)
    }

    func reset() {
        handler = firstHandler
        state = makeState()
    }

    private static func open(_ letter: Letter) -> sending Message {
        // An actor's own references and contexts make its letters, so the content has the actor's message type.
        unsafeDowncast(letter.content.unsafelyUnwrapped, to: Parcel<Message>.self).open()
    }
}

// A context belongs to the handling of one message.
@available(*, unavailable)
extension MailboxContext: Sendable {}
