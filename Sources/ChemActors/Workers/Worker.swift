import ChemBase
import Synchronization

/// A worker that is running: what the monitor needs to see of it.
struct WorkerRecord: ~Copyable {
    /// Nothing, as in `SlotHeader`.
    let padding: UInt = 0
    /// The definition that it serves. Under the lock of the monitor.
    var join: Unmanaged<Join>
    /// Where it stands in the list of the monitor.
    var place = 0
    /// How many reactions it has run, and how many it had at the monitor's last look. Under the lock of the soup.
    var count = 0
    var seenCount = -1
    /// Whether a body is running. Under the lock of the soup.
    var isInBody = false
    /// Whether it has had its thread for long. The monitor says so, since a worker that looked at the clock after each
    /// reaction would spend as much on that as on most bodies.
    let isOverdue = Atomic<Bool>(false)
    /// Whether its bodies may leave what they wake in `handoff`.
    let handsOn: Bool
    var handoff = Handoff()

    init(_ join: Join, handsOn: Bool) {
        self.join = .passUnretained(join)
        self.handsOn = handsOn
    }
}

extension Join {
    /// Sees to it that the worker comes that was announced in the soup.
    nonisolated func startWorker() {
        if isPlain, let record = Handoff.current, record.pointee.handoff.put(self) { return }
        startOwnWorker()
    }

    /// Starts that worker as a task of its own.
    nonisolated func startOwnWorker() {
        if let scope = machine.scope {
            scope.startWorker(of: self)
        } else if let executor = machine.configuration.executor {
            Task.detached(executorPreference: executor, priority: machine.configuration.priority) { self.work() }
        } else {
            Task.detached(priority: machine.configuration.priority) { self.work() }
        }
    }

