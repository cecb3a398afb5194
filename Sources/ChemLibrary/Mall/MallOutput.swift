public import Flow

/// A store that others can only read and subscribe to.
///
/// ```swift
/// print(mall.text.value)
/// for await text in mall.text.values { show(text) }     // the current one first
/// ```
public struct MallOutput<Value: Sendable>: MallNode {
    /// The container. Not for use outside of the library.
    public let _store: StoreReference<MallOutput, Value>

    @usableFromInline
    init(_ store: MallStore<Value>) {
        _store = StoreReference(store)
    }

    /// An output that holds `initial` until an operator writes it.
    @inlinable
    public init(_ initial: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(
            MallStore(FlowNode(.store, initial: initial, isStore: true, isOpen: false, fileID: fileID, line: line))
        )
    }

    /// An output that holds nil until an operator writes it.
    @inlinable
    public init<Wrapped>(fileID: StaticString = #fileID, line: UInt = #line) where Value == Wrapped? {
        self.init(nil, fileID: fileID, line: line)
    }

    /// The value after the last wave. Any thread may read it, and never waits for a running wave.
    public var value: Value { _store.store.value }

    /// The current value and each later one, even if it equals the one before.
    ///
    /// There may be several subscribers; each gets all values. The sequence begins when you ask for it: no value sent
    /// afterwards is missed. Snapshots show it with the line where the output was made.
    public var values: FlowValues<Value> { _store.store.values }

    /// The current value and each later one, for a consumer that may be slower than the mall.
    ///
    /// - Parameters:
    ///   - buffering: What happens to values that the consumer hasn't taken yet.
    ///   - name: What the sequence is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the sequence.
    public func values(
        _ buffering: FlowBuffering,
        name: String = "values",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowValues<Value> {
        _store.store.values(buffering, name: name, fileID: fileID, line: line)
    }

    /// Calls `receive` with the current value and with each later one, after its wave.
    ///
    /// The calls end when the returned sink is cancelled or released.
    ///
    /// ```swift
    /// let sink = mall.report.sink { print($0) }
    /// ```
    ///
    /// - Parameter receive: Called by the graph with one value after the other. It holds the graph up, so it should be
    ///   short. It may send, also to this mall.
    /// - Returns: the sink that ends the calls. Keep it as long as you want to receive values.
    public func sink(_ receive: @escaping @Sendable (Value) -> Void) -> FlowSink { _store.store.sink(receive) }

    /// The error of the operator that should have written last, or nil if the value is up to date.
    public var failure: (any Error)? { _store.store.failure }
}
