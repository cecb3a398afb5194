import ChemBase

/// What is known about a type whose values a closure of `define` returns: where names are in them, and whether names
/// may be where they can't be exported, so that their definition would be over before anybody has used it.
final class ResultType: Sendable {
    /// How names are exported, or nil if there are none.
    let finder: NameFinder?
    /// Why it can't be returned, as the rest of a sentence.
    let flaw: String?

    private init<Result>(_ type: Result.Type) {
        finder = NameFinder.find(in: type)
        if let indirect = finder?.flaw {
            flaw =
                "returns names in an indirect case of '\(_typeName(indirect, qualified: false))', where they can't be "
                + "exported: make that type conform to Exportable"
        } else {
            var seen: Set<ObjectIdentifier> = []
            flaw = Self.flaw(in: type, depth: 0, &seen) ?? Self.closureFlaw(in: type)
        }
    }

    private static let known = TypeTable<ResultType>()

    /// What is known about `type`, or nil if its values are plain bits.
    ///
    /// - Complexity: O(1) for a type that was asked for before.
    static func find<Result>(_ type: Result.Type) -> ResultType? {
        if _isPOD(type) { return nil }
        let key = ObjectIdentifier(type)
        if let old = known[key] { return old }
        let new = ResultType(type)
        known.add([key: new])
        return new
    }

    private static func flaw(in type: Any.Type, depth: Int, _ seen: inout Set<ObjectIdentifier>) -> String? {
        guard depth < NameFinder.greatestDepth, seen.count < NameFinder.mostTypes,
            seen.insert(ObjectIdentifier(type)).inserted
        else { return nil }
        if type is any LocalName.Type {
            return "returns a state, '\(_typeName(type, qualified: false))', which can't leave its definition: "
                + "return 'state.reader'"
        }
        // An array of states would be one of exportable values, since what can't be used conforms all the same.
        if type is any Exportable.Type, !NameFinder.isContainer(type) { return nil }
        for part in NameFinder.parts(of: type) {
            if let flaw = flaw(in: part, depth: depth + 1, &seen) { return flaw }
        }
        return nil
    }

    /// A closure that is returned as such, beside others or in a collection, was made of names that nobody can see. One
    /// that a structure has stored may have nothing to do with them.
    private static func closureFlaw(in type: Any.Type) -> String? {
        switch TypeLayout.kind(of: type) {
        case .function:
            "returns a closure, '\(_typeName(type, qualified: false))', and the names that it uses can't be exported: "
                + "return the names, and write the closure outside"
        case .tuple:
            TypeLayout.fields(of: type).lazy.compactMap { closureFlaw(in: $0.type) }.first
        case .structure, .enumeration, .existential, .inlineArray, .other:
            NameFinder.isContainer(type) ? NameFinder.parts(of: type).lazy.compactMap(closureFlaw).first : nil
        }
    }
}

/// A name that belongs to the inside of its definition: that of a state.
protocol LocalName {}
