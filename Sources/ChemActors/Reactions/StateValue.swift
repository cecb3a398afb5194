/// A state that a reaction reads, as one of its inputs. ``StateMolecule/value`` makes it.
///
/// The reaction needs the state to be present, and leaves it where it is: any number of such bodies can run at the same
/// time.
public struct StateValue<Value: Sendable>: Molecule {
    @usableFromInline let state: StateMolecule<Value>

    init(_ state: StateMolecule<Value>) {
        self.state = state
    }

    /// Adds the state. Only for `when`.
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> { molecules.add(state.storage) }

    /// Copies the value. Only for `when`.
    @inlinable
    @inline(__always)
    public func _take(_ entry: borrowing SoupEntry) -> Value { state.place.pointee }

    /// Does nothing: no caller is behind a state. Only for `when`.
    public func _fail(_ input: Value, _ error: any Error, _ end: borrowing FailedReaction) -> Bool { false }

    /// Does nothing: the state has stayed where it was. Only for `when`.
    public func _putBack(_ input: Value, _ end: borrowing FailedReaction) {}
}

extension StateValue: CustomStringConvertible {
    /// Says that it is an input of reactions, for those who look for the value.
    public var description: String { "\(state) as an input of a reaction: outside of one, read 'state.reader.value'" }
}

extension StateMolecule {
    /// The state as an input that is read: the body gets its value, and the state stays. This isn't the value itself:
    /// that is read by ``reader``.
    ///
    /// ```swift
    /// join.when(order, price.value, updating: total) { total, order, price in
    ///     total += order.amount * price
    /// }
    /// ```
    public var value: StateValue<Value> { StateValue(self) }
}
