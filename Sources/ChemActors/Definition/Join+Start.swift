import ChemBase

extension Join {
    /// Fixes the chemistry. Stops the program if it breaks a rule.
    nonisolated func seal() {
        let entry = soup.enter()
        let reactions = entry.state.chemistry.reactions
        entry.contents.uses = entry.state.chemistry.makeUses(of: entry.contents.slots)
        entry.contents.matching.seal(molecules: reactions.lazy.map(\.needs))
        if !reactions.isEmpty { entry.contents.reactions = .allocate(capacity: reactions.count) }
        for (index, reaction) in reactions.enumerated() {
            (entry.contents.reactions + index).initialize(
                to: ReactionRecord(
                    body: reaction.fire,
                    answered: reaction.answered?.header,
                    course: reaction.course,
                    isLong: !machine.isTimed && machine.control == nil
                )
            )
        }
        for slot in entry.contents.slots { slot.seal(entry) }
        observation?.seal(entry.contents.slots.map { $0.present(entry) })
        let flaw = entry.state.chemistry.flaw(in: entry.contents.slots)
        let slots = entry.contents.slots
        entry.leaveUnchanged()
        if let flaw { Self.refuse(name, at: location, flaw) }
        for slot in slots { slot.beginGuarding() }
        if let control = machine.control, control.surveys { control.made(ControlledDefinition(self)) }
    }

    /// Lets the molecules that were injected meanwhile react.
    ///
    /// - Parameter isNameless: Whether its closure has returned nothing. If nothing can happen either, it is over at
    ///   once, which can't have been meant.
    nonisolated func start(isNameless: Bool = false) {
        let entry = soup.enter()
        if !policy.allowsInline {
            for slot in entry.contents.slots { slot.forbidInline() }
        }
        let isOver = machine.scope?.hasEnded ?? false
        if entry.contents.life.started(isOver: isOver), entry.contents.life.deactivated() {
            cancelAll(entry)
        } else {
            let life = entry.contents.life
            let doesNothing = isNameless && life.phase == .running && !entry.isPossible && !entry.isReachable
            entry.leaveAfterEnd()
            if doesNothing { report(.doesNothing(location: location.description)) }
        }
    }

    /// Ends a definition whose closure threw: what was injected is dropped, as if the definition had never existed.
    nonisolated func abandon() { dissolve(soup.enter()) }
}
