import ChemBase

/// Something short that is done once, after a while: a look, or the first word of a report.
final class Reminder: Deadline, @unchecked Sendable {
    // Checked by hand: nothing changes.
    private let act: @Sendable (Reminder) -> Void
    override var mayReleaseValues: Bool { keepsValues }
    private let keepsValues: Bool

    /// - Parameters:
    ///   - machine: The machine whose clock it goes by.
    ///   - delay: How long to wait, once it is added.
    ///   - keepsValues: Whether it may be the last to have values of a user, such as the argument of a call.
    ///   - act: What to do, on the thread of the timer.
    init(
        on machine: ChemicalMachine,
        after delay: Duration,
        keepsValues: Bool = false,
        _ act: @escaping @Sendable (Reminder) -> Void
    ) {
        self.act = act
        self.keepsValues = keepsValues
        super.init(at: machine.deadlines.now + min(delay, .longestWait), ticket: machine.nextTicket())
    }

    override func pass() -> Duration? {
        act(self)
        return nil
    }
}
