// The lines of an `op` block: inputs by their kind of dependency, outputs. The seed's words, and its shorthand.

public import Flow

/// An input whose every update makes the operator run; the shorthand is `node>!`.
public struct Trigger<Value: Sendable>: Sendable {
    @usableFromInline let port: Port<Value>

    /// A dependency on every update of `node`.
    @inlinable
    public init(_ node: some MallNode<Value>) {
        port = Port(.trigger, node._store.store)
    }
}

/// An input that the operator reads when it runs, and that never makes it run; the shorthand is `node>?`.
///
/// The operator reads the value that the store has after everything the same wave has done to it: with `Trigger(a)` and
/// `Reads(a)` in one block, both are the same.
public struct Reads<Value: Sendable>: Sendable {
    @usableFromInline let port: Port<Value>

    /// Reads `node` whenever the operator runs.
    @inlinable
    public init(_ node: some MallNode<Value>) {
        port = Port(.reads, node._store.store)
    }

    /// Reads a constant whenever the operator runs.
    @inlinable
    public init(_ constant: Constant<Value>) {
        port = constant.port
    }
}

/// An input that waits for its partners; the shorthand is `node>%`.
///
/// The operator runs when each zipped input has a value that it hasn't delivered yet. The first value of one input is
/// paired with the first of the other, the second with the second, and so on. Values without a partner wait; none is
/// lost. If a trigger makes the operator run, zipped inputs deliver their last delivered value again, or the initial
/// value of the store if they have delivered none.
public struct MallZip<Value: Sendable>: Sendable {
    @usableFromInline let port: Port<Value>

    /// A place in the tuple, to which `node` contributes its values in order.
    @inlinable
    public init(_ node: some MallNode<Value>) {
        port = Port(.zip, node._store.store)
    }
}

/// An output that takes a result of the operator; the shorthand is `~>node`.
public struct OutputNode<Value: Sendable>: Sendable {
    @usableFromInline let target: Target<Value>

    /// An output that replaces the value of `node`.
    @inlinable
    public init(_ node: some MallNode<Value>) {
        target = Target(node._store.store)
    }
}

/// A value that operators read and nobody can change.
///
/// ```swift
/// op {
///     celsius>!
///     Constant(32.0)>?
///     add
///     ~>fahrenheit
/// }
/// ```
public struct Constant<Value: Sendable>: Sendable {
    @usableFromInline let port: Port<Value>

    /// A constant with this value.
    @inlinable
    public init(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        port = Port(value, fileID: fileID, line: line)
    }
}

/// The type of results that ``devNull`` takes. It has no values; it only marks the output's type.
public enum Discarded: Sendable {}

/// A sink that takes anything and keeps nothing, for operators whose result nobody needs: `~>devNull`.
public struct DevNull: Sendable {
    init() {}
}

/// The sink that takes anything and keeps nothing.
public let devNull = DevNull()

extension OutputNode where Value == Discarded {
    /// An output whose results are dropped.
    @inlinable
    public init(_ devNull: DevNull) {
        target = Target()
    }
}

/// The result of an operator that may withhold it.
///
/// A filter can return it instead of `(Bool, Value)` where names are clearer.
///
/// ```swift
/// @Sendable func half(_ number: Int) -> PossibleResult<Int> {
///     number % 2 == 0 ? .value(number / 2) : .stop
/// }
/// ```
///
/// An operator with several outputs may return a tuple with such a result for some of them, or one such result that
/// contains a tuple, which stops all of them.
public enum PossibleResult<Value: Sendable>: Sendable {
    /// Goes to the output.
    case value(Value)
    /// Withholds the value: the store keeps the one it has, and operators that depend on it don't run.
    case stop
}

extension PossibleResult: Equatable where Value: Equatable {}

postfix operator >!
postfix operator >?
postfix operator >%
prefix operator ~>

/// An input whose every update makes the operator run: `Trigger(node)`.
@inlinable
public postfix func >! <Value>(node: some MallNode<Value>) -> Trigger<Value> { Trigger(node) }

/// An input that is read when the operator runs: `Reads(node)`.
@inlinable
public postfix func >? <Value>(node: some MallNode<Value>) -> Reads<Value> { Reads(node) }

/// A constant that is read when the operator runs: `Reads(constant)`.
@inlinable
public postfix func >? <Value>(constant: Constant<Value>) -> Reads<Value> { Reads(constant) }

/// An input that waits for its partners: `MallZip(node)`.
@inlinable
public postfix func >% <Value>(node: some MallNode<Value>) -> MallZip<Value> { MallZip(node) }

/// An output that replaces the value of the node: `OutputNode(node)`.
@inlinable
public prefix func ~> <Value>(node: some MallNode<Value>) -> OutputNode<Value> { OutputNode(node) }

/// An output whose results are dropped: `OutputNode(devNull)`.
@inlinable
public prefix func ~> (devNull: DevNull) -> OutputNode<Discarded> { OutputNode(devNull) }
