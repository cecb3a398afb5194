public import ChemBase
public import Synchronization

/// The name of a slow molecule: calling it injects a copy that carries `value`, and returns at once.
///
/// ```swift
/// counter.increment()
/// log("started")
/// ```
///
/// A name is an ordinary value. It can be passed, stored, compared, carried by molecules, and used as a function
/// (`let f: (Int) -> Void = name.callAsFunction`). Injecting never suspends, never waits for a reaction and works in
/// synchronous and asynchronous code, on any thread and in any actor. What one sender injects into a definition arrives in that
/// order, across its molecules; reactions nevertheless choose copies at random unless the molecule is oldest-first.
///
/// - Complexity: O(1), and O(reactions that mention the molecule) when a copy is the first one present.
public struct SlowMolecule<Value: Sendable>: Molecule, @unchecked Sendable {
    // Checked by hand: the slot lives as long as the definition, which `anchor` keeps alive, and is touched under its locks.
    @usableFromInline let slot: UnsafeMutablePointer<SlowSlot<Value>>
    /// The definition, or a lease on it: then the name keeps the chemistry running.
    let anchor: AnyObject

    init(slot: UnsafeMutablePointer<SlowSlot<Value>>, anchor: AnyObject) {
        self.slot = slot
        self.anchor = anchor
    }

    /// Injects one copy that carries `value`.
    ///
    /// Never suspends and never waits for a reaction. If the definition has dissolved the copy is ignored and reported.
    @inlinable
    public func callAsFunction(_ value: consuming Value) {
        let site = slot.pointee.header.site
        if slot.pointee.header.carriesNames { value = Exports.onto(site, value) }
        if !site.isMine {
            if site.pointee.isAccepting.load(ordering: .relaxed) {
                site.pointee.inboxLock.lock()
                if site.pointee.isAccepting.load(ordering: .relaxed) {
                    slot.inbox().pointee.put(value)
                    if slot.inbox().pointee.count == 1 { markDirty() }
                    site.pointee.inboxLock.unlock()
                    return
                }
                site.pointee.inboxLock.unlock()
            }
        }
        site.pointee.lock.lock()
        if site.pointee.phase.ignoresInjections {
            ignore(1)
            return
        }
        slot.put(value)
        site.leave()
    }

    /// Injects a copy for each of `values`, in their order, under one entry of the soup.
    ///
    /// ```swift
    /// begin.inject(contentsOf: 1...10_000)
    /// ```
    ///
    /// `values` is read completely before the first copy is injected.
    ///
    /// - Complexity: O(number of values).
    public func inject(contentsOf values: some Sequence<Value>) {
        let site = slot.pointee.header.site
        var arriving = Bag<Value>()
        if slot.pointee.header.carriesNames {
            for value in values { arriving.put(Exports.onto(site, value)) }
        } else {
            for value in values { arriving.put(value) }
        }
        let count = arriving.count
        guard count > 0 else { return }
        if !site.isMine, site.pointee.isAccepting.load(ordering: .relaxed) {
            site.pointee.inboxLock.lock()
            if site.pointee.isAccepting.load(ordering: .relaxed) {
                let isFirst = slot.inbox().pointee.count == 0
                slot.inbox().pointee.absorb(&arriving)
                if isFirst { markDirty() }
                site.pointee.inboxLock.unlock()
                return
            }
            site.pointee.inboxLock.unlock()
        }
        site.pointee.lock.lock()
        if site.pointee.phase.ignoresInjections {
            ignore(count)
            return
        }
        let before = slot.pointee.bag.count
        slot.pointee.header.injected += count
        slot.pointee.bag.absorb(&arriving)
        if before < slot.pointee.header.need {
            site.pointee.soup.grown(slot.pointee.header.uses, from: before, to: slot.pointee.bag.count)
        }
        site.leave()
    }

    /// Tells the worker that the inbox of this slot holds something. Under the lock of the inbox.
    @inlinable
    @inline(__always)
    func markDirty() {
        let site = slot.pointee.header.site
        slot.pointee.header.nextDirty = site.pointee.firstDirty
        site.pointee.firstDirty = UnsafeMutableRawPointer(slot).assumingMemoryBound(to: SlotHeader.self)
    }

    /// Counts copies that are ignored, and reports those that came too late. Entered under the lock, left without it.
    @usableFromInline
    @inline(never)
    func ignore(_ count: Int) {
        let site = slot.pointee.header.site
        let description = slot.pointee.header.description
        let isDissolved = site.pointee.phase == .dissolved
        slot.pointee.header.injected += count
        description.tally.ignored += count
        site.pointee.lock.unlock()
        // Ignoring is what a deactivated definition was asked for: it is counted. After dissolution it is a mishap.
        if isDissolved { site.owner.report(.ignoredInjection(molecule: description.name, count: count)) }
    }

    /// Adds itself. For `when` alone.
    @inlinable
    public func _list(in molecules: inout MoleculeList) { molecules.add(slot) }

    /// Takes one copy for a reaction. For `when` alone.
    @inlinable
    @inline(__always)
    public func _take(_ entry: borrowing SoupEntry) -> Value { slot.take() }

    /// Tells the caller of a failed reaction, if there is one. For `when` alone.
    public func _fail(_ input: Value, _ error: any Error, _ end: borrowing FailedReaction) -> Bool { false }

    /// Puts back what a failed reaction had taken. For `when` alone.
    public func _putBack(_ input: Value, _ end: borrowing FailedReaction) {
        slot.pointee.header.site.pointee.lock.lock()
        putBackAndUnlock(input)
    }

    /// Puts back what a failed reaction had taken. Entered under the lock, left without it.
    func putBackAndUnlock(_ input: Value) {
        let site = slot.pointee.header.site
        let description = slot.pointee.header.description
        description.tally.putBack += 1
        if site.pointee.phase.ignoresInjections {
            description.tally.dropped += 1
            site.pointee.lock.unlock()
            site.owner.report(.dropped(molecule: description.name, count: 1))
            return
        }
        slot.put(input)
        slot.pointee.header.injected &-= 1
        site.leave()
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
    public static func == (one: SlowMolecule, other: SlowMolecule) -> Bool { one.slot == other.slot }

    /// Feeds the identity of the molecule to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(slot) }
}

extension SlowMolecule: CustomStringConvertible {
    /// The name of the definition and of the molecule, such as `counter.increment`.
    public var description: String { slot.pointee.header.description.fullName }
}

extension SlowMolecule: CustomReflectable {
    /// A mirror without children, so that `dump` shows the name rather than its inner structure.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SlowMolecule: Exportable {
    /// The same name, holding a lease on its definition.
    public var exported: SlowMolecule {
        SlowMolecule(slot: slot, anchor: Exports.anchor(of: slot.pointee.header.site, now: anchor))
    }
}
