import ChemBase

/// Something short that is done once, after a while: a look, or the first word of a report.
final class Reminder: Deadline, @unchecked Sendable {
    // Checked by hand: nothing changes.
    private let act: @Sendable (Reminder) -> Void
    override var home: Join? { keeping }
    private let keeping: Join?

    /// - Parameters:
    ///   - machine: The machine whose clock it goes by.
    ///   - delay: How long to wait, once it is added.
    ///   - keeping: The definition of whose values it may be the last to have some.
    ///   - act: What to do, on the thread of the timer.
    init(
        on machine: ChemicalMachine,
        after delay: Duration,
        keeping: Join? = nil,
        _ act: @escaping @Sendable (Reminder) -> Void
    ) {
        self.act = act
        self.keeping = keeping
        super.init(at: machine.deadlines.now + min(delay, .longestWait), ticket: machine.nextTicket())
    }

    override func pass() -> Duration? {
        act(self)
        return nil
    }
}
