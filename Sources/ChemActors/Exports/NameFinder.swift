import ChemBase

/// Where the names are in the values of one type, and how they are exported there.
///
/// There is one for each type, made when a molecule is declared. Names are exported in place, in a copy of the value:
/// code that doesn't know a tuple or a structure can't make a new one, but it can replace each stored property with a
/// value of the same type.
///
/// It looks into tuples, structures, enumerations, the collections of the standard library, and values behind `any`. It
/// can't look into closures, and leaves objects alone because they have an identity. It doesn't look into `any Error`
/// either, which is everywhere and carries no names.
final class NameFinder: @unchecked Sendable {
    // Checked by hand: nothing changes once `find` has returned it.

    /// How the names of a value are exported, in place.
    typealias Change = (UnsafeMutableRawPointer) -> Void

    /// A stored property, an element of a tuple, or what a container holds.
    fileprivate struct Part {
        let offset: Int
        let finder: NameFinder
    }

    /// Whether values of the type may be names or hold some.
    private(set) var findsNames = false
    /// This type, or one inside it, if its values hold names that can't be changed.
    private(set) var flaw: Any.Type?
    private let type: Any.Type
    private var change: Change?
    private var parts: [Part] = []
    /// The payloads in which nothing can be changed.
    private var fixed: [NameFinder] = []
    /// Whether values of the type are known to hold names, not only behind `any`, where nobody knows.
    private var isSure = false

    private init(_ type: Any.Type) {
        self.type = type
    }

    /// Exports the names in the value at `place`.
    func export(at place: UnsafeMutableRawPointer) {
        guard findsNames else { return }
        if let change {
            change(place)
        } else {
            for part in parts { part.finder.export(at: place + part.offset) }
        }
    }

    /// `value` with its names exported.
    func exported<Value>(_ value: Value) -> Value {
        guard findsNames else { return value }
        var copy = value
        withUnsafeMutablePointer(to: &copy) { export(at: $0) }
        return copy
    }
}

extension NameFinder {
    private static let known = TypeTable<NameFinder>()

    /// What is known about `type`, or nil if its values carry no names.
    ///
    /// - Complexity: O(1) for a type that consists of plain bits, and for one that was asked for before.
    static func find<Value>(in type: Value.Type) -> NameFinder? {
        // A name is more than plain bits.
        if _isPOD(type) { return nil }
        return find(ObjectIdentifier(type)) { look(into: type, &$0) }
    }

    /// As `find(in:)`, for the stored properties of `type`, which says by itself how its values are exported.
    static func find<Value>(inPropertiesOf type: Value.Type) -> NameFinder? {
        let key = ObjectIdentifier(Properties<Value>.self)
        return find(key) { walk in
            let new = NameFinder(type)
            walk.found[key] = new
            lookIntoFields(new, &walk)
            return new
        }
    }

    /// Whether `type` is a collection of the standard library, an `Optional` or a `Result`.
    static func isContainer(_ type: Any.Type) -> Bool { type is any NameContainer.Type }

    /// The types of what values of `type` consist of.
    static func parts(of type: Any.Type) -> [Any.Type] {
        if let container = type as? any NameContainer.Type { return container.elements }
        switch TypeLayout.kind(of: type) {
        case .structure, .tuple: return TypeLayout.fields(of: type).map(\.type)
        case .enumeration: return EnumLayout(of: type)?.payloads.compactMap(\.type) ?? []
        case .inlineArray: return [TypeLayout.elements(ofInlineArray: type).type]
        case .existential, .function, .other: return []
        }
    }

    /// Stands for the properties of a type, where the type itself has a finder of its own.
    private enum Properties<Value> {}

    private static func find(
        _ key: ObjectIdentifier,
        _ look: (inout Walk) -> NameFinder
    ) -> NameFinder? {
        if let old = known[key] { return old.findsNames ? old : nil }
        var walk = Walk()
        let new = look(&walk)
        conclude(walk.found.values)
        // Of others, a walk that was cut doesn't know all.
        known.add(walk.isCut ? [key: new] : walk.found)
        return new.findsNames ? new : nil
    }

