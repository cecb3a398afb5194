// Written by Scripts/generate-overloads.swift: change that instead.
// swift-format-ignore-file

extension Join.Builder {
    /// Declares a reaction of inputs that have the same key, with a synchronous body.
    ///
    /// ```swift
    /// join.when(order, payment, matching: \.id, \.orderID) { order, payment in ship(order, payment) }
    /// ```
    ///
    /// It starts if, and only if, there are copies of all inputs whose keys are equal, whatever else waits. If that is
    /// so for several keys, one is chosen at random; of the copies with one key, the oldest. A molecule can stand there
    /// more than once, also with different keys: no copy is taken twice.
    ///
    /// Whoever injects a value computes its key, outside of any lock. Then it goes to those with the same key, through
    /// an index. The body runs in a worker, concurrently with others. It must not block its thread.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - b: Another one, or the same.
    ///   - ka: What to match of the first input.
    ///   - kb: What to match of the second one.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what the molecules carry. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: O(inputs) for each copy, however many wait.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, Key: Matchable>(
        _ a: A, _ b: B, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input) throws -> Void) -> Reaction {
        let guarding = matchGuard(2, Key.self, fileID, line)
        return declare(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), NoState(), fileID, line) { _, v in try body(v.0, v.1) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ a: A, _ b: B, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, updating s0: U0, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input, B.Input) throws -> Void) -> Reaction {
        let guarding = matchGuard(2, Key.self, fileID, line)
        return declare(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, Key: Matchable>(
        _ a: A, _ b: B, _ c: C, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        let guarding = matchGuard(3, Key.self, fileID, line)
        return declare(Both(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), chosen(c, guarding, 2, by: kc, fileID, line)), NoState(), fileID, line) { _, v in try body(v.0.0, v.0.1, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable, updating s0: U0,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input, B.Input, C.Input) throws -> Void) -> Reaction {
        let guarding = matchGuard(3, Key.self, fileID, line)
        return declare(Both(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), chosen(c, guarding, 2, by: kc, fileID, line)), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule, Key: Matchable>(
        _ a: A, _ b: B, _ c: C, _ d: D, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable,
        _ kd: any KeyPath<D.Content, Key> & Sendable, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (A.Input, B.Input, C.Input, D.Input) throws -> Void) -> Reaction {
        let guarding = matchGuard(4, Key.self, fileID, line)
        return declare(Both(Both(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), chosen(c, guarding, 2, by: kc, fileID, line)), chosen(d, guarding, 3, by: kd, fileID, line)), NoState(), fileID, line) { _, v in try body(v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 4 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, _ d: D, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable,
        _ kd: any KeyPath<D.Content, Key> & Sendable, updating s0: U0, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, A.Input, B.Input, C.Input, D.Input) throws -> Void) -> Reaction {
        let guarding = matchGuard(4, Key.self, fileID, line)
        return declare(Both(Both(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), chosen(c, guarding, 2, by: kc, fileID, line)), chosen(d, guarding, 3, by: kd, fileID, line)), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// Declares a reaction that answers `fast` and whose inputs have the same key, with a synchronous body.
    ///
    /// ```swift
    /// join.answer(lookUp, with: entry, matching: \.self, \.name) { name, entry in entry.number }
    /// ```
    ///
    /// It starts if, and only if, there are copies of all inputs whose keys are equal, whatever else waits. If that is
    /// so for several keys, one is chosen at random; of the copies with one key, the oldest. A molecule can stand there
    /// more than once, also with different keys: no copy is taken twice.
    ///
    /// Whoever injects a value computes its key, outside of any lock. Then it goes to those with the same key, through
    /// an index. The body runs in a worker, concurrently with others. It must not block its thread.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - a: A molecule of this definition.
    ///   - key: What to match of the argument.
    ///   - ka: What to match of the other input.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the argument of the call, and what the molecules carry. What it throws, the caller gets.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: O(inputs) for each copy, however many wait.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, Key: Matchable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, matching key: any KeyPath<Argument, Key> & Sendable,
        _ ka: any KeyPath<A.Content, Key> & Sendable, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input) throws -> Answer) -> Reaction {
        let guarding = matchGuard(2, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), chosen(a, guarding, 1, by: ka, fileID, line), NoState(), fileID, line) { _, argument, v in try body(argument, v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, matching key: any KeyPath<Argument, Key> & Sendable,
        _ ka: any KeyPath<A.Content, Key> & Sendable, updating s0: U0, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument, A.Input) throws -> Answer) -> Reaction {
        let guarding = matchGuard(2, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), chosen(a, guarding, 1, by: ka, fileID, line), Updating(s0), fileID, line) { s, argument, v in try body(&s.pointer.pointee, argument, v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, Key: Matchable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B,
        matching key: any KeyPath<Argument, Key> & Sendable, _ ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        let guarding = matchGuard(3, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), Both(chosen(a, guarding, 1, by: ka, fileID, line), chosen(b, guarding, 2, by: kb, fileID, line)), NoState(), fileID, line) { _, argument, v in try body(argument, v.0, v.1) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B,
        matching key: any KeyPath<Argument, Key> & Sendable, _ ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, updating s0: U0, fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument, A.Input, B.Input) throws -> Answer) -> Reaction {
        let guarding = matchGuard(3, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), Both(chosen(a, guarding, 1, by: ka, fileID, line), chosen(b, guarding, 2, by: kb, fileID, line)), Updating(s0), fileID, line) { s, argument, v in try body(&s.pointer.pointee, argument, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, Key: Matchable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C,
        matching key: any KeyPath<Argument, Key> & Sendable, _ ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Argument, A.Input, B.Input, C.Input) throws -> Answer) -> Reaction {
        let guarding = matchGuard(4, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), Both(Both(chosen(a, guarding, 1, by: ka, fileID, line), chosen(b, guarding, 2, by: kb, fileID, line)), chosen(c, guarding, 3, by: kc, fileID, line)), NoState(), fileID, line) { _, argument, v in try body(argument, v.0.0, v.0.1, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C,
        matching key: any KeyPath<Argument, Key> & Sendable, _ ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable, updating s0: U0,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, Argument, A.Input, B.Input, C.Input) throws -> Answer) -> Reaction {
        let guarding = matchGuard(4, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), Both(Both(chosen(a, guarding, 1, by: ka, fileID, line), chosen(b, guarding, 2, by: kb, fileID, line)), chosen(c, guarding, 3, by: kc, fileID, line)), Updating(s0), fileID, line) { s, argument, v in try body(&s.pointer.pointee, argument, v.0.0, v.0.1, v.1) }
    }

    /// The same for 1 input.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, Key: Matchable>(
        _ count: Int, of molecule: A, matching ka: any KeyPath<A.Content, Key> & Sendable,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable ([A.Input]) throws -> Void) -> Reaction {
        declare(matched(count, of: molecule, ka, fileID, line), NoState(), fileID, line) { _, v in try body(v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ count: Int, of molecule: A, matching ka: any KeyPath<A.Content, Key> & Sendable, updating s0: U0,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (inout U0.Value, [A.Input]) throws -> Void) -> Reaction {
        declare(matched(count, of: molecule, ka, fileID, line), Updating(s0), fileID, line) { s, v in try body(&s.pointer.pointee, v) }
    }

    /// Declares a reaction of inputs that have the same key, with an asynchronous body.
    ///
    /// ```swift
    /// join.when(order, payment, matching: \.id, \.orderID) { order, payment in ship(order, payment) }
    /// ```
    ///
    /// It starts if, and only if, there are copies of all inputs whose keys are equal, whatever else waits. If that is
    /// so for several keys, one is chosen at random; of the copies with one key, the oldest. A molecule can stand there
    /// more than once, also with different keys: no copy is taken twice.
    ///
    /// Whoever injects a value computes its key, outside of any lock. Then it goes to those with the same key, through
    /// an index. The body runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - b: Another one, or the same.
    ///   - ka: What to match of the first input.
    ///   - kb: What to match of the second one.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what the molecules carry. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: O(inputs) for each copy, however many wait.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, Key: Matchable>(
        _ a: A, _ b: B, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input) async throws -> Void) -> Reaction {
        let guarding = matchGuard(2, Key.self, fileID, line)
        return declare(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), NoState(), on: executor, fileID, line) { _, v in try await body(v.0, v.1) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ a: A, _ b: B, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, updating s0: U0, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input, B.Input) async throws -> Void) -> Reaction {
        let guarding = matchGuard(2, Key.self, fileID, line)
        return declare(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, Key: Matchable>(
        _ a: A, _ b: B, _ c: C, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        let guarding = matchGuard(3, Key.self, fileID, line)
        return declare(Both(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), chosen(c, guarding, 2, by: kc, fileID, line)), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0, v.0.1, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input, B.Input, C.Input) async throws -> Void) -> Reaction {
        let guarding = matchGuard(3, Key.self, fileID, line)
        return declare(Both(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), chosen(c, guarding, 2, by: kc, fileID, line)), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v.0.0, v.0.1, v.1) }
    }

    /// The same for 4 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule, Key: Matchable>(
        _ a: A, _ b: B, _ c: C, _ d: D, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable,
        _ kd: any KeyPath<D.Content, Key> & Sendable, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (A.Input, B.Input, C.Input, D.Input) async throws -> Void) -> Reaction {
        let guarding = matchGuard(4, Key.self, fileID, line)
        return declare(Both(Both(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), chosen(c, guarding, 2, by: kc, fileID, line)), chosen(d, guarding, 3, by: kd, fileID, line)), NoState(), on: executor, fileID, line) { _, v in try await body(v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// The same for 4 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ a: A, _ b: B, _ c: C, _ d: D, matching ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable,
        _ kd: any KeyPath<D.Content, Key> & Sendable, updating s0: U0, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, A.Input, B.Input, C.Input, D.Input) async throws -> Void) -> Reaction {
        let guarding = matchGuard(4, Key.self, fileID, line)
        return declare(Both(Both(Both(chosen(a, guarding, 0, by: ka, fileID, line), chosen(b, guarding, 1, by: kb, fileID, line)), chosen(c, guarding, 2, by: kc, fileID, line)), chosen(d, guarding, 3, by: kd, fileID, line)), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v.0.0.0, v.0.0.1, v.0.1, v.1) }
    }

    /// Declares a reaction that answers `fast` and whose inputs have the same key, with an asynchronous body.
    ///
    /// ```swift
    /// join.answer(lookUp, with: entry, matching: \.self, \.name) { name, entry in entry.number }
    /// ```
    ///
    /// It starts if, and only if, there are copies of all inputs whose keys are equal, whatever else waits. If that is
    /// so for several keys, one is chosen at random; of the copies with one key, the oldest. A molecule can stand there
    /// more than once, also with different keys: no copy is taken twice.
    ///
    /// Whoever injects a value computes its key, outside of any lock. Then it goes to those with the same key, through
    /// an index. The body runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - a: A molecule of this definition.
    ///   - key: What to match of the argument.
    ///   - ka: What to match of the other input.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the argument of the call, and what the molecules carry. What it throws, the caller gets.
    /// - Returns: The reaction, to say more about it.
    /// - Complexity: O(inputs) for each copy, however many wait.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, Key: Matchable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, matching key: any KeyPath<Argument, Key> & Sendable,
        _ ka: any KeyPath<A.Content, Key> & Sendable, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input) async throws -> Answer) -> Reaction {
        let guarding = matchGuard(2, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), chosen(a, guarding, 1, by: ka, fileID, line), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, matching key: any KeyPath<Argument, Key> & Sendable,
        _ ka: any KeyPath<A.Content, Key> & Sendable, updating s0: U0, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument, A.Input) async throws -> Answer) -> Reaction {
        let guarding = matchGuard(2, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), chosen(a, guarding, 1, by: ka, fileID, line), Updating(s0), on: executor, fileID, line) { s, argument, v in try await body(&s.value, argument, v) }
    }

    /// The same for 2 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, Key: Matchable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B,
        matching key: any KeyPath<Argument, Key> & Sendable, _ ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        let guarding = matchGuard(3, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), Both(chosen(a, guarding, 1, by: ka, fileID, line), chosen(b, guarding, 2, by: kb, fileID, line)), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0, v.1) }
    }

    /// The same for 2 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B,
        matching key: any KeyPath<Argument, Key> & Sendable, _ ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, updating s0: U0, on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument, A.Input, B.Input) async throws -> Answer) -> Reaction {
        let guarding = matchGuard(3, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), Both(chosen(a, guarding, 1, by: ka, fileID, line), chosen(b, guarding, 2, by: kb, fileID, line)), Updating(s0), on: executor, fileID, line) { s, argument, v in try await body(&s.value, argument, v.0, v.1) }
    }

    /// The same for 3 inputs.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, Key: Matchable>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C,
        matching key: any KeyPath<Argument, Key> & Sendable, _ ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (Argument, A.Input, B.Input, C.Input) async throws -> Answer) -> Reaction {
        let guarding = matchGuard(4, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), Both(Both(chosen(a, guarding, 1, by: ka, fileID, line), chosen(b, guarding, 2, by: kb, fileID, line)), chosen(c, guarding, 3, by: kc, fileID, line)), NoState(), on: executor, fileID, line) { _, argument, v in try await body(argument, v.0.0, v.0.1, v.1) }
    }

    /// The same for 3 inputs, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func answer<Argument, Answer, A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ fast: FastMolecule<Argument, Answer>, with a: A, _ b: B, _ c: C,
        matching key: any KeyPath<Argument, Key> & Sendable, _ ka: any KeyPath<A.Content, Key> & Sendable,
        _ kb: any KeyPath<B.Content, Key> & Sendable, _ kc: any KeyPath<C.Content, Key> & Sendable, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, Argument, A.Input, B.Input, C.Input) async throws -> Answer) -> Reaction {
        let guarding = matchGuard(4, Key.self, fileID, line)
        return declare(answering: chosenCall(fast, guarding, by: key, fileID, line), Both(Both(chosen(a, guarding, 1, by: ka, fileID, line), chosen(b, guarding, 2, by: kb, fileID, line)), chosen(c, guarding, 3, by: kc, fileID, line)), Updating(s0), on: executor, fileID, line) { s, argument, v in try await body(&s.value, argument, v.0.0, v.0.1, v.1) }
    }

    /// The same for 1 input.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, Key: Matchable>(
        _ count: Int, of molecule: A, matching ka: any KeyPath<A.Content, Key> & Sendable,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable ([A.Input]) async throws -> Void) -> Reaction {
        declare(matched(count, of: molecule, ka, fileID, line), NoState(), on: executor, fileID, line) { _, v in try await body(v) }
    }

    /// The same for 1 input, 1 state.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func when<A: GuardableMolecule, Key: Matchable, U0: Updatable & Stateful>(
        _ count: Int, of molecule: A, matching ka: any KeyPath<A.Content, Key> & Sendable, updating s0: U0,
        on executor: (any TaskExecutor)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout U0.Value, [A.Input]) async throws -> Void) -> Reaction {
        declare(matched(count, of: molecule, ka, fileID, line), Updating(s0), on: executor, fileID, line) { s, v in try await body(&s.value, v) }
    }
}
