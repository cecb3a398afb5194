import ChemBase

/// The last committed value of a state. Its readers share it, and keep it after the definition has dissolved.
final class CommittedValue<Value: Sendable>: Sendable {
    /// Touched in the soup.
    private let pointer: SharedPointer<Value>
    var memory: UnsafeMutablePointer<Value> { pointer.memory }

    init(_ value: Value) {
        pointer = SharedPointer(.allocate(capacity: 1))
        memory.initialize(to: value)
    }

    deinit {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    /// Reads the current value. `soup` is the soup of the state.
    func read(_ soup: SoupReference) -> Value {
        let entry = soup.enter()
        let value = memory.pointee
        entry.leaveUnchanged()
        return value
    }
}
