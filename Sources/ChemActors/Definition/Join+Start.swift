import ChemBase

extension Join {
    /// Stops the program if the chemistry breaks a rule.
    nonisolated func check() {
        site.pointee.lock.lock()
        let flaw = site.pointee.chemistry.flaw()
        site.pointee.lock.unlock()
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
        site.pointee.lock.lock()
        let reactions = site.pointee.chemistry.reactions
        site.pointee.soup.seal(molecules: reactions.map(\.moleculeCount))
        site.pointee.reactions.deallocate()
        site.pointee.reactions = .allocate(capacity: reactions.count)
        for (index, reaction) in reactions.enumerated() {
            (site.pointee.reactions + index).initialize(
                to: ReactionRecord(
                    body: reaction.fire,
                    isAsynchronous: reaction.isAsynchronous,
                    isLong: !machine.isTimed
                )
            )
        }
        for slot in site.pointee.chemistry.slots {
            slot.seal()
            if !policy.allowsInline { slot.forbidInline() }
        }
        site.pointee.phase = .running
        if let scope = machine.scope, scope.hasEnded { site.pointee.phaseAfterStart = .deactivated }
        switch site.pointee.phaseAfterStart {
        case .paused: site.pointee.phase = .paused
        case .deactivated:
            deactivateAndUnlock()
            return
        default: break
        }
        site.leaveAfterEnd()
    }

    /// Ends a definition whose closure threw: what was injected is dropped, as if there had been none.
    nonisolated func abandon() {
        site.pointee.lock.lock()
        dissolveAndUnlock()
    }
}
