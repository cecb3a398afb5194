/// A failed reaction that will be tried again, or whose inputs will be put back, when its back-off is over.
final class PendingRetry: @unchecked Sendable {
    // Checked by hand: `isDue` belongs to the lock of the soup, the rest never changes.
    let reaction: ReactionDescription
    let attempt: Int
    private let ticket: UInt64
    private let error: any Error
    private let failure: Failure
    /// Whether its back-off is over; then only a pause holds it up.
    private(set) var isDue = false

    init(_ reaction: ReactionDescription, attempt: Int, error: any Error, failure: Failure) {
        self.reaction = reaction
        self.attempt = attempt
        self.error = error
        self.failure = failure
        ticket = reaction.join.machine.nextTicket()
    }

    /// Enters the list of the definition, and waits. False if the definition is deactivated.
    func schedule(after backOff: Duration) -> Bool {
        let join = reaction.join
        join.site.pointee.lock.lock()
        let isAccepted = !join.site.pointee.phase.ignoresInjections
        if isAccepted { join.site.pointee.retries[ticket] = self }
        join.site.pointee.lock.unlock()
        if isAccepted {
            // Weak: what is dropped meanwhile is released then, not when the back-off ends.
            Task.detached(executorPreference: join.machine.configuration.executor) { [weak self] in
                if backOff > .zero { try? await Task.sleep(for: backOff) }
                self?.markDue()
            }
        }
        return isAccepted
    }

    private func markDue() {
        let site = reaction.join.site
        site.pointee.lock.lock()
        isDue = true
        let isPaused = site.pointee.phase == .paused
        site.pointee.lock.unlock()
        if !isPaused { begin() }
    }

    /// Tries again, unless it has been dropped or begun.
    func begin() {
        let join = reaction.join
        join.site.pointee.lock.lock()
        // A pause that came meanwhile holds it up; whoever resumes begins it.
        guard join.site.pointee.phase != .paused, join.site.pointee.retries.removeValue(forKey: ticket) != nil else {
            join.site.pointee.lock.unlock()
            return
        }
        if failure.next == .putBack {
            join.site.beginChore()
            join.site.pointee.lock.unlock()
            failure.putBack()
            join.site.endChore()
            return
        }
        join.site.countStart()
        join.site.pointee.lock.unlock()
        join.site.startBody { [self] in
            do {
                try await failure.again()
            } catch {
                reaction.failed(error, failure, attempt: attempt + 1)
            }
        }
    }

    /// Gives up, because the definition was cleared or deactivated.
    func drop() {
        if failure.next == .again {
            failure.release(true)
            _ = failure.fail(error)
        }
        reaction.join.report(
            .droppedRetry(reaction: reaction.text, location: reaction.location.description, error: error)
        )
    }
}
