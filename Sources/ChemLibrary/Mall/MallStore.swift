public import Flow

/// A node of a mall, which an operator block may name. Only the types of the library are nodes.
public protocol MallNode<Value>: Sendable {
    /// The type of the values it holds.
    associatedtype Value: Sendable

    /// The container behind it. Not for use outside of the library.
    var _store: StoreReference<Self, Value> { get }
}

/// An opaque reference to the container behind a node, which keeps others from sending to a ``MallOutput`` through it.
/// Only the library can make one, so only its types can be nodes.
public struct StoreReference<Node, Value: Sendable>: Sendable {
    @usableFromInline let store: MallStore<Value>

    @usableFromInline
    init(_ store: MallStore<Value>) {
        self.store = store
    }
}

extension MallNode {
    /// Makes the node ignore a value that is the same as its current one: no operator runs, and subscribers aren't
    /// told.
    ///
    /// ```swift
    /// private let level = MallStore(0).cutoff { $0 / 10 == $1 / 10 }
    /// ```
    ///
    /// By default every value counts, even if it equals the one before. Call this before the mall opens; a second call
    /// replaces the first. With `runInitially` the initial value counts nevertheless.
    ///
    /// - Parameter isSame: Gets the node's current value and the new one. Runs in the wave, so it should be short.
    /// - Returns: this node.
    @discardableResult
    public func cutoff(_ isSame: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool) -> Self {
        _store.store.handle.cutOff(isSame)
        return self
    }
}

extension MallNode where Value: Equatable {
    /// Makes the node ignore a value that equals its current one.
    ///
    /// ```swift
    /// private let level = MallStore(0.5).cutoff()
    /// ```
    ///
    /// The same as `cutoff(==)`, but `==` alone leaves Swift to choose a type, and for `0.5` it takes an optional.
    ///
    /// - Returns: this node.
    @discardableResult
    public func cutoff() -> Self { cutoff { $0 == $1 } }
}

/// A container of a mall, which tells its subscribers of each new value.
///
/// It outlives its values. A plain store belongs inside a mall: keep it `private`, so that no other code can reach it.
/// Two views show what others may do: a ``MallInput`` can only be sent to, a ``MallOutput`` can only be read.
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
/// A store that others may use in every way, like a `CurrentValueSubject`, isn't private: others can send to it, read
/// it, subscribe to it and attach a sink.
///
/// A store always has a value. One that may be empty has an optional type, and begins with nil:
/// `MallStore<Reading?>()`.
///
/// - Note: Sending, reading and subscribing don't open the mall: it has to be open already, see
///   ``Mall/open(_:runInitially:mode:maxFeedback:history:machine:fileID:line:)``.
public final class MallStore<Value: Sendable>: MallNode {
    @usableFromInline let handle: FlowHandle<Value>

    /// A store that holds `initial`. The initial value isn't an event: no operator runs because of it.
    @inlinable
    public convenience init(_ initial: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(FlowNode(.store, initial: initial, isStore: true, isOpen: true, fileID: fileID, line: line))
    }

    /// A store that holds nil.
    @inlinable
    public convenience init<Wrapped>(fileID: StaticString = #fileID, line: UInt = #line) where Value == Wrapped? {
        self.init(nil, fileID: fileID, line: line)
    }

    @usableFromInline
    init(_ node: FlowNode<Value>) {
        handle = FlowHandle(node)
    }

    /// The store itself. Not for use outside of the library.
    public var _store: StoreReference<MallStore, Value> { StoreReference(self) }

    /// A view that others may send to.
    public var input: MallInput<Value> { MallInput(self) }

    /// A view that others may read.
    public var output: MallOutput<Value> { MallOutput(self) }

    /// The value after the last wave. Any thread may read it, and never waits for a running wave.
    public var value: Value { handle.value! }

    /// The current value and each later one, even if it equals the one before.
    ///
    /// There may be several subscribers; each gets all values. The sequence begins when you ask for it: no value sent
    /// afterwards is missed. Snapshots show it with the line where the store was made.
    public var values: FlowValues<Value> {
        values(.unbounded, fileID: handle.node.fileID, line: handle.node.line)
    }

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
        FlowValues(handle, buffering, includesCurrent: true, name: name, fileID: fileID, line: line)
    }

    /// Calls `receive` with the current value and with each later one, after its wave.
    ///
    /// The calls end when the returned sink is cancelled or released.
    ///
    /// ```swift
    /// let sink = mall.store.sink { print($0) }
    /// ```
    ///
    /// - Parameter receive: Called by the graph with one value after the other. It holds the graph up, so it should be
    ///   short. It may send, also to this mall.
    /// - Returns: the sink that ends the calls. Keep it as long as you want to receive values.
    public func sink(_ receive: @escaping @Sendable (Value) -> Void) -> FlowSink { handle.sink(receive) }

    /// The error of the operator that should have written last, or nil if the value is up to date.
    ///
    /// It goes when an operator writes again, be it a value that a cutoff finds to be the same. An operator that writes
    /// nothing, since its result is ``PossibleResult/stop``, leaves it.
    public var failure: (any Error)? { handle.node.record?.lastFailure }

    /// Sends a value, from any thread. Never waits, neither for the operators nor for other senders.
    @inlinable
    public func send(_ value: Value) { handle.send(value) }
}
