// The body of an `answer` declaration runs in the context of its caller, wherever the reaction runs.

extension Call: AnsweredCall {
    func begins(_ body: BodyScope) -> Bool {
        self.body = body
        body.isAwaitedByBody = isOfWaitingBody
        return cancelsBody
    }

    /// Runs the synchronous body that answers the call, so that it sees the context of its caller. Called on the thread
    /// of whoever runs the reaction.
    @inlinable
    @inline(__always)
    func perform(_ body: () -> Void) {
        if !hasContext || !performInContext(body) { body() }
    }

    @usableFromInline var hasContext: Bool { has(Mark.hasContext) }

    /// Returns false if the context is gone, because the caller has been told already.
    @usableFromInline
    func performInContext(_ body: () -> Void) -> Bool {
        guard let context = currentContext else { return false }
        return withoutActuallyEscaping(body) { context.run(.synchronous($0), on: nil) }
    }

    /// Starts the asynchronous body that answers the call, in the context of its caller. Called outside of the soup, on
    /// the thread of whoever runs the reaction.
    @usableFromInline
    func startBody(
        of reaction: ReactionDescription,
        on executor: (any TaskExecutor)?,
        _ operation: @escaping @Sendable () async -> Void
    ) {
        if runsHere {
            // The call hears of its body when that begins.
            soup.start(BodyScope(join, reaction, on: executor, answering: self, operation), in: .thisTask)
            return
        }
        let scope = BodyScope(join, reaction, on: executor, operation)
        let entry = soup.enter()
        body = scope
        scope.isAwaitedByBody = isOfWaitingBody
        let isAbandoned = cancelsBody
        let context = self.context
        entry.leaveUnchanged()
        if isAbandoned { scope.cancelWithCaller() }
        soup.start(scope, in: context.map { .context($0) } ?? .none)
    }

    /// As `perform`, for another attempt of a body that has failed.
    @usableFromInline
    func performAgain(_ body: () throws -> Void) throws {
        var failure: (any Error)?
        perform {
            do {
                try body()
            } catch {
                failure = error
                renewContext()
            }
        }
        if let failure { throw failure }
    }

    /// The asynchronous body that answers the call with what it returns, if the call waits for that for ever.
    func answeringBody(_ entry: borrowing SoupEntry) -> BodyScope? {
        stage == .taken && !isAnswered && !(isTimed && coversBody) ? body : nil
    }

    private var currentContext: CallerContext? {
        let entry = soup.enter()
        let context = self.context
        entry.leaveUnchanged()
        return context
    }

    /// Prepares for another attempt of a body that has failed. Called where it has failed, so the new context is that
    /// of the old one.
    @usableFromInline
    func renewContext() {
        guard hasContext, join.policy.retries, let new = CallerContext.make(on: join.machine) else { return }
        let entry = soup.enter()
        let (isTooLate, isAbandoned) = (isAnswered, cancelsBody)
        if !isTooLate { context = new }
        entry.leaveUnchanged()
        if isTooLate { new.end() } else if isAbandoned { new.cancel() }
    }

    /// Ends the context. Called by the caller, once the call is settled.
    @usableFromInline
    func endContext() {
        guard hasContext else { return }
        let entry = soup.enter()
        let context = self.context
        self.context = nil
        entry.leaveUnchanged()
        context?.end()
    }
}
