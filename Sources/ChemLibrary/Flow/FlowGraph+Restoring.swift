extension FlowGraph {
    /// Gives all cells and stores the values that they had at `time`, in one wave.
    ///
    /// ```swift
    /// let before = FlowTime.now
    /// try await source.sendAndWait(1)
    /// try await graph.restore(at: before)
    /// ```
    ///
    /// Each that has changed since then gets an event with its old value; outlets and sequences are told. Operators
    /// aren't run, since what depends on the cells is restored itself. Values that wait in zips for their partners
    /// belong to no cell, and are dropped: pairing begins anew. ``FlowStatistics/droppedByRestoring`` counts them.
    ///
    /// Cells remember their events; the stores of a mall do if it was opened with a `history`.
    ///
    /// - Parameter time: A time before which, or at which, the values to be restored came.
    /// - Throws: ``FlowError/Code/forgotten`` if a cell or store that has changed doesn't remember that time; then
    ///   nothing changes. And `CancellationError` as well as `CallError` like `sendAndWait` of an ``EventSource``.
    /// - Complexity: O(number of cells · log(number of events)).
    nonisolated(nonsending) public func restore(at time: FlowTime) async throws {
        try await FlowGraph.restore([self], at: time)
    }

    /// Gives all cells and stores of several graphs the values that they had at `time`: the state of a whole
    /// application.
    ///
    /// ```swift
    /// try await FlowGraph.restore([editor.graph, clock.graph], at: time)
    /// ```
    ///
    /// All of them are asked first whether they remember that time, so either all are restored or none is. Each is
    /// restored in a wave of its own: what is sent meanwhile may come before it or after it.
    ///
    /// - Parameters:
    ///   - graphs: The graphs; the order has no meaning.
    ///   - time: A time before which, or at which, the values to be restored came.
    /// - Throws: as ``restore(at:)``. If the task is cancelled or a graph is cancelled while they are restored, some
    ///   may be.
    nonisolated(nonsending) public static func restore(_ graphs: [FlowGraph], at time: FlowTime) async throws {
        var changes: [(FlowGraph, FlowChange)] = []
        for graph in graphs where !changes.contains(where: { $0.0 === graph }) {
            let change = FlowChange()
            try await graph.wait(for: .control { core in change.prepare { try core.restoring(to: time) } })
            try change.check()
            changes.append((graph, change))
        }
        for (graph, change) in changes { try await graph.wait(for: .control { _ in change.run() }) }
    }
}

/// What one wave has prepared and another one does.
private final class FlowChange: @unchecked Sendable {
    // Checked by hand: touched by the reaction that has the core, and by the task that waits for it, one after the
    // other.
    private var change: Result<() -> Void, any Error> = .success({})

    func prepare(_ make: () throws -> () -> Void) { change = Result(catching: make) }

    func check() throws { _ = try change.get() }

    func run() { try? change.get()() }
}
