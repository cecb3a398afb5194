extension JoinDrawing.Molecule.Kind {
    fileprivate init(_ kind: Slot.Kind) {
        self =
            switch kind {
            case .fast: .fast
            case .state: .state
            case .slow, .gate: .slow
            }
    }
}

extension JoinDrawing {
    /// The drawing of a definition in which nobody has counted.
    init(_ outline: DefinitionOutline) {
        var places: [Slot.Identity: Int] = [:]
        var molecules: [Molecule] = []
        for molecule in outline.molecules where molecule.kind != .gate {
            places[molecule.id] = molecules.count
            molecules.append(Molecule(name: molecule.name, kind: Molecule.Kind(molecule.kind), present: nil))
        }
        func place(_ index: Int) -> Int { places[outline.molecules[index].id] ?? 0 }
        func isState(_ index: Int) -> Bool { outline.molecules[index].kind == .state }
        var foreign: [String: Int] = [:]
        /// Which output was seen first is chance, so they come in the order of their molecules, or of their names.
        func unique(_ outputs: [Observation.Output]) -> [Int] {
            var own: Set<Int> = []
            var names: Set<String> = []
            for output in outputs {
                if let place = places[output.slot] {
                    own.insert(place)
                } else {
                    names.insert("\(output.definition).\(output.molecule)")
                }
            }
            let others = names.sorted().map { name in
                if let place = foreign[name] { return place }
                foreign[name] = molecules.count
                molecules.append(Molecule(name: name, kind: .foreign, present: nil))
                return molecules.count - 1
            }
            return own.sorted() + others
        }
        let reactions = outline.reactions.map { reaction in
            let states = reaction.needs.map(\.molecule).filter { isState($0) }
            return Reaction(
                location: reaction.location.description,
                consumed: reaction.needs.filter { !isState($0.molecule) }.map { (place($0.molecule), $0.copies) },
                updated: states.filter { reaction.updated.contains($0) }.map { place($0) },
                read: states.filter { !reaction.updated.contains($0) }.map { place($0) },
                answered: reaction.answered.map { place($0) },
                injected: unique(reaction.outputs.filter { !$0.isCall }),
                called: unique(reaction.outputs.filter(\.isCall)),
                running: 0
            )
        }
        self.init(definition: outline.name, molecules: molecules, reactions: reactions)
    }
}
