public import ChemBase

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

    @usableFromInline var header: SlotPointer { UnsafeMutableRawPointer(slot).assumingMemoryBound(to: SlotHeader.self) }

    /// Where the value lies, for a synchronous body to change it in place.
    ///
    /// Reactions go through here since Swift 6.3.1 writes `&a.slot.pointee.current.pointee`, used twice in one call, in a way
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

extension StateMolecule {
    /// Puts the state back after a synchronous body has changed it in place. Entered and left under the lock.
    @inlinable
    @inline(__always)
    func putBack() {
        if _isPOD(Value.self) {
            _ = slot.putBack()
        } else if let previous = slot.putBack() {
            // Nothing of a user's is released under the lock. It may take its time, and the state is there already.
            let site = slot.pointee.header.site
            site.leave()
            discard(previous)
            site.pointee.lock.lock()
        }
    }

    /// Puts the state back as the body has left it, or at its initial value. Outside of the soup.
    @usableFromInline
    func release(_ asInitially: Bool = false) {
        let site = slot.pointee.header.site
        site.pointee.lock.lock()
        putBack()
        let old = asInitially ? slot.pointee.header.description.reset() : nil
        site.leave()
        discard(old)
    }

    /// The value of the state, which this reaction has taken, for its asynchronous body to change. Outside of the soup.
    @usableFromInline
    func draft() -> StateDraft<Value> {
        StateDraft(slot.pointee.current.pointee)
    }

    /// Keeps what an asynchronous body that threw has made of the state, which stays taken. Outside of the soup.
    @usableFromInline
    func keep(_ value: Value) {
        let site = slot.pointee.header.site
        site.pointee.lock.lock()
        let old = slot.pointee.current.move()
        slot.pointee.current.initialize(to: value)
        site.pointee.lock.unlock()
        discard(old)
    }

    /// Puts the state back with the value that an asynchronous body has made of it. Outside of the soup.
    @usableFromInline
    func putBack(_ value: Value) {
        let site = slot.pointee.header.site
        site.pointee.lock.lock()
        let old = slot.putBack(value)
        site.leave()
        discard(old)
    }
}

/// What an asynchronous body makes of a state before it is committed.
///
/// An object, since the attempts of a body that is tried again share it; and with a variable of the task in its place Swift
/// 6.3.1 crashes when it compiles for ThreadSanitizer.
@usableFromInline
final class StateDraft<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: the attempts of one body follow each other.
    @usableFromInline var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// Releases `value` here, not later.
@usableFromInline
@inline(never)
func discard<Value>(_ value: consuming Value) {}
