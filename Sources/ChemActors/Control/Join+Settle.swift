import ChemBase

extension Join: SoupOwner {
    /// Does what is due after something has ended, if anything is. This is the one place that tells those who wait for
    /// an end.
    @usableFromInline
    nonisolated func settle(_ entry: consuming SoupEntry) {
        switch entry.contents.life.afterEnd(isPossible: entry.isPossible, isReachable: entry.isReachable) {
        case .nothing: entry.leaveUnchanged()
        case .wakeWorker: wakeWorker(entry)
        case .dropRetries: dropRetries(entry)
        case .settle(let settlement): settle(settlement, entry)
        }
    }

    private nonisolated func settle(_ settlement: Lifecycle.Settlement, _ entry: consuming SoupEntry) {
        if settlement.dissolves, !entry.state.inner.isEmpty, !entry.state.awaitsInner {
            settleWithInner(entry)
        } else {
            settle(settlement, dissolves: settlement.dissolves && !entry.state.awaitsInner, entry)
        }
    }

    nonisolated func settle(
        _ settlement: Lifecycle.Settlement,
        dissolves: Bool,
        _ entry: consuming SoupEntry
    ) {
        var values: [any Leftover] = []
        if settlement.activates {
            entry.contents.life.reactivated()
            values = beginAnew(entry)
        } else if settlement.tells, entry.contents.life.phase == .deactivated {
            // Bodies had them when the definition was deactivated.
            values = resetStates(entry) { $0.hasMissedReset }
        }
        var waiters: [QuietWaiter] = []
        if settlement.tells {
            let signals = entry.state.quietWaiters.removeAll(where: \.isSignal)
            if !signals.isEmpty {
                // A signal is on its way until it is in another definition's soup.
                entry.contents.life.choreBegan()
                entry.leaveUnchanged()
                tell(signals, releasing: values)
                soup.endChore()
                return
            }
            let homes = entry.state.quietWaiters.removeAll { $0.home != nil }.compactMap(\.home)
            if !homes.isEmpty {
                // This one isn't quiet before they aren't either.
                entry.contents.life.choreBegan()
                entry.leaveUnchanged()
                for home in homes { home.innerComesToRest() }
                tell([], releasing: values)
                soup.endChore()
                for home in homes { home.innerIsAtRest() }
                return
            }
            waiters = entry.state.quietWaiters.removeAll()
            entry.contents.life.isAwaited = false
        }
        if dissolves { dissolve(entry) } else { entry.leaveUnchanged() }
        tell(waiters, releasing: values)
    }

    private nonisolated func tell(_ waiters: [QuietWaiter], releasing values: [any Leftover]) {
        if waiters.isEmpty, values.isEmpty { return }
        Handoff.giveUp()
        if !values.isEmpty { Disposal.leave(values, of: self) }
        discard(values)
        let tellAll = {
            for waiter in waiters { waiter.tell() }
        }
        if let control = machine.control {
            control.tells(ofQuietOf: ObjectIdentifier(self), tellAll)
        } else {
            tellAll()
        }
    }

    /// Gives up the failed reactions that wait: nobody is left who could end the pause that holds them up.
    private nonisolated func dropRetries(_ entry: consuming SoupEntry) {
        let retries = entry.removeRetries()
        entry.contents.life.choreBegan()
        entry.leaveUnchanged()
        guard Disposal.isDeferring else {
            Handoff.giveUp()
            drop(consume retries)
            return
        }
        // A call whose time was up was all that kept this definition.
        let left = Guarded(consume retries)
        machine.startTask(on: machine.configuration.executor, nil) {
            self.drop(
                left.withLock { retries in
                    defer { retries = [] }
                    return retries
                }
            )
        }
    }

    private nonisolated func drop(_ retries: consuming [any Retry]) {
        var all = consume retries
        for retry in all { retry.drop() }
        all = []
        soup.endChore()
    }

    /// Answers the calls of a scope if it could not end otherwise.
    @usableFromInline
    nonisolated func checkForDeadlock() { machine.checkForDeadlock() }
}
