// `reading:` with a condition. The condition is an input like the state itself, so these only put the value in front.

extension Join.Builder {
    /// Declares a reaction that answers `fast` while a state meets a condition, and reads it, with a synchronous body.
    ///
    /// ```swift
    /// join.answer(page, reading: prices.while(\.areKnown)) { prices, request in prices.page(request) }
    /// ```
    ///
    /// A call waits until the condition holds, and can be cancelled or time out. The state stays where it is, so any
    /// number of such bodies can run at the same time. `join.answer(page, with: prices.while(\.areKnown).value)` says
    /// the same, with the value behind the argument.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - state: A state of this definition and its condition, by ``StateMolecule/while(_:fileID:line:)``.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the state and the argument of the call. What it throws, the caller gets.
    /// - Returns: the reaction, to say more about it.
    @_alwaysEmitIntoClient
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        reading state: ConditionedState<S>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S, Argument) throws -> Answer
    ) -> Reaction {
        declare(answering: fast, state.value, NoState(), fileID, line) { _, argument, value in
            try body(value, argument)
        }
    }

    /// The same with an asynchronous body, which runs in a task of its own.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, S: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        reading state: ConditionedState<S>,
        on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S, Argument) async throws -> Answer
    ) -> Reaction {
        declare(answering: fast, state.value, NoState(), on: executor, fileID, line) { _, argument, value in
            try await body(value, argument)
        }
    }

    /// The same with another molecule.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        reading state: ConditionedState<S>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S, Argument, A.Input) throws -> Answer
    ) -> Reaction {
        declare(answering: fast, Both(a, state.value), NoState(), fileID, line) { _, argument, values in
            try body(values.1, argument, values.0)
        }
    }

    /// The same with another molecule and an asynchronous body.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, A: Molecule, S: Sendable>(
        _ fast: FastMolecule<Argument, Answer>,
        with a: A,
        reading state: ConditionedState<S>,
        on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S, Argument, A.Input) async throws -> Answer
    ) -> Reaction {
        declare(answering: fast, Both(a, state.value), NoState(), on: executor, fileID, line) { _, argument, values in
            try await body(values.1, argument, values.0)
        }
    }

    /// Declares a reaction that needs a state to meet a condition, and reads it, with a synchronous body.
    ///
    /// ```swift
    /// join.when(order, reading: prices.while(\.areKnown)) { prices, order in print(prices, order) }
    /// ```
    ///
    /// The state stays where it is, so any number of such bodies can run at the same time.
    /// `join.when(order, prices.while(\.areKnown).value)` says the same, with the value behind the inputs.
    ///
    /// - Parameters:
    ///   - a: A molecule of this definition.
    ///   - state: A state of this definition and its condition, by ``StateMolecule/while(_:fileID:line:)``.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the state, and what the molecule carries. What it throws is handled as ``failurePolicy`` says.
    /// - Returns: the reaction, to say more about it.
    @_alwaysEmitIntoClient
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S: Sendable>(
        _ a: A,
        reading state: ConditionedState<S>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (S, A.Input) throws -> Void
    ) -> Reaction {
        declare(Both(a, state.value), NoState(), fileID, line) { _, values in try body(values.1, values.0) }
    }

    /// The same with an asynchronous body, which runs in a task of its own.
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    @inline(__always)
    @discardableResult
    public func when<A: Molecule, S: Sendable>(
        _ a: A,
        reading state: ConditionedState<S>,
        on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (S, A.Input) async throws -> Void
    ) -> Reaction {
        declare(Both(a, state.value), NoState(), on: executor, fileID, line) { _, values in
            try await body(values.1, values.0)
        }
    }
}
