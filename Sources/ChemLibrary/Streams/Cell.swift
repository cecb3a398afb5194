public import ChemBase
public import Flow

/// A value that changes over time, and remembers when.
///
/// ```swift
/// let total = Cell(initialValue: 0)
/// prices --^ total
/// print(total.value)
/// ```
///
/// It always has a value. Each event that an operator writes into it is stored with its time. Reading never waits, and
/// gives the value after the last completed wave, or the initial value before the graph is sealed. The first send or
/// subscription seals the graph; reading doesn't.
///
/// Source: SimpleSwiftFRP.
public final class Cell<Value: Sendable>: Sendable {
    @usableFromInline let handle: FlowHandle<Value>

    /// A cell that begins with `initialValue`.
    ///
    /// - Parameters:
    ///   - initialValue: Its value before the first event. It is always remembered.
    ///   - limit: How many events are remembered in addition, at least 1. When there are more, the oldest is forgotten.
    ///     By default all are remembered.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    @inlinable
    public init(initialValue: Value, limit: Int = .max, fileID: StaticString = #fileID, line: UInt = #line) {
        demand(limit >= 1, "a cell remembers at least one event, not \(limit)", fileID, line)
        handle = FlowHandle(
            FlowNode(
                .cell,
                initial: initialValue,
                limit: limit,
                isStore: true,
                isOpen: false,
                fileID: fileID,
                line: line
            )
        )
    }

    /// A cell that continues another one, maybe from another process: it remembers what that cell remembered.
    ///
    /// ```swift
    /// let total = Cell(initialValue: 0, history: saved.map { (time: $0.time, value: $0.value) })
    /// print(total.value)                  // the last of them
    /// try await total.graph.restore(at: saved[0].time)
    /// ```
    ///
    /// A cell with a limit may have forgotten events before the first of its ``history``. Give its ``forgottenSince``
    /// as well, read after the history; otherwise all times before that event count as those of the initial value.
    ///
    /// The times of the graph continue after the last time in `history`. If a lift of several cells writes the cell,
    /// its values aren't computed anew.
    ///
    /// - Parameters:
    ///   - initialValue: Its value before the first event.
    ///   - history: The ``history`` of the other cell: the events with their times, oldest first. The times must
    ///     increase strictly; otherwise the program stops.
    ///   - forgottenSince: The ``forgottenSince`` of the other cell: from that time to the first of `history`, values
    ///     count as forgotten. It changes nothing if it doesn't come before that first time. By default nothing has
    ///     been forgotten.
    ///   - limit: How many events are remembered, at least 1. When there are more, the oldest is forgotten. By default
    ///     all are remembered.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Complexity: O(number of events).
    public convenience init(
        initialValue: Value,
        history: some Sequence<(time: FlowTime, value: Value)>,
        forgottenSince: FlowTime? = nil,
        limit: Int = .max,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(initialValue: initialValue, limit: limit, fileID: fileID, line: line)
        let record = handle.node.record.unsafelyUnwrapped
        var last: FlowTime?
        for (time, value) in history {
            demand(last.map { $0 < time } ?? true, "the times of a cell's history increase strictly", fileID, line)
            demand(time < .distantFuture, "no event of a cell's history comes at distantFuture", fileID, line)
            // It is the same time if the other cell has forgotten its first event after its history was read.
            if last == nil, let forgottenSince, forgottenSince < time { record.forget(since: forgottenSince) }
            last = time
            record.commit(value, at: time)
        }
    }

    /// A cell whose value never changes. It may be used in any number of graphs, and so belongs to none: it has no
    /// ``graph``, ``values`` or ``updates``, and asking for them stops the program.
    ///
    /// Nothing may be written into it: wiring an operator that does so stops the program.
    ///
    /// - Parameters:
    ///   - constant: Its value.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    @inlinable
    public init(constant: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        handle = FlowHandle(
            FlowNode(.constant, initial: constant, isStore: true, isOpen: false, fileID: fileID, line: line)
        )
    }

