// What stands in an `op` block: inputs by their kind of dependency, outputs. The words of the seed, and its shorthand.

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

/// An input that is read when the operator runs and never makes it run; the shorthand is `node>?`.
///
/// What is read is the value after everything that the same wave has done to the store: with `Trigger(a)` and
/// `Reads(a)` in one block both are the same.
public struct Reads<Value: Sendable>: Sendable {
    @usableFromInline let port: Port<Value>

    /// A look at `node` whenever the operator runs.
    @inlinable
    public init(_ node: some MallNode<Value>) {
        port = Port(.reads, node._store.store)
    }

    /// A look at what never changes.
    @inlinable
    public init(_ constant: Constant<Value>) {
        port = constant.port
    }
}

/// An input that waits for its partners: the operator runs when each zipped input has a value that wasn't delivered
/// yet; the shorthand is `node>%`.
///
/// Values are paired by their number, the first of one with the first of the other; those without a partner wait, none
/// is lost. If a trigger makes the operator run, zipped inputs deliver once more what they delivered last, at first the
/// initial value of the store.
public struct MallZip<Value: Sendable>: Sendable {
    @usableFromInline let port: Port<Value>

    /// A place in the tuple to which `node` contributes its values in order.
    @inlinable
    public init(_ node: some MallNode<Value>) {
        port = Port(.zip, node._store.store)
    }
}

/// Where a result of the operator goes; the shorthand is `~>node`.
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

/// What ``devNull`` takes: there is no value of this type, it only says so in the type of the output.
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

/// The result of an operator that may withhold it: what a filter returns instead of `(Bool, Value)` where words are
/// clearer.
///
/// ```swift
/// @Sendable func half(_ number: Int) -> PossibleResult<Int> {
///     number % 2 == 0 ? .value(number / 2) : .stop
/// }
/// ```
///
/// An operator with several outputs may return a tuple with such a result for some of them, or one such result with a
/// tuple in it, which stops all.
public enum PossibleResult<Value: Sendable>: Sendable {
    /// Goes to the output.
    case value(Value)
    /// Nothing goes there: the store keeps its value, and what depends on it doesn't run.
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
