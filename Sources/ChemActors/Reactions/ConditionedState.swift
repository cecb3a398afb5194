/// A state that a reaction updates only while its value meets a condition. ``StateMolecule/while(_:fileID:line:)``
/// makes it.
public struct ConditionedState<Value: Sendable>: Updatable {
    @usableFromInline let state: StateMolecule<Value>
    @usableFromInline let gate: GateReference

    init(_ state: StateMolecule<Value>, _ gate: GateReference) {
        self.state = state
        self.gate = gate
    }

    /// The state as an input that is read while its value meets the condition.
    ///
    /// ```swift
    /// join.answer(page, with: limits.while(\.isKnown).value) { request, limits in limits.page(request) }
    /// ```
    public var value: ConditionedValue<Value> { ConditionedValue(state.value, gate) }

    /// Adds the state and its condition. Only for `when`.
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> {
        state._list(in: &molecules)
        return molecules.add(gate)
    }

    /// Takes the state for a reaction, which changes it in place. Only for `when`.
    @inlinable
    @inline(__always)
    public func _take(_ entry: borrowing SoupEntry) -> StatePlace<Value> { state._take(entry) }

    /// Finds out which conditions `value` meets. Only for `when`.
    @inlinable
    @inline(__always)
    public func _look(at place: StatePlace<Value>) { state._look(at: place) }

    /// Puts the state back. Only for `when`.
    @inlinable
    @inline(__always)
    public func _putBack(_ place: StatePlace<Value>, _ entry: borrowing SoupEntry) -> Value? {
        state._putBack(place, entry)
    }

    /// Resets the state to its initial value. Only for `when`.
    public func _reset(_ entry: borrowing SoupEntry) -> StateRemains { state._reset(entry) }
}

/// A state that a reaction reads only while its value meets a condition. ``ConditionedState/value`` makes it.
public struct ConditionedValue<Value: Sendable>: Molecule {
    @usableFromInline let value: StateValue<Value>
    private let gate: GateReference

    init(_ value: StateValue<Value>, _ gate: GateReference) {
        self.value = value
        self.gate = gate
    }

    /// Adds the state and its condition. Only for `when`.
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> {
        value._list(in: &molecules)
        return molecules.add(gate)
    }

    /// Copies the value. Only for `when`.
    @inlinable
    @inline(__always)
    public func _take(_ entry: borrowing SoupEntry) -> Value { value._take(entry) }

    /// Does nothing: no caller is behind a state. Only for `when`.
    public func _fail(_ input: Value, _ error: any Error, _ end: borrowing FailedReaction) -> Bool { false }

    /// Does nothing: the state has stayed where it was. Only for `when`.
    public func _putBack(_ input: Value, _ end: borrowing FailedReaction) {}
}

extension StateMolecule {
    /// The state, for a reaction that needs a value that meets a condition.
    ///
    /// ```swift
    /// let items = join.state("items", Deque<Int>())
    /// join.answer(put, updating: items.while { $0.count < 10 }) { items, item in items.append(item) }
    /// join.answer(take, updating: items.while { !$0.isEmpty }) { items, _ in items.removeFirst() }
    /// ```
    ///
    /// The reaction starts if, and only if, its inputs are present and the condition holds: a call waits until then,
    /// and can be cancelled or time out. Any number of reactions can use the same state under different conditions or
    /// none. Each condition is evaluated whenever a body that has updated the state puts it back, by the task of that
    /// body and outside of any lock, and once for the initial value, here.
    ///
    /// - Parameters:
    ///   - condition: What the value has to meet. It must depend on the value alone, be short and not inject anything.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the state, to be updated or, with ``ConditionedState/value``, to be read.
    /// - Complexity: O(conditions of the state) whenever the state is put back.
    public func `while`(
        _ condition: @escaping @Sendable (Value) -> Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ConditionedState<Value> {
        let location = SourceLocation(fileID: fileID, line: line)
        let name = storage.pointee.header.slot.name
        let gate = addCondition(at: location) {
            Level(condition($0))
        } _: { soup, seen in
            Gate(
                name: "condition (\(location)) of '\(name)'",
                location: location,
                soup: soup,
                isOpen: seen.a != 0,
                lack: "\(name) where its condition (\(location)) holds"
            )
        }
        return ConditionedState(self, gate)
    }
}