    /// Makes the cell ignore a value that is the same as its current one: it is no event, and nothing that depends on
    /// it is computed anew.
    ///
    /// ```swift
    /// let level = readings --^ Cell(initialValue: 0).cutoff { $0 / 10 == $1 / 10 }
    /// ```
    ///
    /// By default every value counts. Call this before the graph is sealed; a second call replaces the first. A
    /// constant has no events, so this doesn't change it.
    ///
    /// - Parameter isSame: Gets the cell's value before the wave and the new one. Runs in the wave, so it should be
    ///   short.
    /// - Returns: this cell.
    @inlinable
    @discardableResult
    public func cutoff(_ isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Cell {
        handle.cutOff(isSame)
        return self
    }

    /// The value after the last wave, or the initial value before the first one. Never waits, and seals nothing.
    ///
    /// - Complexity: O(1), except for the first read of a cell whose initial value comes from other cells: that
    ///   computes the values it needs of those.
    public var value: Value { handle.value.unsafelyUnwrapped }

    /// The value at `time`: that of the last event up to then, or the initial value before the first event.
    ///
    /// It is also the initial value if the cell has forgotten the events of that time because of its limit;
    /// ``lookup(at:)`` tells the difference.
    ///
    /// - Complexity: O(log(number of events)).
    public func valueAt(_ time: FlowTime) -> Value {
        handle.readable.unsafelyUnwrapped.lookup(at: time).value.unsafelyUnwrapped
    }

    /// What a cell knows about a point in time.
    public enum Lookup {
        /// The value at that time.
        case exact(Value)
        /// The event that set the value at that time has been forgotten.
        case evicted
    }

    /// The value at `time`, if it is remembered.
    ///
    /// - Complexity: O(log(number of events)).
    public func lookup(at time: FlowTime) -> Lookup {
        let (value, isForgotten) = handle.readable.unsafelyUnwrapped.lookup(at: time)
        return isForgotten ? .evicted : .exact(value.unsafelyUnwrapped)
    }

    /// The remembered events, oldest first; before them the cell had the initial value, or one that it has forgotten:
    /// see ``forgottenSince``.
    ///
    /// - Complexity: O(number of events).
    public var history: [(time: FlowTime, value: Value)] {
        handle.readable.unsafelyUnwrapped.history
    }

    /// The time of the oldest event that the cell has forgotten because of its limit, or nil if it remembers all.
    ///
    /// From that time to the first of its ``history`` it doesn't know its value: ``lookup(at:)`` gives
    /// ``Lookup/evicted``, and the graph can't be restored. It doesn't change any more once it isn't nil.
    ///
    /// - Complexity: O(1).
    public var forgottenSince: FlowTime? { handle.readable.unsafelyUnwrapped.forgottenSince }

    /// The initial value.
    public var initialValue: Value {
        handle.readable.unsafelyUnwrapped.initialValue.unsafelyUnwrapped
    }

    /// The current value, then that of each event. Nothing is lost.
    ///
    /// Snapshots show it with the line where the cell was made.
    public var values: FlowValues<Value> { values(fileID: handle.node.fileID, line: handle.node.line) }

    /// The current value, then that of each event.
    ///
    /// - Parameters:
    ///   - buffering: What happens if the consumer is slower than the graph.
    ///   - name: What the sequence is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the sequence.
    public func values(
        _ buffering: FlowBuffering = .unbounded,
        name: String = "values",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowValues<Value> {
        FlowValues(subscribable, buffering, includesCurrent: true, name: name, fileID: fileID, line: line)
    }

    /// The value of each event from now on. Nothing is lost.
    ///
    /// Snapshots show it with the line where the cell was made.
    public var updates: FlowValues<Value> { updates(fileID: handle.node.fileID, line: handle.node.line) }

    /// The value of each event from now on.
    ///
    /// - Parameters:
    ///   - buffering: What happens if the consumer is slower than the graph.
    ///   - name: What the sequence is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the sequence.
    public func updates(
        _ buffering: FlowBuffering = .unbounded,
        name: String = "values",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowValues<Value> {
        FlowValues(subscribable, buffering, includesCurrent: false, name: name, fileID: fileID, line: line)
    }

    private var subscribable: FlowHandle<Value> {
        guard handle.node.isConstant else { return handle }
        fatalError("ChemLibrary: the constant \(handle.node.label) has no events to wait for")
    }

    /// The graph it belongs to. Asking for it seals the graph.
    public var graph: FlowGraph { subscribable.graph }
}

extension Cell.Lookup: Equatable where Value: Equatable {}
extension Cell.Lookup: Sendable {}

extension Cell where Value: Equatable {
    /// Makes the cell ignore a value that equals its current one.
    ///
    /// ```swift
    /// let level = readings --^ Cell(initialValue: 0.5).cutoff()
    /// ```
    ///
    /// The same as `cutoff(==)`, but `==` alone leaves Swift to choose a type, and for `0.5` it takes an optional.
    ///
    /// - Returns: this cell.
    @discardableResult
    public func cutoff() -> Cell { cutoff { $0 == $1 } }
}
