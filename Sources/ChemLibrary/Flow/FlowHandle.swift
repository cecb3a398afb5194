public import ChemActors
public import ChemBase
public import Synchronization

/// A user type's reference to a node: holds the node, and keeps its graph alive.
@usableFromInline
package final class FlowHandle<Value: Sendable>: Sendable {
    @usableFromInline package let node: FlowNode<Value>
    @usableFromInline package let wiring: FlowWiring
    /// The sealed graph, retained, or 0. (`AtomicLazyReference` isn't specialized, and would take half the time of a
    /// send.)
    @usableFromInline let sealed = Atomic<UInt>(0)

    @usableFromInline
    package init(_ node: FlowNode<Value>) {
        self.node = node
        wiring = FlowWiring()
        if !node.isConstant { wiring.add(node) }
    }

    deinit {
        if let pointer = UnsafeRawPointer(bitPattern: sealed.load(ordering: .acquiring)) {
            Unmanaged<FlowGraph>.fromOpaque(pointer).release()
        }
    }

    /// The graph. Asking for it seals it.
    @inlinable
    package var graph: FlowGraph {
        guard let pointer = UnsafeRawPointer(bitPattern: sealed.load(ordering: .acquiring)) else { return seal() }
        return Unmanaged<FlowGraph>.fromOpaque(pointer).takeUnretainedValue()
    }

    @usableFromInline
    @inline(never)
    func seal() -> FlowGraph {
        note(wiring.seal())
    }

    /// Stores the sealed graph. Returns it.
    private func note(_ graph: FlowGraph) -> FlowGraph {
        let graph = Unmanaged.passRetained(graph)
        let (isFirst, _) = sealed.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: graph.toOpaque()),
            ordering: .acquiringAndReleasing
        )
        // Sealing twice gives the same graph.
        return isFirst ? graph.takeUnretainedValue() : graph.takeRetainedValue()
    }

    /// Sends `value` into the graph. Never waits.
    @inlinable
    package func send(_ value: Value) {
        let graph = graph
        graph.post(node.index, put(value, graph))
    }

    /// Sends `value`, then runs `body`; values that `body` sends into the same graph follow directly, with nothing
    /// between.
    @inlinable
    package func send(_ value: Value, _ body: () -> Void) {
        let graph = graph
        graph.post(node.index, put(value, graph), then: body)
    }

    /// Sends `value` as soon as there is room for another waiting value of this node. Doesn't wait for the wave.
    @inlinable
    package nonisolated(nonsending) func sendWhenRoom(
        _ value: Value,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws {
        let graph = graph
        let place = try await graph.takePlace(node.index, fileID, line)
        graph.post(node.index, put(value, graph, leaving: place))
    }

    /// Sends `value` if there is room for another waiting value of this node. Returns whether it was sent.
    @inlinable
    package func sendIfRoom(_ value: Value) -> Bool {
        let graph = graph
        guard let place = graph.tryToTakePlace(node.index) else { return false }
        graph.post(node.index, put(value, graph, leaving: place))
        return true
    }

    /// The event that puts `value` into the node, and leaves the place in which it has waited.
    @inlinable
    package func put(_ value: Value, _ graph: FlowGraph, leaving place: FlowPlace) -> @Sendable () -> Void {
        let put = put(value, graph)
        return {
            place.leave()
            put()
        }
    }

    /// The event that puts the initial value into the node as if it were sent, and counts even if a cutoff would ignore
    /// it.
    package func putInitial(_ graph: FlowGraph) -> @Sendable () -> Void {
        let put = put(node.record!.value!, graph)
        // Only used by the reaction that has the core, to which the memory belongs.
        let slot = SharedPointer(node.slot!)
        return {
            slot.memory.pointee.passesCutoff = true
            put()
            slot.memory.pointee.passesCutoff = false
        }
    }

    /// Sends `value` and waits until its wave is done, along with the waves of the values it feeds back.
    @inlinable
    package nonisolated(nonsending) func sendAndWait(
        _ value: Value,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws {
        let graph = graph
        try await graph.postAndWait(put(value, graph), fileID, line)
    }

    /// The event that puts `value` into the node.
    @inlinable
    package func put(_ value: Value, _ graph: FlowGraph) -> @Sendable () -> Void {
        // Only used by the reaction that has the core, to which the memory belongs.
        let slot = SharedPointer(node.slot.unsafelyUnwrapped)
        // Names aren't seen in a closure.
        let value = node.carriesNames ? Exports.outward(value) : value
        return {
            if slot.memory.pointee.isFinished { return slot.memory.pointee.ignore() }
            withUnsafePointer(to: value) { slot.memory.pointee.emit.run(UnsafeRawPointer($0)) }
        }
    }

    /// The last committed value, or the initial value before the graph is sealed. Seals nothing.
    @usableFromInline package var value: Value? { readable?.value }

    /// The outside view of the node, with its initial value. Seals nothing.
    @usableFromInline package var readable: FlowRecord<Value>? {
        if let pointer = UnsafeRawPointer(bitPattern: sealed.load(ordering: .acquiring)) {
            Unmanaged<FlowGraph>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.tellOfLook() }
        } else if !node.isConstant, let graph = wiring.prepareReading(node.id) {
            note(graph).tellOfLook()
        }
        return node.record
    }

    /// Ends the node: no more values will come from outside.
    @usableFromInline
    package func finish() {
        let graph = graph
        let index = node.index
        graph.post(end: .control { $0.ends.finish(index) })
    }
}
