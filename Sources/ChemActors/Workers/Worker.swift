import ChemBase
import Synchronization

extension Join {
    /// Makes sure that the worker announced in the soup comes, by this thread's hand-off or as a task of its own.
    nonisolated func startWorker() {
        if isPlain, DeferredWake.take(self) || Handoff.current?.pointee.handoff.put(self) == true { return }
        startOwnWorker()
    }

    /// Starts the announced worker as a task of its own.
    ///
    /// - Parameter urgency: That of a caller that waits, if it is higher than the machine's.
    nonisolated func startOwnWorker(_ urgency: Urgency = .none) {
        if let scope = machine.scope { return scope.startWorker(of: self) }
        if let control = machine.control { return control.ready(MachineStep(join: self)) }
        let priority = urgency.priority ?? machine.configuration.priority
        if let executor = machine.configuration.executor {
            Task.detached(executorPreference: executor, priority: priority) { self.work() }
        } else {
            Task.detached(priority: priority) { self.work() }
        }
    }

    /// One worker's turn: takes possible reactions and runs them until nothing is possible or its time is up.
    ///
    /// Then it goes on with the definition that its last body has woken, if there is one.
    ///
    /// - Parameter asker: Who is the worker, until it has what it waits for or something may take long. Nil for a task
    ///   of its own.
    /// - Returns: whether its time was up. If so, another worker has been woken already, and the thread should be given
    ///   up.
    @discardableResult
    nonisolated func work(for asker: (any Beneficiary)? = nil) -> Bool {
        // Nobody lifts what is controlled.
        if machine.control != nil { return work(for: asker, in: nil) }
        return withUnsafeCurrentTask { task in
            guard var task else { return work(for: asker, in: nil) }
            return withUnsafePointer(to: &task) { work(for: asker, in: $0) }
        }
    }

    private nonisolated func work(for asker: (any Beneficiary)?, in task: UnsafePointer<UnsafeCurrentTask>?) -> Bool {
        withUnsafeTemporaryAllocation(of: WorkerRecord.self, capacity: 1) { buffer in
            let record = buffer.baseAddress.unsafelyUnwrapped
            let isTimed = machine.isTimed
            let handsOn = isPlain && Handoff.current == nil
            record.initialize(to: WorkerRecord(self, for: asker, handsOn: handsOn, task))
            let begin = isTimed ? Pace.now : 0
            if isTimed { Monitor.shared.add(record) }
            if handsOn { Handoff.install(record) }
            let isOver = run(record, since: begin, isTimed: isTimed)
            let last = handsOn && asker == nil ? goOn(record, since: begin) : self
            if handsOn { Handoff.install(nil) }
            if isTimed { Monitor.shared.remove(record) }
            // An asker leaves what its last body has woken to another worker.
            record.pointee.handoff.close()?.startOwnWorker()
            // The monitor may look at the definition until here.
            withExtendedLifetime(last) {}
            record.deinitialize(count: 1)
            return isOver
        }
    }

    /// Serves the definitions that the bodies of a worker have left in its `Handoff`, one after the other.
    ///
    /// - Returns: the last one.
    private nonisolated func goOn(_ record: UnsafeMutablePointer<WorkerRecord>, since begin: UInt64) -> Join {
        var current = self
        var served = 0
        while let next = record.pointee.handoff.close() {
            served &+= 1
            if record.pointee.isOverdue.load(ordering: .relaxed) || served & 15 == 0 && Pace.now &- begin > Pace.turn {
                next.startOwnWorker()
                break
            }
            Monitor.shared.move(record, to: next)
            withExtendedLifetime(current) {}
            current = next
            _ = next.run(record, since: begin, isTimed: true)
        }
        return current
    }

    /// - Returns: whether its time was up.
    private nonisolated func run(
        _ record: UnsafeMutablePointer<WorkerRecord>,
        since begin: UInt64,
        isTimed: Bool
    ) -> Bool {
        let outer = soup.markMine()
        defer { soup.mark(outer) }
        let entry = soup.enter()
        if entry.contents.life.isWorkerSpare {
            // Two workers were woken, the second for a caller of higher priority, and the other one was here first.
            entry.liftWorker()
            endWorker(entry)
            return false
        }
        if entry.contents.life.activity == .scheduled {
            entry.contents.life.workerLooks()
            entry.contents.activeWorker = UnsafeMutableRawPointer(record)
        } else {
            entry.open(to: UnsafeMutableRawPointer(record))
        }
        observation?.timeHasPassed()
        return runAll(entry, record, since: begin, isTimed: isTimed)
    }

