// The end of a definition in whose closure others were made. These may use its names. So it doesn't end while one of
// them is busy, though nobody else reaches it.

extension Join {
    /// What `settle` does if nobody reaches the definition any more: it ends if all that was made in its closure is
    /// quiet, and otherwise waits for one that isn't.
    nonisolated func settleWithInner(_ entry: consuming SoupEntry) {
        // It isn't quiet meanwhile: who waits for that hears of its end first.
        entry.contents.life.choreBegan()
        entry.state.awaitsInner = true
        let (starts, leases) = (entry.contents.started, entry.state.leasesMade)
        entry.leaveUnchanged()
        let isBusy = hasBusyInner()
        let entry = soup.enter()
        entry.contents.life.choreEnded()
        if !isBusy { entry.state.awaitsInner = false }
        let after = entry.contents.life.afterEnd(isPossible: entry.isPossible, isReachable: entry.isReachable)
        let isUnchanged = entry.contents.started == starts && entry.state.leasesMade == leases
        if !isBusy, isUnchanged, case .settle(let settlement) = after, settlement.dissolves {
            settle(settlement, dissolves: true, entry)
        } else {
            // If it's at rest still, and so is who was busy, it looks again.
            entry.leaveAfterEnd()
        }
    }

    /// Something that was made in the closure of this one is about to be quiet. This one isn't until it has looked.
    nonisolated func innerComesToRest() {
        let entry = soup.enter()
        entry.contents.life.choreBegan()
        entry.leaveUnchanged()
    }

    /// It has come to rest.
    nonisolated func innerIsAtRest() {
        let entry = soup.enter()
        entry.contents.life.choreEnded()
        entry.state.awaitsInner = false
        entry.leaveAfterEnd()
    }

    /// Whether something is busy that was made in its closure, or in the closure of what was. If so, that tells this
    /// definition when it's quiet.
    private nonisolated func hasBusyInner() -> Bool {
        var before: [Int]?
        while true {
            var starts: [Int] = []
            guard addStarts(to: &starts, for: self) else { return true }
            // One that was quiet may have been set going by another one that was quiet a moment later. If nothing has
            // begun from one look to the next, all of them were quiet in between.
            if starts == before { return false }
            before = starts
        }
    }

    /// Adds how many bodies have begun in each of those that were made in its closure, and returns whether all are
    /// quiet.
    private nonisolated func addStarts(to starts: inout [Int], for waiter: Join) -> Bool {
        let entry = soup.enter()
        let (inner, first) = (entry.state.inner, entry.state.lastBusyInner)
        entry.leaveUnchanged()
        for offset in inner.indices {
            let index = (first + offset) % inner.count
            let one = inner[index]
            if one.addStart(to: &starts, for: waiter), one.addStarts(to: &starts, for: waiter) { continue }
            let entry = soup.enter()
            entry.state.lastBusyInner = index
            entry.leaveUnchanged()
            return false
        }
        return true
    }

    /// Adds how many bodies have begun, and returns whether it's quiet. If not, `waiter` is told when it is.
    private nonisolated func addStart(to starts: inout [Int], for waiter: Join) -> Bool {
        let entry = soup.enter()
        let isQuiet = entry.isQuiet
        if isQuiet {
            starts.append(entry.contents.started)
        } else {
            entry.state.quietWaiters.insert(.home(waiter), under: machine.nextTicket())
            entry.contents.life.isAwaited = true
        }
        entry.leaveUnchanged()
        return isQuiet
    }
}
