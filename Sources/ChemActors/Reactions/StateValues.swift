/// The values of an array of states, as passed to the body of a reaction that updates them.
///
/// ```swift
/// join.when(transfer, updating: accounts) { accounts, transfer in
///     accounts[transfer.from] -= transfer.amount
///     accounts[transfer.to] += transfer.amount
/// }
/// ```
///
/// There is one value for each state, in the order of the states. Each attempt of the body begins with what the
/// previous one has left.
///
/// - Complexity: A reaction that updates n states copies their values in and out, which is O(n).
public struct StateValues<Value: Sendable>: RandomAccessCollection, MutableCollection, Sendable {
    fileprivate var values: [Value]

    /// The first position, 0.
    public var startIndex: Int { 0 }

    /// The number of states.
    public var endIndex: Int { values.count }

    /// The value of the state at `position` in the array.
    public subscript(position: Int) -> Value {
        _read { yield values[position] }
        _modify { yield &values[position] }
    }
}

/// The values of states that a reaction has taken, and where these belong: a body may put any values in their place.
private struct TakenStates<Value: Sendable> {
    /// Comes first: a pointer to it is one to the whole.
    var values: StateValues<Value>
    let places: [StatePlace<Value>]

    static func whole(at place: StatePlace<StateValues<Value>>) -> UnsafeMutablePointer<TakenStates> {
        UnsafeMutableRawPointer(place.pointer).assumingMemoryBound(to: TakenStates.self)
    }
}

extension Array: Updatable where Element: Updatable {
    /// Adds the states of the array. Only for `when`.
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> {
        for state in self { state._list(in: &molecules) }
        return MoleculeProof()
    }

    /// Takes the states for a reaction. Only for `when`.
    public func _take(_ entry: borrowing SoupEntry) -> StatePlace<StateValues<Element.Value>> {
        var places: [StatePlace<Element.Value>] = []
        places.reserveCapacity(count)
        for state in self { places.append(state._take(entry)) }
        let taken = UnsafeMutablePointer<TakenStates<Element.Value>>.allocate(capacity: 1)
        taken.initialize(
            to: TakenStates(values: StateValues(values: places.map(\.pointer.pointee)), places: places)
        )
        return StatePlace(withUnsafeMutablePointer(to: &taken.pointee.values) { $0 })
    }

    /// Finds out which conditions the values meet. Only for `when`.
    public func _look(at place: StatePlace<StateValues<Element.Value>>) {
        for (state, value) in zip(self, place.pointer.pointee.values) {
            var value = value
            withUnsafeMutablePointer(to: &value) { state._look(at: StatePlace($0)) }
        }
    }

    /// Puts the states back. Only for `when`.
    public func _putBack(
        _ place: StatePlace<StateValues<Element.Value>>,
        _ entry: borrowing SoupEntry
    ) -> StateValues<Element.Value>? {
        let whole = TakenStates.whole(at: place)
        let taken = whole.move()
        whole.deallocate()
        // A body may have put the values of another array here.
        guard taken.values.count == count else {
            fatalError("ChemActors: \(taken.values.count) values for the \(count) states \(self)")
        }
        var old: [Element.Value] = []
        for (index, state) in enumerated() {
            old.append(taken.places[index].exchange(taken.values.values[index]))
            if let previous = state._putBack(taken.places[index], entry) { old.append(previous) }
        }
        return StateValues(values: old)
    }

    /// Resets the states to their initial values. Only for `when`.
    public func _reset(_ entry: borrowing SoupEntry) -> StateRemains {
        StateRemains(leftovers: flatMap { $0._reset(entry).leftovers })
    }
}
