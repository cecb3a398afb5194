import ChemBase
import Dispatch
import Synchronization

// Waiting for what has left the control, and comes back from another thread.

extension Control {
    /// What comes from other threads than the driving one.
    struct Arrivals {
        var items: [Item] = []
        /// Who went on without the turn needn't get it any more.
        var dropped: [Rest] = []
    }

    /// Another thread makes something ready, which is wrong.
    func arrive(_ item: Item) {
        lock.withLock {
            arrivals.items.append(item)
            hasEscaped = true
            hasArrivals.store(true, ordering: .releasing)
        }
        endWait(returning: true)
    }

    /// The driving thread sees to what has come from others.
    @inline(__always)
    func admitArrivals() { if hasArrivals.load(ordering: .acquiring) { admitThose() } }

    private func admitThose() {
        let arrivals = lock.withLock {
            hasArrivals.store(false, ordering: .relaxed)
            defer { self.arrivals = Arrivals() }
            return self.arrivals
        }
        for item in arrivals.items { append(item) }
        for rest in arrivals.dropped { drop(rest) }
    }

    /// Waits, for so many seconds at most, for what may have left the control: it would come back from another thread.
    ///
    /// - Returns: whether something has.
    func waitForOthers(_ seconds: Double) async -> Bool {
        guard seconds > 0 else { return lock.withLock { canGoOn } }
        return await withCheckedContinuation { continuation in
            let wait: Int? = lock.withLock {
                guard !canGoOn else { return nil }
                waiter = continuation
                waits += 1
                return waits
            }
            guard let wait else { return continuation.resume(returning: true) }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.endWait(wait, returning: false) }
        }
    }

    /// Ends a wait that hasn't ended: this one, or that which there is.
    func endWait(_ wait: Int? = nil, returning hasCome: Bool) {
        let waiter: CheckedContinuation<Bool, Never>? = lock.withLock {
            guard wait == nil || wait == waits else { return nil }
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.resume(returning: hasCome)
    }
}
