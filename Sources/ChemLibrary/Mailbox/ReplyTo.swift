import ChemActors
import Synchronization

/// The way to answer a question: a message that is asked carries one.
///
/// ```swift
/// case .total(let reply): reply(total)
/// ```
///
/// It can be kept and answered later. The first answer counts. When the last reference to an unanswered one goes, the
/// asker gets a ``MailboxError`` with ``MailboxError/Code/unanswered``: nobody is left waiting.
public final class ReplyTo<Answer: Sendable>: Sendable {
    private let waiter: AnswerWaiter<Answer>

    init(_ waiter: AnswerWaiter<Answer>) {
        self.waiter = waiter
    }

    /// Answers the question.
    ///
    /// - Parameter answer: The answer.
    /// - Returns: whether the asker gets it: false if it has been answered, or the asker doesn't wait any more.
    @discardableResult
    public func callAsFunction(_ answer: Answer) -> Bool { waiter.settle(.success(answer)) }

    /// Answers the question with an error, which the asker's `try` gets.
    ///
    /// - Parameter error: The error.
    /// - Returns: whether the asker gets it.
    @discardableResult
    public func fail(_ error: any Error) -> Bool { waiter.settle(.failure(error)) }

    /// Whether nobody waits for the answer any more.
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

/// An asker that waits, whatever the type of its answer.
class AnyAnswerWaiter: @unchecked Sendable {
    // Checked by hand: `reply` is written once, by the reaction that takes the call, before it sets `isBound`; it is
    // read by whoever finds both flags set. `deadline` is written by the asker before it waits.
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

    /// Whether the caller is the one who may write the result.
    func claim() -> Bool {
        flags.bitwiseOr(Self.isClaimed, ordering: .acquiringAndReleasing).oldValue & Self.isClaimed == 0
    }

    /// The result is written: wakes the asker if it waits already.
    func publish() {
        if flags.bitwiseOr(Self.isWritten, ordering: .acquiringAndReleasing).oldValue & Self.isBound != 0 { wake() }
    }

    /// The asker waits: wakes it if there is a result already.
    func bind(_ reply: Reply<AnyAnswerWaiter, Void>) {
        if let deadline {
            // Cancellation is told by the asker itself, at once.
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

/// An asker that waits: the first result counts.
final class AnswerWaiter<Answer: Sendable>: AnyAnswerWaiter, @unchecked Sendable {
    // Written once, by whoever has claimed it, before `publish`; read by the asker after that.
    private var stored: Result<Answer, any Error>?

    /// Gives the asker its result, if it is the first.
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
