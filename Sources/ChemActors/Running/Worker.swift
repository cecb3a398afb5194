#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A worker that is running: what the monitor needs to see of it.
struct WorkerRecord {
    /// Nothing, as in `SlotHeader`.
    let padding: UInt = 0
    let site: SitePointer
    /// Where it stands in the list of the monitor.
    var place = 0
    /// How many reactions it has run, and how many it had at the monitor's last look. Under the lock of the soup.
    var count = 0
    var seenCount = -1
    /// Whether a body is running. Under the lock of the soup.
    var isInBody = false
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
    /// Starts the worker that `scheduleWorker` has announced.
    nonisolated func startWorker() {
        if let scope = machine.scope {
            scope.startWorker(of: self)
        } else if let executor = machine.configuration.executor {
            Task.detached(executorPreference: executor, priority: machine.configuration.priority) { self.work() }
        } else {
            Task.detached(priority: machine.configuration.priority) { self.work() }
        }
    }

    /// One worker's turn: takes possible reactions and runs them until nothing is possible or its time is up.
    nonisolated func work() {
        withUnsafeTemporaryAllocation(of: WorkerRecord.self, capacity: 1) { buffer in
            let record = buffer.baseAddress.unsafelyUnwrapped
            record.initialize(to: WorkerRecord(site: site))
            let isTimed = machine.isTimed
            if isTimed { Monitor.shared.add(record) }
            _ = site.markMine()
            run(record, isTimed: isTimed)
            site.mark(nil)
            if isTimed { Monitor.shared.remove(record) }
        }
    }

    private nonisolated func run(_ record: UnsafeMutablePointer<WorkerRecord>, isTimed: Bool) {
        let site = self.site
        let begin = isTimed ? Pace.now : 0
        var left = 0
        var hasWorked = false
        site.pointee.lock.lock()
        site.pointee.activity = .running
        site.pointee.activeWorker = record
        while true {
            if left == 0 || site.pointee.soup.possibleCount == 0 || site.pointee.phase != .running {
                if left == 0, isTimed ? Pace.now &- begin > Pace.turn : hasWorked {
                    endTurn()
                    return
                }
                hasWorked = true
                left = Pace.batch
                site.absorb()
                if site.pointee.soup.possibleCount == 0 || site.pointee.phase != .running {
                    if !waitsForMore(isTimed: isTimed) { break }
                }
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
        site.pointee.workers -= 1
        site.leaveAfterEnd()
        machine.checkForDeadlock()
        return false
    }

    /// Nothing is possible: looks for a moment whether something comes, then becomes idle. Under the lock; returns, under
    /// the lock, true if something is possible, and false after having left the soup.
    @inline(never)
    private nonisolated func waitsForMore(isTimed: Bool) -> Bool {
        if site.staysActive() { return true }
        site.pointee.activeWorker = nil
        site.pointee.workers -= 1
        site.leaveAfterEnd()
        machine.checkForDeadlock()
        return false
    }

    /// Lets other tasks have the thread: another worker, at the end of the queue, takes over. Entered under the lock.
    @inline(never)
    private nonisolated func endTurn() {
        site.pointee.activeWorker = nil
        site.pointee.activity = .scheduled
        site.pointee.lock.unlock()
        startWorker()
    }

    /// Takes the soup from a worker that has been in the same body since the monitor's last look. Called by the monitor.
    ///
    /// - Returns: whether it did; then the caller has another worker woken, if something is possible.
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
