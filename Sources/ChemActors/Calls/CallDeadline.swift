/// The deadline of a call with a time limit.
final class CallDeadline: Deadline, @unchecked Sendable {
    // Checked by hand: only `pass` touches `isFinal`, and its runs never overlap.
    private let call: Call
    /// Whether the grace period has been granted.
    private var isFinal = false

    /// A reaction that is possible when the time is up goes first, since a worker is about to take the call. But not
    /// for ever: all workers, or all threads of the pool, may be busy, so that none comes.
    private static var grace: Duration { .milliseconds(50) }

    init(_ call: Call, within duration: Duration, since begin: ContinuousClock.Instant?) {
        self.call = call
        let machine = call.join.machine
        super.init(at: (begin ?? machine.deadlines.now) + duration, ticket: machine.nextTicket())
    }

    override var home: Join? { call.mayReleaseValues ? call.join : nil }

    override func pass() -> Duration? {
        if call.withdrawAfterTimeout(isFinal: isFinal) { return nil }
        isFinal = true
        return Self.grace
    }
}

extension Join {
    /// Withdraws overdue calls on the timer's thread, because a worker is about to be busy for long.
    nonisolated func lookAtOverdueCalls() {
        machine.deadlines.add(
            Reminder(on: machine, after: .zero) { _ in
                self.soup.enter().withdrawingOverdueCalls().leaveAfterEnd()
            }
        )
    }
}