    /// Runs what is possible, one reaction after the other. A worker that is controlled ends its turn after each,
    /// unless nobody else has one to take.
    ///
    /// - Returns: whether its time was up.
    @inline(__always)
    private nonisolated func runAll(
        _ entry: consuming SoupEntry,
        _ record: UnsafeMutablePointer<WorkerRecord>,
        since begin: UInt64,
        isTimed: Bool
    ) -> Bool {
        let control = isTimed ? nil : machine.control
        var left = 0
        var hasWorked = false
        while true {
            if entry.letOthersIn() { observation?.timeHasPassed() }
            if left == 0 || !entry.isPossible || entry.contents.life.phase != .running {
                if left == 0, hasWorked, isTimed ? Pace.now &- begin > Pace.turn : control?.goesOn() != true {
                    endTurn(entry, record)
                    return true
                }
                hasWorked = true
                observation?.timeHasPassed()
                left = control == nil ? Pace.batch : 1
                if entry.absorb() {
                    entry.state.longRun.somethingArrived(isOnlyWorker: entry.contents.life.workers == 1)
                }
                entry = entry.withdrawingOverdueCalls()
                if !entry.isPossible || entry.contents.life.phase != .running, entry.closeUnlessPossible() {
                    // Otherwise somebody has lost its core in a body, and has what would be possible in its hands.
                    if entry.contents.life.workers == 1 { entry.state.longRun.end() }
                    endWorker(entry)
                    return false
                }
            }
            if record.pointee.mustLeave(entry) {
                endTurn(entry, record)
                return true
            }
            if !record.pointee.handoff.isEmpty {
                entry = startWoken(entry, record)
                continue
            }
            left &-= 1
            let index = entry.contents.matching.pick()
            control?.starts(StartingReaction(join: self, index: index))
            record.pointee.reaction.store(index, ordering: .relaxed)
            if index == entry.contents.matching.reactionCount {
                entry = runRetry(entry, record)
                left = 0
            } else {
                entry = runOne(entry.contents.reactions + index, entry, record, isTimed: isTimed)
            }
            record.pointee.reaction.store(-1, ordering: .relaxed)
            if !isActive(entry, record) {
                endWorker(entry)
                return false
            }
            // One long body, or some that are not so short, may have used up the turn.
            if record.pointee.isOverdue.load(ordering: .relaxed) { left = 0 }
        }
    }

    /// Starts a worker for what was woken elsewhere, which must not wait for what is still to do here.
    @inline(never)
    private nonisolated func startWoken(
        _ entry: consuming SoupEntry,
        _ record: UnsafeMutablePointer<WorkerRecord>
    ) -> SoupEntry {
        entry.leaveUnchanged()
        record.pointee.handoff.close()?.startOwnWorker()
        observation?.timeHasPassed()
        return soup.enter()
    }

    /// Runs one reaction.
    @inline(__always)
    private nonisolated func runOne(
        _ reaction: UnsafeMutablePointer<ReactionRecord>,
        _ entry: consuming SoupEntry,
        _ record: UnsafeMutablePointer<WorkerRecord>,
        isTimed: Bool
    ) -> SoupEntry {
        reaction.pointee.starts &+= 1
        entry.countStart()
        let isAsynchronous = reaction.pointee.course == .asynchronous
        let wasLong = reaction.pointee.isLong
        if wasLong {
            // Nothing may wait for this body. Whoever injects from here on finds no active worker, and `fire` itself
            // wakes another worker on leaving the soup if more is possible.
            entry.close()
            // Overdue calls that count on what it is about to take may not wait for it either.
            if entry.contents.overdueCalls != 0 { lookAtOverdueCalls() }
        } else {
            record.pointee.isInBody = true
            record.pointee.count &+= 1
        }
        // The first run of a body shows how long it is.
        if record.pointee.handsOn {
            record.pointee.handoff.open(isShort: !wasLong && reaction.pointee.starts > 1)
        }
        if isTimed, wasLong || reaction.pointee.starts & 63 == 1 {
            let waits = soup.memory.pointee.lock.waitCount
            let begin = Pace.now
            entry = reaction.pointee.fire(entry)
            let time = Pace.now &- begin
            let isLong = time > Pace.longBody
            if wasLong { entry.state.longRun.longBodyEnded(isLongAgain: isLong) }
            if !isAsynchronous { entry.countBody(nanoseconds: time, times: reaction.pointee.look()) }
            // Waiting for the lock, before or after the body, says nothing about the body.
            if !isLong || waits == soup.memory.pointee.lock.waitCount { reaction.pointee.isLong = isLong }
        } else {
            entry = reaction.pointee.fire(entry)
        }
        record.pointee.isInBody = false
        if !isAsynchronous { entry.contents.life.bodyEnded() }
        // If the monitor has taken the soup away in the middle of the body, the body is long.
        if isTimed, !wasLong, entry.contents.activeWorker != UnsafeMutableRawPointer(record) {
            reaction.pointee.isLong = true
        }
        return entry
    }

