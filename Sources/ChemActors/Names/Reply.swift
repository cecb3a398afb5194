/// A caller that waits for an answer, as the body of a reaction gets it for a fast molecule.
///
/// ```swift
/// join.when(take, item) { reply, value in
///     reply(value)
/// }
/// ```
///
/// A reply is answered once, by calling it or by ``fail(_:)``; a second answer changes nothing and is reported. It can be kept, put
/// on a molecule and answered by another reaction, also after its definition is gone. When the last copy of an unanswered reply
/// goes, its caller gets ``CallError/Code/unanswered``: a caller is never left waiting.
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

    private func reportSecondAnswer() {
        holder.call.site.owner.report(.answeredTwice(molecule: holder.call.slot.name))
    }

    /// Gives the error of the body to the caller, unless the body had answered before it threw. Returns whether it has.
    func failIfUnanswered(_ error: any Error) -> Bool {
        holder.call.finish(throwing: error)
    }

    /// What all copies of a reply share: when it goes, the last copy has gone.
    private final class Holder: Sendable {
        let call: PendingCall<Argument, Answer>
        /// The slot's description belongs to the definition, so the definition must not go before.
        private let join: Join

        init(_ call: PendingCall<Argument, Answer>) {
            self.call = call
            join = call.site.owner
            join.machine.scope?.add(self) { call.finish(throwing: CallError(.revoked, call.slot)) }
        }

        deinit {
            join.machine.scope?.remove(self)
            if !call.isAnswered, call.finish(throwing: CallError(.unanswered, call.slot)) {
                join.report(.unanswered(molecule: call.slot.name))
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
