public import ChemBase

/// What a reaction can update: a ``StateMolecule``, or an array of them.
///
/// The protocol is public so that `when` can be generic over them. No other type can conform to it, for the reason
/// that ``Molecule`` gives.
public protocol Updatable: Sendable {
    /// What the body of the reaction changes.
    associatedtype Value: Sendable

    /// Adds the states that this value stands for.
    @discardableResult
    func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self>

    /// Takes the states out of the soup, for a reaction that has become possible.
    func _take(_ entry: borrowing SoupEntry) -> StatePlace<Value>

    /// Finds out which conditions the value at `place` meets, before it is put back.
    func _look(at place: StatePlace<Value>)

    /// Puts the states back with what is at `place`, which must not be used afterwards.
    ///
    /// - Returns: What has to be released outside of the soup.
    func _putBack(_ place: StatePlace<Value>, _ entry: borrowing SoupEntry) -> Value?

    /// Resets the states that are present to their initial values.
    ///
    /// - Returns: What has to be released outside of the soup.
    func _reset(_ entry: borrowing SoupEntry) -> StateRemains
}

/// What stands behind `updating:`: a state, or an array of them, as ``Updatable`` says.
///
/// `when(a, b) { … }` could also be `when(a, updating: …, …)` with its arguments mixed up. The compiler prefers the
/// overload with the fewest faults. With this second fault in it, a mistake in the body is told of as such.
public protocol Stateful {}

extension StateMolecule: Stateful {}
extension ConditionedState: Stateful {}
// So that one message about it is enough.
extension SlowMolecule: Stateful {}
extension Array: Stateful where Element: Stateful {}

/// Where the value of a state is while a reaction holds it. Only the runtime can make one.
@frozen
public struct StatePlace<Value: Sendable>: Sendable {
    // One body has it, and the attempts of a body that is tried again run one after the other.
    @usableFromInline let shared: SharedPointer<Value>

    @inlinable
    init(_ pointer: UnsafeMutablePointer<Value>) {
        shared = SharedPointer(pointer)
    }

    @inlinable var pointer: UnsafeMutablePointer<Value> {
        @inline(__always) get { shared.memory }
    }

    /// Puts `value` here. Returns the old one.
    @inlinable
    func exchange(_ value: consuming Value) -> Value {
        let old = pointer.move()
        pointer.initialize(to: value)
        return old
    }
}

/// What is left of a state that was reset, until it is released outside of the soup.
public struct StateRemains {
    var leftovers: [any Leftover] = []
}

extension StateMolecule: Updatable {
    /// Adds itself. Only for `when`.
    @inlinable
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> { molecules.add(storage) }

    /// Takes the state for a reaction, which changes it in place. Only for `when`.
    @inlinable
    @inline(__always)
    public func _take(_ entry: borrowing SoupEntry) -> StatePlace<Value> {
        storage.take(entry)
        return StatePlace(storage.pointee.current)
    }

    /// Finds out which conditions `value` meets. Only for `when`.
    @inlinable
    @inline(__always)
    public func _look(at place: StatePlace<Value>) { storage.look(at: place.pointer) }

    /// Puts the state back. Only for `when`.
    @inlinable
    @inline(__always)
    public func _putBack(_ place: StatePlace<Value>, _ entry: borrowing SoupEntry) -> Value? { storage.putBack(entry) }

    /// Resets the state to its initial value. Only for `when`.
    public func _reset(_ entry: borrowing SoupEntry) -> StateRemains {
        StateRemains(leftovers: [storage.pointee.header.slot.reset(entry)].compactMap(\.self))
    }
}

@available(*, unavailable)
extension StateRemains: Sendable {}
