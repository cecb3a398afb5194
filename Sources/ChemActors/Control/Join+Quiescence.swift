import ChemBase

extension Join {
    /// Waits until the definition is quiet: no reaction possible, no body running, no retry pending, nothing on its way
    /// into the soup.
    ///
    /// ```swift
    /// for _ in 1...100 { counter.increment() }
    /// try await definition.quiescence()
    /// ```
    ///
    /// A definition dissolves as it becomes quiet if nobody holds a name of it. This handle doesn't count, and neither
    /// does a name after its last use. To look at what is left in the soup, keep a name until then:
    /// `extendLifetime(counter)`.
    ///
    /// Returns at once if the definition is quiet. Waiting calls don't prevent that, but a reaction that a pause holds
    /// up does. The definition may become busy again at any time if somebody injects.
    ///
    /// Who has waited for longer than ``ChemicalMachine/Configuration/patience`` is reported once, with what keeps the
    /// definition busy.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, and ``QuiescenceError`` from inside a body of this
    ///   definition, since the definition can't become quiet before that body has ended. Tasks that the body started
    ///   count as inside while the body runs, and so do bodies of a scope that it has entered.
    nonisolated(nonsending) public func quiescence() async throws {
        if BodyScope.surrounding.contains(where: { $0.join === self && $0.isRunning }) {
            throw QuiescenceError(definition: name)
        }
        machine.control?.touchesCancellation(.asks)
        defer { machine.control?.touchesCancellation(.asks) }
        try Task.checkCancellation()
        try await quiet(#isolation)
    }

    /// The closure captures the caller's `isolation`, and so needs no hop to another executor and back.
    private func quiet(_ isolation: isolated (any Actor)?) async throws {
        let ticket = machine.nextTicket()
        let watch = watchLongQuiet()
        defer { if let watch { machine.deadlines.remove(watch) } }
        try await withTaskCancellationHandler {
            _ = isolation
            return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else if waitForQuiet(ticket: ticket, .task(continuation)) {
                    continuation.resume()
                } else if Task.isCancelled {
                    // The handler may have run before the ticket was there.
                    stopWaiting(ticket: ticket)
                }
            }
        } onCancel: {
            machine.control?.touchesCancellation(.cancels)
            Interleaving.whole { stopWaiting(ticket: ticket) }
        }
    }

    /// Returns whether the definition is quiet. If not, `waiter` will be told.
    ///
    /// No control interrupts whoever asks: what could come before would be waited for, and after that the asker is as
    /// far as if it came afterwards.
    nonisolated func waitForQuiet(ticket: UInt64, _ waiter: QuietWaiter) -> Bool {
        soup.tell(of: .looks)
        let entry = soup.enter()
        let isQuiet = entry.isQuiet
        if !isQuiet {
            entry.state.quietWaiters.insert(waiter, under: ticket)
            entry.contents.life.isAwaited = true
        }
        entry.leaveUnchanged()
        return isQuiet
    }

    private nonisolated func stopWaiting(ticket: UInt64) {
        let entry = soup.enter()
        let waiter = entry.state.quietWaiters.remove(ticket)
        entry.leaveUnchanged()
        if case .task(let continuation) = waiter { continuation.resume(throwing: CancellationError()) }
    }
}

/// Why waiting for quiet failed: it was asked for inside a body of the definition that was to become quiet.
public struct QuiescenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the definition.
    public let definition: String

    /// A sentence that says what is wrong.
    public var description: String {
        "A body of '\(definition)' waits for the quiet of '\(definition)', which can't come before the body has ended."
    }
}
