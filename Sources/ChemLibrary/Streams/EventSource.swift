public import ChemBase
public import Flow

/// Where values enter a graph.
///
/// ```swift
/// let message = EventSource<String>()
/// let latest = Cell(initialValue: "")
/// message --^ latest
/// message.send("Hello World!")
/// ```
///
/// It has no value of its own, and keeps none of those that it sends.
///
/// Source: SimpleSwiftFRP.
public final class EventSource<Value: Sendable>: Sendable {
    @usableFromInline let handle: FlowHandle<Value>

    /// A source that is not connected yet.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    @inlinable
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        handle = FlowHandle(FlowNode(.source, isStore: false, isOpen: true, fileID: fileID, line: line))
    }

    /// A source that has room for so many values that wait: senders may wait for room, so that a fast one doesn't run
    /// away from a slow graph.
    ///
    /// ```swift
    /// let lines = EventSource<String>(capacity: 100)
    /// for try await line in file.lines { try await lines.sendWhenRoom(line) }
    /// ```
    ///
    /// A value takes a place from its sending until its wave begins. ``sendWhenRoom(_:)`` waits for a place,
    /// ``sendIfRoom(_:)`` takes one only if it is free. The other ways of sending go on as without a capacity, and take
    /// no place.
    ///
    /// Otherwise one would use ``sendAndWait(_:)``, which allows each sender one value at a time, and says when it is
    /// processed.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait, at least 1.
    ///   - fileID: The file, for messages and drawings.
    ///   - line: The line, for messages and drawings.
    @inlinable
    public init(capacity: Int, fileID: StaticString = #fileID, line: UInt = #line) {
        demand(capacity >= 1, "a source has room for at least one value, not \(capacity)", fileID, line)
        let node = FlowNode<Value>(.source, isStore: false, isOpen: true, fileID: fileID, line: line)
        node.capacity = capacity
        handle = FlowHandle(node)
    }

    /// Sends `value` into the graph, and returns at once.
    ///
    /// Works in synchronous and asynchronous code, on any thread. What one sender sends is processed in that order. The
    /// first send of a graph seals it.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func send(_ value: Value) { handle.send(value) }

    /// Sends `value`, then calls `callback`.
    ///
    /// What the callback sends into the same graph follows `value` directly: no value of another sender comes between.
    /// The value may be processed before, during or after the callback.
    ///
    /// ```swift
    /// source.send("First message") {
    ///     source.send("Second message")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - value: What is sent.
    ///   - callback: Called once, here, also as a trailing closure. Others' values wait while it runs, so it should be
    ///     short; it may not wait for the graph.
    @inlinable
    public func send(_ value: Value, callback: () -> Void) { handle.send(value, callback) }

    /// Sends `value`, and returns when it is processed: all cells have their new values, and outlets have run.
    ///
    /// Outlets on the main actor may still have to run. What is fed back is processed as well.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before its wave begins, and then nothing was sent;
    ///   `CallError` if the graph is cancelled; ``FlowError/Code/feedbackLimit`` if more was fed back than the graph
    ///   allows; ``FlowError/Code/waitsForItself`` at once, and then nothing was sent, if an asynchronous operator of
    ///   the same graph calls it.
    @inlinable
    nonisolated(nonsending) public func sendAndWait(_ value: Value) async throws {
        try await handle.sendAndWait(value)
    }

    /// Sends `value` as soon as there is room for it, and doesn't wait until it is processed.
    ///
    /// Those who wait are served in the order in which they came. Without a capacity there is always room; see
    /// ``init(capacity:fileID:line:)``. An operator that waits for room in its own graph may wait for ever: it may be
    /// what would make room.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and `CallError` if the graph is
    ///   cancelled: then nothing was sent.
    @inlinable
    nonisolated(nonsending) public func sendWhenRoom(_ value: Value) async throws {
        try await handle.sendWhenRoom(value)
    }

    /// Sends `value` if there is room for it now, and nobody waits for that room. Never waits.
    ///
    /// Without a capacity there is always room; see ``init(capacity:fileID:line:)``.
    ///
    /// - Returns: whether it was sent.
    @inlinable
    public func sendIfRoom(_ value: Value) -> Bool { handle.sendIfRoom(value) }

    /// Sends each of `values` as soon as there is room for it, and doesn't wait until they are processed.
    ///
    /// ```swift
    /// let lines = EventSource<Substring>(capacity: 100)
    /// try await lines.send(contentsOf: text.split(separator: "\n"))
    /// ```
    ///
    /// Each value is an event of its own. Those of other senders may come between them. Without a capacity there is
    /// always room; see ``init(capacity:fileID:line:)``.
    ///
    /// - Parameter values: What is sent, in its order.
    /// - Throws: as ``sendWhenRoom(_:)``. What came before the value that has to wait then is sent.
    /// - Complexity: O(number of values).
    @inlinable
    nonisolated(nonsending) public func send(contentsOf values: some Sequence<Value>) async throws {
        for value in values { try await sendWhenRoom(value) }
    }

    /// Sends each of `values` when it comes and there is room for it, and doesn't wait until they are processed.
    ///
    /// ```swift
    /// try await lines.send(contentsOf: file.bytes.lines)
    /// ```
    ///
    /// The next element is asked for when the last one has found its place: so what gives the values is held back, if
    /// it can be. Returns at the end of the sequence; the source is not finished by it.
    ///
    /// - Parameter values: What is sent, in its order.
    /// - Throws: what `values` throws, and as ``sendWhenRoom(_:)``. What came before is sent.
    /// - Complexity: O(number of values).
    @inlinable
    nonisolated(nonsending) public func send<Values: AsyncSequence>(contentsOf values: Values) async throws
    where Values.Element == Value {
        for try await value in values { try await sendWhenRoom(value) }
    }

    /// Says that this source sends no more. What can get no more values ends too, and with it its sequences.
    ///
    /// Has its place in the order of sends. What is sent after it is ignored, and counted by
    /// ``FlowStatistics/ignored``.
    ///
    /// - Complexity: O(size of the graph), once; the waves after it cost what those before it did.
    public func finish() { handle.finish() }

    /// The graph that it belongs to. Asking for it seals the graph.
    public var graph: FlowGraph { handle.graph }
}
