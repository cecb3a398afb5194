import ChemBase

/// A molecule of which exactly one copy exists: the state of a join definition.
///
/// ```swift
/// let count = join.state("count", 0)
/// join.when(increment, updating: count) { n, _ in n += 1 }
/// join.answer(value, reading: count) { n, _ in n }
/// ```
///
/// Nobody can inject a second copy, forget the first one, or export the name. A reaction that updates the state has it for the
/// duration of its body; the others wait for it like for any molecule.
public struct StateMolecule<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: the slot lives as long as the definition, which `join` keeps alive, and is touched under its lock.
    @usableFromInline let slot: UnsafeMutablePointer<StateSlot<Value>>
    private let join: Join

    init(slot: UnsafeMutablePointer<StateSlot<Value>>, join: Join) {
        self.slot = slot
        self.join = join
    }

    /// Reads the state without a reaction, inside the definition or outside. Ask for it in the closure of `define`.
    ///
    /// A state with a reader keeps its last committed value beside the current one. Each commit then copies the value: for an
    /// array, the next change copies the elements.
    public var reader: StateReader<Value> {
        // The description made the slot and stored itself there, so its type is this one.
        let description = unsafeDowncast(
            slot.pointee.header.description,
            to: StateSlotDescription<Value>.self
        )
        join.site.pointee.lock.lock()
        guard join.site.pointee.phase == .defining || description.isReadFromOutside else {
            join.site.pointee.lock.unlock()
            fatalError("ChemActors: the reader of state '\(self)' has to be asked for in the closure of 'define'")
        }
        let committed = description.makeReadable()
        join.site.pointee.lock.unlock()
        return StateReader(committed, of: slot, anchor: join)
    }

    /// Where the value lies.
    ///
    /// Reactions go through here since Swift 6.3.1 writes `a.slot.pointee.current.pointee`, used twice in one call, in a way
    /// that LLVM's verifier refuses ("Invalid bitcast") in a build for ThreadSanitizer.
    @inlinable
    var place: UnsafeMutablePointer<Value> {
        @inline(__always)
        get { slot.pointee.current }
    }
}

extension StateMolecule: CustomStringConvertible {
    /// The name of the definition and of the state, such as `counter.count`.
    public var description: String { slot.pointee.header.description.fullName }
}

extension StateMolecule: CustomReflectable {
    /// A mirror without children, so that `dump` shows the name rather than its inner structure.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Releases `value` here, not later.
@usableFromInline
@inline(never)
func discard<Value>(_ value: consuming Value) {}
