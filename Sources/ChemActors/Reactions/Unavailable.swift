// Conformances and functions that don't exist, declared so that the compiler says what to write instead.

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

extension StateMolecule {
    /// Unavailable.
    @available(
        *,
        unavailable,
        message:
            "a name is not its value: a reaction that has the state behind 'updating:' gets the value as a parameter of its body"
    )
    public static func += (state: StateMolecule, value: Value) { fatalError("unavailable") }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message:
            "a name is not its value: a reaction that has the state behind 'updating:' gets the value as a parameter of its body"
    )
    public static func -= (state: StateMolecule, value: Value) { fatalError("unavailable") }
}

extension StateMolecule {
    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "a state isn't injected: a reaction changes it, which has it behind 'updating:'"
    )
    public func callAsFunction(_ value: Value) { fatalError("unavailable") }
}

extension SlowMolecule {
    /// Unavailable.
    @available(*, unavailable, message: "the molecule carries a value: write 'name(value)'")
    public func callAsFunction() { fatalError("unavailable") }

    /// Unavailable.
    @available(*, unavailable, message: "a molecule is injected by its name: write 'name(value)'")
    public func inject(_ value: Value) { fatalError("unavailable") }
}

extension FastMolecule {
    /// Unavailable.
    @available(*, unavailable, message: "the molecule carries a value: write 'try await name(value)'")
    public func callAsFunction() async throws -> Answer { fatalError("unavailable") }
}

extension BoundedMolecule {
    /// Unavailable.
    @available(
        *,
        unavailable,
        message:
            "a bounded molecule may have no room: write 'try await name.inject(value)', which waits for it, or 'name.tryInject(value)'"
    )
    public func callAsFunction(_ value: Value) { fatalError("unavailable") }
}

extension Join.Builder {
    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "a reaction of states alone would run for ever: write a molecule that sets it off before 'updating:'"
    )
    public func when<S: Updatable & Stateful>(
        updating state: S,
        _ body: (inout S.Value) async throws -> Void
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "a reaction of states alone would run for ever: write a molecule that sets it off before 'updating:'"
    )
    public func when<S: Updatable & Stateful, T: Updatable>(
        updating first: S,
        _ second: T,
        _ body: (inout S.Value, inout T.Value) async throws -> Void
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "a reaction of states alone would run for ever: write a molecule that sets it off before 'reading:'"
    )
    public func when<S: Sendable>(reading state: StateMolecule<S>, _ body: (S) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "write 'with:' before the molecules that a call takes with it: 'join.answer(fast, with: other)'"
    )
    public func answer<Argument, Answer, A: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        _ a: A,
        _ body: (Argument, A.Input) async throws -> Answer
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "write 'with:' before the molecules that a call takes with it: 'join.answer(fast, with: other)'"
    )
    public func answer<Argument, Answer, A: Molecule, B: Molecule>(
        _ fast: FastMolecule<Argument, Answer>,
        _ a: A,
        _ b: B,
        _ body: (Argument, A.Input, B.Input) async throws -> Answer
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "beside 'updating:', a state is read as a molecule: write 'state.value' before 'updating:'"
    )
    public func when<A: Molecule, U: Updatable & Stateful, S: Sendable>(
        _ a: A,
        updating updated: U,
        reading state: StateMolecule<S>,
        _ body: (inout U.Value, S, A.Input) async throws -> Void
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "beside 'updating:', a state is read as a molecule: write 'state.value' before 'updating:'"
    )
    public func when<A: Molecule, B: Molecule, U: Updatable & Stateful, S: Sendable>(
        _ a: A,
        _ b: B,
        updating updated: U,
        reading state: StateMolecule<S>,
        _ body: (inout U.Value, S, A.Input, B.Input) async throws -> Void
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "beside 'updating:', a state is read as a molecule: write 'state.value' before 'updating:'"
    )
    public func answer<Argument, Answer, U: Updatable & Stateful, S: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        updating updated: U,
        reading state: StateMolecule<S>,
        _ body: (inout U.Value, S, Argument) async throws -> Answer
    ) {
        fatalError("unavailable")
    }
}

// The compiler prefers the overload with the fewest faults. If the molecule didn't fit, it would take the parameters of
// the body for unknown, and find no fault with what is done to them: so an overload for slow molecules alone gets the
// blame for an unknown member in the body of a call. These two take a fast one, too, and ask the same of the body as
// those that exist. And `body` has a label below since one without might be a second molecule.
extension Join.Builder {
    /// Unavailable.
    @available(
        *,
        unavailable,
        message:
            "nobody waits for an answer to a slow molecule: consume it by 'join.when', or declare it by 'join.fast'"
    )
    public func answer<M: GuardableMolecule>(
        _ slow: M,
        _ body: (M.Content) async throws -> M._Answer
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message:
            "nobody waits for an answer to a slow molecule: consume it by 'join.when', or declare it by 'join.fast'"
    )
    public func answer<M: GuardableMolecule, S: Updatable & Stateful>(
        _ slow: M,
        updating state: S,
        _ body: (inout S.Value, M.Content) async throws -> M._Answer
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message:
            "a condition on one molecule makes a part of it: 'join.answer(join.part(\"name\", of: molecule, where: { … }))'"
    )
    public func answer<Argument, Answer>(
        _ fast: FastMolecule<Argument, Answer>,
        where condition: (Argument) -> Bool,
        _ body: (Argument) async throws -> Answer
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "a condition on a state stands with the state: 'updating: state.while { … }'"
    )
    public func when<A: Molecule, S: Sendable>(
        _ a: A,
        updating state: StateMolecule<S>,
        while condition: (S) -> Bool,
        body: (inout S, A.Input) async throws -> Void
    ) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(
        *,
        unavailable,
        message: "a condition on a state stands with the state: 'updating: state.while { … }'"
    )
    public func answer<Argument, Answer, S: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        updating state: StateMolecule<S>,
        while condition: (S) -> Bool,
        body: (inout S, Argument) async throws -> Answer
    ) {
        fatalError("unavailable")
    }
}
