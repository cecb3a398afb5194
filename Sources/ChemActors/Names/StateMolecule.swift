public import ChemBase

/// A molecule of which exactly one copy exists: the state of a join definition.
///
/// ```swift
/// let count = join.state("count", 0)
/// join.when(increment, updating: count) { n, _ in n += 1 }
/// join.answer(value, reading: count) { n, _ in n }
/// ```
///
/// Nobody can inject a second copy, forget the first one, or export the name. A reaction that updates the state holds
/// it for the duration of its body; other reactions wait for it as for any molecule.
public struct StateMolecule<Value: Sendable>: Sendable {
    @usableFromInline let pointer: SharedPointer<StateStorage<Value>>
    private let join: Join

    init(storage: UnsafeMutablePointer<StateStorage<Value>>, join: Join) {
        pointer = SharedPointer(storage)
        self.join = join
    }

    @inlinable var storage: UnsafeMutablePointer<StateStorage<Value>> {
        @inline(__always) get { pointer.memory }
    }

    /// Reads the state without a reaction, inside or outside of the definition. Get it in the closure of `define`.
    ///
    /// A state with a reader keeps its last committed value beside the current one. Each commit then copies the value:
    /// for an array, the next change copies the elements.
    public var reader: StateReader<Value> {
        // The slot allocated the memory and stored itself there, so it has this type.
        let slot = unsafeDowncast(storage.pointee.header.slot, to: StateSlot<Value>.self)
        let entry = join.soup.enter()
        guard entry.contents.life.phase == .defining || slot.mayBeUnused else {
            entry.leaveUnchanged()
            fatalError(
                "ChemActors: the reader of state '\(self)' (\(slot.location)) has to be asked for in the closure of "
                    + "'define', or in the initializer of a JoinDefinition",
                file: slot.location.fileID,
                line: slot.location.line
            )
        }
        let committed = slot.makeReadable()
        entry.leaveUnchanged()
        return StateReader(committed, of: storage, anchor: join)
    }

    /// Has a gate look at the value, now and whenever it has changed. `makeGate` makes it, for what is seen of the
    /// initial value.
    func addCondition(
        at location: SourceLocation,
        _ look: @escaping @Sendable (borrowing Value) -> Level,
        _ makeGate: (SoupReference, Level) -> Gate
    ) -> GateReference {
        let slot = unsafeDowncast(storage.pointee.header.slot, to: StateSlot<Value>.self)
        let entry = join.soup.enter()
        let isOpen = entry.contents.life.phase == .defining
        entry.leaveUnchanged()
        guard isOpen else {
            fatalError(
                "ChemActors: a condition of state '\(self)' (\(location)) belongs in the closure of 'define'",
                file: location.fileID,
                line: location.line
            )
        }
        // Nothing reacts yet, so this is still the initial value.
        let seen = look(storage.pointee.current.pointee)
        let gate = makeGate(join.soup, seen)
        let last = join.soup.enter()
        gate.number = Int32(last.contents.slots.count)
        last.contents.slots.append(gate)
        slot.add(StateCondition(gate: gate, initially: seen, look), last)
        last.leaveUnchanged()
        return GateReference(gate)
    }

    /// Where the value is stored.
    ///
    /// Reactions go through this property because Swift 6.3.1 compiles two uses of `a.storage.pointee.current.pointee`
    /// in one call to code that LLVM's verifier rejects ("Invalid bitcast") in a build for ThreadSanitizer.
    @inlinable
    var place: UnsafeMutablePointer<Value> {
        @inline(__always)
        get { storage.pointee.current }
    }
}

extension StateMolecule: CustomStringConvertible {
    /// The name of the definition and of the state, such as `counter.count`.
    public var description: String { storage.pointee.header.slot.fullName }
}

extension StateMolecule: CustomReflectable {
    /// A mirror without children, so that `dump` shows the name rather than its inner structure.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension StateMolecule: LocalName {}