    /// One worker's turn: takes possible reactions and runs them until nothing is possible or its time is up.
    ///
    /// Then it goes on with the definition that its last body has woken, if there is one.
    ///
    /// - Returns: whether its time was up. Then another worker is woken already, and the thread ought to be given up.
    @discardableResult
    nonisolated func work() -> Bool {
        withUnsafeTemporaryAllocation(of: WorkerRecord.self, capacity: 1) { buffer in
            let record = buffer.baseAddress.unsafelyUnwrapped
            let isTimed = machine.isTimed
            let handsOn = isPlain && Handoff.current == nil
            record.initialize(to: WorkerRecord(self, handsOn: handsOn))
            let begin = isTimed ? Pace.now : 0
            if isTimed { Monitor.shared.add(record) }
            if handsOn { Handoff.install(record) }
            let isOver = run(record, since: begin, isTimed: isTimed)
            let last = handsOn ? goOn(record, since: begin) : self
            if handsOn { Handoff.install(nil) }
            if isTimed { Monitor.shared.remove(record) }
            // The monitor looks at the definition until then.
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
        var left = 0
        var hasWorked = false
        var entry = soup.enter()
        entry.contents.life.workerLooks()
        entry.contents.activeWorker = UnsafeMutableRawPointer(record)
        while true {
            entry.letOthersIn()
            if left == 0 || !entry.isPossible || entry.contents.life.phase != .running {
                if left == 0, hasWorked, !isTimed || Pace.now &- begin > Pace.turn {
                    endTurn(entry, record)
                    return true
                }
                hasWorked = true
                left = Pace.batch
                entry.absorb()
                entry = entry.withdrawingOverdueCalls()
                if !entry.isPossible || entry.contents.life.phase != .running, entry.closeUnlessPossible() {
                    endWorker(entry)
                    return false
                }
            }
            if !record.pointee.handoff.isEmpty {
                entry = startWoken(entry, record)
                continue
            }
            left &-= 1
            let index = entry.contents.matching.pick()
            if index == entry.contents.matching.reactionCount {
                entry = runRetry(entry, record)
                left = 0
            } else {
                entry = runOne(entry.contents.reactions + index, entry, record, isTimed: isTimed)
            }
            if !isActive(entry, record) {
                endWorker(entry)
                return false
            }
            // One long body, or some that are not so short, may have used the turn up.
            if record.pointee.isOverdue.load(ordering: .relaxed) { left = 0 }
        }
    }

    /// There is more to do here: what was woken elsewhere doesn't wait for it.
    @inline(never)
    private nonisolated func startWoken(
        _ entry: consuming SoupEntry,
        _ record: UnsafeMutablePointer<WorkerRecord>
    ) -> SoupEntry {
        entry.leaveUnchanged()
        record.pointee.handoff.close()?.startOwnWorker()
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
        let isAsynchronous = reaction.pointee.isAsynchronous
        let wasLong = reaction.pointee.isLong
        if wasLong {
            // Nothing may wait for this body: whoever injects from here on finds nobody active, and `fire` itself, on
            // leaving the soup, wakes another worker if more is possible.
            entry.close()
            // Nor those who count on what it is about to take.
            if entry.contents.overdueCalls != 0 { machine.deadlines.add(OverdueLook(self)) }
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
            let isLong = Pace.now &- begin > Pace.longBody
            // Waiting for the lock, before or after the body, says nothing about the body.
            if !isLong || waits == soup.memory.pointee.lock.waitCount { reaction.pointee.isLong = isLong }
        } else {
            entry = reaction.pointee.fire(entry)
        }
        record.pointee.isInBody = false
        if !isAsynchronous { entry.contents.life.bodyEnded() }
        // The monitor has taken the soup away in the middle of the body.
        if !wasLong, entry.contents.activeWorker != UnsafeMutableRawPointer(record) { reaction.pointee.isLong = true }
        return entry
    }

    /// Tries a failed reaction again. Nothing waits for its body either.
    @inline(never)
    private nonisolated func runRetry(
        _ entry: consuming SoupEntry,
        _ record: UnsafeMutablePointer<WorkerRecord>
    ) -> SoupEntry {
        let retry = entry.takeDueRetry()
        entry.close()
        if record.pointee.handsOn { record.pointee.handoff.open(isShort: false) }
        return retry.run(entry)
    }

    /// A body has returned: whether this worker is active still or again.
    @inline(__always)
    private nonisolated func isActive(
        _ entry: borrowing SoupEntry,
        _ record: UnsafeMutablePointer<WorkerRecord>
    ) -> Bool {
        if entry.contents.activeWorker == UnsafeMutableRawPointer(record) { return true }
        // Somebody else may have become active since; if not, it is us again.
        guard entry.contents.life.takesWorkerBack else { return false }
        entry.open(to: UnsafeMutableRawPointer(record))
        return true
    }

    /// The worker ends.
    private nonisolated func endWorker(_ entry: consuming SoupEntry) {
        entry.contents.life.workerEnded()
        entry.leaveAfterEnd()
    }

    /// Lets other tasks have the thread: another worker, at the end of the queue, takes over.
    @inline(never)
    private nonisolated func endTurn(_ entry: consuming SoupEntry, _ record: UnsafeMutablePointer<WorkerRecord>) {
        entry.contents.activeWorker = nil
        entry.contents.life.workerHandsOver()
        entry.leaveUnchanged()
        record.pointee.handoff.close()?.startOwnWorker()
        startOwnWorker()
    }

    /// Takes the soup from a worker that has been in the same body since the monitor's last look. Called by the
    /// monitor.
    ///
    /// - Returns: whether it did; then the caller has another worker woken, if something is possible, and one for what
    ///   the body has left in its `Handoff`.
    nonisolated func relieve(_ record: UnsafeMutablePointer<WorkerRecord>) -> Bool {
        // While a body runs the lock is free, or soon will be. The monitor holds everybody's workers up, so it doesn't
        // wait.
        guard soup.memory.pointee.lock.lockIfAvailable() else { return false }
        let entry = SoupEntry(locked: soup)
        let isStuck = entry.contents.activeWorker == UnsafeMutableRawPointer(record) && record.pointee.isInBody
        let wasSeen = record.pointee.seenCount == record.pointee.count
        if isStuck {
            record.pointee.seenCount = record.pointee.count
            if wasSeen { entry.close() }
        }
        entry.leaveUnchanged()
        return isStuck && wasSeen
    }
}

extension Join {
    /// A reaction is possible: has the main actor look after it, or wakes a worker.
    @usableFromInline
    nonisolated func wakeWorker(_ entry: consuming SoupEntry) {
        if soup.memory.pointee.isOnMain {
            wakeOnMain(entry)
        } else {
            entry.open(to: nil)
            entry.leaveUnchanged()
            startWorker()
        }
    }
}
