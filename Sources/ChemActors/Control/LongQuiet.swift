import ChemBase

/// Reports that somebody has been waiting for long for a definition to become quiet.
final class LongQuiet: Deadline, @unchecked Sendable {
    // Checked by hand: nothing changes.
    private let join: Join

    private init(_ join: Join, _ patience: Duration) {
        self.join = join
        let machine = join.machine
        super.init(at: machine.deadlines.now + min(patience, Deadlines.longest), ticket: machine.nextTicket())
    }

    /// Begins to watch a wait for the quiet of `join`, if its machine loses patience some time. Whoever waits calls it
    /// off.
    static func watch(_ join: Join) -> LongQuiet? {
        guard let patience = join.machine.configuration.patience, join.machine.control == nil else { return nil }
        let watch = LongQuiet(join, patience)
        join.machine.deadlines.add(watch)
        return watch
    }

    func callOff() { join.machine.deadlines.remove(self) }

    override func pass() -> Duration? {
        let join = join
        join.machine.longWaits.report(in: join) { [self] _ in
            // The wait may have ended, and the definition be busy again.
            guard let explanation = join.whatKeepsItBusy(), !join.machine.deadlines.isOff(self) else { return }
            join.report(
                .waitsForLong(
                    molecule: "quiescence()",
                    location: join.location.description,
                    explanation: explanation
                )
            )
        }
        return nil
    }
}
