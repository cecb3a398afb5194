import ChemActors
public import Foundation

/// An actor with a mailbox: it handles one message at a time, each to its end, in each sender's order.
///
/// ```swift
/// enum Deposit: Sendable {
///     case put(Int)
///     case total(ReplyTo<Int>)
/// }
///
/// let account = MailboxActor(state: 0) { (total, message: Deposit) in
///     switch message {
///     case .put(let amount): total += amount
///     case .total(let reply): reply(total)
///     }
/// }.start()
///
/// account.tell(.put(5))                   // synchronous, from anywhere, never waits
/// print(try await account.ask(Deposit.total))  // 5
/// ```
///
/// It promises what a Swift `actor` doesn't: sending is synchronous and keeps each sender's order; a handler that
/// suspends keeps the actor to itself, so there is no reentrancy; an actor whose handler throws is restarted or
/// stopped, and its mailbox is kept.
///
/// Underneath, it is a join definition: the mailbox is a slow molecule that is taken oldest first, and one molecule,
/// which carries the state, is the right to handle a message. Bodies run where the bodies of its machine run. Prefer a
/// definition of your own where one event needs several messages to come together; prefer a Swift `actor` where callers
/// are asynchronous anyway and no method suspends in the middle of a change.
///
/// An actor lives as long as somebody holds a reference to it, or it has something to do. Two actors that hold each
/// other live until one of them is cancelled or stopped; to avoid that, let one hold the other as ``weak``. An actor
/// that has spawned children also lives until it is cancelled or stopped. If nobody has started an actor when its last
/// reference goes, the messages that it was told become ``DeadLetters``.
///
/// Source: ADBActors by Alberto De Bortoli, after VVActors of Valletta Ventures; supervision after Erlang/OTP.
public final class MailboxActor<Message>: Sendable {
    @usableFromInline let core: MailboxCore
    /// The names of the definition, exported. They keep the actor alive.
    private let names: MailboxNames

    init(core: MailboxCore, names: MailboxNames) {
        self.core = core
        self.names = names
    }

