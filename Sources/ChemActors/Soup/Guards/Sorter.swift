/// The parts of a slow molecule: who gets which value. Called outside of the soup, by whoever injects it.
///
/// One more part makes a new sorter: an injector may still be reading the old one.
@usableFromInline
struct Sorter<Value: Sendable>: ~Copyable {
    /// A part. Not copyable, so that the closure isn't retained for a call.
    @usableFromInline
    struct Part: ~Copyable {
        /// Injects the value if it is its own, and says so.
        @usableFromInline let take: @Sendable (Value) -> Bool

        @inlinable
        @inline(__always)
        borrowing func callAsFunction(_ value: Value) -> Bool { take(value) }
    }

    @usableFromInline let parts: UnsafeMutablePointer<Part>
    @usableFromInline let count: Int

    init(_ all: [@Sendable (Value) -> Bool]) {
        count = all.count
        parts = .allocate(capacity: count)
        for (index, take) in all.enumerated() { (parts + index).initialize(to: Part(take: take)) }
    }

    deinit {
        parts.deinitialize(count: count)
        parts.deallocate()
    }

    /// Injects `value` into the first part that takes it. Returns false if none does.
    @inlinable
    @inline(__always)
    borrowing func pass(_ value: Value) -> Bool {
        for index in 0..<count where parts[index](value) { return true }
        return false
    }
}
