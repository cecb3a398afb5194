// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction that reads a state, with a synchronous body.
    ///
    /// The state stays where it is, so any number of such bodies can run at the same time. `join.when(a, s.value)` says
    /// the same, with the value behind the inputs.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - s0: A state of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the values of the states, and what the molecules carry. What it throws is handled as
    ///     ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, S0: Sendable>(
        _ a: A, reading s0: StateMolecule<S0>, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, A.Input) throws -> Void) -> Reaction {
        declare(Both(a, s0.value), NoState(), fileID, line) { _, v in try body(v.1, v.0) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable>(
        _ a: A, _ b: B, reading s0: StateMolecule<S0>, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, A.Input, B.Input) throws -> Void) -> Reaction {
        declare(Both(Both(a, b), s0.value), NoState(), fileID, line) { _, v in try body(v.1, v.0.0, v.0.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable>(
        _ a: A, _ b: B, _ c: C, reading s0: StateMolecule<S0>, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(a, b), c), s0.value), NoState(), fileID, line) { _, v in try body(v.1, v.0.0.0, v.0.0.1, v.0.1) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, A.Input) throws -> Void) -> Reaction {
        declare(Both(Both(a, s0.value), s1.value), NoState(), fileID, line) { _, v in try body(v.0.1, v.1, v.0.0) }
    }

    /// The same for 2 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, _ b: B, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, A.Input, B.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(a, b), s0.value), s1.value), NoState(), fileID, line) { _, v in try body(v.0.1, v.1, v.0.0.0, v.0.0.1) }
    }

    /// The same for 3 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, _ b: B, _ c: C, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(a, b), c), s0.value), s1.value), NoState(), fileID, line) { _, v in try body(v.0.1, v.1, v.0.0.0.0, v.0.0.0.1, v.0.0.1) }
    }

    /// Declares a reaction that reads a state, with an asynchronous body.
    ///
    /// The state stays where it is, so any number of such bodies can run at the same time. `join.when(a, s.value)` says
    /// the same, with the value behind the inputs.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - s0: A state of this definition.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the values of the states, and what the molecules carry. What it throws is handled as
    ///     ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, S0: Sendable>(
        _ a: A, reading s0: StateMolecule<S0>, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, A.Input) async throws -> Void) -> Reaction {
        declare(Both(a, s0.value), NoState(), on: executor, fileID, line) { _, v in try await body(v.1, v.0) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable>(
        _ a: A, _ b: B, reading s0: StateMolecule<S0>, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, A.Input, B.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(a, b), s0.value), NoState(), on: executor, fileID, line) { _, v in try await body(v.1, v.0.0, v.0.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable>(
        _ a: A, _ b: B, _ c: C, reading s0: StateMolecule<S0>, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(a, b), c), s0.value), NoState(), on: executor, fileID, line) { _, v in try await body(v.1, v.0.0.0, v.0.0.1, v.0.1) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, A.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(a, s0.value), s1.value), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.1, v.1, v.0.0) }
    }

    /// The same for 2 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, _ b: B, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, A.Input, B.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(a, b), s0.value), s1.value), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.1, v.1, v.0.0.0, v.0.0.1) }
    }

    /// The same for 3 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, S0: Sendable, S1: Sendable>(
        _ a: A, _ b: B, _ c: C, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(Both(Both(a, b), c), s0.value), s1.value), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.1, v.1, v.0.0.0.0, v.0.0.0.1, v.0.0.1) }
    }
}
