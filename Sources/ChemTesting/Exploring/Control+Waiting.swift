import ChemBase
import Dispatch

// Waiting for what has left the control, and comes back from another thread.

extension Control {
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
