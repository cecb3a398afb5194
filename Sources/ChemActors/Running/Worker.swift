#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A worker that is running: what the monitor needs to see of it.
struct WorkerRecord: ~Copyable {
    /// Nothing, as in `SlotHeader`.
    let padding: UInt = 0
    /// The definition that it serves. Under the lock of the monitor.
    var site: SitePointer
    /// Where it stands in the list of the monitor.
    var place = 0
    /// How many reactions it has run, and how many it had at the monitor's last look. Under the lock of the soup.
    var count = 0
    var seenCount = -1
    /// Whether a body is running. Under the lock of the soup.
    var isInBody = false
    /// Whether its bodies may leave what they wake in `handoff`.
    let handsOn: Bool
    var handoff = Handoff()

    init(_ site: SitePointer, handsOn: Bool) {
        self.site = site
        self.handsOn = handsOn
    }
}

/// How long is long, in nanoseconds.
enum Pace {
    /// A body that takes longer is one that nothing may wait for.
    static let longBody: UInt64 = 20_000
    /// A worker that has run for longer lets other tasks have its thread.
    static let turn: UInt64 = 2_000_000
    /// How many reactions run between two looks at the inbox while the soup offers more.
    static let batch = 64

    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }
}

extension Join {
    /// Sees to it that the worker comes that `scheduleWorker` has announced.
    nonisolated func startWorker() {
        if site.pointee.isPlain, let record = Handoff.current, record.pointee.handoff.put(self) { return }
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
    nonisolated func work() {
        withUnsafeTemporaryAllocation(of: WorkerRecord.self, capacity: 1) { buffer in
            let record = buffer.baseAddress.unsafelyUnwrapped
            let isTimed = machine.isTimed
            let handsOn = site.pointee.isPlain && Handoff.current == nil
            record.initialize(to: WorkerRecord(site, handsOn: handsOn))
            let begin = isTimed ? Pace.now : 0
            if isTimed { Monitor.shared.add(record) }
            if handsOn { Handoff.install(record) }
            run(record, since: begin, isTimed: isTimed)
            let last = handsOn ? goOn(record, since: begin) : self
            if handsOn { Handoff.install(nil) }
            if isTimed { Monitor.shared.remove(record) }
            // The monitor looks at the definition until then.
            withExtendedLifetime(last) {}
            record.deinitialize(count: 1)
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
            if served & 15 == 0, Pace.now &- begin > Pace.turn {
                next.startOwnWorker()
                break
            }
            Monitor.shared.move(record, to: next.site)
            withExtendedLifetime(current) {}
            current = next
            next.run(record, since: begin, isTimed: true)
        }
        return current
    }

    private nonisolated func run(_ record: UnsafeMutablePointer<WorkerRecord>, since begin: UInt64, isTimed: Bool) {
        let site = self.site
        _ = site.markMine()
        defer { site.mark(nil) }
        var left = 0
        var hasWorked = false
        site.pointee.lock.lock()
        site.pointee.activity = .running
        site.pointee.activeWorker = record
        while true {
            if left == 0 || site.pointee.soup.possibleCount == 0 || site.pointee.phase != .running {
                if left == 0, hasWorked, !isTimed || Pace.now &- begin > Pace.turn {
                    endTurn(record)
                    return
                }
                hasWorked = true
                left = Pace.batch
                site.absorb()
                if site.pointee.soup.possibleCount == 0 || site.pointee.phase != .running {
                    if !waitsForMore() { break }
                }
            }
            if !record.pointee.handoff.isEmpty {
                // There is more to do here: what was woken elsewhere doesn't wait for it.
                site.pointee.lock.unlock()
                record.pointee.handoff.close()?.startOwnWorker()
                site.pointee.lock.lock()
                continue
            }
            left &-= 1
            let index = site.pointee.soup.pick()
            if !runOne(site.pointee.reactions + index, record, isTimed: isTimed) { return }
        }
    }

    /// Runs one reaction. Entered under the lock; returns, under the lock, whether this worker is active still or again.
    /// Otherwise it has left the soup and must end.
    @inline(__always)
    private nonisolated func runOne(
        _ reaction: UnsafeMutablePointer<ReactionRecord>,
        _ record: UnsafeMutablePointer<WorkerRecord>,
        isTimed: Bool
    ) -> Bool {
        let site = self.site
        reaction.pointee.starts &+= 1
        site.countStart()
        let isAsynchronous = reaction.pointee.isAsynchronous
        if reaction.pointee.isLong {
            // Nothing may wait for this body: whoever injects from here on finds nobody active, and `fire` itself, on
            // leaving the soup, wakes another worker if more is possible.
            site.closeInbox()
            site.pointee.activity = .idle
            site.pointee.activeWorker = nil
        } else {
            record.pointee.isInBody = true
            record.pointee.count &+= 1
        }
        // The first run of a body shows how long it is.
        if record.pointee.handsOn {
            record.pointee.handoff.open(isShort: !reaction.pointee.isLong && reaction.pointee.starts > 1)
        }
        if isTimed, reaction.pointee.isLong || reaction.pointee.starts & 63 == 1 {
            let begin = Pace.now
            reaction.pointee.fire(site)
            reaction.pointee.isLong = Pace.now &- begin > Pace.longBody
        } else {
            reaction.pointee.fire(site)
        }
        record.pointee.isInBody = false
        if !isAsynchronous { site.pointee.running &-= 1 }
        if site.pointee.activeWorker == record { return true }
        // Somebody else may have become active since; if not, it is us again.
        if site.pointee.activity == .idle, site.pointee.phase == .running {
            site.openInbox()
            site.pointee.activity = .running
            site.pointee.activeWorker = record
            return true
        }
        leave()
        return false
    }

    /// Nothing is possible: looks once more whether something has come, and becomes idle if not. Under the lock; returns,
    /// under the lock, true if something is possible, and false after having left the soup.
    @inline(never)
    private nonisolated func waitsForMore() -> Bool {
        if site.staysActive() { return true }
        site.pointee.activeWorker = nil
        leave()
        return false
    }

    /// The worker ends. Entered under the lock, left without it.
    private nonisolated func leave() {
        site.pointee.workers -= 1
        site.leaveAfterEnd()
        if site.pointee.isScoped { machine.checkForDeadlock() }
    }

    /// Lets other tasks have the thread: another worker, at the end of the queue, takes over. Entered under the lock.
    @inline(never)
    private nonisolated func endTurn(_ record: UnsafeMutablePointer<WorkerRecord>) {
        site.pointee.activeWorker = nil
        site.pointee.activity = .scheduled
        site.pointee.lock.unlock()
        record.pointee.handoff.close()?.startOwnWorker()
        startOwnWorker()
    }

    /// Takes the soup from a worker that has been in the same body since the monitor's last look. Called by the monitor.
    ///
    /// - Returns: whether it did; then the caller has another worker woken, if something is possible, and one for what the
    ///   body has left in its `Handoff`.
    nonisolated func relieve(_ record: UnsafeMutablePointer<WorkerRecord>) -> Bool {
        site.pointee.lock.lock()
        defer { site.pointee.lock.unlock() }
        guard site.pointee.activeWorker == record, record.pointee.isInBody else { return false }
        guard record.pointee.seenCount == record.pointee.count else {
            record.pointee.seenCount = record.pointee.count
            return false
        }
        site.closeInbox()
        site.pointee.activity = .idle
        site.pointee.activeWorker = nil
        return true
    }
}
