public import Flow

/// A node of a mall: what an operator block may name.
public protocol MallNode<Value>: Sendable {
    /// What it holds.
    associatedtype Value: Sendable

    /// The container behind it. Not for use outside of the library.
    var _store: StoreReference<Value> { get }
}

/// An opaque reference to the container behind a node, so that a ``MallOutput`` can't be sent to by way of it.
public struct StoreReference<Value: Sendable>: Sendable {
    @usableFromInline let store: MallStore<Value>

    @usableFromInline
    init(_ store: MallStore<Value>) {
        self.store = store
    }
}

extension MallNode {
    /// Has the node ignore values that are the same as the one that it has: no operator runs because of them, and
    /// subscribers aren't told.
    ///
    /// ```swift
    /// private let level = MallStore(0).cutoff(==)
    /// ```
    ///
    /// By default every value counts, also if it is equal to the one before. To be called before the mall opens; a
    /// second call replaces the first. With `runInitially` the initial value counts nevertheless.
    ///
    /// - Parameter isSame: Gets the value that the node has, and the new one. Runs in the wave, so it should be short.
    /// - Returns: this node.
    @discardableResult
    public func cutoff(_ isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Self {
        _store.store.handle.cutOff(isSame)
        return self
    }
}

/// A container of a mall: it outlives its values, and tells its subscribers of each new one.
///
/// A store as such belongs to the inside of a mall: keep it `private`, and nobody else can reach it. What others may do
/// is said by two views: a ``MallInput`` can only be sent to, a ``MallOutput`` only be read.
///
/// ```swift
/// struct Thermometer: Mall {
///     let celsius = MallInput(0.0)
///     private let kelvin = MallStore(273.15)
///     let text = MallOutput("")
///     // …
/// }
/// ```
///
/// A store that others may use in every way, as a `CurrentValueSubject`, isn't private: it can be sent to, read,
/// subscribed to and sunk.
///
/// A store always has a value. One that may hold none has an optional type, and begins with nil:
/// `MallStore<Reading?>()`.
///
/// - Note: Sending, reading and subscribing open nothing by themselves: the mall has to be open, see
///   ``Mall/open(_:runInitially:mode:maxFeedback:history:machine:)``.
public final class MallStore<Value: Sendable>: MallNode {
    @usableFromInline let handle: FlowHandle<Value>

    /// A store that holds `initial`. That isn't an event: no operator runs because of it.
    @inlinable
    public convenience init(_ initial: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(FlowNode(.store, initial: initial, isStore: true, isOpen: true, fileID: fileID, line: line))
    }

    /// A store that holds none.
    @inlinable
    public convenience init<Wrapped>(fileID: StaticString = #fileID, line: UInt = #line) where Value == Wrapped? {
        self.init(nil, fileID: fileID, line: line)
    }

    @usableFromInline
    init(_ node: FlowNode<Value>) {
        handle = FlowHandle(node)
    }

    /// The store itself. Not for use outside of the library.
    public var _store: StoreReference<Value> { StoreReference(self) }

    /// What others may send to.
    public var input: MallInput<Value> { MallInput(self) }

    /// What others may read.
    public var output: MallOutput<Value> { MallOutput(self) }

    /// The value after the last wave. Any thread may ask; a wave that is under way isn't waited for.
    public var value: Value { handle.value! }

    /// The value now and each one from now on, also if it is equal to the one before. Several may be subscribed; each
    /// gets all.
    ///
    /// It begins when it is asked for: no value that is sent afterwards is missed.
    public var values: FlowValues<Value> { values(.unbounded) }

    /// The same, for a consumer that may be slower than the mall.
    ///
    /// - Parameter buffering: What happens with values that the consumer hasn't taken yet.
    /// - Returns: the sequence.
    public func values(_ buffering: FlowBuffering) -> FlowValues<Value> {
        FlowValues(handle, buffering, includesCurrent: true)
    }

    /// Calls `receive` with the value now and each one from now on, after its wave, until what is returned is cancelled
    /// or goes.
    ///
    /// ```swift
    /// let sink = mall.store.sink { print($0) }
    /// ```
    ///
    /// - Parameter receive: Called by the graph, one value after the other, which it holds up: so it should be short.
    ///   It may send, also to this mall.
    /// - Returns: what ends it; to be kept as long as values are to be received.
    public func sink(_ receive: @escaping @Sendable (Value) -> Void) -> FlowSink { handle.sink(receive) }

    /// The error of the operator that should have written last, or nil if the value is up to date.
    public var failure: (any Error)? { handle.node.record?.lastFailure }

    /// Sends a value, from any thread. Never waits, neither for the operators nor for other senders.
    @inlinable
    public func send(_ value: Value) { handle.send(value) }
}
