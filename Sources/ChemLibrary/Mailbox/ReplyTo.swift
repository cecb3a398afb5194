public import ChemActors
import ChemBase
import Synchronization

/// The way to answer a question. A message sent with `ask` carries one.
///
/// ```swift
/// case .total(let reply): reply(total)
/// ```
///
/// You can keep it and answer later. The first answer counts. When the last reference to an unanswered `ReplyTo` goes
/// away, the asker gets a ``MailboxError`` with ``MailboxError/Code/unanswered``, so nobody is left waiting; if that is
/// in the handler, when the handler ends.
public final class ReplyTo<Answer: Sendable>: Sendable {
    @usableFromInline let waiter: AnswerWaiter<Answer>

    @inlinable
    init(_ waiter: AnswerWaiter<Answer>) {
        self.waiter = waiter
    }

    /// Answers the question.
    ///
    /// - Parameter answer: The answer.
    /// - Returns: whether the asker gets the answer: false if the question was answered before, or the asker no longer
    ///   waits.
    @inlinable
    @discardableResult
    public func callAsFunction(_ answer: Answer) -> Bool { waiter.settle(answer) }

    /// Answers the question with an error, which `ask` throws to the asker.
    ///
    /// - Parameter error: The error.
    /// - Returns: whether the asker gets the error.
    @discardableResult
    public func fail(_ error: any Error) -> Bool { waiter.fail(error) }

    /// Whether nobody is waiting for the answer any more.
    public var isAbandoned: Bool { waiter.isSettled }

    deinit {
        if waiter.isSettled { return }
        let core = waiter.core
        // If the handler lets go of it, it may be about to throw, and the asker wants to know that.
        if core.dropped(waiter) { return }
        waiter.fail(MailboxError(core.whyUnanswered, core))
    }
}

extension ReplyTo where Answer == Void {
    /// Answers a question that expects no value.
    @discardableResult
    public func callAsFunction() -> Bool { self(()) }
}

/// A waiting asker, independent of the type of its answer.
@usableFromInline
class AnyAnswerWaiter: Beneficiary, @unchecked Sendable {
    // Checked by hand: the reaction that takes the call writes `reply` once, before it sets `isBound`; the caller that
    // finds both flags set reads it. Whoever has claimed it writes `error`, before `publish`, and the asker reads it
    // after that. The asker writes `deadline` before it waits.
    private static let isClaimed = 1
    private static let isWritten = 2
    private static let isBound = 4
    private static let flagBits = 3

    @usableFromInline let core: MailboxCore
    /// These flags, and above them the number by which a control knows the question.
    private let flags: Atomic<Int>
    @exclusivity(unchecked) private var reply: Reply<AnyAnswerWaiter, Void>?
    /// When the asker gives up, by the clock of the actor's machine. Nil for never.
    @exclusivity(unchecked) var deadline: ContinuousClock.Instant?
    /// What the asker gets, if that isn't an answer.
    @exclusivity(unchecked) private var error: (any Error)?

    @usableFromInline
    init(_ core: MailboxCore) {
        self.core = core
        flags = Atomic(core.newSharedObject() << Self.flagBits)
    }

    /// Tells a control, if there is one, that what happens now depends on the question, or the other way round.
    private func tell(_ side: SharedSide) {
        core.tell(ofShared: flags.load(ordering: .relaxed) >> Self.flagBits, side)
    }

    var isSettled: Bool {
        tell(.left)
        return flags.load(ordering: .acquiring) & Self.isClaimed != 0
    }

    /// Whether there is a result that the asker may read.
    @usableFromInline var hasResult: Bool {
        tell(.left)
        return flags.load(ordering: .acquiring) & Self.isWritten != 0
    }

    /// Claims the right to write the result. Returns whether the caller has it.
    @usableFromInline
    func claim() -> Bool {
        tell(.both)
        return flags.bitwiseOr(Self.isClaimed, ordering: .acquiringAndReleasing).oldValue & Self.isClaimed == 0
    }

    /// Marks the result as written, and wakes the asker if it is already waiting.
    @usableFromInline
    func publish() {
        if flags.bitwiseOr(Self.isWritten, ordering: .acquiringAndReleasing).oldValue & Self.isBound != 0 { wake() }
    }

    /// Marks the asker as waiting, and wakes it if there is already a result.
    func bind(_ reply: Reply<AnyAnswerWaiter, Void>) {
        if let deadline {
            // The asker itself reports cancellation, at once.
            reply.onCancel { [self] in
                if deadline <= core.definition.clock.now { fail(MailboxError(.timedOut, core)) }
            }
        }
        self.reply = reply
        tell(.left)
        if flags.bitwiseOr(Self.isBound, ordering: .acquiringAndReleasing).oldValue & Self.isWritten != 0 { wake() }
    }

    private func wake() {
        let reply = self.reply.take()
        reply?()
    }

    /// Ends the wait with an error, unless there is a result.
    @discardableResult
    func fail(_ error: any Error) -> Bool {
        guard claim() else { return false }
        self.error = error
        publish()
        return true
    }

    /// Throws the error that the asker gets, if it does. Called once there is a result.
    func check() throws {
        if let error { throw error }
    }
}

/// A waiting asker. The first result counts.
@usableFromInline
final class AnswerWaiter<Answer: Sendable>: AnyAnswerWaiter, @unchecked Sendable {
    // The caller that claimed it writes it once, before `publish`; the asker reads it after that. Not a `Result`: its
    // type would be looked up at run time, several times for each question.
    @exclusivity(unchecked) @usableFromInline var answer: UnsafeMutablePointer<Answer>?

    @inlinable
    override init(_ core: MailboxCore) {
        super.init(core)
    }

    /// Gives the asker `answer`, if it is the first result.
    @inlinable
    @discardableResult
    func settle(_ answer: Answer) -> Bool {
        guard claim() else { return false }
        let place = UnsafeMutablePointer<Answer>.allocate(capacity: 1)
        // Names aren't seen in this object.
        place.initialize(to: Exports.mayFindNames(in: Answer.self) ? Exports.outward(answer) : answer)
        self.answer = place
        publish()
        return true
    }

    /// Takes the answer, once there is one and no error.
    @inlinable
    func take() -> Answer {
        guard let place = answer else { fatalError("ChemLibrary: a question was answered without an answer") }
        answer = nil
        defer { place.deallocate() }
        return place.move()
    }

    deinit {
        // It came too late.
        guard let answer else { return }
        answer.deinitialize(count: 1)
        answer.deallocate()
    }
}
