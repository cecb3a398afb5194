/// The last of the operators that have failed, of those that write one node in one wave.
@usableFromInline
package struct FlowFailed {
    /// Its number. -1 if none has failed.
    @usableFromInline var order = -1
    @usableFromInline var error: (any Error)?

    @usableFromInline
    init(order: Int = -1, error: (any Error)? = nil) {
        self.order = order
        self.error = error
    }

    /// Forgets it, and returns its error if it comes after the operator `other`.
    @usableFromInline
    mutating func take(after other: Int) -> (any Error)? {
        guard order >= 0 else { return nil }
        defer { self = FlowFailed() }
        return order > other ? error : nil
    }
}