    /// Tries a failed reaction again. Nothing may wait for its body either.
    @inline(never)
    private nonisolated func runRetry(
        _ entry: consuming SoupEntry,
        _ record: UnsafeMutablePointer<WorkerRecord>
    ) -> SoupEntry {
        entry.close()
        if record.pointee.handsOn { record.pointee.handoff.open(isShort: false) }
        return entry.runDueRetry()
    }

    /// Whether this worker is still active, or active again, after a body has returned.
    @inline(__always)
    private nonisolated func isActive(
        _ entry: borrowing SoupEntry,
        _ record: UnsafeMutablePointer<WorkerRecord>
    ) -> Bool {
        if entry.contents.activeWorker == UnsafeMutableRawPointer(record) { return true }
        // Another worker may have become active since. If not, this one becomes active again.
        guard entry.contents.life.takesWorkerBack else { return false }
        entry.open(to: UnsafeMutableRawPointer(record))
        return true
    }

    /// The worker ends.
    private nonisolated func endWorker(_ entry: consuming SoupEntry) {
        if entry.contents.life.workers > 1 { entry.state.longRun.workerLeaves() }
        entry.contents.life.workerEnded()
        entry.leaveAfterEnd()
    }

    /// Yields the thread to other tasks. Another worker, at the end of the queue, takes over.
    @inline(never)
    private nonisolated func endTurn(_ entry: consuming SoupEntry, _ record: UnsafeMutablePointer<WorkerRecord>) {
        entry.contents.activeWorker = nil
        entry.contents.life.workerHandsOver()
        let urgency = entry.state.lifted
        entry.state.urgencyOfWorker = urgency
        let event = machine.control == nil ? lookAtLongRun(entry) : nil
        entry.leaveUnchanged()
        record.pointee.handoff.close()?.startOwnWorker()
        startOwnWorker(urgency)
        if let event { report(event) }
    }

    /// Takes the soup from a worker that has been in the same body since the monitor's last look. Called by the
    /// monitor.
    ///
    /// - Returns: whether it did. If so, the caller has another worker woken if something is possible, and one for what
    ///   the body has left in its `Handoff`.
    nonisolated func relieve(_ record: UnsafeMutablePointer<WorkerRecord>) -> Bool {
        // While a body runs, the lock is free or soon will be. The monitor doesn't wait for it, since that would hold
        // up all workers.
        guard soup.memory.pointee.lock.lockIfAvailable() else { return false }
        let entry = SoupEntry(locked: soup)
        let isStuck = entry.contents.activeWorker == UnsafeMutableRawPointer(record) && record.pointee.isInBody
        let wasSeen = record.pointee.seenCount == record.pointee.count
        if isStuck {
            record.pointee.seenCount = record.pointee.count
            observation?.timeHasPassed()
            if wasSeen {
                entry.close()
                // What the body has taken, overdue calls may count on.
                if entry.contents.overdueCalls != 0 { lookAtOverdueCalls() }
            }
        }
        entry.leaveUnchanged()
        return isStuck && wasSeen
    }

    /// If a body runs in this thread that is about to be interrupted, lets other reactions of its definition happen
    /// meanwhile, as if it took long.
    package nonisolated static func relieveInterruptedWorker() {
        guard let soup = ThreadMark.current else { return }
        let entry = soup.enter()
        guard entry.contents.activeWorker != nil else { return entry.leaveUnchanged() }
        entry.close()
        entry.leave()
    }
}

extension Join {
    /// Has the main actor look after a possible reaction, or wakes a worker for it.
    @usableFromInline
    nonisolated func wakeWorker(_ entry: consuming SoupEntry) {
        if soup.memory.pointee.isOnMain {
            wakeOnMain(entry)
            return
        }
        let started = entry.contents.started
        let entry = isPlain ? entry.runSteps() : entry
        if entry.contents.life.mustWake(isPossible: entry.isPossible) {
            let urgency = entry.state.lifted
            entry.state.urgencyOfWorker = urgency
            entry.open(to: nil)
            entry.leaveUnchanged()
            if urgency != .none { startOwnWorker(urgency) } else { startWorker() }
        } else if entry.contents.started == started {
            entry.leaveUnchanged()
        } else {
            entry.leaveAfterEnd()
        }
    }
}
