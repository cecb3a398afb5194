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
        Interleaving.point()
        let leases = join.soup.memory.pointee.leases.subtract(1, ordering: .acquiringAndReleasing).newValue
        if leases == 0 { join.soup.enter().leaveAfterEnd() }
    }
}

/// A lease, or several of them.
typealias AnyLease = any AnyObject & Sendable

extension Join {
    /// A new lease, or nil if the definition has dissolved.
    nonisolated func makeLease() -> Lease? {
        let entry = soup.enter()
        let lease = makeLease(entry)
        entry.leaveUnchanged()
        return lease
    }

    private nonisolated func makeLease(_ entry: borrowing SoupEntry) -> Lease? {
        if entry.contents.life.phase == .dissolved { return nil }
        soup.memory.pointee.leases.add(1, ordering: .relaxed)
        return Lease(counted: self)
    }

    /// What a definition holds that is made in the closure or in a body of this one; with `inBody`, nil in the closure.
    nonisolated func makeInnerLease(inBody: Bool = false) -> AnyLease? {
        let entry = soup.enter()
        var lease: AnyLease?
        if !inBody || entry.contents.life.phase != .defining {
            lease = entry.state.handsOnParent ? entry.state.parent : makeLease(entry)
        }
        entry.leaveUnchanged()
        return lease
    }
}
