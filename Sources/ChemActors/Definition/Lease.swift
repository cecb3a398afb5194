import ChemBase
import Synchronization

/// What keeps the chemistry of a definition alive: exported names, inner definitions and waiting calls share it.
///
/// When the last lease is gone and nothing runs or is possible, the definition dissolves.
final class Lease: Sendable {
    let join: Join

    /// A lease whose definition has counted it already.
    init(counted join: Join) {
        self.join = join
    }

    deinit {
        if join.site.pointee.leases.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            join.site.pointee.lock.lock()
            join.site.leaveAfterEnd()
        }
    }
}

extension Join {
    /// A new lease, or nil if the definition has dissolved.
    nonisolated func makeLease() -> Lease? {
        site.pointee.lock.lock()
        let isAlive = site.pointee.phase != .dissolved
        if isAlive { site.pointee.leases.add(1, ordering: .relaxed) }
        site.pointee.lock.unlock()
        return isAlive ? Lease(counted: self) : nil
    }
}
