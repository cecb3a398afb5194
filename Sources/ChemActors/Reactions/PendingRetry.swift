import ChemBase

/// A failed reaction that will be tried again, or whose inputs will be put back, when its back-off is over.
///
/// It lies in the list of its definition. When it is due, it counts as a possible reaction: a worker takes it like any
/// other, so pauses, the limit of workers, the main actor and executors hold for it as well.
final class PendingRetry: Deadline, @unchecked Sendable {
    // Checked by hand: nothing changes.
    let reaction: ReactionDescription
    let attempt: Int
    private let backOff: Duration
    private let ticket: UInt64
    private let error: any Error
    private let failure: Failure

    init(
        _ reaction: ReactionDescription,
        attempt: Int,
        error: any Error,
        failure: Failure,
        after backOff: Duration
    ) {
        self.reaction = reaction
        self.attempt = attempt
        self.error = error
        self.failure = failure
        self.backOff = backOff
        ticket = reaction.join.machine.nextTicket()
        super.init(at: .now + min(backOff, Deadlines.longest), ticket: ticket)
    }

    /// Enters the list of the definition, and waits. False if the definition is deactivated.
    func schedule() -> Bool {
        let site = reaction.join.site
        site.pointee.lock.lock()
        let isAccepted = !site.pointee.phase.ignoresInjections
        if isAccepted { site.pointee.retries.insert(self, under: ticket) }
        site.pointee.lock.unlock()
        if isAccepted {
            if backOff > .zero { reaction.join.machine.deadlines.add(self) } else { _ = pass() }
        }
        return isAccepted
    }

    /// Its back-off is over: from now on a worker can take it.
    override func pass() -> Duration? {
        let site = reaction.join.site
        site.pointee.lock.lock()
        // It may have been dropped meanwhile.
        if site.pointee.retries.contains(ticket) {
            site.pointee.dueRetries.append(self)
            site.pointee.soup.canRepeat = true
        }
        site.leave()
        return nil
    }

    /// Tries again, or puts the inputs back. By a worker or the main actor's, which has counted nothing yet. Entered and left
    /// under the lock.
    func run() {
        let site = reaction.join.site
        _ = site.pointee.retries.remove(ticket)
        if failure.next == .putBack {
            site.beginChore()
            site.leave()
            failure.putBack()
            site.pointee.lock.lock()
            site.pointee.chores -= 1
            return
        }
        site.countStart()
        site.leave()
        switch failure.again {
        case .synchronous(let body):
            do {
                try body()
            } catch {
                failed(again: error)
            }
            site.pointee.lock.lock()
            site.pointee.running &-= 1
        case .asynchronous(let body):
            site.startBody(on: failure.executor) {
                do {
                    try await body()
                } catch {
                    self.failed(again: error)
                }
            }
            site.pointee.lock.lock()
        }
    }

    private func failed(again error: any Error) {
        reaction.failed(error, failure, attempt: attempt + 1)
    }

    /// Gives up, because the definition was cleared or deactivated, or because nobody is left who could end its pause.
    func drop() {
        reaction.join.machine.deadlines.remove(self)
        if failure.next == .again {
            failure.release(true)
            _ = failure.fail(error)
        }
        reaction.join.report(
            .droppedRetry(reaction: reaction.text, location: reaction.location.description, error: error)
        )
    }
}

extension UnsafeMutablePointer where Pointee == ReactionSite {
    /// Takes the failed reaction that has been due for longest. Under the lock, when the repetition was chosen.
    func takeDueRetry() -> PendingRetry {
        guard let retry = pointee.dueRetries.popFirst() else {
            fatalError("ChemActors: nothing to try again")
        }
        pointee.soup.canRepeat = !pointee.dueRetries.isEmpty
        return retry
    }

    /// Takes out all failed reactions that wait. Under the lock.
    func removeRetries() -> [PendingRetry] {
        _ = pointee.dueRetries.removeAll()
        pointee.soup.canRepeat = false
        return pointee.retries.removeAll()
    }
}
