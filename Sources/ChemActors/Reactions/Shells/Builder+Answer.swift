// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction that answers `fast` with the result of its body, with a synchronous body.
    ///
    /// ```swift
    /// join.answer(take, with: item) { _, item in item }
    /// ```
    ///
    /// If the reaction is possible when the molecule is called, the body runs in the calling task, without suspending
    /// it; else in a worker. It must not block its thread.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the states, the argument of the call, and what the other molecules carry. What it throws, the
    ///     caller gets.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer>(
        _ fast: FastMolecule<Argument, Answer>, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument) throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), NoState(), fileID, line) { _, argument, _ in try body(argument) }
    }

    /// The same for 1 input.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, a, NoState(), fileID, line) { _, argument, v in try body(argument, v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), NoState(), fileID, line) { _, argument, v in try body(argument, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(a, b), c), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input, D.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(a, b), c), d), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 5 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(a, b), c), d), e), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0.0.0, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 6 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input, F.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(Both(a, b), c), d), e), f), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0.0.0.0, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 7 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0.0.0.0.0, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 8 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0.0.0.0.0.0, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 9 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
        _ i: I, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// Declares a reaction that answers `fast` with the result of its body, with an asynchronous body.
    ///
    /// ```swift
    /// join.answer(take, with: item) { _, item in item }
    /// ```
    ///
    /// The body runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the states, the argument of the call, and what the other molecules carry. What it throws, the
    ///     caller gets.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer>(
        _ fast: FastMolecule<Argument, Answer>, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument) async throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), NoState(), on: executor, fileID, line) { _, argument, _ in try await body(argument) }
    }

    /// The same for 1 input.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, a, NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(a, b), c), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input, D.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(a, b), c), d), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 5 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(a, b), c), d), e), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0.0.0, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 6 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input, F.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(Both(a, b), c), d), e), f), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0.0.0.0, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 7 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0.0.0.0.0, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 8 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0.0.0.0.0.0, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 9 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, C: Molecule, D: Molecule, E: Molecule, F: Molecule, G: Molecule, H: Molecule, I: Molecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
        _ i: I, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input, D.Input, E.Input, F.Input, G.Input, H.Input, I.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(Both(Both(Both(Both(Both(Both(Both(a, b), c), d), e), f), g), h), i), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0.0.0.0.0.0.0, v.0.0.0.0.0.0.0.1, v.0.0.0.0.0.0.1, v.0.0.0.0.0.1, v.0.0.0.0.1, v.0.0.0.1, v.0.0.1, v.0.1, v.1) }
    }
}
