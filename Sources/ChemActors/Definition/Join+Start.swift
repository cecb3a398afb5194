import ChemBase

extension Join {
    /// Fixes the chemistry. Stops the program if it breaks a rule.
    nonisolated func seal() {
        let entry = soup.enter()
        let chemistry = entry.state.chemistry
        let slots = entry.contents.slots
        let (reactions, uses) = (chemistry.reactions.count, chemistry.useCount)
        entry.contents.sealed = SealedBlock(reactions: reactions, uses: uses)
        let places = entry.contents.sealed.places(reactions: reactions, uses: uses)
        entry.contents.reactions = places.records
        chemistry.makeUses(of: slots, at: places.uses)
        entry.contents.matching.seal(molecules: chemistry.reactions.lazy.map(\.needs), in: places.matching)
        var record = places.records
        let isLong = !machine.isTimed && machine.control == nil
        for reaction in chemistry.reactions {
            record.initialize(to: reaction.makeRecord(isLong: isLong))
            record += 1
        }
        slots.forEachKept { $0.seal(entry) }
        observation?.seal(slots.map { $0.present(entry) })
        entry.leaveUnchanged()
        // Compares key paths, which may compare what a user has written into them.
        if let flaw = chemistry.flaw(in: slots) { Self.refuse(name, at: location, flaw) }
        slots.forEachKept { $0.beginGuarding() }
        if let control = machine.control, control.surveys { control.made(ControlledDefinition(self)) }
    }

    /// Lets the molecules that were injected meanwhile react.
    ///
    /// - Parameter isNameless: Whether its closure has returned nothing. If nothing can happen either, it is over at
    ///   once, which can't have been meant.
    nonisolated func start(isNameless: Bool) {
        start(soup.enter(), isNameless: isNameless)
    }

    /// Starts it, unless its scope has ended or it was deactivated: then what its closure has injected would be dropped
    /// here. Nothing of a user runs if nothing is possible.
    nonisolated package func startIfLiving() {
        let entry = soup.enter()
        if machine.hasEnded || entry.contents.life.phaseAfterStart == .deactivated {
            entry.leaveUnchanged()
        } else {
            start(entry, isNameless: false)
        }
    }

    /// Starts it if `startIfLiving` hasn't.
    nonisolated package func start() {
        let entry = soup.enter()
        if entry.contents.life.phase == .defining {
            start(entry, isNameless: false)
        } else {
            entry.leaveUnchanged()
        }
    }

    private nonisolated func start(_ entry: consuming SoupEntry, isNameless: Bool) {
        if !policy.allowsInline {
            for slot in entry.contents.slots { slot.forbidInline() }
        }
        let isOver = machine.hasEnded
        if entry.contents.life.started(isOver: isOver), entry.contents.life.deactivated() {
            cancelAll(entry)
        } else {
            let life = entry.contents.life
            let doesNothing =
                isNameless && life.phase == .running && !entry.isPossible && !entry.isReachable
                && entry.state.inner.isEmpty
            entry.leaveAfterEnd()
            if doesNothing { report(.doesNothing(location: location.description)) }
        }
    }

    /// Ends a definition whose closure threw: what was injected is dropped, as if the definition had never existed.
    /// What was made in the closure may go on, and may use the names of its home.
    nonisolated func abandon() {
        if let home {
            let entry = soup.enter()
            let inner = entry.state.inner
            entry.leaveUnchanged()
            let outer = home.soup.enter()
            outer.state.inner += inner
            outer.leaveUnchanged()
        }
        dissolve(soup.enter())
    }
}
