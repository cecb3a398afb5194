import ChemBase

extension Join {
    /// Declares the molecules and reactions of a definition, inside the closure of `define`.
    ///
    /// It can't be copied, kept or captured: the compiler ensures that the chemistry is fixed when the closure returns.
    /// Functions that declare a part of a chemistry take it `inout`:
    ///
    /// ```swift
    /// func addReset(
    ///     _ reset: SlowMolecule<Void>,
    ///     of count: StateMolecule<Int>,
    ///     to join: inout Join.Builder
    /// ) {
    ///     join.when(reset, updating: count) { n, _ in n = 0 }
    /// }
    /// ```
    public struct Builder: ~Copyable {
        let join: Join

        init(_ join: Join) {
            self.join = join
        }

        /// The control handle of the definition, for code that watches or controls it.
        ///
        /// The handle doesn't keep the chemistry alive; the names that `define` returns do. When the last of them is
        /// gone, which in a release build is after its last use, the definition dissolves, and the handle shows that.
        /// To keep a name until then, write `extendLifetime(name)` after the last use of the handle.
        public var definition: Join { join }

        /// Says that the definition can't go on once its molecules were dropped: ``Join/clear()`` then deactivates it,
        /// and no ``Join/activate()`` brings it back.
        ///
        /// For a definition whose closure injects what it lives on, such as the permits of a semaphore. Say it before
        /// that is injected, since a clearing may come in between:
        ///
        /// ```swift
        /// join.endsWhenCleared()
        /// let permit = join.slow("permit")
        /// let acquire = join.fast("acquire")
        /// join.answer(acquire, with: permit) { _, _ in }
        /// permit.inject(contentsOf: repeatElement((), count: 3))
        /// ```
        ///
        /// Without the permits its callers would wait for ever. So they get a ``CallError`` with the code
        /// ``CallError/Code/deactivated``. States need no such care, since they get their initial values again.
        public func endsWhenCleared() {
            let entry = join.soup.enter()
            entry.contents.life.endWhenCleared()
            entry.leaveUnchanged()
        }

        /// Says that no definition made in the closure of this one, or in one of its bodies, uses its local names: such
        /// definitions don't keep it alive, whoever has their names and whatever happens in them.
        ///
        /// For a definition whose bodies run closures of somebody else, who can't know its names. Say it first:
        ///
        /// ```swift
        /// func worker(_ handle: @escaping @Sendable (String) -> Void) -> SlowMolecule<String> {
        ///     Join.define("worker") { join in
        ///         join.isNotKeptByInnerDefinitions()
        ///         let job = join.slow("job", of: String.self)
        ///         join.when(job) { text in handle(text) }
        ///         return job
        ///     }
        /// }
        /// ```
        ///
        /// Otherwise whatever `handle` makes, a channel for instance, would keep the worker alive for as long as it
        /// lives itself. Instead, it keeps alive what the worker keeps alive: the definition in whose closure or body
        /// that was made, whose names `handle` may know.
        public func isNotKeptByInnerDefinitions() {
            let entry = join.soup.enter()
            entry.state.handsOnParent = true
            entry.leaveUnchanged()
        }
    }

    /// The order in which the copies of a molecule leave the soup.
    public enum Order: Sendable {
        /// Each copy that is present is equally likely to be taken.
        case random
        /// The copy that was injected first is taken first.
        case oldestFirst
    }
}

