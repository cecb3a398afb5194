import ChemActors
import ChemBase
import Synchronization

// How a question gets its answer.

extension MailboxCore {
    /// Sends a question, unless that may have to wait for room. If nothing takes long, the actor handles it here.
    ///
    /// - Parameters:
    ///   - waiter: Who waits for the answer.
    ///   - letter: The question, which is taken if it is sent.
    ///   - duration: How long the asker waits, or nil for no limit.
    ///   - isolation: The actor of Swift's that the asker holds, if it does.
    /// - Returns: whether the waiter has the answer. If not, call `awaitAnswer`.
    /// - Throws: what the question ends with, if that isn't an answer.
    @usableFromInline
    func ask(
        _ waiter: AnyAnswerWaiter,
        _ letter: inout Letter?,
        within duration: Duration?,
        _ isolation: (any Actor)?
    ) throws -> Bool {
        if let duration { waiter.deadline = definition.clock.instant(after: max(duration, .zero)) }
        try Task.checkCancellation()
        guard isStarted || isTerminating else { throw MailboxError(.notStarted, self) }
        if handling.isCurrent, !isTerminating { throw MailboxError(.deadlock, self) }
        askers.add(1, ordering: .relaxed)
        guard case .slow = names.mail, !isTerminating else { return false }
        // Whoever handles it itself doesn't look at the time meanwhile.
        if duration != nil {
            if let letter = letter.take() { _ = tell(letter) }
            return false
        }
        // The letter holds the `ReplyTo`, whose `deinit` tells the asker, so it isn't held here any longer.
        let hasWorked = definition.work(for: waiter, holdsActor: isolation != nil) {
            if let letter = letter.take() { _ = tell(letter) }
        }
        guard hasWorked, waiter.hasResult else { return false }
        askers.subtract(1, ordering: .releasing)
        try waiter.check()
        return true
    }

    /// Sends the question if it wasn't sent yet, and waits for its answer, which the waiter has when this returns.
    @usableFromInline
    nonisolated(nonsending) func awaitAnswer(
        _ waiter: AnyAnswerWaiter,
        _ letter: consuming Letter?,
        within duration: Duration?,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws {
        defer { askers.subtract(1, ordering: .releasing) }
        if let letter = letter.take() {
            try await send(letter, within: duration, isQuestion: true, fileID, line)
            if waiter.hasResult { return try waiter.check() }
        }
        // Zero or less would leave the call no time to be taken, and this waits for the reply.
        let rest = waiter.deadline.map { max(definition.clock.now.duration(to: $0), .microseconds(1)) }
        do {
            try await withTaskCancellationHandler {
                if let rest {
                    try await names.ask(waiter, within: rest, fileID: fileID, line: line)
                } else {
                    try await names.ask(waiter, fileID: fileID, line: line)
                }
            } onCancel: {
                _ = waiter.fail(CancellationError())
            }
        } catch {
            // The call was withdrawn, or the definition has ended. Unless there is an answer, that is the result.
            _ = waiter.fail((error as? CallError).map { MailboxError($0, self) } ?? error)
        }
        guard waiter.hasResult else { throw MailboxError(.unanswered, self) }
        try waiter.check()
    }
}
