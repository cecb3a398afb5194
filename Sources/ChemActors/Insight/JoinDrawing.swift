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
        public let injected: [Int]
        /// What its body calls, as far as that is known.
        public let called: [Int]
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
    /// Whether they show numbers instead of places.
    private(set) var numbersReactions = false

    /// The same drawing, with the numbers of copies, of waiting calls and of running bodies.
    public func showingCounts() -> JoinDrawing {
        var drawing = self
        drawing.showsCounts = true
        return drawing
    }

    /// The same drawing, with reactions that are numbered in the order in which they were declared, rather than placed.
    package func numberingReactions() -> JoinDrawing {
        var drawing = self
        drawing.numbersReactions = true
        return drawing
    }

    /// Replaces the numbers of its own molecules and of its reactions.
    mutating func setCounts(present: [Int], running: [Int]) {
        for (index, count) in present.enumerated() { molecules[index].present = count }
        for (index, count) in running.enumerated() { reactions[index].running = count }
    }
}

extension JoinDrawing {
    init(_ view: DefinitionView) {
        definition = view.join.name
        let own = view.molecules.indices.filter { view.molecules[$0].slot.kind != .gate }
        var places: [ObjectIdentifier: Int] = [:]
        var molecules: [Molecule] = []
        for index in own {
            let molecule = view.molecules[index]
            places[ObjectIdentifier(molecule.slot)] = molecules.count
            let kind: Molecule.Kind =
                switch molecule.slot.kind {
                case .fast: .fast
                case .state: .state
                case .slow, .gate: .slow
                }
            molecules.append(Molecule(name: molecule.name, kind: kind, present: molecule.present))
        }
        func place(_ index: Int) -> Int { places[ObjectIdentifier(view.molecules[index].slot)] ?? 0 }
        var foreign: [String: Int] = [:]
        func place(_ output: Observation.Output) -> Int {
            if let place = places[output.slot], molecules[place].name == output.molecule { return place }
            let name = "\(output.definition).\(output.molecule)"
            if let place = foreign[name] { return place }
            foreign[name] = molecules.count
            molecules.append(Molecule(name: name, kind: .foreign, present: nil))
            return molecules.count - 1
        }
        func unique(_ places: [Int]) -> [Int] {
            places.enumerated().filter { !places[..<$0.offset].contains($0.element) }.map(\.element)
        }
        reactions = view.reactions.map { reaction in
            let (states, others) = (
                reaction.needs.filter { view.molecules[$0.molecule].isState },
                reaction.needs.filter { !view.molecules[$0.molecule].isState }
            )
            // In an order that doesn't depend on what was seen first.
            let outputs = reaction.outputs.sorted { ($0.definition, $0.molecule) < ($1.definition, $1.molecule) }
            return Reaction(
                location: reaction.description.location.description,
                consumed: others.map { (place($0.molecule), $0.copies) },
                updated: states.filter { reaction.updated.contains($0.molecule) }.map { place($0.molecule) },
                read: states.filter { !reaction.updated.contains($0.molecule) }.map { place($0.molecule) },
                answered: reaction.answered.map { place($0) },
                injected: unique(outputs.filter { !$0.isCall }.map { place($0) }).sorted(),
                called: unique(outputs.filter(\.isCall).map { place($0) }).sorted(),
                running: reaction.running
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
