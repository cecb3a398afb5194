import ChemBase

extension Call {
    /// What reports the call once it has been waiting for too long.
    ///
    /// As long as a limit is about to end it, nobody has to be told: its error says then what was missing.
    ///
    /// - Parameters:
    ///   - limit: How long the caller waits for a reaction to take it, or for the answer.
    ///   - body: The body whose task makes the call, if it is one.
    /// - Returns: the reminder, which isn't added yet.
    final func reminder(within limit: Duration?, of body: BodyScope?) -> Reminder? {
        guard let patience = join.machine.configuration.patience, join.machine.isTimed else { return nil }
        if limit != nil, coversBody { return nil }
        let delay = min(patience, .longestWait) + min(limit ?? .zero, .longestWait)
        let reaction = body?.join === join ? body?.reaction : nil
        return Reminder(on: join.machine, after: delay, keeping: mayReleaseValues ? join : nil) { _ in
            if !self.isAnswered { self.reportLongWait(in: reaction) }
        }
    }

    private func reportLongWait(in body: ReactionDescription?) {
        join.machine.longWaits.report(in: join) { explain in
            guard let explanation = self.explanationOfWait(in: body, explain) else { return }
            self.join.report(
                .waitsForLong(
                    molecule: self.slot.name,
                    location: self.location.description,
                    explanation: explanation
                )
            )
        }
    }

    /// What the call waits for, or nil if it is answered. Under the lock, it notes only what changes.
    ///
    /// - Parameters:
    ///   - body: The reaction of the same definition whose body waits in the call.
    ///   - explain: Finds out more, if the machine records.
    /// - Returns: a sentence for each reaction, or lines that follow the causes.
    fileprivate func explanationOfWait(
        in body: ReactionDescription?,
        _ explain: ((WaitingCall) -> String)?
    ) -> String? {
        let entry = soup.enter()
        let reactions = entry.state.chemistry.reactions
        guard isWaiting(entry) else {
            entry.leaveUnchanged()
            return isAnswered ? nil : explain?(self) ?? whoMayHaveTaken(reactions)
        }
        if let explain {
            entry.leaveUnchanged()
            return explain(self)
        }
        let reasons = ReasonsToWait(self, in: body, entry)
        entry.leaveUnchanged()
        return reasons.description
    }

    /// The reactions that may have taken it: without a recorder, nobody notes which one has.
    private func whoMayHaveTaken(_ reactions: [ReactionDescription]) -> String {
        let takers = Chemistry.names(of: reactions.filter { $0.copies(of: slot) > 0 })
        return "a reaction has taken it and not answered it yet: \(takers); what its body waits for, explainStuck() "
            + "says where a recorder is on (CHEMACTORS_RECORDER=flight)"
    }
}
