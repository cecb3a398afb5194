// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction that updates a state, with a synchronous body.
    ///
    /// ```swift
    /// join.when(deposit, updating: balance) { balance, amount in balance += amount }
    /// ```
    ///
    /// It has the state to itself: other reactions that need it wait. The body runs in a worker and changes the state
    /// where it lies. It must not block its thread.
    ///
    /// There are overloads for up to four states, and an array of states is one too. A state that is only read is an
    /// input: ``StateMolecule/value``. The body gets the states first, then the inputs as they are written.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - s0: A state of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the states, to change them, and what the molecules carry. What it throws is handled as
    ///     ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful>(
        _ a: A, updating s0: U0, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input) throws -> Void) -> Reaction {
        declare(a, Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, updating s0: U0, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input, B.Input) throws -> Void) -> Reaction {
        declare(Both(a, b), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v.0, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v.0.0, v.0.1, v.1) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, updating s0: U0, _ s1: U1, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, A.Input) throws -> Void) -> Reaction {
        declare(a, UpdatingBoth(Updating(s0), Updating(s1)), fileID, line) { s, v in try body(&s.0.pointer.pointee, &s.1.pointer.pointee, v) }
    }

    /// The same for 2 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, _ b: B, updating s0: U0, _ s1: U1, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, A.Input, B.Input) throws -> Void) -> Reaction {
        declare(Both(a, b), UpdatingBoth(Updating(s0), Updating(s1)), fileID, line) { s, v in try body(&s.0.pointer.pointee, &s.1.pointer.pointee, v.0, v.1) }
    }

    /// The same for 3 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, _ s1: U1, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), UpdatingBoth(Updating(s0), Updating(s1)), fileID, line) { s, v in try body(&s.0.pointer.pointee, &s.1.pointer.pointee, v.0.0, v.0.1, v.1) }
    }

    /// The same for 1 input, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ a: A, updating s0: U0, _ s1: U1, _ s2: U2, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, A.Input) throws -> Void) -> Reaction {
        declare(a, UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), fileID, line) { s, v in try body(&s.0.0.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, v) }
    }

    /// The same for 2 inputs, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ a: A, _ b: B, updating s0: U0, _ s1: U1, _ s2: U2, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, A.Input, B.Input) throws -> Void) -> Reaction {
        declare(Both(a, b), UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), fileID, line) { s, v in try body(&s.0.0.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, v.0, v.1) }
    }

    /// The same for 3 inputs, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, _ s1: U1, _ s2: U2, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), fileID, line) { s, v in try body(&s.0.0.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, v.0.0, v.0.1, v.1) }
    }

    /// The same for 1 input, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ a: A, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, A.Input) throws -> Void) -> Reaction {
        declare(a, UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), fileID, line) { s, v in try body(&s.0.0.0.pointer.pointee, &s.0.0.1.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, v) }
    }

    /// The same for 2 inputs, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ a: A, _ b: B, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, A.Input, B.Input) throws -> Void) -> Reaction {
        declare(Both(a, b), UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), fileID, line) { s, v in try body(&s.0.0.0.pointer.pointee, &s.0.0.1.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, v.0, v.1) }
    }

    /// The same for 3 inputs, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), fileID, line) { s, v in try body(&s.0.0.0.pointer.pointee, &s.0.0.1.pointer.pointee, &s.0.1.pointer.pointee, &s.1.pointer.pointee, v.0.0, v.0.1, v.1) }
    }

    /// Declares a reaction that updates a state, with an asynchronous body.
    ///
    /// ```swift
    /// join.when(deposit, updating: balance) { balance, amount in balance += amount }
    /// ```
    ///
    /// It has the state to itself: other reactions that need it wait. The body runs in a task of its own and may
    /// suspend. What it makes of the state is committed when it returns; until then readers see the value before.
    ///
    /// There are overloads for up to four states, and an array of states is one too. A state that is only read is an
    /// input: ``StateMolecule/value``. The body gets the states first, then the inputs as they are written.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - s0: A state of this definition.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the states, to change them, and what the molecules carry. What it throws is handled as
    ///     ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful>(
        _ a: A, updating s0: U0, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input) async throws -> Void) -> Reaction {
        declare(a, Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, updating s0: U0, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input, B.Input) async throws -> Void) -> Reaction {
        declare(Both(a, b), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v.0, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v.0.0, v.0.1, v.1) }
    }

    /// The same for 1 input, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, updating s0: U0, _ s1: U1, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, A.Input) async throws -> Void) -> Reaction {
        declare(a, UpdatingBoth(Updating(s0), Updating(s1)), on: executor, fileID, line) { s, v in try await body(&s.0.value, &s.1.value, v) }
    }

    /// The same for 2 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, _ b: B, updating s0: U0, _ s1: U1, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, A.Input, B.Input) async throws -> Void) -> Reaction {
        declare(Both(a, b), UpdatingBoth(Updating(s0), Updating(s1)), on: executor, fileID, line) { s, v in try await body(&s.0.value, &s.1.value, v.0, v.1) }
    }

    /// The same for 3 inputs, 2 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful, U1: Updatable>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, _ s1: U1, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), UpdatingBoth(Updating(s0), Updating(s1)), on: executor, fileID, line) { s, v in try await body(&s.0.value, &s.1.value, v.0.0, v.0.1, v.1) }
    }

    /// The same for 1 input, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ a: A, updating s0: U0, _ s1: U1, _ s2: U2, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, A.Input) async throws -> Void) -> Reaction {
        declare(a, UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), on: executor, fileID, line) { s, v in try await body(&s.0.0.value, &s.0.1.value, &s.1.value, v) }
    }

    /// The same for 2 inputs, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ a: A, _ b: B, updating s0: U0, _ s1: U1, _ s2: U2, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, A.Input, B.Input) async throws -> Void) -> Reaction {
        declare(Both(a, b), UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), on: executor, fileID, line) { s, v in try await body(&s.0.0.value, &s.0.1.value, &s.1.value, v.0, v.1) }
    }

    /// The same for 3 inputs, 3 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, _ s1: U1, _ s2: U2, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), on: executor, fileID, line) { s, v in try await body(&s.0.0.value, &s.0.1.value, &s.1.value, v.0.0, v.0.1, v.1) }
    }

    /// The same for 1 input, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ a: A, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, A.Input) async throws -> Void) -> Reaction {
        declare(a, UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), on: executor, fileID, line) { s, v in try await body(&s.0.0.0.value, &s.0.0.1.value, &s.0.1.value, &s.1.value, v) }
    }

    /// The same for 2 inputs, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ a: A, _ b: B, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, A.Input, B.Input) async throws -> Void) -> Reaction {
        declare(Both(a, b), UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), on: executor, fileID, line) { s, v in try await body(&s.0.0.0.value, &s.0.0.1.value, &s.0.1.value, &s.1.value, v.0, v.1) }
    }

    /// The same for 3 inputs, 4 states.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: Molecule, B: Molecule, C: Molecule, U0: Updatable & Stateful, U1: Updatable, U2: Updatable, U3: Updatable>(
        _ a: A, _ b: B, _ c: C, updating s0: U0, _ s1: U1, _ s2: U2, _ s3: U3,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, inout U1.Value, inout U2.Value, inout U3.Value, A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        declare(Both(Both(a, b), c), UpdatingBoth(UpdatingBoth(UpdatingBoth(Updating(s0), Updating(s1)), Updating(s2)), Updating(s3)), on: executor, fileID, line) { s, v in try await body(&s.0.0.0.value, &s.0.0.1.value, &s.0.1.value, &s.1.value, v.0.0, v.0.1, v.1) }
    }
}
