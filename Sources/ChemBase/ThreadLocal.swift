/// A pointer with a separate value for every thread, nil at first.
///
/// Reading it costs about two nanoseconds. Thread-locals are never freed, and the system has few of them, so they are
/// made once, as static properties.
@usableFromInline
package struct ThreadLocal: Sendable {
    @usableFromInline let key: Platform.ThreadKey

    package init() {
        key = Platform.makeThreadKey()
    }

    /// The value on this thread.
    @inlinable
    package var pointer: UnsafeMutableRawPointer? {
        @inline(__always) get { Platform.threadValue(of: key) }
        @inline(__always) nonmutating set { Platform.setThreadValue(of: key, to: newValue) }
    }

    /// Sets the value on this thread to `pointer` while `body` runs, and restores the previous one afterwards.
    @inlinable
    package func with<Result>(_ pointer: UnsafeMutableRawPointer?, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.pointer
        self.pointer = pointer
        defer { self.pointer = outer }
        return try body()
    }
}
