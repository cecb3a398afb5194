/// A gate, as molecules carry it that need it. Only the runtime can make one.
public struct GateReference: Sendable {
    @usableFromInline let gate: InSoup<Gate>

    init(_ gate: Gate) {
        self.gate = InSoup(gate)
    }
}

/// What a reaction needs besides its molecules: that values fit together, or that a state meets a condition.
///
/// To the soup it is one more molecule, of which there is one copy while the gate is open, and which no reaction takes.
/// So a reaction with a guard starts if, and only if, everything it needs is present, as any other.
///
/// Nobody evaluates a guard here: whoever changes what it depends on does that outside of the soup, and says in the
/// soup what came out.
@usableFromInline
final class Gate: Slot {
    // Everything mutable is touched in the soup.
    @exclusivity(unchecked) private(set) var isOpen: Bool
    /// What it depends on, if that is the values of several inputs.
    @exclusivity(unchecked) var index: GuardIndex?
    /// What is missing while it is closed, if it depends on something else.
    private let lack: String

    init(
        name: String,
        location: SourceLocation,
        soup: SoupReference,
        isOpen: Bool = false,
        lack: String = ""
    ) {
        self.isOpen = isOpen
        self.lack = lack
        super.init(name: name, location: location)
        header = .allocate(capacity: 1)
        header.initialize(
            to: SlotHeader(soup: soup, kind: .gate, isOldestFirst: false, carriesNames: false, slot: self)
        )
    }

    deinit {
        header.deinitialize(count: 1)
        header.deallocate()
    }

    override func present(_ entry: borrowing SoupEntry) -> Int { isOpen ? 1 : 0 }

    /// Whether two reactions with the same inputs repeat each other although each has a gate of its own.
    func isLike(_ other: Gate) -> Bool {
        if self === other { return true }
        guard let index, let other = other.index else { return false }
        return index.isLike(other)
    }

    override func removeClosures() { index?.removeClosures() }

    /// What says, outside of the soup, what is missing. Nil if the gate is open.
    func lack(_ entry: borrowing SoupEntry) -> (() -> String)? {
        if isOpen { return nil }
        return index.map { $0.lack(entry) } ?? { [lack] in lack }
    }

    /// The same for one copy, of which `index` sees what `feature` returns: what that copy has to wait for.
    func lack(_ entry: borrowing SoupEntry, for feature: (GuardIndex) -> Feature?) -> (() -> String)? {
        guard let index, let feature = feature(index) else { return lack(entry) }
        return isOpen ? nil : index.lack(entry, for: feature)
    }

    /// A state is put back, of which this was seen.
    @usableFromInline
    func tell(_ seen: Level, _ entry: borrowing SoupEntry) {
        if let index { index.tell(seen, entry) } else { set(seen.a != 0, entry) }
    }

    /// Opens or closes it.
    @usableFromInline
    func set(_ opens: Bool, _ entry: borrowing SoupEntry) {
        guard opens != isOpen else { return }
        isOpen = opens
        if opens {
            entry.grown(header.pointee.uses, from: 0, to: 1)
        } else {
            entry.shrunk(header.pointee.uses, from: 1, to: 0)
        }
    }
}
