// Conformances that don't exist, declared so that the compiler says what to write instead.

@available(
    *,
    unavailable,
    message: "a state is no input of a reaction: write 'updating: state' to change it, or 'state.value' to read it"
)
extension StateMolecule: Molecule {
    /// Unavailable.
    public typealias Input = Value

    /// Unavailable.
    public func _fail(_ input: Value, _ error: any Error, _ end: borrowing FailedReaction) -> Bool { false }

    /// Unavailable.
    public func _take(_ entry: borrowing SoupEntry) -> Value { place.pointee }

    /// Unavailable.
    public func _putBack(_ input: Value, _ end: borrowing FailedReaction) {}
}

@available(*, unavailable, message: "a state can't leave its definition: export 'state.reader'")
extension StateMolecule: Exportable {
    /// Unavailable.
    public var exported: StateMolecule { self }
}

@available(*, unavailable, message: "only a state can be updated: declare it by 'join.state'")
extension SlowMolecule: Updatable {
    /// Unavailable.
    public func _take(_ entry: borrowing SoupEntry) -> StatePlace<Value> { fatalError("unavailable") }

    /// Unavailable.
    public func _look(at place: StatePlace<Value>) {}

    /// Unavailable.
    public func _putBack(_ place: StatePlace<Value>, _ entry: borrowing SoupEntry) -> Value? { nil }

    /// Unavailable.
    public func _reset(_ entry: borrowing SoupEntry) -> StateRemains { StateRemains() }
}
