public import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lock of a soup and of its inbox: it spins for a moment, then lets others run, then sleeps.
///
/// What it protects takes some tens of nanoseconds, so a waiter nearly always gets it while spinning. When the holder has
/// been preempted a waiter yields, and soon sleeps, so that a holder of lower priority gets its core.
///
/// It is built on `Atomic` rather than on `Mutex` for two reasons, both measured: releasing is a plain store (a
/// `Mutex` pays a second atomic exchange), and ThreadSanitizer sees its order (on Linux it doesn't see that of a `Mutex`).
@usableFromInline
struct Lock: ~Copyable {
    @usableFromInline let word = Atomic<UInt32>(0)

    @inlinable
    init() {}

    @inlinable
    @inline(__always)
    func lock() {
        if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { wait() }
    }

    /// Releases the lock.
    ///
    /// The fence is there for the compiler, which moves the retain of a reference that was stored under the lock past any
    /// store that follows, an atomic one as well (Swift 6.3.1, LLVM's pass for reference counts): past the unlocking,
    /// where another thread may already have released the last reference. It doesn't move it past a fence. This kind is no
    /// instruction at all on x86, and on ARM the cheapest.
    @inlinable
    @inline(__always)
    func unlock() {
        atomicMemoryFence(ordering: .acquiring)
        word.store(0, ordering: .releasing)
    }

    /// Waits with growing pauses: whoever holds the lock and its cache line gets more done before the line moves on.
    @usableFromInline
    @inline(never)
    func wait() {
        var pause = 32
        var round = 0
        while true {
            pauseBriefly(pause)
            if word.load(ordering: .relaxed) == 0,
                word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
            {
                return
            }
            round += 1
            if round < 8 {
                pause = min(pause * 2, 512)
            } else if round < 64 {
                sched_yield()
            } else {
                usleep(50)
            }
        }
    }
}

/// Does nothing `count` times, without touching memory that others use.
@_optimize(none)
@inline(never)
func pauseBriefly(_ count: Int) {
    var left = count
    while left > 0 { left &-= 1 }
}
