/// A value that can be reached only under its lock.
///
/// ```swift
/// private let waiting = Guarded<[Report]>([])
/// …
/// waiting.withLock { $0.append(report) }
/// ```
///
/// It is an object, for what is made once for a machine or for something long. What is hot, and has its lock beside it
/// in its own memory, uses a ``Lock``.
@usableFromInline
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
    // Checked by hand: `value` is touched in `withLock` only. The compiler sees to it that nothing of it gets out that
    // may not go anywhere.
    @usableFromInline let lock = Lock()
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    package init(_ value: consuming sending Value) {
        self.value = value
    }

    /// Runs `body` under the lock. No code of a user may run there, and no value of a user be released.
    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
