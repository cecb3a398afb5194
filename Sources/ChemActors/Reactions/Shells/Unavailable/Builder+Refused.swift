// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, U0: Updatable & Stateful>(
        _ a: A, updating s0: U0, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, A.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, updating s0: U0, _ s1: U1, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, inout U1.Value, A.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, updating s0: U0, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, A.Input, B.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, _ b: B, updating s0: U0, _ s1: U1, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, inout U1.Value, A.Input, B.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, A.Input, B.Input, C.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, _ s1: U1, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, inout U1.Value, A.Input, B.Input, C.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, S0: Sendable>(
        _ a: A, reading s0: StateMolecule<S0>, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, A.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, S1, A.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, B: Molecule, S0: Sendable>(
        _ a: A, _ b: B, reading s0: StateMolecule<S0>, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, A.Input, B.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, _ b: B, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, S1, A.Input, B.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable>(
        _ a: A, _ b: B, _ c: C, reading s0: StateMolecule<S0>, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, A.Input, B.Input, C.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, _ b: B, _ c: C, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, S1, A.Input, B.Input, C.Input) async throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func answer<Argument, Answer, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, Argument) async throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func answer<Argument, Answer, U0: Updatable & Stateful, U1: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, _ s1: U1, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, inout U1.Value, Argument) async throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, Argument, A.Input) async throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, _ s1: U1, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (inout U0.Value, inout U1.Value, Argument, A.Input) async throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func answer<Argument, Answer, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, reading s0: StateMolecule<S0>, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, Argument) async throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func answer<Argument, Answer, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, S1, Argument) async throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func answer<Argument, Answer, A: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, reading s0: StateMolecule<S0>, on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, Argument, A.Input) async throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a body on the main actor can't hold states: make the whole definition there, by 'define(on: MainActor.self)', or inject a molecule whose reaction runs 'on: MainActor.self'; a state that is only read may be an input, 'state.value'")
    public func answer<Argument, Answer, A: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        on actor: MainActor.Type,
        _ body: @MainActor @Sendable (S0, S1, Argument, A.Input) async throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "beside states, a reaction takes three molecules at most: put more together, 'join.when(join.all(a, b, c, d), …)'")
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, _ d: D, updating s0: U0,
        _ body: @Sendable (inout U0.Value, A.Input, B.Input, C.Input, D.Input) throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "beside states, a reaction takes three molecules at most: put more together, 'join.when(join.all(a, b, c, d), …)'")
    public func when<A: Molecule, B: Molecule, C: Molecule, D: Molecule, S0: Sendable>(
        _ a: A, _ b: B, _ c: C, _ d: D, reading s0: StateMolecule<S0>,
        _ body: @Sendable (S0, A.Input, B.Input, C.Input, D.Input) throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "'reading:' takes two states at most: read more as molecules, by 'state.value'")
    public func when<A: Molecule, S0: Sendable, S1: Sendable, S2: Sendable>(
        _ a: A, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>, _ s2: StateMolecule<S2>,
        _ body: @Sendable (S0, S1, S2, A.Input) throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a reaction updates four states at most: put together what changes together, as a structure")
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable, U4: Updatable>(
        _ a: A, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3, _ s4: U4,
        _ body: @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, inout U4.Value, A.Input) throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a condition looks at four inputs at most: let a reaction put some of them together first, as one molecule")
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule, E: GuardableMolecule>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
        where condition: @escaping @Sendable (A.Content, B.Content, C.Content, D.Content, E.Content) -> Bool,
        _ body: @Sendable (A.Input, B.Input, C.Input, D.Input, E.Input) throws -> Void) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "beside states, a call takes two molecules at most: put more together, 'with: join.all(a, b, c)'")
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, updating s0: U0,
        _ body: @Sendable (inout U0.Value, Argument, A.Input, B.Input, C.Input) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "beside states, a call takes two molecules at most: put more together, 'with: join.all(a, b, c)'")
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, reading s0: StateMolecule<S0>,
        _ body: @Sendable (S0, Argument, A.Input, B.Input, C.Input) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "'reading:' takes two states at most: read more as molecules, by 'state.value'")
    public func answer<Argument, Answer, S0: Sendable, S1: Sendable, S2: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        _ s2: StateMolecule<S2>,
        _ body: @Sendable (S0, S1, S2, Argument) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a reaction updates four states at most: put together what changes together, as a structure")
    public func answer<Argument, Answer, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable, U4: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3, _ s4: U4,
        _ body: @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, inout U4.Value, Argument) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "a condition looks at four inputs at most: let a reaction put some of them together first, as one molecule")
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content, C.Content, D.Content) -> Bool,
        _ body: @Sendable (Argument, A.Input, B.Input, C.Input, D.Input) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "write 'with:' before the molecules that a call takes with it: 'join.answer(fast, with: other, …)'")
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, _ a: A, updating s0: U0,
        _ body: @Sendable (inout U0.Value, Argument, A.Input) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "write 'with:' before the molecules that a call takes with it: 'join.answer(fast, with: other, …)'")
    public func answer<Argument, Answer, A: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, _ a: A, reading s0: StateMolecule<S0>,
        _ body: @Sendable (S0, Argument, A.Input) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "write 'with:' before the molecules that a call takes with it: 'join.answer(fast, with: other, …)'")
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, _ a: A, _ b: B, updating s0: U0,
        _ body: @Sendable (inout U0.Value, Argument, A.Input, B.Input) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "write 'with:' before the molecules that a call takes with it: 'join.answer(fast, with: other, …)'")
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, _ a: A, _ b: B, reading s0: StateMolecule<S0>,
        _ body: @Sendable (S0, Argument, A.Input, B.Input) throws -> Answer) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "what a body of 'when' returns nobody gets: to answer a fast molecule, write 'join.answer', or call the reply that the body got")
    public func when<A: Molecule, Result>(
        _ a: A,
        _ body: @Sendable (A.Input) throws -> Result) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "what a body of 'when' returns nobody gets: to answer a fast molecule, write 'join.answer', or call the reply that the body got")
    public func when<A: Molecule, U0: Updatable & Stateful, Result>(
        _ a: A, updating s0: U0,
        _ body: @Sendable (inout U0.Value, A.Input) throws -> Result) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "what a body of 'when' returns nobody gets: to answer a fast molecule, write 'join.answer', or call the reply that the body got")
    public func when<A: Molecule, B: Molecule, Result>(
        _ a: A, _ b: B,
        _ body: @Sendable (A.Input, B.Input) throws -> Result) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "what a body of 'when' returns nobody gets: to answer a fast molecule, write 'join.answer', or call the reply that the body got")
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful, Result>(
        _ a: A, _ b: B, updating s0: U0,
        _ body: @Sendable (inout U0.Value, A.Input, B.Input) throws -> Result) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "what a body of 'when' returns nobody gets: to answer a fast molecule, write 'join.answer', or call the reply that the body got")
    public func when<A: Molecule, B: Molecule, C: Molecule, Result>(
        _ a: A, _ b: B, _ c: C,
        _ body: @Sendable (A.Input, B.Input, C.Input) throws -> Result) {
        fatalError("unavailable")
    }

    /// Unavailable.
    @available(*, unavailable, message: "what a body of 'when' returns nobody gets: to answer a fast molecule, write 'join.answer', or call the reply that the body got")
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful, Result>(
        _ a: A, _ b: B, _ c: C, updating s0: U0,
        _ body: @Sendable (inout U0.Value, A.Input, B.Input, C.Input) throws -> Result) {
        fatalError("unavailable")
    }
}
