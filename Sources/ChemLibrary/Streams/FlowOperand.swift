// The operators as named methods, which code completion can find.

public import Flow

/// What operators take: an ``EventSource``, an ``EventStream`` or a ``Cell``. Its methods are the operators by name.
///
/// ```swift
/// let source = EventSource<String>()
/// let total = source.compactMap { Int($0) }.filter { $0 > 0 }.scan(0) { $0 + $1 }
/// total.sink { print($0) }
/// ```
///
/// The methods make the nodes that they write into; the operators get them as arguments. You can mix both: the streams
/// and cells that methods return are like any others. Only these three types are operands.
public protocol FlowOperand<Value>: Sendable {
    /// The type of the values that pass through it or are kept in it.
    associatedtype Value: Sendable

    /// Gives access to its node. Not for use outside of the library.
    var _wire: FlowWire<Self> { get }
}

/// Gives access to the node of an operand. Only the library can make one, so only its types can be operands.
public struct FlowWire<Operand: FlowOperand>: Sendable {
    @usableFromInline let handle: FlowHandle<Operand.Value>

    @inlinable
    init(_ handle: FlowHandle<Operand.Value>) { self.handle = handle }
}

extension EventSource: FlowOperand {
    /// Gives access to its node. Not for use outside of the library.
    @inlinable public var _wire: FlowWire<EventSource> { FlowWire(handle) }
}

extension EventStream: FlowOperand {
    /// Gives access to its node. Not for use outside of the library.
    @inlinable public var _wire: FlowWire<EventStream> { FlowWire(handle) }
}

extension Cell: FlowOperand {
    /// Gives access to its node. Not for use outside of the library.
    @inlinable public var _wire: FlowWire<Cell> { FlowWire(handle) }
}

