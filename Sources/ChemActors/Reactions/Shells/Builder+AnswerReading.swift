// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction that answers `fast` with the result of its body and reads a state, with a synchronous body.
    ///
    /// ```swift
    /// join.answer(value, reading: count) { count, _ in count }
    /// ```
    ///
    /// If the reaction is possible when the molecule is called, the body runs in the calling task, without suspending
    /// it; else in a worker. It must not block its thread.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - s0: A state of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the states, the argument of the call, and what the other molecules carry. What it throws, the
    ///     caller gets.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, reading s0: StateMolecule<S0>, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S0, Argument) throws -> Answer) -> Reaction {
        declare(answering: fast, s0.value, NoState(), fileID, line) { _, argument, v in try body(v, argument) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, Argument, A.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, s0.value), NoState(), fileID, line) { _, argument, v in try body(v.1, argument, v.0) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, reading s0: StateMolecule<S0>,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(a, b), s0.value), NoState(), fileID, line) { _, argument, v in try body(v.1, argument, v.0.0, v.0.1) }
    }

    /// The same for 0 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, Argument) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(s0.value, s1.value), NoState(), fileID, line) { _, argument, v in try body(v.0, v.1, argument) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, Argument, A.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(a, s0.value), s1.value), NoState(), fileID, line) { _, argument, v in try body(v.0.1, v.1, argument, v.0.0) }
    }

    /// The same for 2 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (S0, S1, Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(a, b), s0.value), s1.value), NoState(), fileID, line) { _, argument, v in try body(v.0.1, v.1, argument, v.0.0.0, v.0.0.1) }
    }

    /// Declares a reaction that answers `fast` with the result of its body and reads a state, with an asynchronous
    /// body.
    ///
    /// ```swift
    /// join.answer(value, reading: count) { count, _ in count }
    /// ```
    ///
    /// The body runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - s0: A state of this definition.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the states, the argument of the call, and what the other molecules carry. What it throws, the
    ///     caller gets.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, reading s0: StateMolecule<S0>,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, Argument) async throws -> Answer) -> Reaction {
        declare(answering: fast, s0.value, NoState(), on: executor, fileID, line) { _, argument, v in try await body(v, argument) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, reading s0: StateMolecule<S0>,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, Argument, A.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, s0.value), NoState(), on: executor, fileID, line) { _, argument, v in try await body(v.1, argument, v.0) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, reading s0: StateMolecule<S0>,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(a, b), s0.value), NoState(), on: executor, fileID, line) { _, argument, v in try await body(v.1, argument, v.0.0, v.0.1) }
    }

    /// The same for 0 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, Argument) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(s0.value, s1.value), NoState(), on: executor, fileID, line) { _, argument, v in try await body(v.0, v.1, argument) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, reading s0: StateMolecule<S0>, _ s1: StateMolecule<S1>,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, Argument, A.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(a, s0.value), s1.value), NoState(), on: executor, fileID, line) { _, argument, v in try await body(v.0.1, v.1, argument, v.0.0) }
    }

    /// The same for 2 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, S0: Sendable, S1: Sendable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, reading s0: StateMolecule<S0>,
        _ s1: StateMolecule<S1>, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S0, S1, Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(a, b), s0.value), s1.value), NoState(), on: executor, fileID, line) { _, argument, v in try await body(v.0.1, v.1, argument, v.0.0.0, v.0.0.1) }
    }
}
