extension Join {
    /// Begins to watch a wait for the quiet of this definition, by somebody or by the end of its scope. It is reported
    /// if it takes longer than its machine has patience. Whoever waits calls it off.
    ///
    /// - Returns: what watches, or nil if the machine has any amount of patience.
    nonisolated func watchLongQuiet() -> Reminder? {
        guard let patience = machine.configuration.patience, machine.control == nil else { return nil }
        let watch = Reminder(on: machine, after: patience) { self.reportLongQuiet($0) }
        machine.deadlines.add(watch)
        return watch
    }

    private nonisolated func reportLongQuiet(_ watch: Reminder) {
        machine.longWaits.report(in: self) { _ in
            // The wait may have ended, and the definition be busy again.
            guard let explanation = self.whatKeepsItBusy(), !self.machine.deadlines.isOff(watch) else { return }
            self.report(
                .waitsForLong(
                    molecule: "quiescence()",
                    location: self.location.description,
                    explanation: explanation
                )
            )
        }
    }
}