extension FlowOperand {
    /// A stream of the results of `transform` for each value: the operator `>--`.
    ///
    /// ```swift
    /// let lengths = words.map { $0.count }
    /// ```
    ///
    /// - Parameters:
    ///   - transform: Runs in the wave, so it should be short, and free of side effects.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a stream of the results.
    @inlinable
    public func map<Result>(
        _ transform: @escaping @Sendable (Value) -> Result,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> EventStream<Result> {
        let stream = EventStream<Result>(fileID: fileID, line: line)
        _wire.handle.map("map", to: stream.handle, transform)
        return stream
    }

    /// A stream of the results of `transform` that aren't nil: the operators `>--` and `--!`.
    ///
    /// ```swift
    /// let numbers = texts.compactMap { Int($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - transform: Runs in the wave, so it should be short, and free of side effects.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a stream of the results that aren't nil.
    @inlinable
    public func compactMap<Result>(
        _ transform: @escaping @Sendable (Value) -> Result?,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> EventStream<Result> {
        let stream = EventStream<Result>(fileID: fileID, line: line)
        _wire.handle.compactMap("compactMap", to: stream.handle, transform)
        return stream
    }

    /// A stream of the values for which `isIncluded` holds: the operator `--|`.
    ///
    /// ```swift
    /// let positive = numbers.filter { $0 > 0 }
    /// ```
    ///
    /// - Parameters:
    ///   - isIncluded: Runs in the wave, so it should be short, and free of side effects.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a stream of the values that pass.
    @inlinable
    public func filter(
        _ isIncluded: @escaping @Sendable (Value) -> Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> EventStream<Value> {
        let stream = EventStream<Value>(fileID: fileID, line: line)
        _wire.handle.filter("filter", to: stream.handle, isIncluded)
        return stream
    }

    /// A cell that keeps the last value: the operator `--^`.
    ///
    /// ```swift
    /// let latest = words.cell("")
    /// ```
    ///
    /// - Parameters:
    ///   - initialValue: Its value before the first event.
    ///   - limit: How many events it remembers in addition, at least 1. By default all.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a cell that keeps the last value.
    @inlinable
    public func cell(
        _ initialValue: Value,
        limit: Int = .max,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Cell<Value> {
        let cell = Cell(initialValue: initialValue, limit: limit, fileID: fileID, line: line)
        _wire.handle.pass("cell", to: cell.handle)
        return cell
    }

    /// A cell that accumulates: `fold` gets its value and the new one, and returns its next value. The operator `--+`.
    ///
    /// ```swift
    /// let total = amounts.scan(0) { $0 + $1 }
    /// ```
    ///
    /// - Parameters:
    ///   - initialValue: Its value before the first event.
    ///   - limit: How many events it remembers in addition, at least 1. By default all.
    ///   - fold: Runs in the wave, so it should be short, and free of side effects.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a cell that keeps the last result.
    @inlinable
    public func scan<Result>(
        _ initialValue: Result,
        limit: Int = .max,
        _ fold: @escaping @Sendable (Result, Value) -> Result,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Cell<Result> {
        let cell = Cell(initialValue: initialValue, limit: limit, fileID: fileID, line: line)
        _wire.handle.accumulate("scan", to: cell.handle, fold)
        return cell
    }

    /// A stream of pairs: the first value with the first one of `other`, the second with the second, and so on. The
    /// operator `--*`.
    ///
    /// ```swift
    /// let dialogue = questions.zip(with: answers).map { question, answer in "\(question) \(answer)" }
    /// ```
    ///
    /// A value waits for its partner, however long that takes; ``FlowStatistics/pending`` counts the waiting values.
    ///
    /// - Parameters:
    ///   - other: The node that gives the second values.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a stream of the pairs.
    @inlinable
    public func zip<Other>(
        with other: some FlowOperand<Other>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> EventStream<(Value, Other)> {
        let stream = EventStream<(Value, Other)>(fileID: fileID, line: line)
        FlowHandle.zip("zip", _wire.handle, other._wire.handle, to: stream.handle) { ($0, $1) }
        return stream
    }

    /// A stream of the values of both. If both have one in the same wave, that of `other` counts.
    ///
    /// With a cell after it, this is the operator `--&`.
    ///
    /// ```swift
    /// let last = clicks.merge(with: keys).cell(.none)
    /// ```
    ///
    /// - Parameters:
    ///   - other: The node that gives further values.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a stream of the values of both.
    @inlinable
    public func merge(
        with other: some FlowOperand<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> EventStream<Value> {
        let stream = EventStream<Value>(fileID: fileID, line: line)
        _wire.handle.pass("merge", to: stream.handle)
        other._wire.handle.pass("merge", to: stream.handle)
        return stream
    }

    /// A stream of the results of `combine` for each value and the values of `cells` before the wave: the operator
    /// `--%`.
    ///
    /// ```swift
    /// let strokes = clicks.snapshot(of: position, color) { click, position, color in
    ///     Stroke(click, position, color)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - cells: Cells that are read, and never trigger.
    ///   - combine: Runs in the wave, so it should be short, and free of side effects.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a stream of the results.
    @inlinable
    public func snapshot<each Read, Result>(
        of cells: repeat Cell<each Read>,
        combining combine: @escaping @Sendable (Value, repeat each Read) -> Result,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> EventStream<Result> {
        let stream = EventStream<Result>(fileID: fileID, line: line)
        _wire.handle.snapshot("snapshot", of: repeat (each cells).handle, to: stream.handle, combine, where: nil)
        return stream
    }
}

extension Cell {
    /// A cell of the results of `combine` for the values of this cell and `other`, on each event of either: the
    /// operator `--^`.
    ///
    /// ```swift
    /// let full = first.combined(with: last) { $0 + " " + $1 }
    /// ```
    ///
    /// `combine` runs at most once per wave, when both cells have their values of that wave. The result begins with
    /// `combine` of their initial values.
    ///
    /// - Parameters:
    ///   - other: The other cell.
    ///   - limit: How many events it remembers, at least 1. By default all.
    ///   - combine: Runs in the wave, so it should be short, and free of side effects. This method also calls it, for
    ///     the initial value.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    /// - Returns: a stream or cell of the results.
    @inlinable
    public func combined<Other, Result>(
        with other: Cell<Other>,
        limit: Int = .max,
        _ combine: @escaping @Sendable (Value, Other) -> Result,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Cell<Result> {
        let cell = Cell<Result>(initialValue: combine(value, other.value), limit: limit, fileID: fileID, line: line)
        FlowHandle.lift("combined", handle, other.handle, to: cell.handle, combine)
        return cell
    }

    /// Calls `receive` for each event of the cell, after the wave, as the operator `--<` with an ``Outlet`` does.
    ///
    /// ```swift
    /// total.sink { print($0) }.sink { log.append($0) }
    /// ```
    ///
    /// Call it before the graph is sealed. The initial value is no event.
    ///
    /// - Parameter receive: Called by the graph, which waits for it.
    /// - Returns: this cell.
    @inlinable
    @discardableResult
    public func sink(_ receive: @escaping @Sendable (Value) -> Void) -> Cell {
        handle.output("sink", receive)
        return self
    }

    /// Calls `receive` on the main actor for each event of the cell, as the operator `--<` with a ``MainOutlet`` does.
    ///
    /// Call it before the graph is sealed. The initial value is no event.
    ///
    /// - Parameter receive: Called in the order of events. The graph doesn't wait for it.
    /// - Returns: this cell.
    @inlinable
    @discardableResult
    public func sinkOnMainActor(_ receive: @escaping @MainActor @Sendable (Value) -> Void) -> Cell {
        handle.outputOnMainActor("sink", receive)
        return self
    }
}
