/// What a definition consists of, as its builder collects it and as the definition keeps it.
///
/// The slots live as long as the definition's memory, because names point to them. The reactions are released when the
/// definition dissolves: their closures hold its local names, which hold the definition.
@usableFromInline
struct Chemistry {
    var reactions: [ReactionDescription] = []
    /// The bounded molecules, and the molecules that stand for their room: taking one makes one.
    var rooms: [(item: Slot, room: Slot)] = []
    /// The steps that move values between calls and copies.
    var turns: [Turn] = []
    /// What the declarations of reactions, by their places, say that they inject.
    var declaredOutputs: [Int: [Observation.Output]] = [:]

    init() {}

    mutating func add(_ reaction: ReactionDescription) {
        if reactions.isEmpty { reactions.reserveCapacity(4) }
        reaction.forEachMolecule { slot, _ in slot.withSlot { $0.useCount += 1 } }
        for gate in reaction.gates { gate.useCount += 1 }
        reactions.append(reaction)
    }

    /// How many entries the molecules and gates need together for what they know about reactions.
    var useCount: Int { reactions.reduce(0) { $0 + $1.needs } }

    /// Tells each of `slots` which reactions consume it, in the memory at `next`.
    func makeUses(of slots: [Slot], at next: UnsafeMutablePointer<Matching.Use>) {
        var next = next
        slots.forEachKept { $0.header.makeRoom(for: &next) }
        for (index, reaction) in reactions.enumerated() {
            reaction.forEachMolecule { slot, copies in
                slot.add(Matching.Use(reaction: Int32(index), copies: Int32(copies)))
            }
            for gate in reaction.gates { gate.header.add(Matching.Use(reaction: Int32(index), copies: 1)) }
        }
    }

    /// The reactions with their lines, of which it is one or another.
    static func names(of reactions: [ReactionDescription]) -> String {
        reactions.map { "\($0.text) (\($0.location))" }.joined(separator: " or ")
    }

    /// The reactions that get calls of `slot` as replies.
    func reactions(takingRepliesOf slot: Slot) -> [ReactionDescription] {
        reactions.filter { $0.answered != slot.header && $0.copies(of: slot) > 0 }
    }

    /// What is wrong, as a sentence that names the molecule and the line, or nil.
    func flaw(in slots: [Slot]) -> String? {
        if let slot = slots.first(where: { $0.name.isEmpty }) {
            return "makes a molecule without a name (\(slot.location)): give it one, as in 'join.slow(\"name\")', "
                + "or make it as a stored property of a JoinDefinition, which isn't static"
        }
        if let (first, second) = namesakes(in: slots) {
            return "declares two molecules named '\(first.name)' (\(first.location), \(second.location)): "
                + "give each a name of its own, since reports tell them apart by that"
        }
        if reactions.isEmpty, let slot = slots.first {
            return "declares molecule '\(slot.name)' (\(slot.location)) but no reaction: "
                + "add a reaction that consumes it, or remove it"
        }
        for slot in slots where slot.useCount == 0 && !slot.mayBeUnused {
            switch slot.kind {
            case .state:
                return "declares state '\(slot.name)' (\(slot.location)) which no reaction uses: "
                    + "write it behind 'updating:' or 'reading:', or remove it" + callOfPart(with: slot)
            case .gate:
                return "declares \(slot.name), which no reaction uses: "
                    + "write it where a reaction names the state, as in 'updating: state.while(\\.isOpen)'"
            case .slow where slot.hasParts, .fast where slot.hasParts:
                return "declares molecule '\(slot.name)' (\(slot.location)) of which no reaction consumes "
                    + "what none of its parts takes: add a reaction that takes it (a slow molecule can also be split without a rest, "
                    + "by 'join.parts(of:by:)')"
            case .slow, .fast:
                return "declares molecule '\(slot.name)' (\(slot.location)) which no reaction consumes: "
                    + "whatever is injected would wait for ever; add a reaction that takes it, or remove it"
                    + callOfPart(with: slot)
            }
        }
        for (index, reaction) in reactions.enumerated() {
            if let flaw = flaw(of: reaction, at: index) { return flaw }
        }
        for turn in turns { if let flaw = turn.flaw(among: turns) { return flaw } }
        return nil
    }

    /// Two molecules of one name and kind that are declared in different lines. What one line declares, such as a loop
    /// that makes forks, may have one name, and so may a call and the state that it reads.
    private func namesakes(in slots: [Slot]) -> (Slot, Slot)? {
        func areAlike(_ first: Slot, _ second: Slot) -> Bool {
            // The lengths first: they tell most names apart, and are there to be read.
            first.location.line != second.location.line && first.name.utf8.count == second.name.utf8.count
                && first.name == second.name && first.kind == second.kind && first.kind != .gate
        }
        if slots.count > 16 {
            var known: [String: [Slot]] = [:]
            for slot in slots {
                if let first = known[slot.name]?.first(where: { areAlike($0, slot) }) { return (first, slot) }
                // One of each kind is enough: others of it are declared in the same line.
                if known[slot.name]?.contains(where: { $0.kind == slot.kind }) != true {
                    known[slot.name, default: []].append(slot)
                }
            }
            return nil
        }
        // A dictionary would take longer than all comparisons.
        for (index, slot) in slots.enumerated() {
            if let first = slots[..<index].first(where: { areAlike($0, slot) }) { return (first, slot) }
        }
        return nil
    }

    /// What is most probably missing if a molecule belongs to a property that is a definition itself, and none of that
    /// property's molecules is used.
    private func callOfPart(with slot: Slot) -> String {
        guard let end = slot.name.lastIndex(of: ".") else { return "" }
        let part = slot.name[...end]
        if reactions.contains(where: { $0.inputs.contains { $0.name.hasPrefix(part) } }) { return "" }
        return "; if '\(part.dropLast())' is a definition, call '\(part)react(in: &join)'"
    }

    private func flaw(of reaction: ReactionDescription, at index: Int) -> String? {
        let location = reaction.location
        guard !reaction.consumesOnlyStates else {
            return "has a reaction (\(location)) which consumes nothing but states: it would run for ever; "
                + "add a molecule that sets it off"
        }
        if let input = reaction.distributedInput {
            return
                "has a reaction (\(location)) which consumes '\(input.name)', all of whose values belong to its parts: "
                + "it would never start"
        }
        if let input = reaction.repeatedState {
            return "has a reaction (\(location)) which uses state '\(input.name)' twice, and there is one copy only: "
                + "name it once; behind 'updating:' the body gets its value, and may change it"
        }
        for use in reaction.firstUses where Int(use.reaction) < index {
            let earlier = reactions[Int(use.reaction)]
            if !earlier.mayCompete, !reaction.mayCompete, reaction.hasSameInputs(as: earlier) {
                return "has two reactions with the same inputs \(reaction.text) "
                    + "(\(earlier.location) and \(location)): one of them would be chosen at random; "
                    + "if that is meant, say .mayCompete() behind one of them"
            }
        }
        return nil
    }
}
