import ChemBase

/// Several molecules as one input of a reaction: so many copies of one, or an array of different ones.
struct Several<Each: Molecule>: Molecule {
    let molecules: [Each]

    /// Not asked for: each molecule is an input of its own to the soup.
    var _slot: MoleculeSlot<Several> { MoleculeSlot(molecules[0]._slot.header) }

    var slots: [SlotPointer] { molecules.map(\._slot.header) }

    func _take(_ entry: borrowing SoupEntry) -> [Each.Input] {
        var inputs: [Each.Input] = []
        inputs.reserveCapacity(molecules.count)
        for molecule in molecules { inputs.append(molecule._take(entry)) }
        return inputs
    }

    func _fail(_ inputs: [Each.Input], _ error: any Error, _ end: borrowing FailedReaction) -> Bool {
        var isKnown = false
        for (molecule, input) in zip(molecules, inputs) { isKnown = molecule._fail(input, error, end) || isKnown }
        return isKnown
    }

    func _putBack(_ inputs: [Each.Input], _ end: borrowing FailedReaction) {
        for (molecule, input) in zip(molecules, inputs) { molecule._putBack(input, end) }
    }
}

extension Join.Builder {
    /// Declares a reaction that consumes `count` copies of one molecule, with a synchronous body.
    ///
    /// ```swift
    /// join.when(parties, of: arrive) { replies in for reply in replies { reply() } }
    /// ```
    ///
    /// For two or three copies, known when the program is written, `join.when(left, left)` says the same. The body runs in a worker,
    /// concurrently with others. It must not block its thread.
    ///
    /// - Parameters:
    ///   - count: How many copies have to be present, at least 1.
    ///   - molecule: A molecule of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what they carry, oldest first if the molecule is.
    @discardableResult
    public func when<Each: Molecule>(
        _ count: Int,
        of molecule: Each,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable ([Each.Input]) throws -> Void
    ) -> Reaction {
        declare(copies(count, of: molecule, fileID, line), fileID, line, body)
    }

    /// Declares a reaction that consumes `count` copies of one molecule, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - count: How many copies have to be present, at least 1.
    ///   - molecule: A molecule of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what they carry, oldest first if the molecule is.
    @discardableResult
    public func when<Each: Molecule>(
        _ count: Int,
        of molecule: Each,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable ([Each.Input]) async throws -> Void
    ) -> Reaction {
        declare(copies(count, of: molecule, fileID, line), fileID, line, body)
    }

    /// Declares a reaction that consumes `count` copies of one molecule and updates a state, with a synchronous body.
    ///
    /// ```swift
    /// join.when(4, of: vote, updating: result) { result, votes in result.add(votes) }
    /// ```
    ///
    /// The body runs in a worker, concurrently with others. It must not block its thread.
    /// It has the state to itself: other reactions that need it wait.
    ///
    /// - Parameters:
    ///   - count: How many copies have to be present, at least 1.
    ///   - molecule: A molecule of this definition.
    ///   - state: A state of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the state, and what the copies carry, oldest first if the molecule is.
    @discardableResult
    public func when<Each: Molecule, Value: Sendable>(
        _ count: Int,
        of molecule: Each,
        updating state: StateMolecule<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable (inout Value, [Each.Input]) throws -> Void
    ) -> Reaction {
        let copies = copies(count, of: molecule, fileID, line)
        let slots = copies.slots + [state.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            var isDone = true
            do {
                let inputs = copies._take(SoupEntry())
                state.slot.take()
                site.leave()
                do {
                    try body(&state.place.pointee, inputs)
                } catch {
                    isDone = false
                    reaction.failed(
                        error,
                        (copies, inputs),
                        again: {
                            try body(&state.place.pointee, inputs)
                            state.release()
                        },
                        fail: { _ in false },
                        release: { state.release($0) }
                    )
                }
            }
            site.pointee.lock.lock()
            if isDone { state.putBack() }
        }
    }