    /// Creates an actor whose handler doesn't suspend. It waits for ``start()``.
    ///
    /// The handler runs in a worker of the machine, and must not block its thread. It is several times faster than an
    /// asynchronous handler.
    ///
    /// - Parameters:
    ///   - state: The state that the actor begins with, and that it begins again with after a failure.
    ///   - options: The name, the capacity of the mailbox, what happens after failures, and who watches.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - handler: Handles one message. An error that it throws is a failure of the actor.
    public convenience init<State>(
        state: @autoclosure @escaping @Sendable () -> State,
        options: MailboxOptions = MailboxOptions(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        handler: @escaping @Sendable (inout State, sending Message, MailboxContext<State, Message>) throws -> Void
    ) {
        self.init(state, .synchronous(handler), options, fileID, line)
    }

    /// Creates an actor whose handler may suspend. It waits for ``start()``.
    ///
    /// While the handler is suspended, no other message is handled.
    ///
    /// - Parameters:
    ///   - state: The state that the actor begins with, and that it begins again with after a failure.
    ///   - options: The name, the capacity of the mailbox, what happens after failures, and who watches.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - handler: Handles one message, in a task of its own. An error that it throws is a failure of the actor.
    public convenience init<State>(
        state: @autoclosure @escaping @Sendable () -> State,
        options: MailboxOptions = MailboxOptions(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        handler:
            @escaping @concurrent @Sendable (inout State, sending Message, MailboxContext<State, Message>) async throws
            ->
            Void
    ) {
        self.init(state, .asynchronous(handler), options, fileID, line)
    }

    /// Creates an actor whose handler doesn't suspend and needs only state and message. It waits for ``start()``.
    ///
    /// ```swift
    /// let sum = MailboxActor(state: 0) { (sum, n: Int) in sum += n }.start()
    /// ```
    ///
    /// - Parameters:
    ///   - state: The state that the actor begins with, and that it begins again with after a failure.
    ///   - options: The name, the capacity of the mailbox, what happens after failures, and who watches.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - handler: Handles one message. An error that it throws is a failure of the actor.
    public convenience init<State>(
        state: @autoclosure @escaping @Sendable () -> State,
        options: MailboxOptions = MailboxOptions(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        handler: @escaping @Sendable (inout State, sending Message) throws -> Void
    ) {
        self.init(state, .synchronous { state, message, _ in try handler(&state, message) }, options, fileID, line)
    }

    /// Creates an actor whose handler may suspend and needs only state and message. It waits for ``start()``.
    ///
    /// While the handler is suspended, no other message is handled.
    ///
    /// - Parameters:
    ///   - state: The state that the actor begins with, and that it begins again with after a failure.
    ///   - options: The name, the capacity of the mailbox, what happens after failures, and who watches.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - handler: Handles one message, in a task of its own. An error that it throws is a failure of the actor.
    public convenience init<State>(
        state: @autoclosure @escaping @Sendable () -> State,
        options: MailboxOptions = MailboxOptions(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        handler: @escaping @concurrent @Sendable (inout State, sending Message) async throws -> Void
    ) {
        self.init(
            state,
            .asynchronous { state, message, _ in try await handler(&state, message) },
            options,
            fileID,
            line
        )
    }

    /// Creates an actor from a value of your own ``MailboxBehavior`` type. It waits for ``start()``.
    ///
    /// - Parameters:
    ///   - behavior: The value that the actor begins with, and that it begins again with after a failure.
    ///   - options: The name, the capacity of the mailbox, what happens after failures, and who watches.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public convenience init<Behavior: MailboxBehavior>(
        _ behavior: @autoclosure @escaping @Sendable () -> Behavior,
        options: MailboxOptions = MailboxOptions(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where Behavior.Message == Message {
        var options = options
        options.name = options.name ?? "\(Behavior.self)"
        self.init(
            behavior,
            .asynchronous { behavior, message, context in try await behavior.receive(message, in: context) },
            options,
            fileID,
            line
        )
    }

    convenience init<State>(
        _ state: @escaping @Sendable () -> State,
        _ handler: MailboxHandler<State, Message>,
        _ options: MailboxOptions,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        var context: MailboxContext<State, Message>?
        let (core, names) = MailboxCore.make(
            name: options.name ?? "\(MailboxActor<Message>.self)",
            options: options,
            carriesNames: Exports.mayFindNames(in: Message.self),
            fileID,
            line
        ) { core in
            let new = MailboxContext(core, state, handler)
            context = new
            return new
        }
        self.init(core: core, names: names)
        // Nothing uses the context before the first command, and that command comes through this reference.
        context?.begin(self)
    }

    // Whoever can start an actor has the reference that was made with it.
    deinit { core.loseUnstarted() }

    /// A name that no other actor has.
    public var uuid: UUID { core.uuid }

    /// What the actor is called in descriptions: ``MailboxOptions/name``, or the name of its type.
    public var name: String { core.name }

    // MARK: Sending

    /// Puts `message` into the mailbox. It is synchronous and never waits.
    ///
    /// The actor handles the messages of one sender in the order in which they were told, within each priority.
    /// The message is sent: nobody shares it with the actor afterwards.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - priority: Urgent messages are handled before all others.
    /// - Returns: whether the message was put into the mailbox. If it wasn't, because the mailbox is full or the actor
    ///   is ending, it is counted as a dead letter. So is a message that still lies there when the actor is cancelled,
    ///   or comes just as it is stopped: true doesn't mean handled.
    /// - Complexity: O(1).
    @inlinable
    @discardableResult
    public func tell(_ message: sending Message, priority: MailboxPriority = .normal) -> Bool {
        let letter = core.letter(message)
        return priority == .normal ? core.tell(letter) : core.tellUrgently(letter)
    }

    /// Puts `message` into the mailbox as soon as there is room for it.
    ///
    /// Without a capacity, it does the same as ``tell(_:priority:)``. With the policy
    /// ``MailboxCapacity/Overflow/suspend`` it waits for room; waiting senders are served oldest first. A message that
    /// was sent has a place in the mailbox; if the actor ends before its turn, it's a dead letter.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - duration: How long to wait for room at most, or nil for no limit.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: `CancellationError`, or a ``MailboxError``. Its code is ``MailboxError/Code/timedOut`` if there was no
    ///   room in time, and then nothing was sent; ``MailboxError/Code/full`` if the mailbox is full and the policy is
    ///   `fail`; ``MailboxError/Code/terminated`` if the actor has ended; ``MailboxError/Code/notStarted`` if the call
    ///   would have to wait for room that nobody makes, and ``MailboxError/Code/deadlock`` if it would in the actor's
    ///   own handler.
    nonisolated(nonsending) public func send(
        _ message: sending Message,
        within duration: Duration? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await core.send(core.letter(message), within: duration, fileID, line)
    }

    // MARK: Beginning and ending

    /// Lets the actor handle messages, beginning with those already told. Starting it again has no effect.
    ///
    /// - Returns: the actor itself.
    @discardableResult
    public func start() -> MailboxActor {
        core.start()
        return self
    }

    /// Whether the actor was started and is not gone yet. It may be idle.
    public var isExecuting: Bool { core.isStarted && !core.isFinished }

    /// Whether the actor and its children have ended. ``termination(fileID:line:)`` waits for that.
    public var isFinished: Bool { core.isFinished }

    /// Ends the actor after the message that it is handling. Returns at once; an idle actor ends at once.
    ///
    /// Waiting messages become dead letters, and their askers get a ``MailboxError`` with the code
    /// ``MailboxError/Code/terminated``. The children and the task of an asynchronous handler are cancelled.
    public func cancel() { core.cancel() }

    /// Ends the actor. Returns at once; messages told from now on become dead letters.
    ///
    /// An actor that hasn't been started drains its mailbox and ends once it is started.
    ///
    /// - Parameters:
    ///   - mode: Whether the actor still handles the messages that are in the mailbox now.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public func stop(_ mode: MailboxStop, fileID: StaticString = #fileID, line: UInt = #line) {
        switch mode {
        case .now: core.cancel(as: .stopped)
        case .drain: core.drain(fileID, line)
        }
    }

    /// Waits until the actor and its children have ended.
    ///
    /// An actor that nobody cancels or stops doesn't end. Neither does an actor that is told to drain its mailbox but
    /// never started.
    ///
    /// The actor's own handler can't wait for that, since the actor doesn't end before its handler; a task that the
    /// handler starts can. A handler of one of its children must not wait for it either, and nothing says so.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: why the actor has ended.
    /// - Throws: a ``MailboxError`` with the code ``MailboxError/Code/deadlock`` at once in the actor's own handler;
    ///   `CancellationError` if the waiting task is cancelled; and a `CallError` if its machine was cleared or
    ///   deactivated.
    @discardableResult
    nonisolated(nonsending) public func termination(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> MailboxTermination {
        // It hasn't ended, since its handler runs.
        if core.handling.isCurrent { throw MailboxError(.deadlock, core) }
        return try await names.ended(fileID: fileID, line: line)
    }

    /// Whether the actor has ended or was told to end, so that messages told now become dead letters.
    public var isTerminating: Bool { core.isTerminating }

    /// Calls `handler` once when the actor has ended, or now if it already has.
    ///
    /// An actor whose machine is cleared or deactivated has ended, and so has one that nobody holds any more.
    ///
    /// To watch an actor from another actor, use ``MailboxContext/watch(_:as:)``.
    ///
    /// - Parameter handler: What to call with the reason, on any thread. It must not block.
    /// - Returns: a value that can end the watch.
    @discardableResult
    public func watch(_ handler: @escaping @Sendable (MailboxTermination) -> Void) -> MailboxWatch {
        core.watch(handler)
    }

    /// Numbers about what the actor has done, and what is waiting for it.
    ///
    /// - Complexity: O(molecules of the actor's definition); not meant for a busy loop.
    public var statistics: MailboxStatistics { core.statistics }

    /// A reference that doesn't keep the actor alive.
    public var weak: WeakMailboxActor<Message> { WeakMailboxActor(self) }
}

extension MailboxActor: Hashable {
    /// Whether both are the same actor.
    public static func == (one: MailboxActor, other: MailboxActor) -> Bool { one.core === other.core }

    /// Feeds the actor's identity into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(core)) }
}

extension MailboxActor: CustomStringConvertible {
    /// The kind of actor, its address and its uuid.
    public var description: String { core.description }
}
