/// A caller that waits for an answer: what the body of a reaction gets for a fast molecule.
///
/// ```swift
/// join.when(take, item) { reply, value in
///     reply(value)
/// }
/// ```
///
/// A reply is answered once, by calling it or with ``fail(_:)``. A second answer changes nothing and is reported. A
/// reply can be kept, put on a molecule and answered by another reaction, even after its definition is gone. When the
/// last copy of an unanswered reply goes, its caller gets ``CallError/Code/unanswered``. While somebody keeps a copy,
/// the caller waits, even when it has given up. ``onCancel(_:)`` tells whoever keeps it.
public struct Reply<Argument: Sendable, Answer: Sendable>: Sendable {
    @usableFromInline let holder: ReplyHolder

    @inlinable
    init(_ call: PendingCall<Argument, Answer>) {
        holder = ReplyHolder(call)
    }

    @inlinable var call: PendingCall<Argument, Answer> {
        unsafeDowncast(holder.call, to: PendingCall<Argument, Answer>.self)
    }

    /// The value that the call carries.
    @inlinable public var value: Argument { call.argument }

    /// Answers the call. The caller's task resumes, and the body goes on.
    @inlinable
    public func callAsFunction(_ answer: Answer) {
        if !call.finish(returning: answer) { holder.reportSecondAnswer() }
    }

    /// Answers the call with an error, which the caller's `try` throws.
    public func fail(_ error: any Error) {
        if !holder.call.finish(throwing: error) { holder.reportSecondAnswer() }
    }

    /// Whether nobody needs the answer any more, because the caller's task was cancelled or its time is up.
    ///
    /// The caller still waits for an answer. A long body should check this now and then, and end early with
    /// ``fail(_:)``.
    public var isCancelled: Bool {
        holder.call.join.machine.control?.touchesCancellation(.asks)
        return holder.call.isCancelled
    }

    /// Runs `handler` if the caller gives up before the call is answered, because it was cancelled or its time is up.
    ///
    /// A reply that is kept in a state or on a molecule has no body that could check ``isCancelled``. The handler tells
    /// the chemistry, which then answers. Until somebody does, the caller waits.
    ///
    /// ```swift
    /// join.when(arrive, updating: waiting) { waiting, reply in
    ///     let number = waiting.add(reply)
    ///     reply.onCancel { leave(number) }
    /// }
    /// join.when(leave, updating: waiting) { waiting, number in
    ///     waiting.remove(number)?.fail(CancellationError())
    /// }
    /// ```
    ///
    /// Each handler runs at most once, in a task of its own, and at once if the caller has given up already. Handlers
    /// of an answered call are dropped. The definition isn't quiet while a handler runs.
    ///
    /// - Parameter handler: What to do. Usually it injects a molecule. It must not block its thread.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) { holder.call.onCancel(handler) }
}

/// What all copies of a reply share. It is released with the last copy.
@usableFromInline
final class ReplyHolder: Sendable {
    @usableFromInline let call: Call
    /// The ticket under which the machine's scope, if it has one, can revoke the reply.
    private let ticket: UInt64

    @usableFromInline
    init(_ call: Call) {
        self.call = call
        guard let scope = call.join.machine.scope else {
            ticket = 0
            return
        }
        ticket = call.join.machine.nextTicket()
        scope.add(ticket) { call.finish(throwing: CallError(.revoked, call.slot)) }
    }

    deinit {
        call.join.machine.scope?.remove(ticket)
        if call.isAnswered { return }
        let reactions = takers
        if call.finish(throwing: CallError(.unanswered, call.slot, reactions)) {
            call.join.report(.unanswered(molecule: call.slot.name, reactions: reactions))
        }
    }

    /// The reactions that may have got it, with their lines, for messages: `ask & item (Desk.swift:12)`. Empty when the
    /// definition has dissolved.
    private var takers: String {
        let entry = call.soup.enter()
        let reactions = entry.state.chemistry.reactions(takingRepliesOf: call.slot)
        entry.leaveUnchanged()
        return Chemistry.names(of: reactions)
    }

    @usableFromInline
    func reportSecondAnswer() {
        let reactions = takers
        // Looked at after an entry of the soup: whoever claims a call in it because its time is up marks it there.
        guard !call.hasExpired else { return }
        call.join.report(.answeredTwice(molecule: call.slot.name, reactions: reactions))
    }
}

extension Reply where Answer == Void {
    /// Answers a call that expects no value.
    public func callAsFunction() {
        self(())
    }
}

extension Reply: CustomStringConvertible {
    /// The molecule that was called, and whether the call is answered.
    public var description: String {
        "reply to \(holder.call.slot.fullName)\(holder.call.isAnswered ? ", answered" : "")"
    }
}