    /// Finds out which of the types found lead to names.
    private static func conclude(_ all: some Collection<NameFinder>) {
        untilNothingChanges(all) { finder in
            if finder.findsNames || !finder.parts.contains(where: \.finder.findsNames) { return false }
            finder.findsNames = true
            return true
        }
        untilNothingChanges(all) { finder in
            if finder.isSure || !finder.parts.contains(where: \.finder.isSure) { return false }
            finder.isSure = true
            return true
        }
        for finder in all {
            finder.parts.removeAll { !$0.finder.findsNames }
            if finder.fixed.contains(where: \.isSure) { finder.flaw = finder.type }
        }
        // A flaw counts for every type that leads to it.
        untilNothingChanges(all) { finder in
            guard finder.flaw == nil else { return false }
            finder.flaw = finder.parts.lazy.compactMap(\.finder.flaw).first
            return finder.flaw != nil
        }
    }

    /// Applies `rule`, which returns whether it changed something, in rounds, because types may contain themselves.
    private static func untilNothingChanges(_ all: some Collection<NameFinder>, _ rule: (NameFinder) -> Bool) {
        var isChanging = true
        while isChanging {
            isChanging = false
            for finder in all where rule(finder) { isChanging = true }
        }
    }

    /// What a walk from one type to those inside it has found.
    private struct Walk {
        var found: [ObjectIdentifier: NameFinder] = [:]
        /// From the type where it began.
        var depth = 0
        /// Whether there is more.
        var isCut = false
    }

    /// How deep types are looked at. A generic type may lead to ever new ones, an indirect `Nested<Value>` to
    /// `Nested<[Value]>`; but then what is in the first ones tells whether there are names.
    static let greatestDepth = 100
    /// How many types are looked at for one.
    static let mostTypes = 1 << 14

    private static func look(into type: Any.Type, _ walk: inout Walk) -> NameFinder {
        if let old = walk.found[ObjectIdentifier(type)] { return old }
        let new = NameFinder(type)
        guard walk.depth < greatestDepth, walk.found.count < mostTypes else {
            walk.isCut = true
            return new
        }
        walk.found[ObjectIdentifier(type)] = new
        walk.depth += 1
        defer { walk.depth -= 1 }
        if let names = type as? any Exportable.Type {
            new.findsNames = true
            new.isSure = true
            new.change = change(of: names)
        } else if let container = type as? any NameContainer.Type {
            let elements = container.elements.map { look(into: $0, &walk) }
            new.parts = elements.map { Part(offset: 0, finder: $0) }
            new.change = change(of: container, elements)
        } else {
            switch TypeLayout.kind(of: type) {
            case .structure, .tuple:
                lookIntoFields(new, &walk)
            case .enumeration:
                look(into: EnumLayout(of: type), new, &walk)
            case .existential:
                new.findsNames = true
                new.isSure = type == (any Exportable).self
                new.change = dynamicChange(of: type)
            case .inlineArray:
                let (count, element, stride) = TypeLayout.elements(ofInlineArray: type)
                let finder = look(into: element, &walk)
                new.parts = [Part(offset: 0, finder: finder)]
                new.change = { place in
                    for index in 0..<count { finder.export(at: place + index * stride) }
                }
            case .function, .other:
                break
            }
        }
        return new
    }

    private static func lookIntoFields(_ new: NameFinder, _ walk: inout Walk) {
        for field in TypeLayout.fields(of: new.type) {
            new.parts.append(Part(offset: field.offset, finder: look(into: field.type, &walk)))
        }
    }

    private static func look(
        into layout: EnumLayout?,
        _ new: NameFinder,
        _ walk: inout Walk
    ) {
        guard let layout else { return }
        let payloads = layout.payloads.map { $0.type.map { look(into: $0, &walk) } }
        new.parts = payloads.compactMap { $0.map { Part(offset: 0, finder: $0) } }
        new.change = { place in
            let tag = layout.tag(at: place)
            guard tag < payloads.count, layout.canChange(tag) else { return }
            guard let payload = payloads[tag], payload.findsNames else { return }
            layout.withPayload(at: place, tag) { payload.export(at: $0) }
        }
        new.fixed = payloads.indices.compactMap { layout.canChange($0) ? nil : payloads[$0] }
    }