    /// Declares a reaction that consumes `count` copies of one molecule and updates a state, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    /// It has the state to itself: other reactions that need it wait.
    ///
    /// - Parameters:
    ///   - count: How many copies have to be present, at least 1.
    ///   - molecule: A molecule of this definition.
    ///   - state: A state of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets the state, and what the copies carry, oldest first if the molecule is.
    @discardableResult
    public func when<Each: Molecule, Value: Sendable>(
        _ count: Int,
        of molecule: Each,
        updating state: StateMolecule<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable (inout Value, [Each.Input]) async throws -> Void
    ) -> Reaction {
        let copies = copies(count, of: molecule, fileID, line)
        let slots = copies.slots + [state.header]
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let inputs = copies._take(SoupEntry())
                state.slot.take()
                site.leave()
                site.startBody {
                    let draft = state.draft()
                    do {
                        try await body(&draft.value, inputs)
                        state.putBack(draft.value)
                    } catch {
                        reaction.failed(
                            error,
                            (copies, inputs),
                            again: {
                                try await body(&draft.value, inputs)
                                state.putBack(draft.value)
                            },
                            fail: { _ in false },
                            release: {
                                state.keep(draft.value)
                                state.release($0)
                            }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    /// Declares a reaction that consumes one copy of each molecule of an array, with a synchronous body.
    ///
    /// ```swift
    /// let parts = (0..<n).map { join.slow("part \($0)", of: Data.self) }
    /// join.when(all: parts) { parts in whole(parts.reduce(Data(), +)) }
    /// ```
    ///
    /// For as many inputs as are known when the program is written, `join.when(a, b, c)` says the same. The body runs in a worker,
    /// concurrently with others. It must not block its thread.
    ///
    /// - Parameters:
    ///   - molecules: Molecules of this definition, at least 1. One that stands there twice gives two copies.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what they carry, in the order of the array.
    @discardableResult
    public func when<Each: Molecule>(
        all molecules: [Each],
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @Sendable ([Each.Input]) throws -> Void
    ) -> Reaction {
        declare(all(molecules, fileID, line), fileID, line, body)
    }

    /// Declares a reaction that consumes one copy of each molecule of an array, with an asynchronous body.
    ///
    /// The body runs in a task of its own and may suspend.
    ///
    /// - Parameters:
    ///   - molecules: Molecules of this definition, at least 1. One that stands there twice gives two copies.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - body: Gets what they carry, in the order of the array.
    @discardableResult
    public func when<Each: Molecule>(
        all molecules: [Each],
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable ([Each.Input]) async throws -> Void
    ) -> Reaction {
        declare(all(molecules, fileID, line), fileID, line, body)
    }

    private func declare<Each: Molecule>(
        _ several: Several<Each>,
        _ fileID: StaticString,
        _ line: UInt,
        _ body: @escaping @Sendable ([Each.Input]) throws -> Void
    ) -> Reaction {
        let slots = several.slots
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            do {
                let inputs = several._take(SoupEntry())
                site.leave()
                do {
                    try body(inputs)
                } catch {
                    reaction.failed(
                        error,
                        (several, inputs),
                        again: {
                            try body(inputs)
                        },
                        fail: { _ in false },
                        release: { _ in }
                    )
                }
            }
            site.pointee.lock.lock()
        }
    }

    private func declare<Each: Molecule>(
        _ several: Several<Each>,
        _ fileID: StaticString,
        _ line: UInt,
        _ body: @escaping @concurrent @Sendable ([Each.Input]) async throws -> Void
    ) -> Reaction {
        let slots = several.slots
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let inputs = several._take(SoupEntry())
                site.leave()
                site.startBody {
                    do {
                        try await body(inputs)
                    } catch {
                        reaction.failed(
                            error,
                            (several, inputs),
                            again: {
                                try await body(inputs)
                            },
                            fail: { _ in false },
                            release: { _ in }
                        )
                    }
                }
            }
            site.pointee.lock.lock()
        }
    }

    private func copies<Each: Molecule>(
        _ count: Int,
        of molecule: Each,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Several<Each> {
        guard count >= 1 else {
            fatalError(
                "ChemActors: definition '\(join.name)' has a reaction (\(fileID):\(line)) that consumes \(count) copies of "
                    + "'\(molecule)': it needs at least 1",
                file: fileID,
                line: line
            )
        }
        return Several(molecules: Array(repeating: molecule, count: count))
    }

    private func all<Each: Molecule>(_ molecules: [Each], _ fileID: StaticString, _ line: UInt) -> Several<Each> {
        guard !molecules.isEmpty else {
            fatalError(
                "ChemActors: definition '\(join.name)' has a reaction (\(fileID):\(line)) that consumes an empty array of molecules: "
                    + "it needs at least 1",
                file: fileID,
                line: line
            )
        }
        return Several(molecules: molecules)
    }

    /// Declares that each call of `fast` is answered as soon as a copy of `molecule` is present, which stays.
    ///
    /// ```swift
    /// join.answer(ready, while: item)
    /// ```
    ///
    /// When the caller goes on, somebody else may have consumed the copy: it is a hint to try, not a promise.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - molecule: A molecule of this definition, which other reactions consume.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    @discardableResult
    public func answer(
        _ fast: FastMolecule<Void, Void>,
        while molecule: some Molecule,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Reaction {
        let slots = [fast._slot.header, molecule._slot.header]
        return declareAnswer(describe(slots, fileID, line), fast, slots, isStep: true) { site in
            do {
                let call = fast.takeCall()
                site.leave()
                call.finish(returning: ())
            }
            site.pointee.lock.lock()
        } atOnce: {
        }
    }
}
