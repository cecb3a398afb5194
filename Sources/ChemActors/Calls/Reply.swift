/// A caller that waits for an answer, as the body of a reaction gets it for a fast molecule.
///
/// ```swift
/// join.when(take, item) { reply, value in
///     reply(value)
/// }
/// ```
///
/// A reply is answered once, by calling it or by ``fail(_:)``; a second answer changes nothing and is reported. It can
/// be kept, put on a molecule and answered by another reaction, also after its definition is gone. When the last copy
/// of an unanswered reply goes, its caller gets ``CallError/Code/unanswered``. While somebody keeps one, the caller
/// waits, also when it has given up: ``onCancel(_:)`` tells whoever keeps it.
public struct Reply<Argument: Sendable, Answer: Sendable>: Sendable {
    private let holder: Holder

    @usableFromInline
    init(_ call: PendingCall<Argument, Answer>) {
        holder = Holder(call)
    }

    /// The value that the call carries.
    public var value: Argument { holder.call.argument }

    /// Answers the call. The caller's task is resumed; the body goes on.
    public func callAsFunction(_ answer: Answer) {
        if !holder.call.finish(returning: answer) { reportSecondAnswer() }
    }

    /// Answers the call with an error, which the caller's `try` gets.
    public func fail(_ error: any Error) {
        if !holder.call.finish(throwing: error) { reportSecondAnswer() }
    }

    /// Whether nobody needs the answer any more: the caller's task was cancelled, or its time is up.
    ///
    /// The caller still waits for an answer: a long body looks here now and then, and ends early by ``fail(_:)``.
    public var isCancelled: Bool { holder.call.isCancelled }

    /// Has `handler` run if the caller gives up, by cancellation or since its time is up, before the call is answered.
    ///
    /// A reply that is kept, in a state or on a molecule, has no body that could look at ``isCancelled``. The handler
    /// tells the chemistry, which then answers: until somebody does, the caller waits.
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
    /// Each handler runs once at most, in a task of its own; at once if the caller has given up already. Handlers of a
    /// call that is answered are dropped. The definition isn't quiet while one runs.
    ///
    /// - Parameter handler: What is done; mostly it injects a molecule. It must not block its thread.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) { holder.call.onCancel(handler) }

    private func reportSecondAnswer() {
        holder.call.join.report(.answeredTwice(molecule: holder.call.slot.name))
    }

    /// Gives the error of the body to the caller, unless the body had answered before it threw. Returns whether it has.
    func failIfUnanswered(_ error: any Error) -> Bool {
        holder.call.finish(throwing: error)
    }

    /// What all copies of a reply share: when it goes, the last copy has gone.
    private final class Holder: Sendable {
        let call: PendingCall<Argument, Answer>
        /// Under which the scope of the machine, if it is that of one, knows how to revoke it.
        private let ticket: UInt64

        init(_ call: PendingCall<Argument, Answer>) {
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
            if !call.isAnswered, call.finish(throwing: CallError(.unanswered, call.slot)) {
                call.join.report(.unanswered(molecule: call.slot.name))
            }
        }
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
