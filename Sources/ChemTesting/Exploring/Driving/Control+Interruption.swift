import ChemActors
import ChemBase
import Dispatch
import Synchronization

// What comes between two things that one step does.
//
// A step is synchronous code, which can't be left and come back to but by giving it a thread of its own. So whoever is
// interrupted stands still in its thread, and another one drives the run: a helper, or whoever had been interrupted
// before and may go on.

extension Control {
    /// The present step is about to do something that others see, or has done so. If it has acted since something
    /// might have come in between, whatever is ready may do so.
    func mayInterrupt(_ place: PlaceOfInterruption) {
        guard Interception.isDriving(self), present.isInterruptible, halt == nil, !isDraining else { return }
        guard present.hasActed else {
            present.hasActed = place == .beforeAct
            return
        }
        defer { present.hasActed = place == .beforeAct }
        Join.relieveInterruptedWorker()
        if surveyor == nil, agents == nil {
            if timeMayPass || readyCount > 0 { interruptByScript() }
        } else {
            postponeCancelled()
            if readyCount > 0 || timeMayPass && errand.timePasses { interrupt(chooseNext) }
            readmitPostponed()
        }
    }

    func undisturbed(_ body: () -> Void) {
        guard Interception.isDriving(self) else { return body() }
        mayInterrupt(.beforeAct)
        let isInterruptible = present.isInterruptible
        present.isInterruptible = false
        body()
        present.isInterruptible = isInterruptible
    }

    private func interruptByScript() {
        postponeCancelled()
        defer { readmitPostponed() }
        takeLooks()
        let count = readyCount
        let timePasses = timeMayPass && errand.timePasses && !isOver && setDeadline()
        let possibilities = count + (timePasses ? 1 : 0)
        if possibilities == 0 { return }
        let choice = script.choose(possibilities + 1, interrupting: true)
        if choice == 0 { return }
        steps += 1
        // The rest of what is interrupted stands in front then.
        interrupt { next(choice, of: count + 1) }
    }

    /// Has others go on, until it is this step's turn again.
    private func interrupt(_ choose: () -> Next?) {
        let origin = originOfRest
        let interrupted = present
        if surveyor != nil {
            takeLooks()
            surveyor?.end()
        }
        let rest = Rest(of: driver, definition: surveyor?.definition)
        driver.rest = rest
        driver.prepareToWait()
        interruptions += 1
        let ready = Ready(item: .rest(rest), since: present.begin, origin: origin)
        self.ready.insert(ready, at: 0)
        if hasGivenTurn(for: choose(), in: rest) {
            guard waitForTurn(rest) else { return }
            takeTurn(rest.driver)
        }
        rest.driver.rest = nil
        interruptions -= 1
        readmitPostponed()
        present = interrupted
    }

    /// Has whoever takes the next step do so.
    ///
    /// - Returns: false if that is the rest of the interrupted step itself, or nothing.
    private func hasGivenTurn(for next: Next?, in rest: Rest) -> Bool {
        switch next {
        case nil:
            drop(rest)
            return false
        case .rest(let other)? where other === rest: return false
        case .rest(let other)?: other.driver.turn.give()
        case let next?: getDriver().go(on: next)
        }
        return true
    }

    private var originOfRest: Origin? {
        if surveyor == nil && agents == nil { return nil }
        return lock.withLock {
            // Other bodies of the same definition may run meanwhile, so the rest of a body isn't that definition's.
            if agents != nil, present.agent == nil {
                present.agent = present.job == 0 ? agents?.newAgent() : agents?.current
            }
            return origin(
                cause: surveyor?.step ?? -1,
                quiet: nil,
                agent: present.agent ?? 0,
                task: present.origin?.task
            )
        }
    }

    /// It needn't be chosen any more.
    func drop(_ rest: Rest) { ready.removeAll { $0.rest === rest } }

    // MARK: Cancelled tasks

