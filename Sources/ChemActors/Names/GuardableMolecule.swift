/// A molecule whose values guards can look at: a ``SlowMolecule``, a ``BoundedMolecule``, or a ``FastMolecule``, of
/// which they see the arguments.
///
/// No other type can conform to it, for the reason that ``Molecule`` gives.
public protocol GuardableMolecule: Molecule {
    /// What a guard sees: the value of a slow molecule, the argument of a fast one.
    associatedtype Content: Sendable
    /// What a body that answers it returns. Nobody gets it of one that isn't fast; only for the message that says so.
    associatedtype _Answer = Any

    /// Adds an index to which a guard looks for copies.
    func _attach(_ guarding: GuardReference, as member: Int, _ feature: FeatureReader<Content>) -> GuardReference.Place

    /// What a guard sees of a copy that is present.
    func _content(of copy: Int32, _ entry: borrowing SoupEntry) -> Content

    /// Takes the copy that a guard has chosen.
    func _take(_ copy: Int32, _ entry: borrowing SoupEntry) -> Input
}

/// The guard of a reaction, as molecules know it. Only the runtime can make one.
public struct GuardReference: Sendable {
    @usableFromInline let index: InSoup<GuardIndex>
    let soup: SoupReference

    init(_ index: GuardIndex, _ soup: SoupReference) {
        self.index = InSoup(index)
        self.soup = soup
    }

    /// Where the copies of an input are.
    public struct Place {
        let table: UnsafeMutablePointer<CopyTable>
        let attachment: Int
    }
}

/// Finds out what a guard has to know of a value. Only the runtime can make one.
public struct FeatureReader<Content: Sendable>: Sendable {
    @usableFromInline let read: @Sendable (Content) -> Feature
    /// Shows guards what has arrived of a slow molecule. Specialised for the type of its values, as `read` is.
    @usableFromInline let takeIn: TakeIn<Content>
    /// Whether no code of a user runs in `read`. Then it can be called in the soup.
    @usableFromInline let isOurs: Bool

    @inlinable
    init(isOurs: Bool = false, _ read: @escaping @Sendable (Content) -> Feature) {
        self.read = read
        self.isOurs = isOurs
        takeIn = { storage, entry in storage.takeIn(entry) }
    }
}

@available(*, unavailable)
extension GuardReference.Place: Sendable {}

extension SlowMolecule: GuardableMolecule {
    /// Adds an index to which a guard looks for copies. Only for `when`.
    public func _attach(
        _ guarding: GuardReference,
        as member: Int,
        _ feature: FeatureReader<Value>
    ) -> GuardReference.Place {
        let slot = unsafeDowncast(storage.pointee.header.slot, to: SlowSlot<Value>.self)
        let entry = guarding.soup.enter()
        let (table, attachment) = slot.attach(
            guarding.index.object,
            as: member,
            feature.read,
            isOurs: feature.isOurs,
            feature.takeIn,
            entry
        )
        entry.leaveUnchanged()
        return GuardReference.Place(table: table, attachment: attachment)
    }

    /// What a guard sees of a copy. Only for `when`.
    @inlinable
    public func _content(of copy: Int32, _ entry: borrowing SoupEntry) -> Value {
        storage.guardedCopies().pointee.values[Int(copy)]
    }

    /// Takes the copy that a guard has chosen. Only for `when`.
    @inlinable
    @inline(__always)
    public func _take(_ copy: Int32, _ entry: borrowing SoupEntry) -> Value { storage.take(copy, entry) }
}

extension FastMolecule: GuardableMolecule {
    /// What a body that answers it returns.
    public typealias _Answer = Answer

    /// Adds an index to which a guard looks for calls. Only for `when`.
    public func _attach(
        _ guarding: GuardReference,
        as member: Int,
        _ feature: FeatureReader<Argument>
    ) -> GuardReference.Place {
        let slot = unsafeDowncast(slot, to: FastSlot<Argument, Answer>.self)
        let entry = guarding.soup.enter()
        let (table, attachment) = slot.attach(guarding.index.object, as: member, feature.read, entry)
        entry.leaveUnchanged()
        return GuardReference.Place(table: table, attachment: attachment)
    }

    /// What a guard sees of a call. Only for `when`.
    public func _content(of copy: Int32, _ entry: borrowing SoupEntry) -> Argument {
        typed(slot.call(copy, entry)).argument
    }

    /// Takes the call that a guard has chosen. Only for `when`.
    public func _take(_ copy: Int32, _ entry: borrowing SoupEntry) -> Reply<Argument, Answer> {
        Reply(typed(slot.takeForReply(copy, entry)))
    }

    /// Takes the call that a guard has chosen, for a reaction that answers it with its result.
    @usableFromInline
    func takeCall(_ copy: Int32, _ entry: borrowing SoupEntry) -> PendingCall<Argument, Answer> {
        typed(slot.take(copy, entry))
    }
}

extension BoundedMolecule: GuardableMolecule {
    /// Adds an index to which a guard looks for copies. Only for `when`.
    public func _attach(
        _ guarding: GuardReference,
        as member: Int,
        _ feature: FeatureReader<Value>
    ) -> GuardReference.Place {
        item._attach(guarding, as: member, feature)
    }

    /// What a guard sees of a copy. Only for `when`.
    public func _content(of copy: Int32, _ entry: borrowing SoupEntry) -> Value { item._content(of: copy, entry) }

    /// Takes the copy that a guard has chosen. Only for `when`.
    public func _take(_ copy: Int32, _ entry: borrowing SoupEntry) -> Value {
        let value = item._take(copy, entry)
        makeRoom(entry)
        return value
    }
}
