import ChemBase

/// The main thread's work on definitions that are designated to it.
///
/// Such a definition has no inbox: `isAccepting` stays false, so injectors put their molecules into the soup
/// themselves. Its `activity` stays `idle`, so whoever makes something possible comes here, even from inside one of its
/// bodies.
@MainActor
private enum MainRun {
    /// Whether an injection on the main thread is running bodies. Definitions in which these make something possible
    /// queue here.
    static var isActive = false
    static var waiting = FIFO<Join>()
    /// Whether a task is about to check that `waiting` has not been left alone.
    static var isGuarded = false
    /// How many reactions run before the main thread goes back to its run loop.
    static let turn = 1_000

    /// Has the main thread run what is possible in `join`: now, or after the body that this is called in.
    static func run(_ join: Join) {
        if !join.mainRunWaits {
            join.mainRunWaits = true
            waiting.append(join)
        }
        if isActive { guardAgainstNesting() } else { runWaiting() }
    }

    /// Schedules a task for the case that the enclosing body runs a loop of its own, for a dialog say, and doesn't
    /// return for long. The main queue then goes on, and this task with it.
    private static func guardAgainstNesting() {
        guard !isGuarded else { return }
        isGuarded = true
        Task.detached { @MainActor in
            isGuarded = false
            runWaiting()
        }
    }

    /// Runs what waits. If a body is active while a task of the main queue calls this, the body runs a loop of its own.
    static func runWaiting() {
        let outer = isActive
        isActive = true
        var left = turn
        while let next = waiting.popFirst() {
            next.mainRunWaits = false
            // The body that injected isn't the one that runs, nor is what it was inside of.
            CallersScope.innermost.with(nil) { BodyScope.inNone { next.runOnMain(&left) } }
        }
        isActive = outer
    }
}

extension Join {
    /// Runs what is possible if this is the main thread, else has a task on the main actor do so.
    nonisolated func wakeOnMain(_ entry: consuming SoupEntry) {
        if Platform.isOnMainThread {
            entry.leaveUnchanged()
            MainActor.assumeIsolated { MainRun.run(self) }
        } else {
            scheduleOnMain(entry)
        }
    }

    private nonisolated func scheduleOnMain(_ entry: consuming SoupEntry) {
        let mustSchedule = !entry.state.isScheduledOnMain
        entry.state.isScheduledOnMain = true
        entry.leaveUnchanged()
        guard mustSchedule else { return }
        if let scope = machine.scope {
            scope.startMainRun(of: self)
        } else {
            // Detached, so that the bodies see nothing of whoever happens to inject.
            Task.detached(priority: machine.configuration.priority) { @MainActor in self.serveOnMain() }
        }
    }

    /// Runs possible reactions in a task on the main actor that was scheduled for it.
    @MainActor
    func serveOnMain() {
        let entry = soup.enter()
        entry.state.isScheduledOnMain = false
        entry.leaveUnchanged()
        if !mainRunWaits {
            mainRunWaits = true
            MainRun.waiting.append(self)
        }
        MainRun.runWaiting()
    }

    /// Runs possible reactions on the main thread until none is left or `left` is used up.
    @MainActor
    fileprivate func runOnMain(_ left: inout Int) {
        var entry = soup.enter()
        let outer = soup.markMine()
        while true {
            entry.letOthersIn()
            guard entry.contents.life.phase == .running, entry.isPossible, left > 0 else { break }
            left -= 1
            let index = entry.contents.matching.pick()
            if index == entry.contents.matching.reactionCount {
                entry = entry.runDueRetry()
                continue
            }
            let reaction = entry.contents.reactions + index
            entry.countStart()
            let isAsynchronous = reaction.pointee.course == .asynchronous
            let begin = machine.dissolved.isOn ? Pace.now : 0
            entry = reaction.pointee.fire(entry)
            if !isAsynchronous {
                if begin != 0 { entry.countBody(nanoseconds: Pace.now &- begin) }
                entry.contents.life.bodyEnded()
            }
        }
        entry = entry.withdrawingOverdueCalls()
        if entry.contents.life.phase == .running, entry.isPossible {
            // The run loop gets its turn. What is left goes on after it.
            scheduleOnMain(entry)
        } else {
            entry.leaveAfterEnd()
        }
        // Only after leaving: this may enter the soup of the definition whose body encloses this call.
        soup.mark(outer)
    }
}
