/// The time of a call that has one.
final class CallDeadline<Argument: Sendable, Answer: Sendable>: Deadline, @unchecked Sendable {
    // Checked by hand: `isFinal` belongs to whoever has it pass, one after the other.
    private let call: PendingCall<Argument, Answer>
    /// Whether there is no more grace.
    private var isFinal = false

    /// A reaction that is possible when the time is up has the right of way, since a worker is about to take the call.
    /// But not for ever: all workers, or all threads of the pool, may be busy, and none may come.
    private static var grace: Duration { .milliseconds(50) }

    init(_ call: PendingCall<Argument, Answer>, within duration: Duration) {
        self.call = call
        super.init(at: .now + duration, ticket: call.join.machine.nextTicket())
    }

    override func pass() -> Duration? {
        if call.withdrawAfterTimeout(isFinal: isFinal) { return nil }
        isFinal = true
        return Self.grace
    }
}

/// A look at the calls whose time is up, by the thread of the timer, since a worker is about to be busy for long.
final class OverdueLook: Deadline, @unchecked Sendable {
    // Checked by hand: nothing changes.
    private let join: Join

    init(_ join: Join) {
        self.join = join
        super.init(at: .now, ticket: join.machine.nextTicket())
    }

    override func pass() -> Duration? {
        join.soup.enter().withdrawingOverdueCalls().leaveAfterEnd()
        return nil
    }
}
