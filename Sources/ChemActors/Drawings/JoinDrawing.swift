/// A picture of a definition: its molecules, its reactions, and what goes from one to the other.
///
/// ```swift
/// print(definition.drawing.mermaid)
/// ```
///
/// Molecules are rounded, calls are framed twice, states are drums, and reactions are boxes. What a body injects is
/// known from ``Reaction/produces(_:)``, or has been seen, if the machine has a ``EventRecorder``: then the drawing is
/// complete once everything has happened.
public struct JoinDrawing: Sendable, Hashable {
    /// A molecule.
    public struct Molecule: Sendable, Hashable {
        /// What it is.
        public enum Kind: UInt8, Sendable, Hashable {
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
        /// How many copies, or calls that wait, were in the soup. Nil for a foreign one, and in a ``Recording``.
        public fileprivate(set) var present: Int?
    }

    /// A reaction. Molecules are places in ``JoinDrawing/molecules``.
    public struct Reaction: Sendable, Hashable {
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

        /// Whether both are drawn alike.
        public static func == (one: Reaction, other: Reaction) -> Bool {
            one.location == other.location && one.consumed.elementsEqual(other.consumed, by: ==)
                && one.updated == other.updated && one.read == other.read && one.answered == other.answered
                && one.injected == other.injected && one.called == other.called && one.running == other.running
        }

        /// Feeds a part of what is drawn to `hasher`.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(location)
            hasher.combine(consumed.map(\.molecule))
            hasher.combine(updated)
            hasher.combine(injected)
        }
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

    init(definition: String, molecules: [Molecule], reactions: [Reaction]) {
        self.definition = definition
        self.molecules = molecules
        self.reactions = reactions
    }

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

    /// The same drawing of an empty soup.
    func withNothing() -> JoinDrawing {
        var drawing = self
        let own = molecules.count { $0.kind != .foreign }
        drawing.setCounts(present: Array(repeating: 0, count: own), running: reactions.map { _ in 0 })
        return drawing
    }

    /// Replaces the numbers of its own molecules and of its reactions.
    mutating func setCounts(present: [Int], running: [Int]) {
        for (index, count) in present.enumerated() { molecules[index].present = count }
        for (index, count) in running.enumerated() { reactions[index].running = count }
    }
}
