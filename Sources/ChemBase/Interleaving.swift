#if EXPLORED
    import Synchronization
#endif

/// Where a thread of the runtime can be interrupted so that something comes of it, and the time as the runtime sees it.
///
/// All shared state changes under locks that are held for moments, so taking a lock is one step, and what happens is
/// decided by the order of such steps and of accesses to the few atomics beside them. A build with `-D EXPLORED` asks
/// an `Interleaver` at each step which thread goes on: `Tests/Interleavings` explores the runtime itself in that way.
/// In all other builds this is nothing at all.
@usableFromInline
package enum Interleaving {
    #if EXPLORED
        /// Who decides. Set once, before anything runs.
        package nonisolated(unsafe) static var interleaver: (any Interleaver)?

        /// Who decides for this thread, if anybody does.
        static var current: (any Interleaver)? {
            guard let interleaver, interleaver.drivesThisThread else { return nil }
            return interleaver
        }

        /// Whether this thread is driven.
        package static var isOn: Bool { current != nil }

        /// The time in nanoseconds, if it isn't the system's.
        package static var time: UInt64? { current?.time }

        /// The time, if it isn't the system's.
        package static var instant: ContinuousClock.Instant? { current?.instant }

        /// Another thread may go on here.
        package static func point() { current?.point() }

        /// Runs `body`, in which no other thread goes on: Swift's runtime holds a lock meanwhile.
        package static func whole(_ body: () -> Void) {
            if let current { current.whole(body) } else { body() }
        }

        /// Takes a job for the global pool. Returns false if this thread isn't driven.
        package static func take(_ job: UnownedJob) -> Bool {
            guard let current else { return false }
            current.take(job)
            return true
        }

        /// Has the task go on later, as `Task.yield` does.
        @usableFromInline
        nonisolated(nonsending) package static func yield() async {
            guard let current else { return await Task.yield() }
            await withUnsafeContinuation { current.resumeLater($0) }
        }

        /// There is something that has to happen at certain times.
        ///
        /// - Parameters:
        ///   - keeper: Who knows of it. Not kept alive.
        ///   - next: When the next thing has to happen.
        ///   - pass: Has happen what is due.
        package static func watch<Keeper: AnyObject & Sendable>(
            _ keeper: Keeper,
            next: @escaping @Sendable (Keeper) -> ContinuousClock.Instant?,
            pass: @escaping @Sendable (Keeper) -> Void
        ) {
            current?.watch(
                { [weak keeper] in keeper.flatMap(next) },
                { [weak keeper] in if let keeper { pass(keeper) } }
            )
        }
    #else
        /// False.
        @inlinable package static var isOn: Bool {
            @inline(__always) get { false }
        }

        /// Nil.
        @inlinable package static var time: UInt64? {
            @inline(__always) get { nil }
        }

        /// Nil.
        @inlinable package static var instant: ContinuousClock.Instant? {
            @inline(__always) get { nil }
        }

        /// Does nothing.
        @inlinable
        @inline(__always)
        package static func point() {}

        /// Runs `body`.
        @inlinable
        @inline(__always)
        package static func whole(_ body: () -> Void) { body() }

        /// Does nothing, and returns false.
        @inlinable
        @inline(__always)
        package static func take(_ job: UnownedJob) -> Bool { false }

        /// Yields.
        @inlinable
        nonisolated(nonsending) package static func yield() async { await Task.yield() }

        /// Does nothing.
        @inlinable
        @inline(__always)
        package static func watch<Keeper: AnyObject & Sendable>(
            _ keeper: Keeper,
            next: (Keeper) -> ContinuousClock.Instant?,
            pass: (Keeper) -> Void
        ) {}
    #endif
}

#if EXPLORED
    /// Decides which thread goes on.
    package protocol Interleaver: AnyObject, Sendable {
        /// Whether it decides for this thread.
        var drivesThisThread: Bool { get }

        /// The time in nanoseconds, as the runtime measures how long something takes.
        var time: UInt64 { get }

        /// The time of deadlines.
        var instant: ContinuousClock.Instant { get }

        /// Another thread may go on here.
        func point()

        /// This thread can't go on before another one has.
        func wait()

        /// This thread has taken a lock. Nobody else goes on before it has released all it has: what it does under a
        /// lock is one step with the taking of the lock.
        func tookLock()

        /// This thread releases a lock.
        func releasesLock()

        /// Runs `body`, in which no other thread goes on.
        func whole(_ body: () -> Void)

        /// Takes a job for the global pool.
        func take(_ job: UnownedJob)

        /// Resumes a task once it is its turn again.
        func resumeLater(_ continuation: UnsafeContinuation<Void, Never>)

        /// There is something that has to happen at certain times.
        func watch(_ next: @escaping @Sendable () -> ContinuousClock.Instant?, _ pass: @escaping @Sendable () -> Void)
    }

    extension Lock {
        /// Takes the lock in a thread that is driven. Returns false in others.
        @usableFromInline
        func lockInTurn() -> Bool {
            guard let interleaver = Interleaving.current else { return false }
            interleaver.point()
            while !lockIfAvailable() { interleaver.wait() }
            return true
        }

        @usableFromInline
        func lockIfAvailableInTurn() -> Bool {
            let isTaken = word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged
            if isTaken { Interleaving.current?.tookLock() }
            return isTaken
        }

        @usableFromInline
        func unlockInTurn() { Interleaving.current?.releasesLock() }
    }
#endif
