extension FlowGraph {
    /// Gives all cells and stores the values that they had at `time`, in one wave.
    ///
    /// ```swift
    /// let before = FlowTime.now
    /// try await source.sendAndWait(1)
    /// try await graph.restore(at: before)
    /// ```
    ///
    /// Each cell or store that has changed since then gets an event with its old value; outlets and sequences are told.
    /// Operators don't run, since everything that depends on the cells is restored itself. A cell that was made with
    /// the history of another one knows times before this program. Those that are computed from it know them only if
    /// they were made with theirs; otherwise they have their initial values then. Values that wait in zips for their
    /// partners belong to no cell, and are dropped: pairing begins anew. ``FlowStatistics/droppedByRestoring`` counts
    /// them.
    ///
    /// Cells remember their events; the stores of a mall do if it was opened with a `history`.
    ///
    /// - Parameters:
    ///   - time: The time to restore: cells and stores get the values that came at or before it.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: ``FlowError/Code/forgotten`` if a cell or store that has changed doesn't remember that time; then
    ///   nothing changes. `CancellationError` and `CallError` like `sendAndWait` of an ``EventSource``.
    /// - Complexity: O(number of cells · log(number of events)).
    nonisolated(nonsending) public func restore(
        at time: FlowTime,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await FlowGraph.restore([self], at: time, fileID: fileID, line: line)
    }

    /// Gives all cells and stores of several graphs the values that they had at `time`: the state of a whole
    /// application.
    ///
    /// ```swift
    /// try await FlowGraph.restore([editor.graph, clock.graph], at: time)
    /// ```
    ///
    /// All graphs are first asked whether they remember that time, so either all are restored or none is. Each is
    /// restored in a wave of its own; values sent meanwhile may come before or after that wave.
    ///
    /// - Parameters:
    ///   - graphs: The graphs, in any order.
    ///   - time: The time to restore: cells and stores get the values that came at or before it.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: as ``restore(at:fileID:line:)``. If the task or a graph is cancelled during the restoring, or a value
    ///   that is sent meanwhile makes a store forget, some graphs may be restored and others not.
    nonisolated(nonsending) public static func restore(
        _ graphs: [FlowGraph],
        at time: FlowTime,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        var changes: [(FlowGraph, FlowChange)] = []
        for graph in graphs where !changes.contains(where: { $0.0 === graph }) {
            let change = FlowChange()
            let asking = FlowEvent.control { core in change.prepare { try core.restoring(to: time) } }
            try await graph.wait(for: asking, fileID, line)
            try change.check()
            changes.append((graph, change))
        }
        for (graph, change) in changes {
            // Values may have come since it was asked.
            let applying = FlowEvent.control { core in
                change.prepare { try core.restoring(to: time) }
                change.run()
            }
            try await graph.wait(for: applying, fileID, line)
            try change.check()
        }
    }
}

/// A change that one wave prepares and another one applies.
private final class FlowChange: @unchecked Sendable {
    // Checked by hand: touched by the reaction that has the core, and by the task that waits for it, one after the
    // other.
    private var change: Result<() -> Void, any Error> = .success({})

    func prepare(_ make: () throws -> () -> Void) { change = Result(catching: make) }

    func check() throws { _ = try change.get() }

    func run() { try? change.get()() }
}

/// Gives one store its value at an earlier time.
struct FlowRestorer {
    /// Looks up the value, and returns the action that writes it. Throws if the store doesn't remember it.
    let restoring: (FlowTime) throws -> () -> Void
}
