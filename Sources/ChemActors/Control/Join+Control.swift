import ChemBase
import Synchronization

extension Join {
    /// Starts no reaction until `resume`.
    ///
    /// Molecules stay and are accepted; calls wait, and can be cancelled; bodies that run finish. Pausing twice is pausing once. A
    /// deactivated definition stays deactivated.
    ///
    /// - Complexity: O(1).
    nonisolated public func pause() {
        site.pointee.lock.lock()
        switch site.pointee.phase {
        case .running: site.pointee.phase = .paused
        case .defining where site.pointee.phaseAfterStart == .running: site.pointee.phaseAfterStart = .paused
        default: break
        }
        // What could have reacted can't any more: that may have been all that was left.
        site.withdrawOverdueCalls()
        site.leaveAfterEnd()
    }

    /// Lets reactions start again after `pause`. Without effect on a definition that isn't paused.
    ///
    /// No body runs here, but for a definition on the main actor that is resumed there. Failed reactions that became due to
    /// be tried again in the pause are left to workers.
    ///
    /// - Complexity: O(1).
    nonisolated public func resume() {
        site.pointee.lock.lock()
        switch site.pointee.phase {
        case .paused: site.pointee.phase = .running
        case .defining where site.pointee.phaseAfterStart == .paused: site.pointee.phaseAfterStart = .running
        default: break
        }
        // Something may have become possible, or the last lease may have gone, while nothing could start.
        site.leave()
        site.pointee.lock.lock()
        site.leaveAfterEnd()
    }

    /// Drops all molecules and pending retries, and gives waiting calls a ``CallError``; goes on with what is injected from now on.
    ///
    /// Bodies that run finish, and what they inject is accepted. States have their initial values again, but for one that a
    /// running body has: it puts back what it makes of it. What was dropped is reported.
    ///
    /// - Complexity: O(molecules present).
    nonisolated public func clear() {
        site.pointee.lock.lock()
        guard !site.pointee.phase.ignoresInjections else {
            site.pointee.lock.unlock()
            return
        }
        let dropped = removeMolecules { $0.reset() }
        dropped.dispose(of: self, .cleared)
        // The retries and calls that are gone may have been all that was left.
        site.endChore()
    }

    /// Stops the definition: drops everything, gives waiting calls a ``CallError``, and ignores what is injected from now on.
    ///
    /// Bodies that run finish, the tasks of asynchronous ones are cancelled, and what they inject is ignored and counted. The
    /// deactivation is complete when the definition is quiet: `try await definition.quiescence()` waits for it. What was dropped
    /// is reported. Deactivating wins over pausing; deactivating twice is deactivating once.
    ///
    /// (CocoaJoin's "stop". Its continuation is `signal`.)
    ///
    /// - Parameters:
    ///   - signal: A molecule, mostly of another definition, that is injected once the deactivation is complete.
    /// - Complexity: O(molecules present + running bodies).
    nonisolated public func deactivate(signalling signal: SlowMolecule<Void>? = nil) {
        defer {
            if let signal { signalQuiescence(to: signal) }
        }
        site.pointee.lock.lock()
        switch site.pointee.phase {
        case .defining:
            site.pointee.phaseAfterStart = .deactivated
            removeMolecules { $0.reset() }.dispose(of: self, .deactivated)
            site.endChore()
        case .running, .paused:
            deactivateAndUnlock()
        case .deactivated:
            site.pointee.activatesWhenQuiet = false
            site.pointee.lock.unlock()
        case .dissolved:
            site.pointee.lock.unlock()
        }
    }

    /// Puts a deactivated definition to work again, unpaused, with nothing in its soup but states at their initial values.
    ///
    /// If its deactivation isn't complete yet, it takes effect after that. Without effect on a definition that isn't deactivated.
    ///
    /// (CocoaJoin's "resume".)
    nonisolated public func activate() {
        site.pointee.lock.lock()
        // Under the lock: a scope that ends deactivates its definitions afterwards, so none comes back behind it.
        if let scope = machine.scope, scope.hasEnded {
            site.pointee.lock.unlock()
            return
        }
        switch site.pointee.phase {
        case .defining:
            if site.pointee.phaseAfterStart == .deactivated { site.pointee.phaseAfterStart = .running }
        case .deactivated:
            if site.isQuiet {
                let values = reactivate()
                site.pointee.lock.unlock()
                discard(values)
                return
            }
            site.pointee.activatesWhenQuiet = true
            site.pointee.hasQuietWaiters = true
        default:
            break
        }
        site.pointee.lock.unlock()
    }

    /// Injects `signal` once the definition is quiet, or at once if it is: "all is quiet", told to another definition.
    nonisolated public func signalQuiescence(to signal: SlowMolecule<Void>) {
        let signal = signal.exported
        if waitForQuiet(ticket: machine.nextTicket(), .signal(signal)) { signal() }
    }

    /// Deactivates a running definition. Entered under the lock, left without it.
    nonisolated func deactivateAndUnlock() {
        site.pointee.phase = .deactivated
        site.pointee.activatesWhenQuiet = false
        var scopes: [BodyScope] = []
        var next = site.pointee.firstSuspended
        while let scope = next {
            scopes.append(scope)
            next = scope.next
        }
        let dropped = removeMolecules { $0.reset() }
        for scope in scopes { scope.cancel() }
        dropped.dispose(of: self, .deactivated)
        site.endChore()
    }

    /// Gives up the failed reactions that wait: nobody is left who could end the pause that holds them up. Entered under the
    /// lock, left without it.
    nonisolated func dropRetriesAndUnlock() {
        let retries = site.removeRetries()
        site.beginChore()
        site.pointee.lock.unlock()
        Handoff.giveUp()
        Dropped(leftovers: [], retries: retries).dispose(of: self, .dissolved)
        site.endChore()
    }

    /// Ends a deactivation that is complete. Under the lock; returns the values of states to be released after leaving.
    nonisolated func reactivate() -> [any Leftover] {
        site.pointee.activatesWhenQuiet = false
        site.pointee.phase = .running
        return site.pointee.chemistry.slots.compactMap { $0.kind == .state ? $0.reset() : nil }
    }

    /// Takes everything out of the soup, the inbox and the list of retries. Entered under the lock, left without it.
    ///
    /// Retries hold states, which they put back when they are dropped. So a chore is begun, and nothing is quiet before the
    /// caller ends it.
    private nonisolated func removeMolecules(_ take: (SlotDescription) -> (any Leftover)?) -> Dropped {
        site.pointee.inboxLock.lock()
        site.absorbUnderBothLocks()
        if site.pointee.phase.ignoresInjections { site.pointee.isAccepting.store(false, ordering: .relaxed) }
        site.pointee.inboxLock.unlock()
        let dropped = Dropped(
            leftovers: site.pointee.chemistry.slots.compactMap(take),
            retries: site.removeRetries()
        )
        site.beginChore()
        site.pointee.lock.unlock()
        return dropped
    }
}

/// What a definition has dropped, to be released and reported outside of its lock.
private struct Dropped {
    let leftovers: [any Leftover]
    let retries: [PendingRetry]

    func dispose(of join: Join, _ code: CallError.Code) {
        for leftover in leftovers {
            leftover.fail(CallError(code, molecule: "\(join.name).\(leftover.name)"))
            if leftover.count > 0 { join.report(.dropped(molecule: leftover.name, count: leftover.count)) }
        }
        for retry in retries { retry.drop() }
    }
}
