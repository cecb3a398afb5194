/// What can be done after a body has thrown.
struct Failure: Sendable {
    enum Next { case again, putBack }

    var next = Next.again
    /// Runs the body once more, and commits the states if it succeeds.
    let again: @Sendable () async throws -> Void
    /// Gives the error to the callers.
    let fail: @Sendable (any Error) -> Void
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
    ///   - fail: Gives the error to the caller of an `answer`, if there is one.
    ///   - release: Puts the states back, once the reaction is not tried again.
    @usableFromInline
    @inline(never)
    func failed<each M: Molecule>(
        _ error: any Error,
        _ inputs: repeat (each M, (each M).Input),
        again: @escaping @Sendable () async throws -> Void,
        fail: @escaping @Sendable (any Error) -> Void,
        release: @escaping @Sendable (_ asInitially: Bool) -> Void
    ) {
        let inputs = (repeat each inputs)
        failed(
            error,
            Failure(
                again: again,
                fail: { error in
                    fail(error)
                    for (molecule, input) in repeat each inputs { molecule._fail(input, error) }
                },
                putBack: {
                    for (molecule, input) in repeat each inputs { molecule._putBack(input) }
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
                let retry = PendingRetry(self, attempt: attempt, error: error, failure: failure)
                if retry.schedule(after: backOff * (1 << min(attempt, 20))) { return }
            }
        case .putBack(let backOff, let limit):
            join.site.pointee.lock.lock()
            putBacks += 1
            let mayPutBack = limit.map { putBacks <= $0 } ?? true
            join.site.pointee.lock.unlock()
            if mayPutBack {
                giveUp(error, failure)
                var later = failure
                later.next = .putBack
                _ = PendingRetry(self, attempt: attempt, error: error, failure: later).schedule(after: backOff)
                return
            }
        }
        giveUp(error, failure)
    }

    private func giveUp(_ error: any Error, _ failure: Failure) {
        // The states and the report first: whoever is told of the end may look at them.
        failure.release(false)
        join.report(.failedReaction(reaction: text, location: location.description, error: error))
        failure.fail(error)
        if !hasCaller, let scope = join.machine.scope, !(error is CancellationError) { scope.fail(error, join.machine) }
    }
}
