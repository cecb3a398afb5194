import ChemActors
import Synchronization

/// The way to answer a question. A message sent with `ask` carries one.
///
/// ```swift
/// case .total(let reply): reply(total)
/// ```
///
/// You can keep it and answer later. The first answer counts. When the last reference to an unanswered `ReplyTo` goes
/// away, the asker gets a ``MailboxError`` with ``MailboxError/Code/unanswered``, so nobody is left waiting.
public final class ReplyTo<Answer: Sendable>: Sendable {
    private let waiter: AnswerWaiter<Answer>

    init(_ waiter: AnswerWaiter<Answer>) {
        self.waiter = waiter
    }

    /// Answers the question.
    ///
    /// - Parameter answer: The answer.
    /// - Returns: whether the asker gets the answer: false if the question was answered before, or the asker no longer
    ///   waits.
    @discardableResult
    public func callAsFunction(_ answer: Answer) -> Bool { waiter.settle(.success(answer)) }

    /// Answers the question with an error, which `ask` throws to the asker.
    ///
    /// - Parameter error: The error.
    /// - Returns: whether the asker gets the error.
    @discardableResult
    public func fail(_ error: any Error) -> Bool { waiter.settle(.failure(error)) }

    /// Whether nobody is waiting for the answer any more.
    public var isAbandoned: Bool { waiter.isSettled }

    deinit {
        if !waiter.isSettled {
            waiter.settle(.failure(MailboxError(waiter.core.isOver ? .terminated : .unanswered, waiter.core)))
        }
    }
}

extension ReplyTo where Answer == Void {
    /// Answers a question that expects no value.
    @discardableResult
    public func callAsFunction() -> Bool { self(()) }
}

/// A waiting asker, independent of the type of its answer.
class AnyAnswerWaiter: @unchecked Sendable {
    // Checked by hand: the reaction that takes the call writes `reply` once, before it sets `isBound`; the caller that
    // finds both flags set reads it. The asker writes `deadline` before it waits.
    private static let isClaimed = 1
    private static let isWritten = 2
    private static let isBound = 4

    let core: MailboxCore
    private let flags = Atomic<Int>(0)
    private var reply: Reply<AnyAnswerWaiter, Void>?
    /// When the asker gives up.
    var deadline: ContinuousClock.Instant?

    init(_ core: MailboxCore) {
        self.core = core
    }

    var isSettled: Bool { flags.load(ordering: .acquiring) & Self.isClaimed != 0 }

    /// Whether there is a result that the asker may read.
    var hasResult: Bool { flags.load(ordering: .acquiring) & Self.isWritten != 0 }

    /// Claims the right to write the result. Returns whether the caller has it.
    func claim() -> Bool {
        flags.bitwiseOr(Self.isClaimed, ordering: .acquiringAndReleasing).oldValue & Self.isClaimed == 0
    }

    /// Marks the result as written, and wakes the asker if it is already waiting.
    func publish() {
        if flags.bitwiseOr(Self.isWritten, ordering: .acquiringAndReleasing).oldValue & Self.isBound != 0 { wake() }
    }

    /// Marks the asker as waiting, and wakes it if there is already a result.
    func bind(_ reply: Reply<AnyAnswerWaiter, Void>) {
        if let deadline {
            // The asker itself reports cancellation, at once.
            reply.onCancel { [self] in
                if deadline <= .now { fail(MailboxError(.timedOut, core)) }
            }
        }
        self.reply = reply
        if flags.bitwiseOr(Self.isBound, ordering: .acquiringAndReleasing).oldValue & Self.isWritten != 0 { wake() }
    }

    private func wake() {
        let reply = self.reply.take()
        reply?()
    }

    /// Ends the wait with an error, unless there is a result.
    @discardableResult
    func fail(_ error: any Error) -> Bool { fatalError("ChemLibrary: every waiter has a type") }
}

/// A waiting asker. The first result counts.
final class AnswerWaiter<Answer: Sendable>: AnyAnswerWaiter, @unchecked Sendable {
    // The caller that claimed it writes it once, before `publish`; the asker reads it after that.
    private var stored: Result<Answer, any Error>?

    /// Gives the asker `result`, if it is the first.
    @discardableResult
    func settle(_ result: Result<Answer, any Error>) -> Bool {
        guard claim() else { return false }
        stored = result
        publish()
        return true
    }

    @discardableResult
    override func fail(_ error: any Error) -> Bool { settle(.failure(error)) }

    /// The result, once there is one.
    var result: Result<Answer, any Error>? { hasResult ? stored : nil }
}
