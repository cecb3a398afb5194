extension Array: Molecule where Element: Molecule {
    /// Adds all these molecules. Only for `when`.
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> {
        for molecule in self { molecule._list(in: &molecules) }
        return MoleculeProof()
    }

    /// Takes one copy of each. Only for `when`.
    public func _take(_ entry: borrowing SoupEntry) -> [Element.Input] {
        var inputs: [Element.Input] = []
        inputs.reserveCapacity(count)
        for molecule in self { inputs.append(molecule._take(entry)) }
        return inputs
    }

    /// Tells the callers of a failed reaction. Only for `when`.
    public func _fail(_ inputs: [Element.Input], _ error: any Error, _ end: borrowing FailedReaction) -> Bool {
        var isKnown = false
        for (molecule, input) in zip(self, inputs) { isKnown = molecule._fail(input, error, end) || isKnown }
        return isKnown
    }

    /// Puts back what a failed reaction had taken. Only for `when`.
    public func _putBack(_ inputs: [Element.Input], _ end: borrowing FailedReaction) {
        for (molecule, input) in zip(self, inputs) { molecule._putBack(input, end) }
    }
}

/// One copy of each of several molecules, as one input of a reaction. ``Join/Builder/all(_:)`` makes it.
public struct AllMolecules<each M: Molecule>: Molecule {
    private let molecules: (repeat each M)

    init(_ molecules: repeat each M) {
        self.molecules = (repeat each molecules)
    }

    /// Adds all these molecules. Only for `when`.
    @discardableResult
    public func _list(in list: inout MoleculeList) -> MoleculeProof<Self> {
        for molecule in repeat each molecules { molecule._list(in: &list) }
        return MoleculeProof()
    }

    /// Takes one copy of each. Only for `when`.
    public func _take(_ entry: borrowing SoupEntry) -> (repeat (each M).Input) {
        (repeat (each molecules)._take(entry))
    }

    /// Tells the callers of a failed reaction. Only for `when`.
    public func _fail(
        _ inputs: (repeat (each M).Input),
        _ error: any Error,
        _ end: borrowing FailedReaction
    ) -> Bool {
        var isKnown = false
        for (molecule, input) in repeat (each molecules, each inputs) {
            isKnown = molecule._fail(input, error, end) || isKnown
        }
        return isKnown
    }

    /// Puts back what a failed reaction had taken. Only for `when`.
    public func _putBack(_ inputs: (repeat (each M).Input), _ end: borrowing FailedReaction) {
        for (molecule, input) in repeat (each molecules, each inputs) { molecule._putBack(input, end) }
    }
}

extension Join.Builder {
    /// How many copies of a molecule a reaction may take.
    private static var mostCopies: Int { 1_000_000 }

    /// One copy of each of several molecules, as one input: for reactions with more inputs than `when` has parameters.
    ///
    /// ```swift
    /// join.when(join.all(a, b, c, d, e), join.all(f, g, h, i, j)) { first, second in
    ///     print(first.0, second.4)
    /// }
    /// ```
    ///
    /// - Parameter molecules: Molecules of this definition.
    /// - Returns: an input whose value is the tuple of what they carry.
    public func all<each M: Molecule>(_ molecules: repeat each M) -> AllMolecules<repeat each M> {
        AllMolecules(repeat each molecules)
    }

    /// Several copies of one molecule, as one input of a reaction.
    ///
    /// ```swift
    /// join.when(join.copies(4, of: vote), updating: result) { result, votes in result.add(votes) }
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many copies have to be present, at least 1.
    ///   - molecule: A molecule of this definition.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: an input whose value is the array of what they carry, oldest first if the molecule is.
    public func copies<Each: Molecule>(
        _ count: Int,
        of molecule: Each,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> [Each] {
        guard count >= 1 else {
            fatalError(
                "ChemActors: definition '\(join.name)' has a reaction (\(fileID):\(line)) that consumes \(count) copies of "
                    + "'\(molecule)': it needs at least 1",
                file: fileID,
                line: line
            )
        }
        guard count <= Self.mostCopies else {
            fatalError(
                "ChemActors: definition '\(join.name)' has a reaction (\(fileID):\(line)) that consumes \(count) copies of "
                    + "'\(molecule)': at most \(Self.mostCopies) are possible",
                file: fileID,
                line: line
            )
        }
        return Array(repeating: molecule, count: count)
    }

    /// `molecules`, of which there has to be at least one.
    @usableFromInline
    func nonEmpty<Each: Molecule>(_ molecules: [Each], _ fileID: StaticString, _ line: UInt) -> [Each] {
        guard !molecules.isEmpty else {
            fatalError(
                "ChemActors: definition '\(join.name)' has a reaction (\(fileID):\(line)) that consumes an empty array of molecules: "
                    + "it needs at least 1",
                file: fileID,
                line: line
            )
        }
        return molecules
    }
}
