/// A pointer that every thread has for itself, nil at first.
///
/// Asking costs about two nanoseconds. Each one is kept for good, and the system has few of them: so they are made
/// once, as static properties.
@usableFromInline
package struct ThreadLocal: Sendable {
    @usableFromInline let key: Platform.ThreadKey

    package init() {
        key = Platform.makeThreadKey()
    }

    /// What this thread has.
    @inlinable
    package var pointer: UnsafeMutableRawPointer? {
        @inline(__always) get { Platform.threadValue(of: key) }
        @inline(__always) nonmutating set { Platform.setThreadValue(of: key, to: newValue) }
    }

    /// Has this thread keep `pointer` while `body` runs, and afterwards what it had before.
    @inlinable
    package func with<Result>(_ pointer: UnsafeMutableRawPointer?, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.pointer
        self.pointer = pointer
        defer { self.pointer = outer }
        return try body()
    }
}
