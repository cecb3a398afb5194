public import ChemBase
public import Flow

/// A node through which values enter a graph.
///
/// ```swift
/// let message = EventSource<String>()
/// let latest = Cell(initialValue: "")
/// message --^ latest
/// message.send("Hello World!")
/// ```
///
/// It has no value of its own, and keeps none of the values it sends.
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

    /// A source with room for `capacity` waiting values: a fast sender can wait for room instead of outrunning a slow
    /// graph.
    ///
    /// ```swift
    /// let lines = EventSource<String>(capacity: 100)
    /// for try await line in file.lines { try await lines.sendWhenRoom(line) }
    /// ```
    ///
    /// A value takes a place from its sending until its wave begins. ``sendWhenRoom(_:fileID:line:)`` waits for a
    /// place, ``sendIfRoom(_:)`` takes one only if it is free. The other ways of sending work as they do without a
    /// capacity, and take no place.
    ///
    /// The alternative is ``sendAndWait(_:fileID:line:)``, which allows each sender one value at a time, and says when
    /// it is processed.
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
    /// Works in synchronous and asynchronous code, on any thread. The values of one sender are processed in the order
    /// in which they were sent. The first send of a graph seals it.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func send(_ value: Value) { handle.send(value) }

    /// Sends `value`, then calls `callback`.
    ///
    /// Values that the callback sends into the same graph follow `value` directly: no value of another sender comes
    /// between them. The value may be processed before, during or after the callback.
    ///
    /// ```swift
    /// source.send("First message") {
    ///     source.send("Second message")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value to send.
    ///   - callback: Called once, before this returns, also as a trailing closure. Values of other senders wait while
    ///     it runs, so it should be short; it may not wait for the graph.
    @inlinable
    public func send(_ value: Value, callback: () -> Void) { handle.send(value, callback) }

    /// Sends `value`, and returns when it is processed: all cells have their new values, and outlets have run.
    ///
    /// Outlets on the main actor may still have to run. Values that are fed back are processed as well.
    ///
    /// - Parameters:
    ///   - value: The value to send.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: `CancellationError` if the task is cancelled before its wave begins, and then nothing was sent;
    ///   `CallError` if the graph is cancelled; ``FlowError/Code/feedbackLimit`` if more was fed back than the graph
    ///   allows; ``FlowError/Code/waitsForItself`` at once, and then nothing was sent, if an asynchronous operator of
    ///   the same graph calls it.
    @inlinable
    nonisolated(nonsending) public func sendAndWait(
        _ value: Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await handle.sendAndWait(value, fileID, line)
    }

    /// Sends `value` as soon as there is room for it, and doesn't wait until it is processed.
    ///
    /// Waiting senders are served in the order in which they came. Without a capacity there is always room; see
    /// ``init(capacity:fileID:line:)``. An operator that waits for room in its own graph may wait for ever, since
    /// making room may depend on it.
    ///
    /// - Parameters:
    ///   - value: The value to send.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and `CallError` if the graph is
    ///   cancelled; in both cases nothing was sent.
    @inlinable
    nonisolated(nonsending) public func sendWhenRoom(
        _ value: Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await handle.sendWhenRoom(value, fileID, line)
    }

    /// Sends `value` if there is room for it now, and nobody waits for that room. Never waits.
    ///
    /// Without a capacity there is always room; see ``init(capacity:fileID:line:)``. With one, there is none while the
    /// machine is paused.
    ///
    /// - Returns: whether it was sent.
    @inlinable
    public func sendIfRoom(_ value: Value) -> Bool { handle.sendIfRoom(value) }

    /// Sends each of `values` as soon as there is room for it, without waiting until they are processed.
    ///
    /// ```swift
    /// let lines = EventSource<Substring>(capacity: 100)
    /// try await lines.send(contentsOf: text.split(separator: "\n"))
    /// ```
    ///
    /// Each value is an event of its own. Values of other senders may come between them. Without a capacity there is
    /// always room; see ``init(capacity:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - values: The values to send, in their order.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: as ``sendWhenRoom(_:fileID:line:)``. Values before the one that was waiting then have been sent.
    /// - Complexity: O(number of values).
    @inlinable
    nonisolated(nonsending) public func send(
        contentsOf values: some Sequence<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        for value in values { try await sendWhenRoom(value, fileID: fileID, line: line) }
    }

    /// Sends each of `values` when it arrives and there is room for it, without waiting until they are processed.
    ///
    /// ```swift
    /// try await lines.send(contentsOf: file.bytes.lines)
    /// ```
    ///
    /// Asks for the next element when the previous one has got its place. This slows down the producer of the values,
    /// if it can be slowed down. Returns at the end of the sequence, without finishing the source.
    ///
    /// - Parameters:
    ///   - values: The values to send, in their order.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: what `values` throws, and as ``sendWhenRoom(_:fileID:line:)``. Values before that have been sent.
    /// - Complexity: O(number of values).
    @inlinable
    nonisolated(nonsending) public func send<Values: AsyncSequence>(
        contentsOf values: Values,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws where Values.Element == Value {
        for try await value in values { try await sendWhenRoom(value, fileID: fileID, line: line) }
    }

    /// Ends this source: it sends no more values.
    ///
    /// Nodes that can get no more values end too, and their sequences with them. Takes its place in the order of sends.
    /// Values sent after it are ignored, and counted by ``FlowStatistics/ignored``.
    ///
    /// - Complexity: O(size of the graph), once for each source that ends; later waves cost as much as earlier ones.
    public func finish() { handle.finish() }

    /// The graph it belongs to. Asking for it seals the graph.
    public var graph: FlowGraph { handle.graph }
}
