// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction that answers `fast` with the result of its body and updates a state, with a synchronous
    /// body.
    ///
    /// ```swift
    /// join.answer(next, updating: count) { count, _ in count += 1; return count }
    /// ```
    ///
    /// If the reaction is possible when the molecule is called, the body runs in the calling task, without suspending
    /// it; else in a worker. It must not block its thread. The states are committed before the caller goes on.
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
    public func answer<Argument, Answer, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument) throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), Updating(s0), fileID, line) { s, argument, _ in try body(&s.pointer.pointee, argument) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument, A.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, a, Updating(s0), fileID, line) { s, argument, v in try body(&s.pointer.pointee, argument, v) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, updating s0: U0, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), Updating(s0), fileID, line) { s, argument, v in try body(&s.pointer.pointee, argument, v.0, v.1) }
    }

    /// The same for 0 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, U0: Updatable & Stateful, U1: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, _ s1: U1, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, Argument) throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), UpdatingBoth(Updating(s0), Updating(s1)), fileID, line) { s, argument, _ in try body(&s.0.pointer.pointee, &s.1.pointer.pointee, argument) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, _ s1: U1, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, Argument, A.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, a, UpdatingBoth(Updating(s0), Updating(s1)), fileID, line) { s, argument, v in try body(&s.0.pointer.pointee, &s.1.pointer.pointee, argument, v) }
    }

    /// The same for 2 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, updating s0: U0, _ s1: U1,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), UpdatingBoth(Updating(s0), Updating(s1)), fileID, line) { s, argument, v in try body(&s.0.pointer.pointee, &s.1.pointer.pointee, argument, v.0, v.1) }
    }

    /// The same for 0 inputs, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, _ s1: U1, _ s2: U2, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, Argument) throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), fileID, line) { s, argument, _ in try body(&s.0.0.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, argument) }
    }

    /// The same for 1 input, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, _ s1: U1, _ s2: U2,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, Argument, A.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, a, UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), fileID, line) { s, argument, v in try body(&s.0.0.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, argument, v) }
    }

    /// The same for 2 inputs, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, updating s0: U0, _ s1: U1, _ s2: U2,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), fileID, line) { s, argument, v in try body(&s.0.0.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, argument, v.0, v.1) }
    }

    /// The same for 0 inputs, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, Argument) throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), fileID, line) { s, argument, _ in try body(&s.0.0.0.pointer.pointee, &s.0.0.1.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, argument) }
    }

    /// The same for 1 input, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, Argument, A.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, a, UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), fileID, line) { s, argument, v in try body(&s.0.0.0.pointer.pointee, &s.0.0.1.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, argument, v) }
    }

    /// The same for 2 inputs, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), fileID, line) { s, argument, v in try body(&s.0.0.0.pointer.pointee, &s.0.0.1.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, argument, v.0, v.1) }
    }

    /// Declares a reaction that answers `fast` with the result of its body and updates a state, with an asynchronous
    /// body.
    ///
    /// ```swift
    /// join.answer(next, updating: count) { count, _ in count += 1; return count }
    /// ```
    ///
    /// The body runs in a task of its own and may suspend. The states are committed before the caller goes on.
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
    public func answer<Argument, Answer, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument) async throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), Updating(s0), on: executor, fileID, line) { s, argument, _ in try await body(&s.value, argument) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument, A.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, a, Updating(s0), on: executor, fileID, line) { s, argument, v in try await body(&s.value, argument, v) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), Updating(s0), on: executor, fileID, line) { s, argument, v in try await body(&s.value, argument, v.0, v.1) }
    }

    /// The same for 0 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, U0: Updatable & Stateful, U1: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, _ s1: U1, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, Argument) async throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), UpdatingBoth(Updating(s0), Updating(s1)), on: executor, fileID, line) { s, argument, _ in try await body(&s.0.value, &s.1.value, argument) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, _ s1: U1,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, Argument, A.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, a, UpdatingBoth(Updating(s0), Updating(s1)), on: executor, fileID, line) { s, argument, v in try await body(&s.0.value, &s.1.value, argument, v) }
    }

    /// The same for 2 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, updating s0: U0, _ s1: U1,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), UpdatingBoth(Updating(s0), Updating(s1)), on: executor, fileID, line) { s, argument, v in try await body(&s.0.value, &s.1.value, argument, v.0, v.1) }
    }

    /// The same for 0 inputs, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, _ s1: U1, _ s2: U2,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, Argument) async throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), on: executor, fileID, line) { s, argument, _ in try await body(&s.0.0.value, &s.0.1.value, &s.1.value, argument) }
    }

    /// The same for 1 input, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, _ s1: U1, _ s2: U2,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, Argument, A.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, a, UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), on: executor, fileID, line) { s, argument, v in try await body(&s.0.0.value, &s.0.1.value, &s.1.value, argument, v) }
    }

    /// The same for 2 inputs, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, updating s0: U0, _ s1: U1, _ s2: U2,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), on: executor, fileID, line) { s, argument, v in try await body(&s.0.0.value, &s.0.1.value, &s.1.value, argument, v.0, v.1) }
    }

    /// The same for 0 inputs, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, Argument) async throws -> Answer) -> Reaction {
        declare(answering: fast, NoMolecule(), UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), on: executor, fileID, line) { s, argument, _ in try await body(&s.0.0.0.value, &s.0.0.1.value, &s.0.1.value, &s.1.value, argument) }
    }

    /// The same for 1 input, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, Argument, A.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, a, UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), on: executor, fileID, line) { s, argument, v in try await body(&s.0.0.0.value, &s.0.0.1.value, &s.0.1.value, &s.1.value, argument, v) }
    }

    /// The same for 2 inputs, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        declare(answering: fast, Both(a, b), UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), on: executor, fileID, line) { s, argument, v in try await body(&s.0.0.0.value, &s.0.0.1.value, &s.0.1.value, &s.1.value, argument, v.0, v.1) }
    }
}
