import ChemBase
import Synchronization

extension Join {
    /// Starts no reaction until `resume`.
    ///
    /// Molecules stay and are accepted. Calls wait, and can be cancelled. Running bodies finish. Pausing twice is the
    /// same as pausing once. A deactivated definition stays deactivated.
    ///
    /// - Complexity: O(1).
    nonisolated public func pause() {
        soup.tellFirst(of: .controls)
        let entry = soup.enter()
        entry.contents.life.paused()
        // What could have reacted can't any more, and may have been all that was left.
        entry.withdrawingOverdueCalls().leaveAfterEnd()
    }

    /// Lets reactions start again after `pause`. Has no effect on a definition that isn't paused.
    ///
    /// No body runs in this call, except for a definition on the main actor that is resumed there. Workers run the
    /// failed reactions whose retry became due during the pause.
    ///
    /// - Complexity: O(1).
    nonisolated public func resume() {
        soup.tellFirst(of: .controls)
        let entry = soup.enter()
        entry.contents.life.resumed()
        // Something may have become possible, or the last lease may have gone, while nothing could start.
        entry.leave()
        soup.enter().leaveAfterEnd()
    }

    /// Drops all molecules and pending retries, gives waiting calls a ``CallError``, and goes on with what is injected
    /// from now on.
    ///
    /// Running bodies finish, and what they inject is accepted. States get their initial values again, except for one
    /// that a running body has: the body puts back its own result. What was dropped is reported.
    ///
    /// A definition that can't go on without its molecules, such as a semaphore of the library, is deactivated instead:
    /// see ``Builder/endsWhenCleared()``.
    ///
    /// - Complexity: O(molecules present).
    nonisolated public func clear() {
        soup.tellFirst(of: .controls)
        let entry = soup.enter()
        guard !entry.contents.life.phase.ignoresInjections else {
            entry.leaveUnchanged()
            return
        }
        if entry.contents.life.endsWhenCleared {
            if entry.contents.life.deactivated() { cancelAll(entry) } else { entry.leaveUnchanged() }
        } else {
            dropAll(entry, .cleared)
        }
    }

    /// Stops the definition: drops everything, gives waiting calls a ``CallError``, and ignores what is injected from
    /// now on.
    ///
    /// Running bodies finish, though the tasks of asynchronous ones are cancelled. What they inject is ignored and
    /// counted. The deactivation is complete when the definition is quiet: `try await definition.quiescence()` waits
    /// for it. What was dropped is reported. Deactivating wins over pausing. Deactivating twice is the same as
    /// deactivating once.
    ///
    /// (CocoaJoin's "stop". Its continuation is `signal`.)
    ///
    /// - Parameter signal: A molecule, usually of another definition, that is injected once the deactivation is
    ///   complete.
    /// - Complexity: O(molecules present + running bodies).
    nonisolated public func deactivate(signalling signal: SlowMolecule<Void>? = nil) {
        defer {
            if let signal { signalQuiescence(to: signal) }
        }
        soup.tellFirst(of: .controls)
        let entry = soup.enter()
        if entry.contents.life.deactivated() { cancelAll(entry) } else { entry.leaveUnchanged() }
    }

    /// Puts a deactivated definition to work again, unpaused, with nothing in its soup but states at their initial
    /// values.
    ///
    /// If the deactivation isn't complete yet, the activation takes effect after that. Has no effect on a definition
    /// that isn't deactivated, or that can't go on without its molecules: see ``Builder/endsWhenCleared()``.
    ///
    /// (CocoaJoin's "resume".)
    nonisolated public func activate() {
        soup.tellFirst(of: .controls)
        let entry = soup.enter()
        // Checked in the soup: a scope that ends deactivates its definitions afterwards, so none can come back after
        // that.
        let isOver = machine.hasEnded
        let values = !isOver && entry.contents.life.activated(isPossible: entry.isPossible) ? beginAnew(entry) : []
        entry.leaveUnchanged()
        discard(values)
    }

    /// Injects `signal` once the definition is quiet, or at once if it already is. This tells another definition "all
    /// is quiet".
    nonisolated public func signalQuiescence(to signal: SlowMolecule<Void>) {
        let signal = signal.exported
        if waitForQuiet(ticket: machine.nextTicket(), .signal { signal() }) { signal() }
    }

    /// Cancels the bodies of a definition that has just been deactivated, and drops what is in its soup.
    nonisolated func cancelAll(_ entry: consuming SoupEntry) {
        var scopes: [BodyScope] = []
        var next = entry.contents.life.phase == .defining ? nil : entry.state.firstBody?.takeUnretainedValue()
        while let scope = next {
            if scope.willCancel(entry) { scopes.append(scope) }
            next = scope.next
        }
        dropAll(entry, .deactivated, cancelling: scopes)
    }

    /// Takes everything out of the soup, the inbox and the list of retries, and disposes of it.
    ///
    /// Retries hold states, which they put back when they are dropped. So this is a chore, and the definition isn't
    /// quiet before it ends.
    private nonisolated func dropAll(
        _ entry: consuming SoupEntry,
        _ code: CallError.Code,
        cancelling scopes: [BodyScope] = []
    ) {
        entry.absorbBeforeRemoval()
        let leftovers = entry.contents.slots.compactMap { slot in
            let leftover = slot.reset(entry)
            if let leftover { note(leftover, of: slot, entry) }
            return leftover
        }
        let retries = entry.removeRetries()
        entry.contents.life.choreBegan()
        // Bodies may hold states, which are reset when the last one has ended.
        if code == .deactivated { entry.contents.life.isAwaited = true }
        entry.leaveUnchanged()
        for scope in scopes { scope.cancel() }
        for leftover in leftovers {
            leftover.fail(CallError(code, molecule: "\(name).\(leftover.name)"))
            if leftover.count > 0 { report(.dropped(molecule: leftover.name, count: leftover.count)) }
        }
        for retry in retries { retry.drop() }
        // Released before the chore ends, so that what a `deinit` injects comes before the definition is quiet.
        discard(consume leftovers)
        discard(consume retries)
        // The retries and calls that are gone may have been all that was left.
        soup.endChore()
    }

    /// Writes down, if that is recorded, what was taken out of the soup. Calls say so themselves, and the room of a
    /// bounded molecule is nobody's.
    nonisolated func note(_ leftover: any Leftover, of slot: Slot, _ entry: borrowing SoupEntry) {
        guard let observation, leftover.count > 0, slot.kind != .fast else { return }
        if entry.state.chemistry.rooms.contains(where: { $0.room === slot }) { return }
        observation.dropped(leftover.count, of: slot)
    }

    /// Makes the definition as good as new, when it is activated. Returns the old values, to be released after leaving.
    nonisolated func beginAnew(_ entry: borrowing SoupEntry) -> [any Leftover] {
        for reaction in entry.state.chemistry.reactions { reaction.putBacks = 0 }
        return resetStates(entry)
    }

    /// Resets the states to their initial values. Returns the old values, to be released after leaving.
    nonisolated func resetStates(
        _ entry: borrowing SoupEntry,
        where isMeant: (Slot) -> Bool = { _ in true }
    ) -> [any Leftover] {
        var values: [any Leftover] = []
        for slot in entry.contents.slots where slot.kind == .state && isMeant(slot) {
            if let value = slot.reset(entry) { values.append(value) }
        }
        return values
    }
}
