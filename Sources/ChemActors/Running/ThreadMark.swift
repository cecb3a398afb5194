public import ChemBase

/// Which definition's synchronous code this thread is running right now: a body, or the closure of `define`.
///
/// A synchronous body can't leave its thread, so a thread-local variable says it exactly, for two nanoseconds. It is what
/// lets a body's own injections go straight into the soup, and a definition made inside a body hold a lease on its maker.
/// For asynchronous bodies the task-local `BodyScope` says the same.
@usableFromInline
enum ThreadMark {
    /// The mark of this thread. Sites copy what tells it, so that the hot path needn't ask for a global.
    static let site = ThreadLocal()

    /// The site whose code this thread runs, or nil.
    static var current: SitePointer? {
        site.pointer?.assumingMemoryBound(to: ReactionSite.self)
    }
}

extension UnsafeMutablePointer where Pointee == ReactionSite {
    /// Whether this thread runs a synchronous body of this definition.
    @inlinable
    @inline(__always)
    var isMine: Bool {
        pointee.threadMark.pointer == UnsafeMutableRawPointer(self)
    }

    /// Says that this thread runs code of this definition from now on. Returns what it ran before.
    @inlinable
    @inline(__always)
    func markMine() -> UnsafeMutableRawPointer? {
        let outer = pointee.threadMark.pointer
        pointee.threadMark.pointer = UnsafeMutableRawPointer(self)
        return outer
    }

    /// Says that this thread runs nobody's synchronous code for a while. Returns what it ran before.
    func markNobody() -> UnsafeMutableRawPointer? {
        let outer = pointee.threadMark.pointer
        pointee.threadMark.pointer = nil
        return outer
    }

    /// Says that this thread goes on with what it ran before `markMine`.
    @inlinable
    @inline(__always)
    func mark(_ outer: UnsafeMutableRawPointer?) {
        pointee.threadMark.pointer = outer
        if let outer, outer != UnsafeMutableRawPointer(self) {
            Self.catchUp(outer.assumingMemoryBound(to: ReactionSite.self))
        }
    }

    /// Puts into the soup of `outer` what the code inside has left in its inbox: what the body injects next goes straight in,
    /// and must not overtake it.
    @usableFromInline
    @inline(never)
    static func catchUp(_ outer: Self) {
        outer.pointee.lock.lock()
        outer.absorb()
        outer.leave()
    }
}
