public import Flow

/// A store that others can only send to.
///
/// ```swift
/// mall.celsius.send(21.5)                 // never waits
/// try await mall.celsius.sendAndWait(22)  // returns when everything that depends on it is up to date
/// ```
///
/// All senders share one queue: each value is a wave through the mall, in the order of sending, and every observer sees
/// them in that order. The values of one sender keep their order.
public struct MallInput<Value: Sendable>: MallNode {
    /// The container. Not for use outside of the library.
    public let _store: StoreReference<MallInput, Value>

    @usableFromInline
    init(_ store: MallStore<Value>) {
        _store = StoreReference(store)
    }

    /// An input that holds `initial` until a value is sent. The initial value isn't an event: no operator runs because
    /// of it.
    @inlinable
    public init(_ initial: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(
            MallStore(FlowNode(.source, initial: initial, isStore: true, isOpen: true, fileID: fileID, line: line))
        )
    }

    /// An input that holds nil until a value is sent.
    @inlinable
    public init<Wrapped>(fileID: StaticString = #fileID, line: UInt = #line) where Value == Wrapped? {
        self.init(nil, fileID: fileID, line: line)
    }

    /// Sends a value, from any thread. Never waits, neither for the operators nor for other senders.
    @inlinable
    public func send(_ value: Value) { _store.store.handle.send(value) }

    /// Sends a value, and waits until its wave is done, along with the waves of the values it feeds back.
    ///
    /// - Parameters:
    ///   - value: The value to send.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: `CancellationError` if the task was cancelled before the wave began, in which case the wave didn't
    ///   take place; a ``FlowError`` if the wave fed back more often than the mall allows, or at once, with
    ///   ``FlowError/Code/waitsForItself``, if an asynchronous operator of the same mall calls it; a `CallError` if the
    ///   mall is gone.
    @inlinable
    public nonisolated(nonsending) func sendAndWait(
        _ value: Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await _store.store.handle.sendAndWait(value, fileID, line)
    }
}
