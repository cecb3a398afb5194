public import Synchronization

/// The lock of a soup, of its inbox, and of whatever else is held for some tens of nanoseconds. It spins for a moment,
/// then yields, then sleeps.
///
/// No user code runs and no user value is released under it, so a waiter nearly always gets it while spinning. If the
/// holder has been preempted, a waiter yields and soon sleeps, so that a holder of lower priority gets its core.
///
/// A worker whose bodies are tiny takes the lock again as soon as it has released it, and spinning alone would keep
/// others out for milliseconds. So a thread that has waited for some microseconds counts as `impatient`, and a worker
/// that sees one lets it in between two reactions.
///
/// It is built on `Atomic` rather than on `Mutex` for two reasons, both measured: releasing is a plain store (a `Mutex`
/// pays a second atomic exchange), and ThreadSanitizer sees its order (on Linux it doesn't see that of a `Mutex`).
@usableFromInline
package struct Lock: ~Copyable, Sendable {
    @usableFromInline let word = Atomic<UInt32>(0)
    /// How many threads have been waiting for long.
    @usableFromInline let impatient = Atomic<Int32>(0)
    /// How often a thread had to wait, modulo 2³².
    @usableFromInline let waits = Atomic<UInt32>(0)

    package init() {}

    @inlinable
    @inline(__always)
    package func lock() {
        #if EXPLORED
            if lockInTurn() { return }
        #endif
        if !word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged { wait() }
    }

    /// Takes the lock if it is free.
    @inlinable
    package func lockIfAvailable() -> Bool {
        #if EXPLORED
            return lockIfAvailableInTurn()
        #else
            return word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
        #endif
    }

    /// Releases the lock.
    ///
    /// The fence is there for the compiler, which moves the retain of a reference that was stored under the lock past
    /// any store that follows, even an atomic one (Swift 6.3.1, LLVM's pass for reference counts). The retain would
    /// then come after the unlock, when another thread may already have released the last reference. The compiler
    /// doesn't move it past a fence. This kind is no instruction at all on x86, and the cheapest one on ARM.
    @inlinable
    @inline(__always)
    package func unlock() {
        #if EXPLORED
            unlockInTurn()
        #endif
        atomicMemoryFence(ordering: .acquiring)
        word.store(0, ordering: .releasing)
    }

    /// Runs `body` under the lock.
    @inlinable
    @inline(__always)
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Whether a thread has been waiting for long. Requires the lock.
    @inlinable
    @inline(__always)
    package var isOverdue: Bool { impatient.load(ordering: .relaxed) != 0 }

    /// How often a thread had to wait. It changes if one had to wait between two looks.
    @inlinable package var waitCount: UInt32 { waits.load(ordering: .relaxed) }

    /// Releases the lock, lets in one of the threads that have been waiting for long, and takes it again.
    ///
    /// A waiter on another core needs a few hundred nanoseconds. Otherwise it needs this core.
    @inline(never)
    package func letOthersIn() {
        unlock()
        var left = 64
        while left > 0, word.load(ordering: .relaxed) == 0, isOverdue {
            pauseBriefly(32)
            left &-= 1
        }
        if left == 0 { Platform.yieldThread() }
        lock()
    }

    /// Waits with growing pauses, so that the holder of the lock and its cache line gets more done before the line
    /// moves on.
    @usableFromInline
    @inline(never)
    func wait() {
        waits.add(1, ordering: .relaxed)
        var pause = 32
        for _ in 0..<8 {
            pauseBriefly(pause)
            if isTaken() { return }
            pause = min(pause * 2, 512)
        }
        impatient.add(1, ordering: .relaxed)
        defer { impatient.subtract(1, ordering: .relaxed) }
        var round = 0
        while true {
            // A worker that lets a thread in waits for as long as several of these short pauses take.
            for _ in 0..<16 {
                pauseBriefly(32)
                if isTaken() { return }
            }
            round += 1
            if round < 64 { Platform.yieldThread() } else { Platform.sleepThread(microseconds: 50) }
        }
    }

    /// Takes the lock if it is free. Looks first, so that waiting doesn't take the cache line from its holder.
    private func isTaken() -> Bool {
        word.load(ordering: .relaxed) == 0 && lockIfAvailable()
    }
}

/// Does nothing `count` times, without touching memory that others use.
@_optimize(none)
@inline(never)
func pauseBriefly(_ count: Int) {
    var left = count
    while left > 0 { left &-= 1 }
}
