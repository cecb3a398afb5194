public import Flow

/// A store that others can only read and subscribe to.
///
/// ```swift
/// print(mall.text.value)
/// for await text in mall.text.values { show(text) }     // the current one first
/// ```
public struct MallOutput<Value: Sendable>: MallNode {
    /// The container. Not for use outside of the library.
    public let _store: StoreReference<Value>

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

    /// An output that holds none until an operator writes it.
    @inlinable
    public init<Wrapped>(fileID: StaticString = #fileID, line: UInt = #line) where Value == Wrapped? {
        self.init(nil, fileID: fileID, line: line)
    }

    /// The value after the last wave. Any thread may ask; a wave that is under way isn't waited for.
    public var value: Value { _store.store.value }

    /// The value now and each one from now on, also if it is equal to the one before. Several may be subscribed; each
    /// gets all.
    ///
    /// It begins when it is asked for: no value that is sent afterwards is missed.
    public var values: FlowValues<Value> { _store.store.values }

    /// The same, for a consumer that may be slower than the mall.
    ///
    /// - Parameter buffering: What happens with values that the consumer hasn't taken yet.
    /// - Returns: the sequence.
    public func values(_ buffering: FlowBuffering) -> FlowValues<Value> { _store.store.values(buffering) }

    /// Calls `receive` with the value now and each one from now on, after its wave, until what is returned is cancelled
    /// or goes.
    ///
    /// ```swift
    /// let sink = mall.report.sink { print($0) }
    /// ```
    ///
    /// - Parameter receive: Called by the graph, one value after the other, which it holds up: so it should be short.
    ///   It may send, also to this mall.
    /// - Returns: what ends it; to be kept as long as values are to be received.
    public func sink(_ receive: @escaping @Sendable (Value) -> Void) -> FlowSink { _store.store.sink(receive) }

    /// The error of the operator that should have written last, or nil if the value is up to date.
    public var failure: (any Error)? { _store.store.failure }
}
