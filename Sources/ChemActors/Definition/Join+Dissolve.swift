import ChemBase

/// What a dissolved definition leaves behind, to be released outside of its lock.
private struct Remains: Disposable, @unchecked Sendable {
    // Checked by hand: only its disposal touches it.
    let join: Join
    /// Whether a pause held up a possible reaction.
    let wasPossible: Bool
    let leftovers: [any Leftover]
    let reactions: UnsafeMutablePointer<ReactionRecord>
    let reactionCount: Int
    let chemistry: Chemistry
    let slots: [Slot]
    let parent: Lease?
    /// What a control wants to know.
    let residue: Residue?

    func dispose() {
        if reactionCount > 0 {
            reactions.deinitialize(count: reactionCount)
            reactions.deallocate()
        }
        for slot in slots { slot.removeClosures() }
        if let residue { join.machine.control?.dissolves(ObjectIdentifier(join), with: residue) }
        for leftover in leftovers {
            leftover.fail(CallError(.dissolved, molecule: "\(join.name).\(leftover.name)"))
            if leftover.count > 0 {
                join.report(
                    .dissolvedWithMolecules(molecule: leftover.name, count: leftover.count, wasPossible: wasPossible)
                )
            }
        }
        for slot in slots { slot.release() }
    }
}

extension Join {
    /// Ends the chemistry: nothing can reach it any more, and nothing runs.
    nonisolated func dissolve(_ entry: consuming SoupEntry) {
        let remains = end(entry)
        Handoff.giveUp()
        // `remains` is consumed: whatever was kept here until the end would be released outside of the disposal, each
        // release nested in the previous one.
        Disposal.dispose(consume remains)
    }

    private nonisolated func end(_ entry: consuming SoupEntry) -> any Disposable {
        entry.contents.life.dissolved()
        machine.dissolved.add(self, entry)
        var residue: Residue?
        if machine.control != nil {
            residue = Residue()
            add(to: &residue!, entry)
        }
        let wasPossible = entry.isPossible
        let leftovers = entry.contents.slots.compactMap { slot in
            let leftover = slot.removeAll(entry)
            if let leftover { note(leftover, of: slot, entry) }
            return leftover
        }
        // In this entry: whoever looks finds it here or in the archive.
        archive(entry)
        let remains = Remains(
            join: self,
            wasPossible: wasPossible,
            leftovers: leftovers,
            reactions: entry.contents.reactions,
            reactionCount: entry.contents.matching.reactionCount,
            chemistry: entry.state.chemistry,
            slots: entry.contents.slots,
            parent: entry.state.parent,
            residue: residue
        )
        entry.contents.matching.unseal()
        entry.state.chemistry.reactions = []
        entry.state.chemistry.rooms = []
        entry.state.parent = nil
        // The definition isn't quiet, and stays in the registry, until what it leaves behind is gone.
        entry.contents.life.choreBegan()
        entry.leaveUnchanged()
        return remains
    }
}
