import ChemBase

/// A reaction that has just been declared, about which more can be said before the closure of `define` returns.
public struct Reaction: Sendable {
    let join: Join
    let index: Int

    /// Allows this reaction to have the same inputs as another one: one of them is then chosen at random.
    ///
    /// ```swift
    /// join.when(coin) { _ in heads() }
    /// join.when(coin) { _ in tails() }.mayCompete()
    /// ```
    @discardableResult
    public func mayCompete() -> Reaction {
        change { $0.reactions[index].mayCompete = true }
        return self
    }

    /// Says which molecules the body injects or calls, of this definition or of others.
    ///
    /// ```swift
    /// join.when(open, updating: door) { door, _ in door.open(); opened() }.produces(opened)
    /// ```
    ///
    /// Bodies are closures, so nobody sees what they inject before they do. A machine with a ``EventRecorder`` learns
    /// it from what happens. What is declared, ``Join/drawing`` and ``ChemicalMachine/explainStuck(after:)`` know from
    /// the beginning, and without a recorder.
    ///
    /// - Parameter molecules: Slow and fast molecules.
    /// - Returns: the reaction, to say more about it.
    @discardableResult
    public func produces<each Output: Molecule>(_ molecules: repeat each Output) -> Reaction {
        var list = MoleculeList()
        repeat discard((each molecules)._list(in: &list))
        declare(list)
        return self
    }

    /// As ``produces(_:)``, for any number of molecules of one type.
    @usableFromInline
    func producesEach(of molecules: [some Molecule]) -> Reaction {
        var list = MoleculeList()
        for molecule in molecules { molecule._list(in: &list) }
        declare(list)
        return self
    }

    private func declare(_ outputs: MoleculeList) {
        // Before the lock is taken: names are made here.
        let outputs = outputs.slots.map { Observation.Output($0.pointee.slot) }
        change { chemistry in
            for output in outputs where !chemistry.declaredOutputs[index, default: []].contains(output) {
                chemistry.declaredOutputs[index, default: []].append(output)
            }
        }
    }

    /// Changes what is declared. Others may look at it meanwhile, so that is done in the soup.
    private func change(_ body: (inout Chemistry) -> Void) {
        let entry = join.soup.enter()
        let isOpen = entry.contents.life.phase == .defining
        if isOpen { body(&entry.state.chemistry) }
        let description = entry.soup.description(ofReaction: index)
        entry.leaveUnchanged()
        if isOpen { return }
        let location = description?.location ?? join.location
        fatalError(
            "ChemActors: the reaction \(description?.text ?? "") (\(location)) can't be changed any more: the chemistry of "
                + "'\(join.name)' is fixed since its closure has returned",
            file: location.fileID,
            line: location.line
        )
    }

    /// The former name of ``mayCompete()``.
    @available(*, deprecated, renamed: "mayCompete()")
    @discardableResult
    public func mayRepeat() -> Reaction { mayCompete() }
}
