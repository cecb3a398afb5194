public import ChemBase
import Synchronization

/// The name of a slow molecule: calling it injects a copy that carries `value`, and returns at once.
///
/// ```swift
/// counter.increment()
/// log("started")
/// ```
///
/// A name is an ordinary value. It can be passed, stored, compared, carried by molecules, and used as a function
/// (`let f: (Int) -> Void = name.callAsFunction`). Injecting never suspends, never waits for a reaction and works in
/// synchronous and asynchronous code, on any thread and in any actor. What one sender injects into a definition arrives
/// in the order of injection, even across different molecules. Reactions nevertheless choose copies at random unless
/// the molecule is oldest-first.
///
/// - Complexity: O(1), and O(reactions that mention the molecule) when a copy is the first one present.
public struct SlowMolecule<Value: Sendable>: Molecule {
    @usableFromInline let pointer: SharedPointer<SlowStorage<Value>>
    /// The definition, or a lease on it. With a lease the name keeps the chemistry running.
    let anchor: Anchor

    init(storage: UnsafeMutablePointer<SlowStorage<Value>>, anchor: Anchor) {
        pointer = SharedPointer(storage)
        self.anchor = anchor
    }

    @inlinable var storage: UnsafeMutablePointer<SlowStorage<Value>> {
        @inline(__always) get { pointer.memory }
    }

    /// Injects one copy that carries `value`.
    ///
    /// Injecting never suspends and never waits for a reaction. If the definition has dissolved, the copy is ignored
    /// and reported.
    @inlinable
    public func callAsFunction(_ value: consuming Value) { storage.inject(value) }

    /// Injects a copy for each of `values`, in their order: in one entry of the soup, or one after the other if the
    /// molecule has parts or guards look at its values.
    ///
    /// ```swift
    /// begin.inject(contentsOf: 1...10_000)
    /// ```
    ///
    /// `values` is read completely before the first copy is injected.
    ///
    /// - Complexity: O(number of values).
    public func inject(contentsOf values: some Sequence<Value>) {
        let soup = storage.pointee.header.soup
        var arriving = Bag<Value>()
        if storage.pointee.header.carriesNames {
            for value in values { arriving.put(Exports.onto(soup, value)) }
        } else if !Bag<Value>.hasStorage, let values = values as? Repeated<Value> {
            // Copies without values are a number, however many they are.
            arriving.count = values.count.countable
        } else {
            for value in values { arriving.put(value) }
        }
        if arriving.count > 0 { storage.inject(allOf: &arriving) }
    }

    /// Adds itself. Only for `when`.
    @inlinable
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> { molecules.add(storage) }

    /// Takes one copy for a reaction. Only for `when`.
    @inlinable
    @inline(__always)
    public func _take(_ entry: borrowing SoupEntry) -> Value { storage.take(entry) }

    /// Tells the caller of a failed reaction, if there is one. Only for `when`.
    public func _fail(_ input: Value, _ error: any Error, _ end: borrowing FailedReaction) -> Bool { false }

    /// Puts back what a failed reaction had taken. Only for `when`.
    public func _putBack(_ input: Value, _ end: borrowing FailedReaction) {
        putBack(input) { _ in }
    }

    /// Puts back what a failed reaction had taken, after `prepare` in the same entry of the soup.
    func putBack(_ input: Value, after prepare: (borrowing SoupEntry) -> Void) {
        // What guards see of it is found out outside of the soup.
        let features = storage.features(of: input)
        let entry = storage.pointee.header.soup.enter()
        prepare(entry)
        let slot = storage.pointee.header.slot
        slot.tally.putBack += 1
        entry.join.observation?.putBack(slot)
        if entry.contents.life.phase.ignoresInjections {
            slot.tally.dropped += 1
            let join = entry.join
            join.observation?.dropped(1, of: slot)
            entry.leaveUnchanged()
            join.report(.dropped(molecule: slot.name, count: 1))
            return
        }
        if let features { storage.put(input, features, entry) } else { storage.put(input, entry) }
        storage.pointee.header.injected &-= 1
        entry.leave()
    }
}

extension SlowMolecule where Value == Void {
    /// Injects one copy of a molecule that carries no value.
    @inlinable
    public func callAsFunction() {
        self(())
    }
}

extension SlowMolecule: Hashable {
    /// Whether both name the same molecule of the same definition, exported or not.
    public static func == (one: SlowMolecule, other: SlowMolecule) -> Bool { one.storage == other.storage }

    /// Feeds the identity of the molecule to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
}

extension SlowMolecule: CustomStringConvertible {
    /// The name of the definition and of the molecule, such as `counter.increment`.
    public var description: String { storage.pointee.header.slot.fullName }
}

extension SlowMolecule: CustomReflectable {
    /// A mirror without children, so that `dump` shows the name rather than its inner structure.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SlowMolecule: Exportable {
    /// The same name, holding a lease on its definition.
    public var exported: SlowMolecule {
        let anchor = Exports.anchor(of: storage.pointee.header.soup, now: anchor)
        // Otherwise it comes home, or stays there.
        if anchor is Lease { storage.pointee.header.slot.noteExport() }
        return SlowMolecule(storage: storage, anchor: anchor)
    }
}
