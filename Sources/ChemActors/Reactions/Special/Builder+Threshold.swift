extension Join {
    /// Who goes first among those who wait until a state covers what they want.
    public enum Precedence: Sendable {
        /// The smallest amount, and the oldest among equal ones. Large amounts can wait as long as small ones keep
        /// coming.
        case smallest
        /// The oldest, whatever its amount. It holds up those behind it until it is covered.
        case oldest
    }
}

// What a call or a copy wants is known before it enters the soup; what there is, whenever the state has changed. Both
// are found out outside of any lock.
extension Join.Builder {
    /// Declares a reaction that answers `fast` as soon as a state covers what the call wants, with a synchronous body.
    ///
    /// ```swift
    /// let withdraw = join.fast("withdraw", of: Int.self)
    /// let balance = join.state("balance", 0)
    /// join.answer(withdraw, updating: balance, amount: \.self, atMost: \.self) { balance, amount in
    ///     balance -= amount
    /// }
    /// ```
    ///
    /// A call waits until the state is present and the amount is at most its level. It can be cancelled or time out.
    /// When the level rises, as many calls are answered as it covers, one after the other.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - state: A state of this definition.
    ///   - amount: What a call wants, of its argument.
    ///   - level: What the state offers, of its value.
    ///   - precedence: Which of the waiting calls has to be covered next.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the state, to change it, and the argument of the call. What it throws, the caller gets.
    /// - Returns: the reaction, to say more about it.
    /// - Complexity: O(log n) for each of n waiting calls that comes or goes, and O(1) whenever the state has changed.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, State: Sendable, Much: Quantity>(
        _ fast: FastMolecule<Argument, Answer>,
        updating state: StateMolecule<State>,
        amount: any KeyPath<Argument, Much> & Sendable,
        atMost level: any KeyPath<State, Much> & Sendable,
        first precedence: Join.Precedence = .smallest,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout State, Argument) throws -> Answer
    ) -> Reaction {
        let guarding = threshold(fast, amount, state, level, precedence, fileID, line)
        return declare(answering: choose(fast, guarding), NoMolecule(), Updating(state), fileID, line) {
            state,
            argument,
            _ in try body(&state.pointer.pointee, argument)
        }
    }

    /// Declares a reaction that answers `fast` as soon as a state covers what the call wants, with an asynchronous
    /// body.
    ///
    /// The body runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - state: A state of this definition.
    ///   - amount: What a call wants, of its argument.
    ///   - level: What the state offers, of its value.
    ///   - precedence: Which of the waiting calls has to be covered next.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the state, to change it, and the argument of the call. What it throws, the caller gets.
    /// - Returns: the reaction, to say more about it.
    @inlinable
    @inline(__always)
    @discardableResult
    public func answer<Argument, Answer, State: Sendable, Much: Quantity>(
        _ fast: FastMolecule<Argument, Answer>,
        updating state: StateMolecule<State>,
        amount: any KeyPath<Argument, Much> & Sendable,
        atMost level: any KeyPath<State, Much> & Sendable,
        first precedence: Join.Precedence = .smallest,
        on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout State, Argument) async throws -> Answer
    ) -> Reaction {
        let guarding = threshold(fast, amount, state, level, precedence, fileID, line)
        return declare(answering: choose(fast, guarding), NoMolecule(), Updating(state), on: executor, fileID, line) {
            state,
            argument,
            _ in try await body(&state.value, argument)
        }
    }

    /// Declares a reaction that consumes a molecule as soon as a state covers what it wants, with a synchronous body.
    ///
    /// ```swift
    /// join.when(job, updating: memory, amount: \.bytes, atMost: \.free, first: .oldest) { memory, job in
    ///     memory.free -= job.bytes
    ///     start(job)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - molecule: A molecule of this definition.
    ///   - state: A state of this definition.
    ///   - amount: What a copy wants, of what it carries.
    ///   - level: What the state offers, of its value.
    ///   - precedence: Which of the copies has to be covered next.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the state, to change it, and what the molecule carries. What it throws is handled as
    ///     ``failurePolicy`` says.
    /// - Returns: the reaction, to say more about it.
    /// - Complexity: O(log n) for each of n waiting copies that comes or goes, and O(1) whenever the state has changed.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<M: GuardableMolecule, State: Sendable, Much: Quantity>(
        _ molecule: M,
        updating state: StateMolecule<State>,
        amount: any KeyPath<M.Content, Much> & Sendable,
        atMost level: any KeyPath<State, Much> & Sendable,
        first precedence: Join.Precedence = .smallest,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout State, M.Input) throws -> Void
    ) -> Reaction {
        let guarding = threshold(molecule, amount, state, level, precedence, fileID, line)
        return declare(choose(molecule, guarding, 0), Updating(state), fileID, line) {
            state,
            input in try body(&state.pointer.pointee, input)
        }
    }

    /// Declares a reaction that consumes a molecule as soon as a state covers what it wants, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - molecule: A molecule of this definition.
    ///   - state: A state of this definition.
    ///   - amount: What a copy wants, of what it carries.
    ///   - level: What the state offers, of its value.
    ///   - precedence: Which of the copies has to be covered next.
    ///   - executor: What the task prefers; nil for the machine's own.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the state, to change it, and what the molecule carries. What it throws is handled as
    ///     ``failurePolicy`` says.
    /// - Returns: the reaction, to say more about it.
    @inlinable
    @inline(__always)
    @discardableResult
    public func when<M: GuardableMolecule, State: Sendable, Much: Quantity>(
        _ molecule: M,
        updating state: StateMolecule<State>,
        amount: any KeyPath<M.Content, Much> & Sendable,
        atMost level: any KeyPath<State, Much> & Sendable,
        first precedence: Join.Precedence = .smallest,
        on executor: (any TaskExecutor)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout State, M.Input) async throws -> Void
    ) -> Reaction {
        let guarding = threshold(molecule, amount, state, level, precedence, fileID, line)
        return declare(choose(molecule, guarding, 0), Updating(state), on: executor, fileID, line) {
            state,
            input in try await body(&state.value, input)
        }
    }

    /// A guard that takes the copy that is covered next.
    @inlinable
    func threshold<M: GuardableMolecule, State: Sendable, Much: Quantity>(
        _ molecule: M,
        _ amount: any KeyPath<M.Content, Much> & Sendable,
        _ state: StateMolecule<State>,
        _ level: any KeyPath<State, Much> & Sendable,
        _ precedence: Join.Precedence,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Guard {
        let amounts: FeatureReader<M.Content>
        if let offset = MemoryLayout<M.Content>.offset(of: amount) {
            let isOurs = isInteger(Much.self) || Much.self == Double.self || Much.self == Float.self
            amounts = FeatureReader(isOurs: isOurs) { content in
                Feature(stored(Much.self, at: offset, in: content).amount)
            }
        } else {
            amounts = FeatureReader { content in Feature(content[keyPath: amount].amount) }
        }
        let levels: @Sendable (borrowing State) -> Level
        if let offset = MemoryLayout<State>.offset(of: level) {
            levels = { state in stored(Much.self, at: offset, in: state).amount.level }
        } else {
            levels = { state in (copy state)[keyPath: level].amount.level }
        }
        return threshold(molecule, amounts, state, levels, (amount, level), precedence, fileID, line) { state in
            // Amounts of one type are of one kind: that of the first is as good as any.
            state[keyPath: level].amount.style
        }
    }

    @usableFromInline
    func threshold<M: GuardableMolecule, State: Sendable>(
        _ molecule: M,
        _ amounts: FeatureReader<M.Content>,
        _ state: StateMolecule<State>,
        _ levels: @escaping @Sendable (borrowing State) -> Level,
        _ paths: (amount: AnyKeyPath, level: AnyKeyPath),
        _ precedence: Join.Precedence,
        _ fileID: StaticString,
        _ line: UInt,
        style: (State) -> Amount.Style
    ) -> Guard {
        let location = SourceLocation(fileID: fileID, line: line)
        var list = MoleculeList()
        molecule._list(in: &list)
        state._list(in: &list)
        _ = describe(list, fileID, line)
        let name = "\(list.slots[1].pointee.slot.name)\(String("\(paths.level)".dropFirst(1).drop { $0 != "." }))"
        var made: ThresholdIndex?
        let style = style(state.place.pointee)
        let gate = state.addCondition(at: location, levels) { soup, seen in
            let gate = Gate(name: "\(name) that covers the amount", location: location, soup: soup)
            let index = ThresholdIndex(
                gate: gate,
                level: seen,
                smallestFirst: precedence == .smallest,
                paths: paths
            ) {
                Amount($0, style).description
            }
            gate.index = index
            made = index
            return gate
        }
        guard let index = made else { fatalError("ChemActors: a threshold without a gate") }
        let place = molecule._attach(GuardReference(index, join.soup), as: 0, amounts)
        let entry = join.soup.enter()
        index.add(place.table, place.attachment)
        entry.leaveUnchanged()
        return Guard(index: index, gate: gate)
    }
}
