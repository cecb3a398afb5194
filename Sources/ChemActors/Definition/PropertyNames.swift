import ChemBase

/// Calls the molecules of a definition that is written as a type after its properties.
struct PropertyNames {
    private let soup: SoupReference
    /// How many molecules have no name yet.
    private var left: Int

    /// Names the molecules of `join` that are properties of `definition`. Called before its reactions are declared.
    static func name<Definition: JoinDefinition>(_ definition: Definition, in join: Join) {
        let entry = join.soup.enter()
        let slots = entry.contents.slots
        entry.leaveUnchanged()
        var names = PropertyNames(soup: join.soup, left: slots.count)
        withUnsafePointer(to: definition) { place in
            for property in MoleculeProperty.all(of: Definition.self) {
                names.left -= property.name(UnsafeRawPointer(place), join.soup)
            }
        }
        if names.left == 0 { return }
        names.look(into: definition, "", depth: 0)
        // What no property shows, such as a molecule in an object or in a build without reflection, is called after the
        // line that makes it.
        for slot in slots where slot.isUnnamed { slot.name("line \(slot.location.line)\(slot.name)") }
    }

    /// Deeper, nobody would recognize a name.
    private static let depthLimit = 8

    private mutating func look(into value: Any, _ path: String, depth: Int) {
        guard depth < Self.depthLimit else { return }
        let mirror = Mirror(reflecting: value)
        for (index, child) in mirror.children.enumerated() {
            guard left > 0 else { return }
            switch mirror.displayStyle {
            case .struct, .tuple, .enum:
                let label = child.label ?? "\(index)"
                take(child.value, path.isEmpty || label.hasPrefix(".") ? path + label : "\(path).\(label)", depth)
            case .optional:
                take(child.value, path, depth)
            case .collection:
                if Self.isPlain(child.value) { return }
                take(child.value, "\(path)[\(index)]", depth)
            case .dictionary:
                let pair = Mirror(reflecting: child.value).children.map(\.value)
                if pair.count != 2 || Self.isPlain(pair[1]) { return }
                take(pair[1], "\(path)[\(pair[0])]", depth)
            default:
                // An object may be shared, and a set has no order.
                return
            }
        }
    }

    private mutating func take(_ value: Any, _ path: String, _ depth: Int) {
        if let molecule = value as? any PropertyMolecule {
            left -= molecule.name(path, in: soup)
        } else {
            look(into: value, path, depth: depth + 1)
        }
    }

    /// Whether a collection of such values holds no molecules.
    private static func isPlain(_ value: Any) -> Bool {
        func isPlain<Value>(_ value: Value) -> Bool { _isPOD(Value.self) || Value.self == String.self }
        return _openExistential(value, do: isPlain)
    }
}

/// A property of a structure that is a molecule itself, as most are. Found once for each type, since looking into a
/// value takes microseconds.
private struct MoleculeProperty {
    /// Gives the molecule in the structure at this place the property's name, if it is one of the soup and has none.
    ///
    /// Returns how many molecules have a name thereby.
    let name: @Sendable (UnsafeRawPointer, SoupReference) -> Int

    private static let known = Guarded<[ObjectIdentifier: [MoleculeProperty]]>([:])

    static func all(of type: Any.Type) -> [MoleculeProperty] {
        let key = ObjectIdentifier(type)
        if let old = known.withLock({ $0[key] }) { return old }
        let new = TypeLayout.fields(of: type).compactMap { field in
            (field.type as? any PropertyMolecule.Type).map { MoleculeProperty(field, $0) }
        }
        known.withLock { $0[key] = new }
        return new
    }

    private init<Molecule: PropertyMolecule>(_ field: TypeLayout.Field, _ type: Molecule.Type) {
        name = { structure, soup in
            (structure + field.offset).assumingMemoryBound(to: Molecule.self).pointee.name(field.name, in: soup)
        }
    }
}

/// A molecule that can be a property of a `JoinDefinition`.
private protocol PropertyMolecule: SendableMetatype {
    /// Takes the name of the property that it is in, if it is one of the soup and has none.
    ///
    /// - Returns: how many molecules have a name thereby.
    func name(_ name: String, in soup: SoupReference) -> Int
}

extension PropertyMolecule {
    fileprivate func name(_ slot: Slot, _ name: String, in soup: SoupReference) -> Int {
        guard slot.isUnnamed, slot.header.pointee.soup == soup else { return 0 }
        slot.name(name)
        return 1
    }
}

extension SlowMolecule: PropertyMolecule {
    fileprivate func name(_ name: String, in soup: SoupReference) -> Int {
        self.name(storage.pointee.header.slot, name, in: soup)
    }
}

extension FastMolecule: PropertyMolecule {
    fileprivate func name(_ name: String, in soup: SoupReference) -> Int {
        self.name(storage.pointee.header.slot, name, in: soup)
    }
}

extension StateMolecule: PropertyMolecule {
    fileprivate func name(_ name: String, in soup: SoupReference) -> Int {
        self.name(storage.pointee.header.slot, name, in: soup)
    }
}

extension BoundedMolecule: PropertyMolecule {
    fileprivate func name(_ name: String, in soup: SoupReference) -> Int {
        item.name(name, in: soup) + room.name("\(name).room", in: soup) + put.name("\(name).inject", in: soup)
    }
}
