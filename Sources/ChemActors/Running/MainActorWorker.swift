import Dispatch

#if canImport(Darwin)
    import Darwin
#else
    import Foundation
#endif

/// Whether the main actor's code runs here.
///
/// On Apple platforms that is the main thread. On Linux the main thread ends once the main task has suspended, and the
/// main queue is served by other threads: from then on it is the queue that tells. Foundation knows the first part, which
/// nothing smaller of the toolchain does.
var isOnMainThread: Bool {
    #if canImport(Darwin)
        pthread_main_np() != 0
    #else
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) != nil
    #endif
}

#if !canImport(Darwin)
    private let mainQueueKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
#endif

/// What the main thread is running of definitions that are designated to it.
///
/// Such a definition has no inbox: `isAccepting` stays false, so whoever injects puts the molecule into the soup itself, and
/// `activity` is `running` only while the main thread runs its bodies.
@MainActor
private enum MainRun {
    /// Whether an injection on the main thread is running bodies: those that it makes possible elsewhere queue here.
    static var isActive = false
    static var waiting: [Join] = []
    /// How many reactions run before the main thread goes back to its run loop.
    static let turn = 1_000

    /// Runs what is possible in `join`, and in all definitions in which that makes something possible.
    static func run(_ join: Join) {
        if join.mainRunWaits { return }
        join.mainRunWaits = true
        waiting.append(join)
        guard !isActive else { return }
        isActive = true
        var left = turn
        while let next = waiting.first {
            waiting.removeFirst()
            next.mainRunWaits = false
            next.runOnMain(&left)
        }
        isActive = false
    }
}

extension UnsafeMutablePointer where Pointee == ReactionSite {
    /// Runs what is possible if this is the main thread, else wakes a worker there. Entered under the lock, left without it.
    func wakeOnMainAndUnlock() {
        let join = owner
        if isOnMainThread {
            pointee.lock.unlock()
            MainActor.assumeIsolated { MainRun.run(join) }
        } else {
            scheduleOnMainAndUnlock()
        }
    }

    fileprivate func scheduleOnMainAndUnlock() {
        let join = owner
        let mustSchedule = !pointee.isScheduledOnMain
        pointee.isScheduledOnMain = true
        pointee.lock.unlock()
        if mustSchedule {
            Task { @MainActor in
                join.site.pointee.lock.lock()
                join.site.pointee.isScheduledOnMain = false
                join.site.pointee.lock.unlock()
                MainRun.run(join)
            }
        }
    }
}

extension Join {
    /// Runs possible reactions on the main thread until none is left or `left` is used up.
    @MainActor
    fileprivate func runOnMain(_ left: inout Int) {
        let site = self.site
        site.pointee.lock.lock()
        guard site.pointee.activity == .idle else {
            site.pointee.lock.unlock()
            return
        }
        site.pointee.activity = .running
        let outer = site.markMine()
        while site.pointee.phase == .running, site.pointee.soup.possibleCount != 0, left > 0 {
            left -= 1
            let reaction = site.pointee.reactions + site.pointee.soup.pick()
            site.countStart()
            let isAsynchronous = reaction.pointee.isAsynchronous
            reaction.pointee.fire(site)
            if !isAsynchronous { site.pointee.running &-= 1 }
        }
        site.mark(outer)
        site.pointee.activity = .idle
        if site.pointee.phase == .running, site.pointee.soup.possibleCount != 0 {
            // The run loop has its turn; what is left goes on after it.
            site.scheduleOnMainAndUnlock()
        } else {
            site.leaveAfterEnd()
            machine.checkForDeadlock()
        }
    }
}
