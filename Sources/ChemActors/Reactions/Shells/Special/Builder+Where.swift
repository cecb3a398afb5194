// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction of inputs that meet a condition together, with a synchronous body.
    ///
    /// ```swift
    /// join.when(driver, rider, where: { $0.distance(to: $1) < 1 }) { driver, rider in meet(driver, rider) }
    /// ```
    ///
    /// For whatever nothing else says: each new copy is tried with all combinations of older ones, oldest first, until
    /// one meets the condition. So the price grows with what waits; where inputs have to agree in something, use
    /// `matching:`, and where a single value decides,
    /// ``part(_:of:order:where:fileID:line:)-(_,SlowMolecule<Value>,_,_,_,_)``.
    /// ``ChemicalEvent/Kind/searchesForLong(location:combinations:)`` is reported if there are many combinations.
    ///
    /// The condition runs in whoever is about to run the reaction, outside of any lock, in one task at a time. The body
    /// runs in a worker, concurrently with others. It must not block its thread.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - b: Another one, or the same.
    ///   - condition: Whether inputs with these values fit together. It must depend on the values alone, be short and
    ///     not inject anything.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what the molecules carry. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: For each new copy, O(n) with two inputs of which n copies wait; O(n²) with three, O(n³) with four.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule>(
        _ a: A, _ b: B, where condition: @escaping @Sendable (A.Content, B.Content) -> Bool,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input) throws -> Void) -> Reaction {
        let guarding = searching(a, b, condition, fileID, line)
        return declare(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), NoState(), fileID, line) { _, v in try body(v.0, v.1) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, where condition: @escaping @Sendable (A.Content, B.Content) -> Bool, updating s0: U0,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input, B.Input) throws -> Void) -> Reaction {
        let guarding = searching(a, b, condition, fileID, line)
        return declare(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule>(
        _ a: A, _ b: B, _ c: C, where condition: @escaping @Sendable (A.Content, B.Content, C.Content) -> Bool,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        let guarding = searching(a, b, c, condition, fileID, line)
        return declare(Both(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), tried(c, guarding, 2, fileID, line)), NoState(), fileID, line) { _, v in try body(v.0.0, v.0.1, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, where condition: @escaping @Sendable (A.Content, B.Content, C.Content) -> Bool,
        updating s0: U0, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        let guarding = searching(a, b, c, condition, fileID, line)
        return declare(Both(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), tried(c, guarding, 2, fileID, line)), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule>(
        _ a: A, _ b: B, _ c: C, _ d: D,
        where condition: @escaping @Sendable (A.Content, B.Content, C.Content, D.Content) -> Bool,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input) throws -> Void) -> Reaction {
        let guarding = searching(a, b, c, d, condition, fileID, line)
        return declare(Both(Both(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), tried(c, guarding, 2, fileID, line)), tried(d, guarding, 3, fileID, line)), NoState(), fileID, line) { _, v in try body(v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 4 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, _ d: D,
        where condition: @escaping @Sendable (A.Content, B.Content, C.Content, D.Content) -> Bool, updating s0: U0,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input, B.Input, C.Input, D.Input) throws -> Void) -> Reaction {
        let guarding = searching(a, b, c, d, condition, fileID, line)
        return declare(Both(Both(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), tried(c, guarding, 2, fileID, line)), tried(d, guarding, 3, fileID, line)), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// Declares a reaction that answers `fast` and whose inputs meet a condition together, with a synchronous body.
    ///
    /// ```swift
    /// join.answer(book, with: room, where: { guests, room in room.beds >= guests }) { _, room in room }
    /// ```
    ///
    /// For whatever nothing else says: each new copy is tried with all combinations of older ones, oldest first, until
    /// one meets the condition. So the price grows with what waits; where inputs have to agree in something, use
    /// `matching:`, and where a single value decides,
    /// ``part(_:of:order:where:fileID:line:)-(_,SlowMolecule<Value>,_,_,_,_)``.
    /// ``ChemicalEvent/Kind/searchesForLong(location:combinations:)`` is reported if there are many combinations.
    ///
    /// The condition runs in whoever is about to run the reaction, outside of any lock, in one task at a time. The body
    /// runs in a worker, concurrently with others. It must not block its thread.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - a: A molecule of this definition.
    ///   - condition: Whether inputs with these values fit together. It must depend on the values alone, be short and
    ///     not inject anything.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the argument of the call, and what the molecules carry. What it throws, the caller gets.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: For each new copy, O(n) with two inputs of which n copies wait; O(n²) with three, O(n³) with four.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A,
        where condition: @escaping @Sendable (Argument, A.Content) -> Bool, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input) throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), tried(a, guarding, 1, fileID, line), NoState(), fileID, line) { _, argument, v in try body(argument, v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A,
        where condition: @escaping @Sendable (Argument, A.Content) -> Bool, updating s0: U0,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument, A.Input) throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), tried(a, guarding, 1, fileID, line), Updating(s0), fileID, line) { s, argument, v in try body(&s.pointer.pointee, argument, v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content) -> Bool,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, b, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), Both(tried(a, guarding, 1, fileID, line), tried(b, guarding, 2, fileID, line)), NoState(), fileID, line) { _, argument, v in try body(argument, v.0, v.1) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content) -> Bool, updating s0: U0,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, b, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), Both(tried(a, guarding, 1, fileID, line), tried(b, guarding, 2, fileID, line)), Updating(s0), fileID, line) { s, argument, v in try body(&s.pointer.pointee, argument, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content, C.Content) -> Bool,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input) throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, b, c, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), Both(Both(tried(a, guarding, 1, fileID, line), tried(b, guarding, 2, fileID, line)), tried(c, guarding, 3, fileID, line)), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0, v.0.1, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content, C.Content) -> Bool, updating s0: U0,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument, A.Input, B.Input, C.Input) throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, b, c, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), Both(Both(tried(a, guarding, 1, fileID, line), tried(b, guarding, 2, fileID, line)), tried(c, guarding, 3, fileID, line)), Updating(s0), fileID, line) { s, argument, v in try body(&s.pointer.pointee, argument, v.0.0, v.0.1, v.1) }
    }

    /// Declares a reaction of inputs that meet a condition together, with an asynchronous body.
    ///
    /// ```swift
    /// join.when(driver, rider, where: { $0.distance(to: $1) < 1 }) { driver, rider in meet(driver, rider) }
    /// ```
    ///
    /// For whatever nothing else says: each new copy is tried with all combinations of older ones, oldest first, until
    /// one meets the condition. So the price grows with what waits; where inputs have to agree in something, use
    /// `matching:`, and where a single value decides,
    /// ``part(_:of:order:where:fileID:line:)-(_,SlowMolecule<Value>,_,_,_,_)``.
    /// ``ChemicalEvent/Kind/searchesForLong(location:combinations:)`` is reported if there are many combinations.
    ///
    /// The condition runs in whoever is about to run the reaction, outside of any lock, in one task at a time. The body
    /// runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - b: Another one, or the same.
    ///   - condition: Whether inputs with these values fit together. It must depend on the values alone, be short and
    ///     not inject anything.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what the molecules carry. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: For each new copy, O(n) with two inputs of which n copies wait; O(n²) with three, O(n³) with four.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule>(
        _ a: A, _ b: B, where condition: @escaping @Sendable (A.Content, B.Content) -> Bool,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input) async throws -> Void) -> Reaction {
        let guarding = searching(a, b, condition, fileID, line)
        return declare(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), NoState(), on: executor, fileID, line) { _, v in try await body(v.0, v.1) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, where condition: @escaping @Sendable (A.Content, B.Content) -> Bool, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input, B.Input) async throws -> Void) -> Reaction {
        let guarding = searching(a, b, condition, fileID, line)
        return declare(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule>(
        _ a: A, _ b: B, _ c: C, where condition: @escaping @Sendable (A.Content, B.Content, C.Content) -> Bool,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        let guarding = searching(a, b, c, condition, fileID, line)
        return declare(Both(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), tried(c, guarding, 2, fileID, line)), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0, v.0.1, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, where condition: @escaping @Sendable (A.Content, B.Content, C.Content) -> Bool,
        updating s0: U0, on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        let guarding = searching(a, b, c, condition, fileID, line)
        return declare(Both(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), tried(c, guarding, 2, fileID, line)), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule>(
        _ a: A, _ b: B, _ c: C, _ d: D,
        where condition: @escaping @Sendable (A.Content, B.Content, C.Content, D.Content) -> Bool,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input) async throws -> Void) -> Reaction {
        let guarding = searching(a, b, c, d, condition, fileID, line)
        return declare(Both(Both(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), tried(c, guarding, 2, fileID, line)), tried(d, guarding, 3, fileID, line)), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 4 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, _ d: D,
        where condition: @escaping @Sendable (A.Content, B.Content, C.Content, D.Content) -> Bool, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input, B.Input, C.Input, D.Input) async throws -> Void) -> Reaction {
        let guarding = searching(a, b, c, d, condition, fileID, line)
        return declare(Both(Both(Both(tried(a, guarding, 0, fileID, line), tried(b, guarding, 1, fileID, line)), tried(c, guarding, 2, fileID, line)), tried(d, guarding, 3, fileID, line)), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// Declares a reaction that answers `fast` and whose inputs meet a condition together, with an asynchronous body.
    ///
    /// ```swift
    /// join.answer(book, with: room, where: { guests, room in room.beds >= guests }) { _, room in room }
    /// ```
    ///
    /// For whatever nothing else says: each new copy is tried with all combinations of older ones, oldest first, until
    /// one meets the condition. So the price grows with what waits; where inputs have to agree in something, use
    /// `matching:`, and where a single value decides,
    /// ``part(_:of:order:where:fileID:line:)-(_,SlowMolecule<Value>,_,_,_,_)``.
    /// ``ChemicalEvent/Kind/searchesForLong(location:combinations:)`` is reported if there are many combinations.
    ///
    /// The condition runs in whoever is about to run the reaction, outside of any lock, in one task at a time. The body
    /// runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - a: A molecule of this definition.
    ///   - condition: Whether inputs with these values fit together. It must depend on the values alone, be short and
    ///     not inject anything.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the argument of the call, and what the molecules carry. What it throws, the caller gets.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: For each new copy, O(n) with two inputs of which n copies wait; O(n²) with three, O(n³) with four.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A,
        where condition: @escaping @Sendable (Argument, A.Content) -> Bool, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input) async throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), tried(a, guarding, 1, fileID, line), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A,
        where condition: @escaping @Sendable (Argument, A.Content) -> Bool, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument, A.Input) async throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), tried(a, guarding, 1, fileID, line), Updating(s0), on: executor, fileID, line) { s, argument, v in try await body(&s.value, argument, v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content) -> Bool,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, b, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), Both(tried(a, guarding, 1, fileID, line), tried(b, guarding, 2, fileID, line)), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0, v.1) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content) -> Bool, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, b, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), Both(tried(a, guarding, 1, fileID, line), tried(b, guarding, 2, fileID, line)), Updating(s0), on: executor, fileID, line) { s, argument, v in try await body(&s.value, argument, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content, C.Content) -> Bool,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input) async throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, b, c, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), Both(Both(tried(a, guarding, 1, fileID, line), tried(b, guarding, 2, fileID, line)), tried(c, guarding, 3, fileID, line)), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0, v.0.1, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C,
        where condition: @escaping @Sendable (Argument, A.Content, B.Content, C.Content) -> Bool, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument, A.Input, B.Input, C.Input) async throws -> Answer) -> Reaction {
        let guarding = searching(fast, a, b, c, condition, fileID, line)
        return declare(answering: triedCall(fast, guarding, fileID, line), Both(Both(tried(a, guarding, 1, fileID, line), tried(b, guarding, 2, fileID, line)), tried(c, guarding, 3, fileID, line)), Updating(s0), on: executor, fileID, line) { s, argument, v in try await body(&s.value, argument, v.0.0, v.0.1, v.1) }
    }
}
