/// Memory behind a pointer, released with its owner.
class FlowMemory {}

final class FlowMemoryOf<Value: ~Copyable>: FlowMemory {
    let pointer: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
