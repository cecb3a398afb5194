extension MailboxActor where Message: Sendable {
    /// Sends a message that carries a way to answer, and waits for the answer.
    ///
    /// ```swift
    /// let total = try await account.ask(within: .seconds(1)) { .total($0) }
    /// ```
    ///
    /// The question takes its place in the mailbox like any other message of its sender. A call that is cancelled or
    /// times out ends at once, whether the message is waiting or being handled, and leaves nothing behind. A later
    /// answer is ignored, and ``ReplyTo/isAbandoned`` tells the handler.
    ///
    /// Asking an actor from its own handler fails at once, since it would wait for itself; from a child task of the
    /// handler it waits. Asking an actor that nobody has started fails at once, whereas messages told to it wait in
    /// its mailbox.
    ///
    /// - Parameters:
    ///   - duration: How long to wait for the answer, or nil for no limit. Zero or less may already be too late.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - message: Makes the message from the reply that it carries.
    /// - Returns: the answer.
    /// - Throws: the error that the handler answers with; a ``MailboxError``, with the code
    ///   ``MailboxError/Code/notStarted`` if nobody has called ``start()``, and ``MailboxError/Code/deadlock`` in the
    ///   actor's own handler; or `CancellationError`.
    @inlinable
    nonisolated(nonsending) public func ask<Answer: Sendable>(
        within duration: Duration? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ message: (ReplyTo<Answer>) -> Message
    ) async throws -> Answer {
        let waiter = AnswerWaiter<Answer>(core)
        var letter: Letter? = core.letter(message(ReplyTo(waiter)))
        if try !core.ask(waiter, &letter, within: duration, #isolation) {
            try await core.awaitAnswer(waiter, letter.take(), within: duration, fileID, line)
        }
        return waiter.take()
    }
}
