public import ChemActors
import ChemBase

/// A number of permits: a caller that has acquired one goes on, and the others wait, oldest first.
///
/// ```swift
/// let connections = AsyncSemaphore(permits: 4)
/// let page = try await connections.withPermit { try await download(address) }  // at most four at once
/// ```
///
/// Each permit is a molecule. Acquiring consumes one, releasing injects one. So releasing works in synchronous code and
/// never waits. A permit can't get lost, whatever ends a wait: either the waiting call is withdrawn, or it has its
/// permit.
///
/// Waiting callers are served in the order in which they came, and no later caller overtakes them, not even
/// ``tryAcquire()``.
///
/// A `DispatchSemaphore` blocks a thread, so asynchronous code mustn't wait for it. Prefer it if both sides are threads
/// of their own. If one task at a time may change a resource, use ``AsyncMutex``.
///
/// Source: E. W. Dijkstra, Cooperating sequential processes; in the join calculus, one line.
public struct AsyncSemaphore: Exportable {
    /// Takes a permit, as soon as there is one for this caller.
    ///
    /// `try await semaphore.acquire()` waits; `try await semaphore.acquire(within: .seconds(1))` waits for at most a
    /// second. If it throws, no permit was taken: `CancellationError` if the task was cancelled, `CallError` if the
    /// time was up. If it doesn't throw, the caller must release the permit, even if the task has been cancelled
    /// meanwhile.
    public let acquire: FastMolecule<Void, Void>

    /// Gives a permit back. Never waits, and works in synchronous code.
    ///
    /// Any task may release a permit, not only the one that acquired it. Releasing more permits than were acquired adds
    /// permits, as with a `DispatchSemaphore`, so a semaphore without permits can serve as a signal.
    public let release: SlowMolecule<Void>

    /// A semaphore with `permits` permits.
    ///
    /// - Parameters:
    ///   - permits: How many callers may go on before the first of them releases its permit; not negative.
    ///     More than 2⁴⁰ are as good as so many.
    ///   - name: What the semaphore is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Complexity: O(`permits`).
    public init(permits: Int, name: String = "semaphore", fileID: StaticString = #fileID, line: UInt = #line) {
        demand(permits >= 0, "a semaphore can't have \(permits) permits", fileID, line)
        (acquire, release) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let permit = join.slow("permit")
            let acquire = join.fast("acquire", order: .oldestFirst)

            join.answer(acquire, with: permit) { _, _ in }

            permit.inject(contentsOf: repeatElement((), count: permits.countable))
            return (acquire, permit)
        }
    }

    private init(acquire: FastMolecule<Void, Void>, release: SlowMolecule<Void>) {
        self.acquire = acquire
        self.release = release
    }

    /// Takes a permit if there is one and no caller waits for it. Works in synchronous code.
    ///
    /// - Returns: whether a permit was taken; if so, the caller must release it.
    @inlinable
    public func tryAcquire() -> Bool {
        (try? acquire.tryCall()) != nil
    }

    /// Runs `body` with a permit, and releases the permit however the body ends.
    ///
    /// The body runs in the calling task, in the caller's isolation.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: What to do with the permit.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `CancellationError` if the task was cancelled while it waited; then `body` hasn't
    ///   run.
    @inlinable
    nonisolated(nonsending) public func withPermit<Result>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await acquire(fileID: fileID, line: line)
        defer { release() }
        return try await body()
    }

    /// The same semaphore, kept alive by this value.
    public var exported: AsyncSemaphore { AsyncSemaphore(acquire: acquire.exported, release: release.exported) }
}
