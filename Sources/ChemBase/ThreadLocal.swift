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

/// A value of every thread's own, which is changed in place. Its memory is made when the thread first asks for it, and
/// freed with the thread.
@usableFromInline
package struct ThreadValue<Value: BitwiseCopyable & Sendable>: Sendable {
    @usableFromInline let key: Platform.ThreadKey
    @usableFromInline let initial: Value

    package init(_ initial: Value) {
        key = Platform.makeThreadKey(isOwner: true)
        self.initial = initial
    }

    /// The value of this thread, or nil if it has never asked for it.
    @inlinable
    package var existing: UnsafeMutablePointer<Value>? {
        @inline(__always) get { Platform.threadValue(of: key)?.assumingMemoryBound(to: Value.self) }
    }

    /// The value of this thread. Only this thread may use the pointer.
    @inlinable
    package var pointer: UnsafeMutablePointer<Value> {
        @inline(__always) get { existing ?? make() }
    }

    @usableFromInline
    @inline(never)
    func make() -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        memory.initialize(to: initial)
        Platform.setThreadValue(of: key, to: memory)
        return memory
    }
}
