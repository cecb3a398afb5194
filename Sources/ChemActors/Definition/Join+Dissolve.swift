import ChemBase

/// What a dissolved definition leaves behind, to be released outside of its lock.
private struct Remains: @unchecked Sendable {
    // Checked by hand: only its disposal touches it.
    let join: Join
    /// Whether a reaction was possible that a pause held up.
    let wasPossible: Bool
    let leftovers: [any Leftover]
    let reactions: UnsafeMutablePointer<ReactionRecord>
    let reactionCount: Int
    let chemistry: [Chemistry.Declaration]
    let slots: [Slot]
    let parent: Lease?

    func dispose() {
        reactions.deinitialize(count: reactionCount)
        reactions.deallocate()
        for slot in slots { slot.removeClosures() }
        for leftover in leftovers {
            leftover.fail(CallError(.dissolved, molecule: "\(join.name).\(leftover.name)"))
            if leftover.count > 0 {
                join.report(
                    .dissolvedWithMolecules(molecule: leftover.name, count: leftover.count, wasPossible: wasPossible)
                )
            }
        }
    }
}

/// The remains of this thread that wait to be disposed of.
///
/// Releasing closures and values may end other definitions, whose remains come into the list instead of being released
/// there and then: a chain of a hundred thousand definitions doesn't need as much stack.
struct Disposal {
    /// The one on this thread.
    private static let current = ThreadLocal()

    private var waiting: [Remains] = []

    /// Runs `work` on a thread where no code of users may run: what it leaves behind is disposed of in a task.
    static func deferring(_ work: () -> Void) {
        var disposal = Disposal()
        withUnsafeMutablePointer(to: &disposal) { pointer in
            current.with(pointer, work)
        }
        for remains in disposal.waiting {
            Task.detached(executorPreference: remains.join.machine.configuration.executor) { dispose(remains) }
        }
    }

    fileprivate static func dispose(_ remains: consuming Remains) {
        if let current = current.pointer {
            current.assumingMemoryBound(to: Disposal.self).pointee.waiting.append(remains)
            return
        }
        var disposal = Disposal()
        disposal.waiting.append(remains)
        withUnsafeMutablePointer(to: &disposal) { pointer in
            current.with(pointer) { while disposeNext(pointer) {} }
        }
    }

    private static func disposeNext(_ disposal: UnsafeMutablePointer<Disposal>) -> Bool {
        guard let join = disposeLast(disposal) else { return false }
        // Until now the machine wasn't quiet: what a `deinit` has injected elsewhere is there.
        join.soup.endChore()
        join.machine.remove(join)
        return true
    }

    /// A function of its own, so that what it disposes of is gone when it returns.
    ///
    /// - Returns: the definition whose remains those were.
    @inline(never)
    private static func disposeLast(_ disposal: UnsafeMutablePointer<Disposal>) -> Join? {
        guard let next = disposal.pointee.waiting.popLast() else { return nil }
        next.dispose()
        return next.join
    }
}

extension Join {
    /// Ends the chemistry: nothing can reach it any more, and nothing runs.
    nonisolated func dissolve(_ entry: consuming SoupEntry) {
        let remains = end(entry)
        Handoff.giveUp()
        Disposal.dispose(remains)
    }

    private nonisolated func end(_ entry: consuming SoupEntry) -> Remains {
        entry.contents.life.dissolved()
        let remains = Remains(
            join: self,
            wasPossible: entry.isPossible,
            leftovers: entry.contents.slots.compactMap { $0.removeAll(entry) },
            reactions: entry.contents.reactions,
            reactionCount: entry.contents.matching.reactionCount,
            chemistry: entry.state.chemistry.reactions,
            slots: entry.contents.slots,
            parent: entry.state.parent
        )
        entry.contents.reactions = .allocate(capacity: 0)
        entry.contents.matching.seal(molecules: [])
        entry.state.chemistry.reactions = []
        entry.state.parent = nil
        // It isn't quiet, and stays in the registry, until what it leaves behind is gone.
        entry.contents.life.choreBegan()
        entry.leaveUnchanged()
        return remains
    }
}
