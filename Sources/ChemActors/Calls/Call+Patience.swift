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
        return Reminder(on: join.machine, after: delay) { _ in
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
        var lacks: [(reaction: ReactionDescription, slots: [Slot], guards: [() -> String])] = []
        for use in slot.header.pointee.uses {
            let reaction = reactions[Int(use.reaction)]
            let slots = reaction.molecules.filter { $0.slot.present(entry) < $0.copies }.map(\.slot)
            lacks.append((reaction, slots, reaction.gates.compactMap { slot.lack(of: $0, for: self, entry) }))
        }
        let missing = lacks.flatMap(\.slots)
        let neverInjected = missing.filter { $0.kind == .slow && $0.header.pointee.injected == 0 }
        let losers = reactions.compactMap { reaction in
            missing.contains { $0.kind == .slow && reaction.copies(of: $0) > 0 }
                ? reaction.losses(entry).map { (reaction, $0) } : nil
        }
        let (life, isReachable) = (entry.contents.life, entry.isReachable || !entry.state.inner.isEmpty)
        entry.leaveUnchanged()
        if let explain { return explain(self) }
        // What goes on may be all there is to know.
        let left = Self.whoIsLeft(life, isReachable: isReachable)
        let isBusy = life.running > 0 && life.phase != .paused
        var sentences = isBusy ? ["\(left), and \(Self.whatMayCome(missing))"] : []
        sentences += lacks.map { reaction, slots, guards in
            let names = slots.map(\.name) + guards.map { $0() }
            return "\(reaction.text) (\(reaction.location)) "
                + (names.isEmpty ? "is possible" : "lacks \(names.joined(separator: ", "))")
        }
        sentences += neverInjected.map { "nobody has injected \($0.name) (\($0.location)) so far" }
        sentences += losers.map { reaction, losses in
            let times = losses.count == 1 ? "once" : "\(losses.count) times, the last time"
            return "\(reaction.text) (\(reaction.location)) has failed \(times) with "
                + "\(losses.last), and has consumed what it had taken"
        }
        let own = body.map { body in missing.filter { slot in body.inputs.contains { $0 === slot } } } ?? []
        if let body, !own.isEmpty {
            sentences.append(
                "the call is made by the body of \(body.text) (\(body.location)), which has taken "
                    + "\(own.map(\.name).joined(separator: ", ")) itself"
            )
        }
        if !isBusy { sentences.append(left) }
        return sentences.joined(separator: "; ")
    }

    /// The reactions that may have taken it: without a recorder, nobody notes which one has.
    private func whoMayHaveTaken(_ reactions: [ReactionDescription]) -> String {
        let takers = Chemistry.names(of: reactions.filter { $0.copies(of: slot) > 0 })
        return "a reaction has taken it and not answered it yet: \(takers); what its body waits for, explainStuck() "
            + "says where a recorder is on (CHEMACTORS_RECORDER=flight)"
    }

    /// What bodies that run may do about it.
    private static func whatMayCome(_ missing: [Slot]) -> String {
        let states = missing.filter { $0.kind == .state }.map(\.name)
        if states.isEmpty { return "may inject what is missing" }
        return "one of them has \(states.joined(separator: ", ")) until it ends: which one, and what it waits for, "
            + "explainStuck() says where a recorder is on (CHEMACTORS_RECORDER=flight)"
    }

    /// Who could still inject something into the definition.
    private static func whoIsLeft(_ life: Lifecycle, isReachable: Bool) -> String {
        if life.phase == .paused { return "the definition is paused" }
        if life.running == 1 { return "a body of the definition runs" }
        if life.running > 0 { return "\(life.running) bodies of the definition run" }
        if life.retries > 0 { return "a failed reaction of the definition will be tried again" }
        return isReachable
            ? "no body of the definition runs: it is up to whoever holds its names "
                + "(CHEMACTORS_RECORDER=flight says which bodies have made it)"
            : "no body of the definition runs, and nobody holds its names"
    }
}