    /// Nobody goes on whose task is cancelled, while a step is interrupted.
    ///
    /// Whoever cancels a task runs its handlers, which may inject and so be interrupted. He holds a lock of the task
    /// then, for which it waits where it leaves the scope of such a handler.
    func postponeCancelled() {
        admitArrivals()
        guard ready.contains(where: \.isOfCancelledTask) else { return }
        postponed += ready.filter(\.isOfCancelledTask)
        ready.removeAll(where: \.isOfCancelledTask)
    }

    private func readmitPostponed() {
        guard interruptions == 0, !postponed.isEmpty else { return }
        ready += postponed
        postponed = []
    }

    // MARK: Turns

    /// The leader has others go on.
    ///
    /// - Returns: what it has to do when it gets the turn again, if there is something.
    func pass(turnTo rest: Rest) -> Next? {
        leader.prepareToWait()
        idle.append(leader)
        rest.driver.turn.give()
        _ = leader.turn.wait()
        takeTurn(leader)
        return leader.next.take()
    }

    /// Takes steps whenever it is this driver's turn, until it is dismissed.
    func help(as helper: Helper) {
        Interception.with(self) {
            while helper.turn.wait(), !helper.isDismissed {
                takeTurn(helper)
                var next = helper.next.take()
                while let one = next {
                    prepareHelper()
                    perform(one)
                    if helper.hasLostTurn { break }
                    next = mustGoBack ? nil : chooseNext()
                    switch next {
                    case .rest(let rest)?:
                        idle.append(helper)
                        rest.driver.turn.give()
                        next = nil
                    case nil:
                        idle.append(helper)
                        goBack()
                    default: break
                    }
                }
            }
        }
    }

    /// Whether the leader has to decide what happens now.
    private var mustGoBack: Bool { isDraining || halt != nil || leader.rest == nil && isOver }

    private func goBack() {
        if let rest = leader.rest {
            drop(rest)
            rest.driver.turn.give()
        } else {
            idle.removeAll { $0 === leader }
            leader.turn.give()
        }
    }

    /// Makes a helper, in a task in which it may be made, for the next who is interrupted.
    func prepareHelper() {
        if interrupts, spare == nil { spare = Helper(for: self) }
    }

    private func getDriver() -> Driver {
        if let driver = idle.popLast() { return driver }
        guard let helper = spare.take() else { preconditionFailure("ChemTesting: no helper is there") }
        helpers.append(helper)
        helper.begin()
        return helper
    }

    /// The run has ended. Where it was given up, those that were interrupted in it stand still for ever.
    func dismissHelpers() {
        for helper in helpers where helper.rest == nil { helper.dismiss() }
        helpers = []
        spare.take()?.dismiss()
    }

    // MARK: Locks

    /// Waits until it is the turn of an interrupted step.
    ///
    /// - Returns: false if it goes on without it, since others make no progress: they may wait for a lock that it
    ///   holds. The run has failed then.
    private func waitForTurn(_ rest: Rest) -> Bool {
        while !rest.driver.turn.wait(until: .now() + lockPatience) {
            let isStuck = lock.withLock {
                defer { rest.seen = steps }
                return rest.seen == steps
            }
            // Who stands at a breakpoint makes no progress either.
            guard isStuck, !Platform.isBeingDebugged else { continue }
            lock.withLock {
                halt = .blocked
                arrivals.dropped.append(rest)
                hasArrivals.store(true, ordering: .releasing)
                rest.driver.rest = nil
                rest.driver.hasLostTurn = true
            }
            return false
        }
        return true
    }

    /// The leader, which has gone on without the turn, waits for it.
    func getBackTurn() {
        _ = leader.turn.wait()
        takeTurn(leader)
        leader.hasLostTurn = false
    }
}

extension Driver {
    fileprivate func go(on next: Control.Next) {
        self.next = next
        turn.give()
    }
}
