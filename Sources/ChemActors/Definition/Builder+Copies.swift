/// So many copies of one molecule, as the input of a reaction.
@usableFromInline
struct Copies<Each: Molecule>: Molecule {
    @usableFromInline let molecule: Each
    @usableFromInline let count: Int

    @usableFromInline
    init(_ molecule: Each, _ count: Int) {
        self.molecule = molecule
        self.count = count
    }

    @usableFromInline var _slot: MoleculeSlot { molecule._slot }

    /// Each copy is an input of its own to the soup.
    @usableFromInline var slots: [MoleculeSlot] { Array(repeating: molecule._slot, count: count) }

    @usableFromInline
    func _take() -> [Each.Input] { (0..<count).map { _ in molecule._take() } }

    @usableFromInline
    func _fail(_ inputs: [Each.Input], _ error: any Error) -> Bool {
        var isKnown = false
        for input in inputs { isKnown = molecule._fail(input, error) || isKnown }
        return isKnown
    }

    @usableFromInline
    func _putBack(_ inputs: [Each.Input]) {
        for input in inputs { molecule._putBack(input) }
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
        let copies = copies(count, of: molecule, fileID, line)
        let slots = copies.slots
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: false) { site in
            do {
                let inputs = copies._take()
                site.leave()
                do {
                    try body(inputs)
                } catch {
                    reaction.failed(
                        error,
                        (copies, inputs),
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
        let copies = copies(count, of: molecule, fileID, line)
        let slots = copies.slots
        let reaction = describe(slots, fileID, line)
        return declare(reaction, slots, isAsynchronous: true) { site in
            do {
                let inputs = copies._take()
                site.leave()
                site.startBody {
                    do {
                        try await body(inputs)
                    } catch {
                        reaction.failed(
                            error,
                            (copies, inputs),
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
    ) -> Copies<Each> {
        guard count >= 1 else {
            fatalError(
                "ChemActors: definition '\(join.name)' has a reaction (\(fileID):\(line)) that consumes \(count) copies of "
                    + "'\(molecule)': it needs at least 1",
                file: fileID,
                line: line
            )
        }
        return Copies(molecule, count)
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
        let slots = [fast._slot, molecule._slot]
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
