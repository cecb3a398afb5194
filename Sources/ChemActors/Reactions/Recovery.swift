import ChemBase

/// What can be done after a body has thrown.
@usableFromInline
struct Recovery: Sendable {
    enum Next { case again, putBack }

    /// How to run the body once more: the way it ran the first time.
    @usableFromInline
    enum Attempt: Sendable {
        case synchronous(@Sendable () throws -> Void)
        case asynchronous(@Sendable () async throws -> Void, of: Call?)
    }

    /// Whoever gets what the body of an `answer` throws.
    @usableFromInline
    enum Caller: Sendable {
        /// Nobody: it is no `answer`.
        case none
        /// The caller in whose task the body has run.
        case here
        case waiting(Call)
    }

    var next = Next.again
    /// Runs the body once more, and commits the states if it succeeds.
    let again: Attempt
    /// The executor that the reaction asks for, if its body is asynchronous.
    let executor: (any TaskExecutor)?
    /// Has the calls end with the error. Returns whether one of them does: a body may have answered before it threw.
    let fail: @Sendable (any Error, borrowing FailedReaction) -> Bool
    /// Puts the slow inputs back.
    let putBack: @Sendable () -> Void
    /// Puts the states back after the last attempt: as the body left them, or at their initial values.
    let release: @Sendable (_ asInitially: Bool) -> Void

    /// Whether the body was cancelled because the time of its caller was up, which covered it.
    var isForNobody: Bool {
        if case .asynchronous(_, of: let call?) = again { call.hasExpired } else { false }
    }
}

extension ReactionDescription {
    /// Applies the failure policy of the definition after a body has thrown.
    ///
    /// Called outside of the soup, while the body still counts as running. For an asynchronous body its task calls it.
    ///
    /// - Parameters:
    ///   - error: What the body has thrown.
    ///   - inputs: The molecules that the reaction has consumed.
    ///   - values: What the body got for them.
    ///   - again: Runs the body once more, and commits the states if it succeeds.
    ///   - caller: Who gets the error of an `answer`.
    ///   - release: Puts the states back, once the reaction won't be tried again.
    @usableFromInline
    @inline(never)
    func failed<Inputs: Molecule>(
        _ error: any Error,
        _ inputs: Inputs,
        _ values: Inputs.Input,
        _ again: Recovery.Attempt,
        caller: Recovery.Caller,
        release: @escaping @Sendable (_ asInitially: Bool) -> Void
    ) {
        failed(
            error,
            Recovery(
                again: again,
                executor: BodyScope.current?.executor,
                fail: { error, end in
                    let isKnown =
                        switch caller {
                        case .none: false
                        case .here: true
                        // One whose time was up, and covered the body, has been told: its body was cancelled.
                        case .waiting(let call): end.tell(call, error) || call.hasExpired
                        }
                    return inputs._fail(values, error, end) || isKnown
                },
                putBack: { inputs._putBack(values, FailedReaction()) },
                release: release
            ),
            attempt: 0
        )
    }

    func failed(_ error: any Error, _ failure: Recovery, attempt: Int) {
        let type = notes == nil ? "" : String(describing: Swift.type(of: error))
        let entry = join.soup.enter()
        entry.state.failures += 1
        if let notes { join.observation?.failed(notes, Sender.current.start(of: self), with: type) }
        entry.leaveUnchanged()
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
            if attempt < times, !failure.isForNobody {
                let wait = min(backOff, .longestWait) * (1 << min(attempt, 20))
                let retry = PendingRetry(self, attempt: attempt, error: error, failure: failure, after: wait)
                if retry.schedule() { return }
            }
        case .putBack(let backOff, let limit):
            let entry = join.soup.enter()
            putBacks += 1
            let mayPutBack = limit.map { putBacks <= $0 } ?? true
            entry.leaveUnchanged()
            if mayPutBack {
                release(error, failure, drops: false)
                var later = failure
                later.next = .putBack
                let putBack = PendingRetry(self, attempt: attempt, error: error, failure: later, after: backOff)
                // A definition that was deactivated meanwhile drops them, and says so.
                if !putBack.schedule() { later.putBack() }
                return
            }
        }
        giveUp(error, failure)
    }

    /// Gives up after the last attempt has failed: an error that no caller gets ends the scope.
    private func giveUp(_ error: any Error, _ failure: Recovery) {
        let isKnown = release(error, failure, drops: true)
        guard !isKnown, !(error is CancellationError) else { return }
        if let scope = join.machine.scope {
            scope.fail(error, join.machine)
        } else {
            join.machine.control?.fails(reaction: "\(join.name): \(text) (\(location))", error)
        }
    }

    /// Puts the states back, reports the failure, and tells the callers. Returns whether there was one to tell. With
    /// `drops`, the slow inputs are gone, since nobody puts them back.
    @discardableResult
    private func release(_ error: any Error, _ failure: Recovery, drops: Bool) -> Bool {
        // The states and the report come first, because a caller that is told of the end may look at them.
        failure.release(false)
        let end = FailedReaction()
        let isKnown = failure.fail(error, end)
        let dropped = drops ? inputs.filter { $0.kind == .slow }.map(\.name) : []
        if !dropped.isEmpty { noteLoss(by: error) }
        join.report(
            .failedReaction(reaction: text, location: location.description, error: error),
            isKnownToCaller: isKnown,
            dropping: dropped
        )
        end.resumeCallers()
        return isKnown
    }
}