    private static func change<Names: Exportable>(of type: Names.Type) -> Change {
        { place in
            let place = place.assumingMemoryBound(to: Names.self)
            place.pointee = place.pointee.exported
        }
    }

    private static func change<Container: NameContainer>(of type: Container.Type, _ elements: [NameFinder]) -> Change {
        { place in place.assumingMemoryBound(to: Container.self).pointee.export(with: elements) }
    }

    /// For a value behind `any`, whose type is only known when it travels.
    private static func dynamicChange<Existential>(of type: Existential.Type) -> Change {
        { place in
            let place = place.assumingMemoryBound(to: Existential.self)
            func export<Value>(as type: Value.Type) { Self.export(place, as: type) }
            _openExistential(Swift.type(of: place.pointee as Any), do: export)
        }
    }

    private static func export<Existential, Value>(_ place: UnsafeMutablePointer<Existential>, as type: Value.Type) {
        guard let finder = find(in: type) else { return }
        // `type` is the type of this value, and exporting doesn't change it.
        place.pointee = finder.exported(place.pointee as! Value) as! Existential
    }
}

// MARK: Containers

/// A generic type of the standard library that keeps its elements behind a reference, or is easily rebuilt.
private protocol NameContainer {
    /// The types of what it holds.
    static var elements: [Any.Type] { get }
    /// Exports the names in what it holds, given the finders for `elements`.
    mutating func export(with finders: [NameFinder])
}

extension NameContainer where Self: MutableCollection {
    fileprivate static var elements: [Any.Type] { [Element.self] }

    fileprivate mutating func export(with finders: [NameFinder]) {
        for index in indices { self[index] = finders[0].exported(self[index]) }
    }
}

extension Array: NameContainer {}
extension ArraySlice: NameContainer {}
extension ContiguousArray: NameContainer {}

extension Optional: NameContainer {
    fileprivate static var elements: [Any.Type] { [Wrapped.self] }

    fileprivate mutating func export(with finders: [NameFinder]) {
        if let wrapped = self { self = finders[0].exported(wrapped) }
    }
}

extension Result: NameContainer {
    fileprivate static var elements: [Any.Type] { [Success.self, Failure.self] }

    fileprivate mutating func export(with finders: [NameFinder]) {
        switch self {
        case .success(let value): self = .success(finders[0].exported(value))
        case .failure(let error): self = .failure(finders[1].exported(error))
        }
    }
}

extension Set: NameContainer {
    fileprivate static var elements: [Any.Type] { [Element.self] }

    fileprivate mutating func export(with finders: [NameFinder]) {
        self = Set(map { finders[0].exported($0) })
    }
}

extension Dictionary.Values: NameContainer {}

extension Dictionary.Keys: NameContainer {
    fileprivate static var elements: [Any.Type] { [Key.self, Value.self] }

    fileprivate mutating func export(with finders: [NameFinder]) {
        // `Keys` doesn't give back the dictionary. Both are frozen, with the same storage as their only property, so
        // the one is the other.
        var all = unsafeBitCast(self, to: [Key: Value].self)
        all.export(with: finders)
        self = all.keys
    }
}

extension Dictionary: NameContainer {
    fileprivate static var elements: [Any.Type] { [Key.self, Value.self] }

    fileprivate mutating func export(with finders: [NameFinder]) {
        if !finders[0].findsNames {
            self = mapValues { finders[1].exported($0) }
        } else {
            let pairs = lazy.map { (finders[0].exported($0.key), finders[1].exported($0.value)) }
            // An exported name is equal to the local one, so keys stay different.
            self = Dictionary(pairs) { first, _ in first }
        }
    }
}
