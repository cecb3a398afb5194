import ChemBase

/// What a dissolved definition leaves behind, to be released outside of its lock.
private final class Remains: Disposable, @unchecked Sendable {
    // Checked by hand: only its disposal touches it.
    let join: Join
    /// Whether a pause held up a possible reaction.
    private let wasPossible: Bool
    private let leftovers: [any Leftover]
    private let reactions: UnsafeMutablePointer<ReactionRecord>
    private let reactionCount: Int
    private let chemistry: Chemistry
    private let slots: [Slot]
    private let parent: AnyLease?
    private let inner: [Join]
    /// What a control wants to know.
    private let residue: Residue?

    /// Takes what there is out of the soup of `join`.
    init(
        of join: Join,
        _ entry: borrowing SoupEntry,
        _ leftovers: [any Leftover],
        wasPossible: Bool,
        _ residue: Residue?
    ) {
        self.join = join
        self.wasPossible = wasPossible
        self.leftovers = leftovers
        self.residue = residue
        reactions = entry.contents.reactions
        reactionCount = entry.contents.matching.reactionCount
        slots = entry.contents.slots
        var chemistry = Chemistry()
        swap(&chemistry, &entry.state.chemistry)
        self.chemistry = chemistry
        parent = entry.state.parent.take()
        inner = entry.state.inner
        entry.state.inner = []
        entry.contents.matching.unseal()
    }

    func dispose() {
        if reactionCount > 0 {
            reactions.deinitialize(count: reactionCount)
        } else {
            for reaction in chemistry.reactions { reaction.abandon() }
        }
        slots.forEachKept { $0.removeClosures() }
        if let residue { join.machine.control?.dissolves(ObjectIdentifier(join), with: residue) }
        for leftover in leftovers {
            leftover.fail(CallError(.dissolved, molecule: "\(join.name).\(leftover.name)"))
            if leftover.count > 0 {
                join.report(
                    .dissolvedWithMolecules(molecule: leftover.name, count: leftover.count, wasPossible: wasPossible)
                )
            }
        }
        slots.forEachKept { $0.release() }
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
        var leftovers: [any Leftover] = []
        entry.contents.slots.forEachKept { slot in
            guard let leftover = slot.removeAll(entry) else { return }
            note(leftover, of: slot, entry)
            leftovers.append(leftover)
        }
        // In this entry: whoever looks finds it here or in the archive.
        archive(entry)
        let remains = Remains(of: self, entry, leftovers, wasPossible: wasPossible, residue)
        // The definition isn't quiet, and stays in the registry, until what it leaves behind is gone.
        entry.contents.life.choreBegan()
        entry.leaveUnchanged()
        return remains
    }
}
