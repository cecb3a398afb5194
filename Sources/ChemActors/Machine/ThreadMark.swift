public import ChemBase

/// Which definition's synchronous code this thread is running right now: a body, or the closure of `define`.
///
/// A synchronous body can't leave its thread, so a thread-local variable answers this exactly, in two nanoseconds. It
/// lets a body's own injections go straight into the soup, and a definition made inside a body hold a lease on its
/// maker. For asynchronous bodies, the task-local `BodyScope` tells the same.
@usableFromInline
enum ThreadMark {
    /// The mark of this thread. Soups copy this key, so that the hot path needn't access a global.
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

    /// Marks this thread as running code of this definition. Returns what it ran before.
    @inlinable
    @inline(__always)
    func markMine() -> UnsafeMutableRawPointer? {
        let outer = memory.pointee.threadMark.pointer
        memory.pointee.threadMark.pointer = UnsafeMutableRawPointer(memory)
        return outer
    }

    /// Marks this thread as running no definition's synchronous code for a while. Returns what it ran before.
    func markNobody() -> UnsafeMutableRawPointer? {
        let outer = memory.pointee.threadMark.pointer
        memory.pointee.threadMark.pointer = nil
        return outer
    }

    /// Runs `body` as if this thread ran nobody's synchronous code.
    func asNobody(_ body: () -> Void) {
        let outer = markNobody()
        body()
        memory.pointee.threadMark.pointer = outer
    }

    /// Marks this thread as running again what it ran before `markMine`.
    @inlinable
    @inline(__always)
    func mark(_ outer: UnsafeMutableRawPointer?) {
        memory.pointee.threadMark.pointer = outer
        if let outer, outer != UnsafeMutableRawPointer(memory) {
            SoupReference(outer.assumingMemoryBound(to: Soup.self)).catchUp()
        }
    }

    /// Moves into this soup what inner code has left in its inbox. What the body injects next goes straight into the
    /// soup, and must not overtake it.
    @usableFromInline
    @inline(never)
    func catchUp() {
        let entry = enter()
        entry.absorb()
        entry.leave()
    }
}
