#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// Which definition's synchronous code this thread is running right now: a body, or the closure of `define`.
///
/// A synchronous body can't leave its thread, so a thread-local variable says it exactly, for two nanoseconds. It is what
/// lets a body's own injections go straight into the soup, and a definition made inside a body hold a lease on its maker.
/// For asynchronous bodies the task-local `BodyScope` says the same.
@usableFromInline
enum ThreadMark {
    /// The key under which threads keep the mark. Sites copy it, so that the hot path needn't ask for a global.
    static let key: pthread_key_t = makeKey()
    /// The key under which threads keep the destination of the names that are being exported.
    static let exportKey: pthread_key_t = makeKey()
    /// The key under which threads keep the definitions that wait to be disposed of.
    static let dissolveKey: pthread_key_t = makeKey()

    /// The key under which the child workers of a scope mark their threads.
    static let childKey: pthread_key_t = makeKey()
    /// The key under which the threads of workers keep the record that has their `Handoff`.
    static let handoffKey: pthread_key_t = makeKey()

    private static func makeKey() -> pthread_key_t {
        var key = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0 else {
            fatalError("ChemActors: the system has no thread-local key left")
        }
        return key
    }

    /// The site whose code this thread runs, or nil.
    static var current: SitePointer? {
        pthread_getspecific(key)?.assumingMemoryBound(to: ReactionSite.self)
    }
}

extension UnsafeMutablePointer where Pointee == ReactionSite {
    /// Whether this thread runs a synchronous body of this definition.
    @inlinable
    @inline(__always)
    var isMine: Bool {
        pthread_getspecific(pointee.threadKey) == UnsafeMutableRawPointer(self)
    }

    /// Says that this thread runs code of this definition from now on. Returns what it ran before.
    @inlinable
    @inline(__always)
    func markMine() -> UnsafeMutableRawPointer? {
        let outer = pthread_getspecific(pointee.threadKey)
        pthread_setspecific(pointee.threadKey, self)
        return outer
    }

    /// Says that this thread runs nobody's synchronous code for a while. Returns what it ran before.
    func markNobody() -> UnsafeMutableRawPointer? {
        let outer = pthread_getspecific(pointee.threadKey)
        pthread_setspecific(pointee.threadKey, nil)
        return outer
    }

    /// Says that this thread goes on with what it ran before `markMine`.
    @inlinable
    @inline(__always)
    func mark(_ outer: UnsafeMutableRawPointer?) {
        pthread_setspecific(pointee.threadKey, outer)
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
