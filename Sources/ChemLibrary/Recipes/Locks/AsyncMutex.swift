public import ChemActors

/// A value that only one task at a time may use, even across `await`.
///
/// ```swift
/// let session = AsyncMutex(Session())
/// try await session.withLock { session in
///     if session.hasExpired { session = try await renew(session) }    // nobody else gets in meanwhile
/// }
/// ```
///
/// The value is a molecule, and the task that has consumed it holds the lock. Waiting tasks get the lock in the order
/// in which they came.
///
/// An actor lets other calls in at each `await`. `Mutex` and `OSAllocatedUnfairLock` can't be held across an `await`:
/// prefer them if nothing suspends, since they are several times faster. Prefer a state of a larger chemistry,
/// `join.state`, if reactions change the value.
///
/// A task that asks for a lock that it already holds waits forever, or until it is cancelled.
///
/// - Complexity: O(1). The value is moved, not copied: an array is changed in place.
public struct AsyncMutex<Value: Sendable>: Exportable {
    @usableFromInline let lock: FastMolecule<Void, Value>
    @usableFromInline let free: SlowMolecule<Value>

    /// A mutex around `value`.
    ///
    /// - Parameters:
    ///   - value: The initial value.
    ///   - name: What the mutex is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    @inlinable
    public init(_ value: Value, name: String = "mutex", fileID: StaticString = #fileID, line: UInt = #line) {
        (lock, free) = Join.define(name, fileID: fileID, line: line) { join in
            let mutex = AsyncMutex(value, in: &join)
            return (mutex.lock, mutex.free)
        }
    }

    /// A mutex that is part of a definition.
    @inlinable
    init(_ value: Value, in join: inout Join.Builder) {
        join.endsWhenCleared()
        let free = join.slow("free", of: Value.self)
        let lock = join.fast("lock", returning: Value.self, order: .oldestFirst)

        join.answer(lock, with: free) { _, value in value }

        free(value)
        self.init(lock: lock, free: free)
    }

    @usableFromInline
    init(lock: FastMolecule<Void, Value>, free: SlowMolecule<Value>) {
        self.lock = lock
        self.free = free
    }

    /// Runs `body` with the value, for as long as the body takes. Other callers wait, oldest first.
    ///
    /// The body runs in the calling task, in the caller's isolation. If it throws, the value stays as the body left it.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: What to do with the value.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `CancellationError` if the task was cancelled while it waited; then `body` hasn't
    ///   run.
    @inlinable
    nonisolated(nonsending) public func withLock<Result>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: nonisolated(nonsending) (inout Value) async throws -> Result
    ) async throws -> Result {
        try await run(body, with: lock(fileID: fileID, line: line))
    }

    /// Runs `body` with the value, if the value is free before `duration` has passed.
    ///
    /// - Parameters:
    ///   - duration: How long to wait for the lock. Zero or less: run only if it is free now. The body may take longer.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: What to do with the value.
    /// - Returns: what `body` returns.
    /// - Throws: as `withLock` without a duration, and `CallError` if the time was up.
    @inlinable
    nonisolated(nonsending) public func withLock<Result>(
        within duration: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: nonisolated(nonsending) (inout Value) async throws -> Result
    ) async throws -> Result {
        try await run(body, with: lock(within: duration, fileID: fileID, line: line))
    }

    /// Runs `body` with the value if the value is free and no task waits for it. Works in synchronous code.
    ///
    /// - Parameter body: What to do with the value.
    /// - Returns: what `body` returns, or nil if the value wasn't free.
    /// - Throws: what `body` throws.
    @inlinable
    public func withLockIfFree<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result? {
        guard var value = try? lock.tryCall() else { return nil }
        do {
            let result = try body(&value)
            free(value)
            return result
        } catch {
            free(value)
            throw error
        }
    }

    @inlinable
    nonisolated(nonsending) func run<Result>(
        _ body: nonisolated(nonsending) (inout Value) async throws -> Result,
        with value: consuming Value
    ) async throws -> Result {
        do {
            let result = try await body(&value)
            free(consume value)
            return result
        } catch {
            free(consume value)
            throw error
        }
    }

    /// The same mutex, kept alive by this value.
    public var exported: AsyncMutex { AsyncMutex(lock: lock.exported, free: free.exported) }
}

extension AsyncMutex where Value == Void {
    /// A mutex without a value.
    ///
    /// - Parameters:
    ///   - name: What the mutex is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    @inlinable
    public init(name: String = "mutex", fileID: StaticString = #fileID, line: UInt = #line) {
        self.init((), name: name, fileID: fileID, line: line)
    }

    /// Runs `body` while no other task is in a body of this mutex.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: What to do while holding the mutex.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `CancellationError` if the task was cancelled while it waited; then `body` hasn't
    ///   run.
    @inlinable
    nonisolated(nonsending) public func withLock<Result>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await withLock(fileID: fileID, line: line) { _ in try await body() }
    }
}
