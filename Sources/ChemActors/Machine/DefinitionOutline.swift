/// What a definition consists of and, as far as that is known, what its bodies make: all that a picture of it shows
/// besides numbers.
struct DefinitionOutline {
    struct Molecule {
        let id: Slot.Identity
        let name: String
        let kind: Slot.Kind

        init(_ slot: Slot) {
            id = slot.identity
            name = slot.name
            kind = slot.kind
        }
    }

    struct Reaction {
        let location: SourceLocation
        /// The different molecules that it needs, as places in `molecules`, with the number of copies.
        let needs: [(molecule: Int, copies: Int)]
        /// The states that it updates, and does not only read.
        let updated: Set<Int>
        /// The molecule whose calls it answers with what its body returns.
        let answered: Int?
        let outputs: [Observation.Output]
    }

    let name: String
    let molecules: [Molecule]
    let reactions: [Reaction]

    /// What was `seen` of the reactions has been copied in the soup.
    init(_ join: Join, slots: [Slot], _ chemistry: Chemistry, seen: [Observation.OfReaction]) {
        name = join.name
        molecules = slots.map { Molecule($0) }
        reactions = chemistry.reactions.enumerated().map { index, description in
            let declared =
                chemistry.declaredOutputs[index, default: []]
                + chemistry.rooms.filter { room in description.inputs.contains { $0 === room.item } }
                .map { Observation.Output(room: $0.room, of: join) }
            let observed = index < seen.count ? seen[index].outputs : []
            return Reaction(
                location: description.location,
                needs: description.molecules.map { (Int($0.slot.number), $0.copies) },
                updated: Set(description.updatedStates.map { Int($0.number) }),
                answered: (description.answered?.pointee.slot.number).map { Int($0) },
                outputs: declared + observed.filter { !declared.contains($0) }
            )
        }
    }
}

extension Observation.Output {
    /// What a reaction is declared to inject.
    init(_ slot: Slot) {
        self.init(
            slot: slot.identity,
            definition: slot.header.pointee.soup.owner.name,
            molecule: slot.name,
            isCall: slot.kind == .fast
        )
    }

    /// What taking a copy of a bounded molecule makes.
    fileprivate init(room: Slot, of join: Join) {
        self.init(slot: room.identity, definition: join.name, molecule: room.name, isCall: false)
    }
}
