public import ChemBase

/// Which definition's synchronous code this thread is running right now: a body, or the closure of `define`.
///
/// A synchronous body can't leave its thread, so a thread-local variable says it exactly, for two nanoseconds. It is
/// what lets a body's own injections go straight into the soup, and a definition made inside a body hold a lease on its
/// maker. For asynchronous bodies the task-local `BodyScope` says the same.
@usableFromInline
enum ThreadMark {
    /// The mark of this thread. Soups copy what tells it, so that the hot path needn't ask for a global.
    static let soup = ThreadLocal()

    /// The soup whose code this thread runs, or nil.
    static var current: SoupReference? {
        soup.pointer.map { SoupReference($0.assumingMemoryBound(to: Soup.self)) }
    }
}

extension SoupReference {
    /// Whether this thread runs a synchronous body of this definition.
    @inlinable
    @inline(__always)
    var isMine: Bool {
        memory.pointee.threadMark.pointer == UnsafeMutableRawPointer(memory)
    }

    /// Says that this thread runs code of this definition from now on. Returns what it ran before.
    @inlinable
    @inline(__always)
    func markMine() -> UnsafeMutableRawPointer? {
        let outer = memory.pointee.threadMark.pointer
        memory.pointee.threadMark.pointer = UnsafeMutableRawPointer(memory)
        return outer
    }

    /// Says that this thread runs nobody's synchronous code for a while. Returns what it ran before.
    func markNobody() -> UnsafeMutableRawPointer? {
        let outer = memory.pointee.threadMark.pointer
        memory.pointee.threadMark.pointer = nil
        return outer
    }

    /// Says that this thread goes on with what it ran before `markMine`.
    @inlinable
    @inline(__always)
    func mark(_ outer: UnsafeMutableRawPointer?) {
        memory.pointee.threadMark.pointer = outer
        if let outer, outer != UnsafeMutableRawPointer(memory) {
            SoupReference(outer.assumingMemoryBound(to: Soup.self)).catchUp()
        }
    }

    /// Puts into this soup what the code inside has left in its inbox: what the body injects next goes straight in,
    /// and must not overtake it.
    @usableFromInline
    @inline(never)
    func catchUp() {
        let entry = enter()
        entry.absorb()
        entry.leave()
    }
}
