public import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A leaf lock for some tens of nanoseconds: it spins for a moment, then lets others run, then sleeps.
///
/// No user code runs under it and no value of a user is released under it. (ThreadSanitizer doesn't see the order that the
/// `Mutex` of Linux makes, and what is protected here is often memory behind a pointer.)
@usableFromInline
final class FlowLock: Sendable {
    @usableFromInline let word = Atomic<UInt32>(0)

    @inlinable
    init() {}

    @inlinable
    @inline(__always)
    func lock() {
        if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { wait() }
    }

    @inlinable
    @inline(__always)
    func unlock() {
        // For the compiler, which would move a retain past the store: see `Lock` of ChemActors.
        atomicMemoryFence(ordering: .acquiring)
        word.store(0, ordering: .releasing)
    }

    @inlinable
    @inline(__always)
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    @usableFromInline
    @inline(never)
    func wait() {
        var round = 0
        while true {
            if word.load(ordering: .relaxed) == 0,
                word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
            {
                return
            }
            round += 1
            if round > 1_000 { usleep(50) } else if round > 50 { sched_yield() }
        }
    }
}
