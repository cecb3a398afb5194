/// What a reaction wants of the value of a state before it takes or reads it: a condition, or a level.
///
/// Whoever has the state and is about to put it back looks at the new value outside of the soup, and tells the gate in
/// it. Nobody else has to: values change nowhere else.
@usableFromInline
struct StateCondition<Value: Sendable>: ~Copyable {
    @usableFromInline let look: @Sendable (borrowing Value) -> Level
    /// The definition keeps it.
    @usableFromInline unowned(unsafe) let gate: Gate
    /// What was seen of the initial value.
    private let initially: Level
    /// What was seen of the value that is about to be put back. It belongs to whoever has the state.
    @usableFromInline var seen: Level
    /// What the gate was told last. Only whoever has the state, or resets it in the soup, tells it.
    @usableFromInline var told: Level

    init(gate: Gate, initially: Level, _ look: @escaping @Sendable (borrowing Value) -> Level) {
        self.look = look
        self.gate = gate
        self.initially = initially
        seen = initially
        told = initially
    }

    /// Looks at the value that is about to be put back.
    ///
    /// - Returns: whether there is something to tell the gate.
    @inlinable
    @inline(__always)
    mutating func check(_ value: borrowing Value) -> Bool {
        seen = look(value)
        return seen != told
    }

    /// The initial value is about to be put back.
    mutating func expectInitial() { seen = initially }

    @inlinable
    @inline(__always)
    mutating func tell(_ entry: borrowing SoupEntry) {
        if seen != told { tellGate(entry) }
    }

    @usableFromInline
    @inline(never)
    mutating func tellGate(_ entry: borrowing SoupEntry) {
        told = seen
        gate.tell(seen, entry)
    }
}

extension Level {
    /// What is seen of a value by a condition.
    @inlinable
    init(_ isMet: Bool) {
        self.init(isMet ? 1 : 0, 0)
    }
}
