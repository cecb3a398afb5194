import ChemBase

/// Reports a call that has been waiting for long.
final class Patience: Deadline, @unchecked Sendable {
    // Checked by hand: nothing changes.
    private let call: Call

    init(_ call: Call, _ patience: Duration) {
        self.call = call
        let machine = call.join.machine
        super.init(at: machine.deadlines.now + min(patience, Deadlines.longest), ticket: machine.nextTicket())
    }

    override func pass() -> Duration? {
        guard !call.isAnswered else { return nil }
        let call = self.call
        call.join.machine.longWaits.report(in: call.join) { explain in
            guard let explanation = call.explanationOfWait(explain) else { return }
            call.join.report(
                .waitsForLong(
                    molecule: call.slot.name,
                    location: call.location.description,
                    explanation: explanation
                )
            )
        }
        return nil
    }
}

extension Call {
    /// What the call waits for, or nil if it is answered. Under the lock, it notes only what changes.
    ///
    /// - Parameter explain: Finds out more, if the machine records.
    /// - Returns: a sentence for each reaction, or lines that follow the causes.
    fileprivate func explanationOfWait(_ explain: ((WaitingCall) -> String)?) -> String? {
        let entry = soup.enter()
        let reactions = entry.state.chemistry.reactions
        guard isWaiting(entry) else {
            entry.leaveUnchanged()
            return isAnswered ? nil : explain?(self) ?? whoMayHaveTaken(reactions)
        }
        var missing: [(reaction: Chemistry.Declaration, slots: [Slot], guards: [() -> String])] = []
        for use in slot.header.pointee.uses {
            let reaction = reactions[Int(use.reaction)]
            let slots = reaction.inputs.filter { $0.present(entry) < reaction.copies(of: $0) }
            missing.append((reaction, slots, reaction.gates.compactMap { slot.lack(of: $0, for: self, entry) }))
        }
        let (life, isReachable) = (entry.contents.life, entry.isReachable)
        entry.leaveUnchanged()
        if let explain { return explain(self) }
        let sentences = missing.map { reaction, slots, guards in
            var names: [String] = []
            for slot in slots where !names.contains(slot.name) { names.append(slot.name) }
            names += guards.map { $0() }
            return "\(reaction.description.text) (\(reaction.description.location)) "
                + (names.isEmpty ? "is possible" : "lacks \(names.joined(separator: ", "))")
        }
        return "\((sentences + [Self.whoIsLeft(life, isReachable: isReachable)]).joined(separator: "; "))"
    }

    /// The reactions that may have taken it: without a recorder, nobody notes which one has.
    private func whoMayHaveTaken(_ reactions: [Chemistry.Declaration]) -> String {
        let takers = Chemistry.names(of: reactions.filter { $0.copies(of: slot) > 0 })
        return "a reaction has taken it and not answered it yet: \(takers)"
    }

    /// Who could still inject something into the definition.
    private static func whoIsLeft(_ life: Lifecycle, isReachable: Bool) -> String {
        if life.phase == .paused { return "the definition is paused" }
        if life.running == 1 { return "a body of the definition runs" }
        if life.running > 0 { return "\(life.running) bodies of the definition run" }
        if life.retries > 0 { return "a failed reaction of the definition will be tried again" }
        return isReachable
            ? "no body of the definition runs: it is up to whoever holds its names"
            : "no body of the definition runs, and nobody holds its names"
    }
}
