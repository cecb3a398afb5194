import ChemBase
import Synchronization

/// What keeps the chemistry of a definition alive: exported names, inner definitions and waiting calls share it.
///
/// When the last lease is gone and nothing runs or is possible, the definition dissolves.
///
/// A definition that is made in the closure of another one, its home, may use the names of that. So whoever has names
/// of it keeps its home alive, too. But not the home itself, and what else was made in its closure: that would keep
/// itself alive for ever. So the lease of a name depends on where it is: inside of a home, it doesn't keep that alive.
/// Whatever leaves the home gets one that does.
final class Lease: Sendable {
    let join: Join
    /// A lease on the home, if the names have left that.
    private let home: Lease?
    /// The home that the names haven't left. Nil if they have left all.
    let scope: Join?

    /// A lease whose definition has counted it already.
    fileprivate init(counted join: Join, home: Lease?, scope: Join?) {
        self.join = join
        self.home = home
        self.scope = scope
    }

    deinit {
        Interleaving.point()
        let leases = join.soup.memory.pointee.leases.subtract(1, ordering: .acquiringAndReleasing).newValue
        if leases == 0 { join.soup.enter().leaveAfterEnd() }
    }

    /// What a call holds while it waits, besides being counted.
    var ofHome: AnyLease? { home }

    /// What a name with this lease has at `place`: in the soup or the closure of that definition, or with nil, outside
    /// of all.
    func at(_ place: Join?) -> Lease {
        let nearest = join.home(of: place)
        return nearest === scope ? self : join.makeLease(within: nearest) ?? self
    }
}

/// A lease, or several of them.
typealias AnyLease = any AnyObject & Sendable

/// Where a definition is made, which says what it may use.
struct Birthplace {
    /// In a body: what that keeps alive. The definition holds it until it dissolves.
    var parent: AnyLease?
    /// In a closure: the definition that is being made.
    var home: Join?
}

extension Join {
    /// Whether `place` is this definition, or was made in its closure, or in the closure of what was.
    nonisolated func isHome(of place: Join?) -> Bool {
        var place = place
        while let here = place {
            if here === self { return true }
            place = here.home
        }
        return false
    }

    /// The nearest home of this definition that is one of `place`, too.
    nonisolated func home(of place: Join?) -> Join? {
        var outer = home
        while let here = outer, !here.isHome(of: place) { outer = here.home }
        return outer
    }

    /// What a local name of it gets at `place`, which isn't inside of it. Nil if it has dissolved.
    nonisolated func makeLease(at place: Join?) -> Lease? { makeLease(within: home(of: place)) }

    /// A new lease for names that stay inside of `scope`, which is one of its homes, or with nil, for any names. Nil if
    /// the definition has dissolved.
    nonisolated func makeLease(within scope: Join? = nil) -> Lease? {
        let entry = soup.enter()
        let lives = entry.contents.life.phase != .dissolved
        if lives {
            soup.memory.pointee.leases.add(1, ordering: .relaxed)
            entry.state.leasesMade &+= 1
        }
        entry.leaveUnchanged()
        guard lives else { return nil }
        return Lease(counted: self, home: home === scope ? nil : home?.makeLease(within: scope), scope: scope)
    }

    /// What a definition has to know that is made in the closure or in a body of this one.
    nonisolated func birthplace() -> Birthplace {
        let entry = soup.enter()
        let isClosure = entry.contents.life.phase == .defining
        let handsOn = entry.state.handsOnParent
        let parent = entry.state.parent
        entry.leaveUnchanged()
        switch (handsOn, isClosure) {
        case (true, true): return Birthplace(parent: parent, home: home)
        case (true, false): return Birthplace(parent: parent ?? home?.makeLease())
        case (false, true): return Birthplace(home: self)
        case (false, false): return Birthplace(parent: makeLease())
        }
    }
}
