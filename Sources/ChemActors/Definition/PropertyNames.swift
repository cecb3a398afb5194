/// Calls the molecules of a definition that is written as a type after its properties.
struct PropertyNames {
    private let soup: SoupReference
    /// How many molecules have no name yet.
    private var left: Int

    /// Names the molecules of `join` that are properties of `definition`. Called before its reactions are declared.
    static func name(_ definition: some JoinDefinition, in join: Join) {
        let entry = join.soup.enter()
        let slots = entry.contents.slots
        entry.leaveUnchanged()
        var names = PropertyNames(soup: join.soup, left: slots.count)
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
            for (slot, suffix) in molecule.slots where slot.isUnnamed && slot.header.pointee.soup == soup {
                slot.name(path + suffix)
                left -= 1
            }
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

/// A molecule that can be a property of a `JoinDefinition`.
private protocol PropertyMolecule {
    /// What it consists of, and how the name of each one ends.
    var slots: [(slot: Slot, suffix: String)] { get }
}

extension SlowMolecule: PropertyMolecule {
    fileprivate var slots: [(slot: Slot, suffix: String)] { [(storage.pointee.header.slot, "")] }
}

extension FastMolecule: PropertyMolecule {
    fileprivate var slots: [(slot: Slot, suffix: String)] { [(storage.pointee.header.slot, "")] }
}

extension StateMolecule: PropertyMolecule {
    fileprivate var slots: [(slot: Slot, suffix: String)] { [(storage.pointee.header.slot, "")] }
}

extension BoundedMolecule: PropertyMolecule {
    fileprivate var slots: [(slot: Slot, suffix: String)] {
        item.slots + [(room.storage.pointee.header.slot, ".room"), (put.storage.pointee.header.slot, ".inject")]
    }
}
