import ChemBase

/// What can be done after a body has thrown.
struct Failure: Sendable {
    enum Next { case again, putBack }

    /// How to run the body once more: as it ran the first time.
    enum Attempt: Sendable {
        case synchronous(@Sendable () throws -> Void)
        case asynchronous((any TaskExecutor)?, @Sendable () async throws -> Void)
    }

    var next = Next.again
    /// Runs the body once more, and commits the states if it succeeds.
    let again: Attempt
    /// Gives the error to the callers. Returns whether one has got it: a body may have answered before it threw.
    let fail: @Sendable (any Error) -> Bool
    /// Puts the slow inputs back.
    let putBack: @Sendable () -> Void
    /// Puts the states back after the last attempt: as the body left them, or at their initial values.
    let release: @Sendable (_ asInitially: Bool) -> Void
}

extension ReactionDescription {
    /// Does what the policy of the definition says after a body has thrown.
    ///
    /// Called while the body counts as running, outside of the soup.
    ///
    /// - Parameters:
    ///   - inputs: The molecules that the reaction has consumed, with what it got for them.
    ///   - again: Runs the body once more, and commits the states if it succeeds.
    ///   - fail: Gives the error to the caller of an `answer`, if there is one. Returns whether there is.
    ///   - release: Puts the states back, once the reaction is not tried again.
    @usableFromInline
    @inline(never)
    func failed<each M: Molecule>(
        _ error: any Error,
        _ inputs: repeat (each M, (each M).Input),
        again: @escaping @Sendable () throws -> Void,
        fail: @escaping @Sendable (any Error) -> Bool,
        release: @escaping @Sendable (_ asInitially: Bool) -> Void
    ) {
        failed(error, repeat each inputs, attempt: .synchronous(again), fail: fail, release: release)
    }

    /// The same for an asynchronous body. In its task.
    @usableFromInline
    @inline(never)
    func failed<each M: Molecule>(
        _ error: any Error,
        _ inputs: repeat (each M, (each M).Input),
        again: @escaping @Sendable () async throws -> Void,
        fail: @escaping @Sendable (any Error) -> Bool,
        release: @escaping @Sendable (_ asInitially: Bool) -> Void
    ) {
        let attempt = Failure.Attempt.asynchronous(BodyScope.current?.executor, again)
        failed(error, repeat each inputs, attempt: attempt, fail: fail, release: release)
    }

    private func failed<each M: Molecule>(
        _ error: any Error,
        _ inputs: repeat (each M, (each M).Input),
        attempt: Failure.Attempt,
        fail: @escaping @Sendable (any Error) -> Bool,
        release: @escaping @Sendable (_ asInitially: Bool) -> Void
    ) {
        let inputs = (repeat each inputs)
        failed(
            error,
            Failure(
                again: attempt,
                fail: { error in
                    var isKnown = fail(error)
                    for (molecule, input) in repeat each inputs {
                        isKnown = molecule._fail(input, error, FailedReaction()) || isKnown
                    }
                    return isKnown
                },
                putBack: {
                    for (molecule, input) in repeat each inputs { molecule._putBack(input, FailedReaction()) }
                },
                release: release
            ),
            attempt: 0
        )
    }

    func failed(_ error: any Error, _ failure: Failure, attempt: Int) {
        join.site.pointee.lock.lock()
        join.site.pointee.failures += 1
        join.site.pointee.lock.unlock()
        let policy = join.policy.kind
        if error is CancellationError {
            giveUp(error, failure)
            return
        }
        switch policy {
        case .drop:
            break
        case .deactivate:
            giveUp(error, failure)
            join.deactivate()
            return
        case .retry(let times, let backOff):
            if attempt < times {
                let wait = min(backOff, Deadlines.longest) * (1 << min(attempt, 20))
                let retry = PendingRetry(self, attempt: attempt, error: error, failure: failure, after: wait)
                if retry.schedule() { return }
            }
        case .putBack(let backOff, let limit):
            join.site.pointee.lock.lock()
            putBacks += 1
            let mayPutBack = limit.map { putBacks <= $0 } ?? true
            join.site.pointee.lock.unlock()
            if mayPutBack {
                release(error, failure)
                var later = failure
                later.next = .putBack
                _ = PendingRetry(self, attempt: attempt, error: error, failure: later, after: backOff).schedule()
                return
            }
        }
        giveUp(error, failure)
    }

    /// The last attempt has failed: an error that no caller gets ends the scope.
    private func giveUp(_ error: any Error, _ failure: Failure) {
        let isKnown = release(error, failure)
        if !isKnown, let scope = join.machine.scope, !(error is CancellationError) { scope.fail(error, join.machine) }
    }

    /// Puts the states back, reports the failure, and tells the callers. Returns whether there is one.
    @discardableResult
    private func release(_ error: any Error, _ failure: Failure) -> Bool {
        // The states and the report first: whoever is told of the end may look at them.
        failure.release(false)
        join.report(.failedReaction(reaction: text, location: location.description, error: error))
        return failure.fail(error)
    }
}
