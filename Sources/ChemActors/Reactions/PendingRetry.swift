import ChemBase

/// A failed reaction that will be tried again, or whose inputs will be put back, when its back-off is over.
///
/// It is in the list of its definition. When it is due, it counts as a possible reaction: a worker takes it like any
/// other, so pauses, the worker limit, the main actor and executors apply to it as well.
final class PendingRetry: Deadline, Retry, @unchecked Sendable {
    // Checked by hand: nothing changes but `failure`, which whoever takes this out of the soup takes out.
    let reaction: ReactionDescription
    /// Kept, since the timer may be about to offer this when it has been dropped, and the definition has gone.
    private let join: Join
    let attempt: Int
    private let backOff: Duration
    private let error: any Error
    /// Its inputs are in there. The timer, too, may have a reference to this, and must not be the last to have these.
    private var failure: Recovery?

    init(
        _ reaction: ReactionDescription,
        attempt: Int,
        error: any Error,
        failure: Recovery,
        after backOff: Duration
    ) {
        self.reaction = reaction
        join = reaction.join
        self.attempt = attempt
        self.error = error
        self.failure = failure
        self.backOff = backOff
        let machine = join.machine
        super.init(at: machine.deadlines.now + min(backOff, .longestWait), ticket: machine.nextTicket())
    }

    /// Enters the list of the definition, and waits. Returns false if the definition is deactivated.
    func schedule() -> Bool {
        let entry = join.soup.enter()
        let isAccepted = !entry.contents.life.phase.ignoresInjections
        if isAccepted { entry.add(self) }
        entry.leaveUnchanged()
        if isAccepted {
            if backOff > .zero { join.machine.deadlines.add(self) } else { _ = pass() }
        }
        return isAccepted
    }

    /// Its back-off is over: from now on a worker can take it.
    override func pass() -> Duration? {
        let entry = join.soup.enter()
        entry.offer(self)
        entry.leave()
        return nil
    }

    func run(_ entry: consuming SoupEntry) -> RetryEnd {
        let soup = entry.soup
        let failure = takeFailure()
        if failure.next == .putBack {
            entry.contents.life.choreBegan()
            entry.leave()
            failure.putBack()
            return .chore
        }
        entry.countStart()
        let observation = join.observation
        let notes = reaction.notes
        let start = notes.flatMap { observation?.startsAgain($0) } ?? 0
        entry.leave()
        let outer = observation.map { _ in ThreadMark.mark(reaction, start) }
        defer { if let outer { ThreadMark.mark(outer) } }
        switch failure.again {
        case .synchronous(let body):
            do {
                try body()
            } catch {
                reaction.failed(error, failure, attempt: attempt + 1)
            }
            return .body(reaction, start: start)
        case .asynchronous(let body, let call):
            let operation: @Sendable () async -> Void = { [reaction, attempt] in
                do {
                    try await body()
                } catch {
                    call?.renewContext()
                    reaction.failed(error, failure, attempt: attempt + 1)
                }
            }
            if let call {
                call.startBody(of: reaction, on: failure.executor, operation)
            } else {
                soup.startBody(of: reaction, on: failure.executor, operation)
            }
            return .nothing
        }
    }

    private func takeFailure() -> Recovery {
        guard let failure = failure.take() else { fatalError("ChemActors: a failed reaction was tried again twice") }
        return failure
    }

    /// Writes down, if that is recorded, that the inputs are dropped that were to be put back.
    private func noteDrop() {
        guard let observation = join.observation else { return }
        let entry = join.soup.enter()
        for input in reaction.inputs where input.kind == .slow {
            observation.putBack(input)
            observation.dropped(1, of: input)
        }
        entry.leaveUnchanged()
    }

    func drop() {
        join.machine.deadlines.remove(self)
        let failure = takeFailure()
        switch failure.next {
        case .again:
            failure.release(true)
            let end = FailedReaction()
            _ = failure.fail(error, end)
            end.resumeCallers()
        case .putBack: noteDrop()
        }
        join.report(
            .droppedRetry(reaction: reaction.text, location: reaction.location.description, error: error)
        )
    }
}
