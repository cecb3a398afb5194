import ChemBase
import Synchronization

/// Calls a function with the values of a store, until it is cancelled or released.
///
/// ```swift
/// let sink = mall.report.sink { print($0) }
/// // …
/// sink.cancel()
/// ```
public final class FlowSink: Sendable {
    private let isCancelled = Atomic(false)
    private let remove: @Sendable () -> Void

    fileprivate init(remove: @escaping @Sendable () -> Void) { self.remove = remove }

    deinit { cancel() }

    /// Stops the calls: none begins for values that are sent later or still wait to be processed. A call that has begun
    /// may still run.
    public func cancel() {
        if !isCancelled.exchange(true, ordering: .relaxed) { remove() }
    }
}

/// Whether a sink still takes values.
private final class FlowSinkSwitch: Sendable {
    let isOn = Atomic(true)
}

extension FlowHandle {
    /// Calls `receive` with the current value, then after each wave that gives the store an event.
    package func sink(_ receive: @escaping @Sendable (Value) -> Void) -> FlowSink {
        let id = FlowScope.nextNumber()
        let graph = graph
        let index = node.index
        let power = FlowSinkSwitch()
        // Only used by the reaction that has the core, to which the memory belongs.
        let slot = SharedPointer(node.slot!)
        graph.post(
            .control { core in
                guard power.isOn.load(ordering: .relaxed) else { return }
                core.changeSubscribers(by: 1)
                core.listen(to: index)
                let handler = FlowReceiver(id: id, of: Value.self) { value in
                    if power.isOn.load(ordering: .relaxed) { receive(value) }
                }
                slot.memory.pointee.outlets.insert(handler)
                if let current = slot.memory.pointee.current { withUnsafePointer(to: current) { handler.run($0) } }
            }
        )
        return FlowSink { [weak graph] in
            power.isOn.store(false, ordering: .relaxed)
            graph?.post(
                .control { core in
                    if slot.memory.pointee.outlets.remove(id) { core.changeSubscribers(by: -1) }
                }
            )
        }
    }
}
