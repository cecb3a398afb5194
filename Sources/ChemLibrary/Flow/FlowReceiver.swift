/// A function to run with a value, given the address of that value.
///
/// A function of the value itself, stored in a generic type, would be wrapped each time it is stored and called. So the
/// value is passed by address, and the closures, made where the type is known, load it.
@usableFromInline
package struct FlowReceiver {
    /// The number of the operator or outlet, which determines the order in which several run.
    @usableFromInline package let id: Int
    /// Takes the address of an initialized value of the node's type.
    @usableFromInline package let run: (UnsafeRawPointer) -> Void

    @inlinable
    package init(id: Int = 0, run: @escaping (UnsafeRawPointer) -> Void) {
        self.id = id
        self.run = run
    }

    /// - Parameters:
    ///   - id: The number of the operator or outlet.
    ///   - type: The type of the node.
    ///   - body: Gets the value.
    @inlinable
    package init<Value>(id: Int = 0, of type: Value.Type, _ body: @escaping (Value) -> Void) {
        self.init(id: id) { body($0.assumingMemoryBound(to: Value.self).pointee) }
    }
}

/// Writes an output of an operator when called with a value.
@usableFromInline
package struct FlowEmitter<Value: Sendable> {
    @usableFromInline let handler: FlowReceiver

    @inlinable
    package init(_ handler: FlowReceiver) { self.handler = handler }

    @inlinable
    @inline(__always)
    package func callAsFunction(_ value: Value) {
        withUnsafePointer(to: value) { handler.run(UnsafeRawPointer($0)) }
    }
}

/// Applies a function to the value of an output. The function returns the new value, or nil if there is none.
@usableFromInline
package typealias FlowFolder<Value> = (@escaping (Value) -> Value?) -> Void

/// Reads an input of an operator when called. Returns nil if there is no value.
@usableFromInline
package struct FlowReader<Value: Sendable> {
    @usableFromInline
    package enum Place {
        case current(UnsafeMutablePointer<FlowSlot<Value>>)
        case previous(UnsafeMutablePointer<FlowSlot<Value>>, UnsafeMutablePointer<FlowWave>)
        case queue(UnsafeMutablePointer<FlowZipQueue<Value>>)
    }

    @usableFromInline let place: Place

    @inlinable
    package init(_ place: Place) { self.place = place }

    @inlinable
    @inline(__always)
    package func callAsFunction() -> Value? {
        switch place {
        case .current(let slot): slot.pointee.current
        case .previous(let slot, let wave):
            slot.pointee.stamp == wave.pointee.number ? slot.pointee.previous : slot.pointee.current
        case .queue(let queue): queue.pointee.popFirst()
        }
    }
}
