import ChemBase

extension Join {
    /// Stops the program if the chemistry breaks a rule.
    nonisolated func check() {
        let entry = soup.enter()
        let flaw = entry.state.chemistry.flaw(in: entry.contents.slots)
        entry.leaveUnchanged()
        if let flaw {
            // Not `precondition`: that prints no text under -O.
            fatalError(
                "ChemActors: definition '\(name)' (\(location)) \(flaw).",
                file: location.fileID,
                line: location.line
            )
        }
    }

    /// Fixes the chemistry, and lets the molecules that were injected meanwhile react.
    nonisolated func start() {
        let entry = soup.enter()
        let reactions = entry.state.chemistry.reactions
        entry.contents.matching.seal(molecules: reactions.map(\.moleculeCount))
        entry.contents.reactions.deallocate()
        entry.contents.reactions = .allocate(capacity: reactions.count)
        for (index, reaction) in reactions.enumerated() {
            (entry.contents.reactions + index).initialize(
                to: ReactionRecord(
                    body: reaction.fire,
                    answered: reaction.answered?.header,
                    course: reaction.course,
                    isLong: !machine.isTimed
                )
            )
        }
        for slot in entry.contents.slots {
            slot.seal(entry)
            if !policy.allowsInline { slot.forbidInline() }
        }
        let isOver = machine.scope?.hasEnded ?? false
        if entry.contents.life.started(isOver: isOver), entry.contents.life.deactivated() {
            cancelAll(entry)
        } else {
            entry.leaveAfterEnd()
        }
    }

    /// Ends a definition whose closure threw: what was injected is dropped, as if the definition had never existed.
    nonisolated func abandon() { dissolve(soup.enter()) }
}
