// The format is described in Docs/recording-format.md.

extension Recording.Definition {
    /// For each reaction the slow and fast molecules that it consumes, as places in `molecules`. Unknown without a
    /// drawing: a flight recorder, which has no injections either, knows them of some.
    var inputs: [[(molecule: Int, copies: Int)]] {
        guard let drawing, let places = places(in: drawing) else { return reactions.map { _ in [] } }
        return drawing.reactions.map { $0.consumed.map { (places[$0.molecule], $0.copies) } }
    }

    /// Where the molecules of `drawing` stand in `molecules`: in the same order, but not all are drawn. Nil if it is
    /// the drawing of another definition.
    func places(in drawing: JoinDrawing) -> [Int]? {
        guard drawing.reactions.count == reactions.count else { return nil }
        var places: [Int] = []
        // Those of other definitions are behind its own.
        for molecule in drawing.molecules.prefix(while: { $0.kind != .foreign }) {
            let rest = molecules.dropFirst(places.last.map { $0 + 1 } ?? 0)
            guard let place = rest.firstIndex(of: molecule.name) else { return nil }
            places.append(place)
        }
        guard drawing.molecules.dropFirst(places.count).allSatisfy({ $0.kind == .foreign }) else { return nil }
        func isOwn(_ place: Int) -> Bool { place < places.count }
        func isState(_ place: Int) -> Bool { drawing.molecules[place].kind == .state }
        let areOwn = drawing.reactions.allSatisfy { reaction in
            reaction.consumed.allSatisfy { isOwn($0.molecule) && !isState($0.molecule) }
                && (reaction.updated + reaction.read).allSatisfy { isState($0) }
                && (reaction.answered.map { drawing.molecules[$0].kind == .fast } ?? true)
        }
        return areOwn ? places : nil
    }
}

extension BinaryWriter {
    mutating func drawing(_ drawing: JoinDrawing) {
        number(UInt64(drawing.molecules.count))
        for molecule in drawing.molecules {
            number(UInt64(molecule.kind.rawValue))
            text(molecule.name)
        }
        number(UInt64(drawing.reactions.count))
        for reaction in drawing.reactions {
            text(reaction.location)
            number(UInt64(reaction.consumed.count))
            for (molecule, copies) in reaction.consumed {
                number(UInt64(molecule))
                number(UInt64(copies))
            }
            places(reaction.updated)
            places(reaction.read)
            places([reaction.answered].compactMap(\.self))
            places(reaction.injected)
            places(reaction.called)
        }
    }

    private mutating func places(_ places: [Int]) {
        number(UInt64(places.count))
        for place in places { number(UInt64(place)) }
    }
}

extension BinaryReader {
    mutating func drawing(of definition: String) throws(RecordingError) -> JoinDrawing {
        var molecules: [JoinDrawing.Molecule] = []
        for _ in 0..<(try count()) {
            let kind = try number()
            guard let known = UInt8(exactly: kind).flatMap(JoinDrawing.Molecule.Kind.init(rawValue:)) else {
                throw RecordingError.isDamaged("a molecule of the unknown kind \(kind)", offset: offset)
            }
            molecules.append(JoinDrawing.Molecule(name: try text(), kind: known, present: nil))
        }
        var reactions: [JoinDrawing.Reaction] = []
        for _ in 0..<(try count()) { reactions.append(try reaction(of: definition, molecules.count)) }
        return JoinDrawing(definition: definition, molecules: molecules, reactions: reactions)
    }

    private mutating func reaction(
        of definition: String,
        _ molecules: Int
    ) throws(RecordingError) -> JoinDrawing.Reaction {
        let location = try text()
        var consumed: [(molecule: Int, copies: Int)] = []
        for _ in 0..<(try count()) {
            let molecule = try place(of: definition, molecules)
            let copies = try number()
            guard copies > 0, copies <= UInt64(Int32.max) else {
                throw RecordingError.isDamaged("a reaction that takes \(copies) copies", offset: offset)
            }
            consumed.append((molecule, Int(copies)))
        }
        let (updated, read) = (try places(of: definition, molecules), try places(of: definition, molecules))
        let answered = try places(of: definition, molecules)
        guard answered.count <= 1 else {
            throw RecordingError.isDamaged("a reaction that answers \(answered.count) molecules", offset: offset)
        }
        return JoinDrawing.Reaction(
            location: location,
            consumed: consumed,
            updated: updated,
            read: read,
            answered: answered.first,
            injected: try places(of: definition, molecules),
            called: try places(of: definition, molecules),
            running: 0
        )
    }

    private mutating func places(of definition: String, _ molecules: Int) throws(RecordingError) -> [Int] {
        var places: [Int] = []
        for _ in 0..<(try count()) { places.append(try place(of: definition, molecules)) }
        return places
    }

    private mutating func place(of definition: String, _ molecules: Int) throws(RecordingError) -> Int {
        let place = try number()
        guard place < UInt64(molecules) else {
            throw RecordingError.isDamaged("the picture of '\(definition)' has no molecule \(place)", offset: offset)
        }
        return Int(place)
    }
}
