/// A picture of a definition: its molecules, its reactions, and what goes from one to the other.
///
/// ```swift
/// print(definition.drawing.mermaid)
/// ```
///
/// Molecules are rounded, calls are framed twice, states are drums, and reactions are boxes. What a body injects is
/// known from ``Reaction/produces(_:)``, or has been seen, if the machine has a ``EventRecorder``: then the drawing is
/// complete once everything has happened.
public struct JoinDrawing: Sendable {
    /// A molecule.
    public struct Molecule: Sendable {
        /// What it is.
        public enum Kind: Sendable {
            /// A slow molecule.
            case slow
            /// A fast molecule.
            case fast
            /// A state.
            case state
            /// A molecule of another definition, into which a reaction injects, or which it calls.
            case foreign
        }

        /// Its name; that of a foreign one with the name of its definition, such as `bank.deposit`.
        public let name: String
        /// What it is.
        public let kind: Kind
        /// How many copies, or calls that wait, were in the soup. Nil for a foreign one.
        public fileprivate(set) var present: Int?
    }

    /// A reaction. Molecules are places in ``JoinDrawing/molecules``.
    public struct Reaction: Sendable {
        /// Where it was declared.
        public let location: String
        /// What it consumes, and how many copies of each.
        public let consumed: [(molecule: Int, copies: Int)]
        /// The states that it updates.
        public let updated: [Int]
        /// The states that it only reads.
        public let read: [Int]
        /// The molecule whose calls it answers with what its body returns.
        public let answered: Int?
        /// What its body injects, as far as that is known.
        public fileprivate(set) var injected: [Int]
        /// What its body calls, as far as that is known.
        public fileprivate(set) var called: [Int]
        /// How many of its bodies were running, if the machine has a recorder.
        public fileprivate(set) var running: Int
    }

    /// The name of the definition.
    public let definition: String
    /// Its molecules, in the order in which they were declared. Behind them those of other definitions.
    public private(set) var molecules: [Molecule]
    /// Its reactions, in the order in which they were declared.
    public private(set) var reactions: [Reaction]
    /// Whether the texts show numbers.
    private(set) var showsCounts = false
    /// Whether reactions are called by their numbers.
    private(set) var numbersReactions = false

    /// The same drawing, with the numbers of copies, of waiting calls and of running bodies.
    public func showingCounts() -> JoinDrawing {
        var drawing = self
        drawing.showsCounts = true
        return drawing
    }

    /// The same drawing, with reactions that are called 1, 2, and so on, in the order in which they were declared.
    ///
    /// For documents beside whose code the picture stands: it stays as it is when lines move.
    ///
    /// ```swift
    /// try definition.drawing.numberingReactions().svg.write(to: file, atomically: true, encoding: .utf8)
    /// ```
    public func numberingReactions() -> JoinDrawing {
        var drawing = self
        drawing.numbersReactions = true
        return drawing
    }

    /// The same drawing without the molecules of other definitions.
    package func withoutForeign() -> JoinDrawing {
        var drawing = self
        drawing.molecules.removeAll { $0.kind == .foreign }
        let own = drawing.molecules.count
        for index in reactions.indices {
            drawing.reactions[index].injected.removeAll { $0 >= own }
            drawing.reactions[index].called.removeAll { $0 >= own }
        }
        return drawing
    }

    /// The same drawing, with what bodies were seen to make in another definition that is built alike: one run of a
    /// chemistry need not take all ways.
    package func adding(outputsOf other: JoinDrawing) -> JoinDrawing {
        var drawing = self
        let own = molecules.count { $0.kind != .foreign }
        precondition(own == other.molecules.count { $0.kind != .foreign } && reactions.count == other.reactions.count)
        let places = other.molecules.indices.map { index in
            if index < own { return index }
            let name = other.molecules[index].name
            if let known = drawing.molecules.dropFirst(own).firstIndex(where: { $0.name == name }) { return known }
            drawing.molecules.append(other.molecules[index])
            return drawing.molecules.count - 1
        }
        for (index, reaction) in other.reactions.enumerated() {
            drawing.reactions[index].injected = Set(reaction.injected.map { places[$0] })
                .union(reactions[index].injected).sorted()
            drawing.reactions[index].called = Set(reaction.called.map { places[$0] })
                .union(reactions[index].called).sorted()
        }
        return drawing
    }

    /// Replaces the numbers of its own molecules and of its reactions.
    mutating func setCounts(present: [Int], running: [Int]) {
        for (index, count) in present.enumerated() { molecules[index].present = count }
        for (index, count) in running.enumerated() { reactions[index].running = count }
    }
}

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
    init(_ view: DefinitionView) {
        self.init(view.outline)
        let own = view.molecules.filter { $0.slot.kind != .gate }
        setCounts(present: own.map(\.present), running: view.reactions.map(\.running))
    }

    /// The drawing of a definition in which nothing is.
    init(_ outline: DefinitionOutline) {
        definition = outline.name
        var places: [ObjectIdentifier: Int] = [:]
        var molecules: [Molecule] = []
        for molecule in outline.molecules where molecule.kind != .gate {
            places[molecule.id] = molecules.count
            molecules.append(Molecule(name: molecule.name, kind: Molecule.Kind(molecule.kind), present: 0))
        }
        func place(_ index: Int) -> Int { places[outline.molecules[index].id] ?? 0 }
        func isState(_ index: Int) -> Bool { outline.molecules[index].kind == .state }
        var foreign: [String: Int] = [:]
        /// Which output was seen first is chance, so they come in the order of their molecules, or of their names.
        func unique(_ outputs: [Observation.Output]) -> [Int] {
            var own: Set<Int> = []
            var names: Set<String> = []
            for output in outputs {
                if let place = places[output.slot], molecules[place].name == output.molecule {
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
        reactions = outline.reactions.map { reaction in
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
        self.molecules = molecules
    }
}

extension Join {
    /// A picture of the definition as it is now.
    ///
    /// For diagnosis and documentation. The definition is held up for a moment only.
    ///
    /// - Complexity: O(molecules + inputs and known outputs of all reactions + waiting calls · log(waiting calls)).
    nonisolated public var drawing: JoinDrawing { JoinDrawing(DefinitionView(self)) }
}

extension ChemicalMachine {
    /// Pictures of all definitions that exist now, in the order in which they were made.
    ///
    /// ```swift
    /// for drawing in machine.drawings { print(drawing.svg) }
    /// ```
    ///
    /// A machine with a full ``EventRecorder`` also draws those that have dissolved, as they were at their end.
    ///
    /// - Complexity: that of ``Join/drawing``, for each. They are drawn one after the other.
    public var drawings: [JoinDrawing] {
        // Those that dissolve meanwhile may be found twice.
        var parts: [UInt32: JoinDrawing] = [:]
        var others: [JoinDrawing] = []
        for view in definitions.reversed().map({ DefinitionView($0) }) where view.phase != .dissolved {
            if let number = view.join.observation?.number {
                parts[number] = JoinDrawing(view)
            } else {
                others.append(JoinDrawing(view))
            }
        }
        for part in archive.all { if let outline = part.outline { parts[part.number] = JoinDrawing(outline) } }
        return parts.sorted { $0.key < $1.key }.map(\.value) + others
    }
}