extension Join.Builder {
    /// Declares a slow molecule that carries a value.
    ///
    /// ```swift
    /// let item = join.slow("item", of: String.self, order: .oldestFirst)
    /// ```
    ///
    /// - Parameters:
    ///   - name: What the molecule is called in messages.
    ///   - type: The type of the value that each copy carries.
    ///   - order: Which copy a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the molecule.
    public func slow<Value: Sendable>(
        _ name: String,
        of type: Value.Type = Value.self,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SlowMolecule<Value> {
        let slot = SlowSlot<Value>(
            name: name,
            location: SourceLocation(fileID: fileID, line: line),
            soup: join.soup,
            isOldestFirst: order == .oldestFirst,
            carriesNames: mayBeNames(type, of: name, fileID, line)
        )
        add(slot)
        return SlowMolecule(storage: slot.storage, anchor: join)
    }

    /// Declares a slow molecule that carries no value.
    ///
    /// - Parameters:
    ///   - name: What the molecule is called in messages.
    ///   - order: Which copy a reaction takes. The copies can't be told apart, but a stream requires the oldest-first
    ///     order.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the molecule.
    public func slow(
        _ name: String,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SlowMolecule<Void> {
        slow(name, of: Void.self, order: order, fileID: fileID, line: line)
    }

    /// Declares a fast molecule that carries an argument.
    ///
    /// ```swift
    /// let square = join.fast("square", of: Int.self, returning: Int.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: What the molecule is called in messages.
    ///   - type: The type of the value that each call carries.
    ///   - answer: The type of the answer.
    ///   - order: Which of several waiting calls a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the molecule.
    public func fast<Argument: Sendable, Answer: Sendable>(
        _ name: String,
        of type: Argument.Type = Argument.self,
        returning answer: Answer.Type = Answer.self,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FastMolecule<Argument, Answer> {
        let slot = FastSlot<Argument, Answer>(
            name: name,
            location: SourceLocation(fileID: fileID, line: line),
            soup: join.soup,
            isOldestFirst: order == .oldestFirst,
            carriesNames: mayBeNames(type, of: name, fileID, line),
            answersNames: mayBeNames(answer, of: name, fileID, line)
        )
        add(slot)
        return FastMolecule(storage: slot.storage, anchor: join)
    }

    /// Declares a fast molecule that carries no value.
    ///
    /// - Parameters:
    ///   - name: What the molecule is called in messages.
    ///   - answer: The type of the answer.
    ///   - order: Which of several waiting calls a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the molecule.
    public func fast<Answer: Sendable>(
        _ name: String,
        returning answer: Answer.Type,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FastMolecule<Void, Answer> {
        fast(name, of: Void.self, returning: answer, order: order, fileID: fileID, line: line)
    }

    /// Declares a fast molecule that carries an argument and is answered without a value.
    ///
    /// - Parameters:
    ///   - name: What the molecule is called in messages.
    ///   - type: The type of the value that each call carries.
    ///   - order: Which of several waiting calls a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the molecule.
    public func fast<Argument: Sendable>(
        _ name: String,
        of type: Argument.Type,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FastMolecule<Argument, Void> {
        fast(name, of: type, returning: Void.self, order: order, fileID: fileID, line: line)
    }

    /// Declares a fast molecule that carries no value and is answered without one.
    ///
    /// - Parameters:
    ///   - name: What the molecule is called in messages.
    ///   - order: Which of several waiting calls a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the molecule.
    public func fast(
        _ name: String,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FastMolecule<Void, Void> {
        fast(name, of: Void.self, returning: Void.self, order: order, fileID: fileID, line: line)
    }

    /// Declares a state: a molecule of which exactly one copy exists.
    ///
    /// ```swift
    /// let count = join.state("count", 0)
    /// ```
    ///
    /// - Parameters:
    ///   - name: What the state is called in messages.
    ///   - initial: Its first value.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the state.
    public func state<Value: Sendable>(
        _ name: String,
        _ initial: Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> StateMolecule<Value> {
        let slot = StateSlot<Value>(
            name: name,
            location: SourceLocation(fileID: fileID, line: line),
            soup: join.soup,
            carriesNames: NameFinder.find(in: Value.self) != nil,
            initial: initial
        )
        add(slot)
        return StateMolecule(storage: slot.storage, join: join)
    }

    /// Whether values of `type` may be names or hold some. Stops the program if these couldn't be exported when they
    /// travel.
    private func mayBeNames<Value>(
        _ type: Value.Type,
        of molecule: String,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Bool {
        guard let finder = NameFinder.find(in: type) else { return false }
        guard let flaw = finder.flaw else { return true }
        fatalError(
            "ChemActors: definition '\(join.name)': \(Slot.quoted(molecule)) (\(fileID):\(line)) carries names in an indirect case of "
                + "'\(_typeName(flaw, qualified: false))', where they can't be exported: make that type conform to Exportable",
            file: fileID,
            line: line
        )
    }

    private func add(_ slot: Slot) {
        // Inside the soup, because a task that the closure has started may already be calling a fast molecule.
        let entry = join.soup.enter()
        if entry.contents.slots.isEmpty { entry.contents.slots.reserveCapacity(4) }
        slot.number = Int32(entry.contents.slots.count)
        entry.contents.slots.append(slot)
        entry.leaveUnchanged()
    }
}

// A builder belongs to the closure of `define`.
@available(*, unavailable)
extension Join.Builder: Sendable {}
