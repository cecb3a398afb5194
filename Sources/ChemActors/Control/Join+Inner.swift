// The end of a definition in whose closure others were made. These may use its names. So it doesn't end while one of
// them is busy, though nobody else reaches it.

extension Join {
    /// What `settle` does if nobody reaches the definition any more: it ends if all that was made in its closure is
    /// quiet, and otherwise waits for one that isn't.
    nonisolated func settleWithInner(_ entry: consuming SoupEntry) {
        // It isn't quiet meanwhile: who waits for that hears of its end first.
        entry.contents.life.choreBegan()
        entry.state.awaitsInner = true
        let starts = entry.contents.started
        entry.leaveUnchanged()
        let isBusy = hasBusyInner()
        let entry = soup.enter()
        entry.contents.life.choreEnded()
        let after = entry.contents.life.afterEnd(isPossible: entry.isPossible, isReachable: entry.isReachable)
        if !isBusy, entry.contents.started == starts, case .settle(let settlement) = after, settlement.dissolves {
            settle(settlement, dissolves: true, entry)
        } else {
            // If it's quiet still, and so is who was busy, it looks again.
            if !isBusy { entry.state.awaitsInner = false }
            entry.leaveAfterEnd()
        }
    }

    /// Something that was made in the closure of this one has come to rest.
    nonisolated func innerIsQuiet() {
        let entry = soup.enter()
        entry.state.awaitsInner = false
        entry.leaveAfterEnd()
    }

    /// Whether something is busy that was made in its closure, or in the closure of what was. If so, that tells this
    /// definition when it's quiet.
    private nonisolated func hasBusyInner() -> Bool {
        var before: [Int]?
        while true {
            var starts: [Int] = []
            guard addStarts(to: &starts) else { return true }
            // One that was quiet may have been set going by another one that was quiet a moment later. If nothing has
            // begun from one look to the next, all of them were quiet in between.
            if starts == before { return false }
            before = starts
        }
    }

    /// Adds how many bodies have begun in each, and returns whether all are quiet.
    private nonisolated func addStarts(to starts: inout [Int], for waiter: Join? = nil) -> Bool {
        let entry = soup.enter()
        if let waiter {
            guard entry.isQuiet else {
                entry.state.quietWaiters.insert(.home(waiter), under: machine.nextTicket())
                entry.contents.life.isAwaited = true
                entry.leaveUnchanged()
                return false
            }
            starts.append(entry.contents.started)
        }
        let inner = entry.state.inner
        entry.leaveUnchanged()
        return inner.allSatisfy { $0.addStarts(to: &starts, for: waiter ?? self) }
    }
}
