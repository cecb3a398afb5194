import ChemBase
import Synchronization

// What the caller does, from its call to the outcome.

extension Call {
    /// Enters the soup and waits for the outcome, or until the task is cancelled or the time is up.
    ///
    /// The closures capture the caller's `isolation`, and so need no hop to another executor and back.
    @usableFromInline
    func run(within duration: Duration? = nil, _ isolation: isolated (any Actor)?) async {
        var help = prepare(within: duration, holdsActor: isolation != nil)
        // Where it mostly has to hear of a cancellation, nothing is tried without.
        let entering = slot.isAnsweredAsynchronously.load(ordering: .relaxed) ? .begins : enter(help)
        if entering == .ends { return }
        var waiting: Waiting?
        await withTaskCancellationHandler {
            _ = isolation
            if entering == .begins {
                help.mayBegin = true
                guard enter(help) == .waits else { return }
                // A cancellation before it was in the soup has withdrawn nothing.
                if cancelsBody { withdraw(CancellationError()) }
            }
            waiting = beginWaiting(within: duration)
            await withCheckedContinuation { suspend($0) }
        } onCancel: {
            tellOfCancellation(.cancels)
            Interleaving.whole { withdraw(CancellationError()) }
        }
        if let waiting { endWaiting(waiting) }
    }

    /// Who looks after a call while it waits.
    private typealias Waiting = (deadline: CallDeadline?, patience: Reminder?, body: BodyScope?)

    private func beginWaiting(within duration: Duration?) -> Waiting {
        let deadline = duration.flatMap {
            $0 > .zero || coversBody ? CallDeadline(self, within: $0, since: begin) : nil
        }
        let body = BodyScope.ofCurrentTask
        let patience = reminder(within: duration, of: body)
        if let deadline { join.machine.deadlines.add(deadline) }
        if let patience { join.machine.deadlines.add(patience) }
        if let body { beginWaiting(body) }
        return (deadline, patience, body)
    }

    private func endWaiting(_ waiting: Waiting) {
        if let deadline = waiting.deadline { join.machine.deadlines.remove(deadline) }
        if let patience = waiting.patience { join.machine.deadlines.remove(patience) }
        waiting.body?.endWaiting()
        tellOfCancellation(.asks)
        // Whoever settled the call wrote this before resuming the task. If the task is resumed before it has suspended,
        // ThreadSanitizer doesn't know that the resumption comes before what the task does next, so the outcome would
        // look like a race.
        _ = isSettled
    }
}
