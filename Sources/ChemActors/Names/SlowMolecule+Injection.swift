public import ChemBase
public import Synchronization

// The way of a value into the soup. These are methods of the storage: a part of a molecule is reached by whoever
// injects that molecule, and so must not hold the definition.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    @inlinable
    @inline(__always)
    func inject<Value: Sendable>(_ value: consuming Value) where Pointee == SlowStorage<Value> {
        let soup = pointee.header.soup
        if pointee.header.isInspected.load(ordering: .relaxed) {
            injectInspected(value)
            return
        }
        if !soup.isMine, lockInbox() {
            // What is looked at is fixed before a worker comes. But the first look here may have been before that.
            if pointee.header.isInspected.load(ordering: .relaxed) {
                soup.memory.pointee.inboxLock.unlock()
                injectInspected(value)
            } else {
                leaveInInbox(value)
            }
            return
        }
        let entry = soup.enter()
        if pointee.header.isInspected.load(ordering: .relaxed) {
            entry.leaveUnchanged()
            injectInspected(value)
            return
        }
        if entry.contents.life.phase.ignoresInjections {
            ignore(1, entry)
            return
        }
        put(value, entry)
        entry.leave()
    }

    /// As `inject`, for values that are looked at: they may carry names, belong to a part, or be what a guard waits
    /// for.
    @inlinable
    @inline(never)
    func injectInspected<Value: Sendable>(_ value: consuming Value) where Pointee == SlowStorage<Value> {
        tellOfInjection(of: value)
        let soup = pointee.header.soup
        let isInterruptible = soup.memory.pointee.isInterruptible
        putInspected(value)
        if isInterruptible { soup.bodyHasActed() }
    }

    @inlinable
    @inline(never)
    func putInspected<Value: Sendable>(_ value: consuming Value) where Pointee == SlowStorage<Value> {
        let soup = pointee.header.soup
        if pointee.header.carriesNames { value = Exports.onto(soup, value) }
        if pass(value) { return }
        let features = earlyFeatures(of: value)
        if !soup.isMine, lockInbox() {
            if let features {
                leaveInInbox(value, features)
            } else if let copies = pointee.guarded.load(ordering: .relaxed), !copies.pointee.isReadLate {
                // Guards have begun to look meanwhile.
                soup.memory.pointee.inboxLock.unlock()
                putInspected(value)
            } else {
                leaveInInbox(value)
            }
            return
        }
        let entry = soup.enter()
        if entry.contents.life.phase.ignoresInjections {
            ignore(1, entry)
        } else if let features {
            put(value, features, entry)
            entry.leave()
        } else if pointee.header.isGuarded {
            if guardedCopies().pointee.isReadLate {
                putLate(value, entry)
                entry.leave()
            } else {
                entry.leaveUnchanged()
                putInspected(value)
            }
        } else {
            put(value, entry)
            entry.leave()
        }
    }

    /// Notes, if somebody wants to know, that somebody injects `value`. Called outside of the soup.
    @inlinable
    @inline(__always)
    func tellOfInjection<Value: Sendable>(of value: borrowing Value) where Pointee == SlowStorage<Value> {
        let soup = pointee.header.soup
        guard soup.memory.pointee.isObserved else { return }
        let slot = pointee.header.slot
        soup.noteInjection(into: slot, 1, text: slot.isDescribed ? text(of: copy value) : nil)
    }

    @usableFromInline
    @inline(never)
    func text<Value: Sendable>(of value: Value) -> String? where Pointee == SlowStorage<Value> {
        unsafeDowncast(pointee.header.slot, to: SlowSlot<Value>.self).text(of: value)
    }

    /// The part of this memory that is the same for all molecules.
    @inlinable
    var header: SlotPointer { UnsafeMutableRawPointer(self).assumingMemoryBound(to: SlotHeader.self) }

    /// Injects all copies of `arriving` in one entry of the soup, or one after the other if each is looked at.
    func inject<Value: Sendable>(allOf arriving: inout Bag<Value>) where Pointee == SlowStorage<Value> {
        let soup = pointee.header.soup
        if areLookedAt() || pointee.header.slot.isDescribed {
            while arriving.count > 0 { injectInspected(arriving.takeOldest()) }
            return
        }
        if soup.memory.pointee.isObserved {
            soup.noteInjection(into: pointee.header.slot, arriving.count, text: nil)
        }
        // As in `inject`: the first look may have been before that.
        if !soup.isMine, lockInbox() {
            if areLookedAt() {
                soup.memory.pointee.inboxLock.unlock()
                while arriving.count > 0 { putInspected(arriving.takeOldest()) }
            } else {
                leaveInInbox(allOf: &arriving)
            }
            return
        }
        let entry = soup.enter()
        if areLookedAt() {
            entry.leaveUnchanged()
            while arriving.count > 0 { putInspected(arriving.takeOldest()) }
            return
        }
        if entry.contents.life.phase.ignoresInjections {
            ignore(arriving.count, entry)
            return
        }
        put(allOf: &arriving, entry)
        entry.leave()
    }

    /// Whether each copy is looked at, by guards or to find its part.
    private func areLookedAt<Value: Sendable>() -> Bool where Pointee == SlowStorage<Value> {
        pointee.sorter.load(ordering: .acquiring) != nil || pointee.guarded.load(ordering: .acquiring) != nil
    }

    /// Injects `value` into the part that it belongs to. Returns false if there is none.
    @inlinable
    func pass<Value: Sendable>(_ value: borrowing Value) -> Bool where Pointee == SlowStorage<Value> {
        guard let sorter = pointee.sorter.load(ordering: .acquiring) else { return false }
        return sorter.pointee.pass(copy value)
    }

    /// What guards see of `value` before it is in the soup. Nil if none looks by then.
    @inlinable
    func earlyFeatures<Value: Sendable>(of value: borrowing Value) -> Features?
    where Pointee == SlowStorage<Value> {
        guard pointee.header.isInspected.load(ordering: .acquiring),
            let copies = pointee.guarded.load(ordering: .acquiring), !copies.pointee.isReadLate
        else { return nil }
        return copies.pointee.features(of: copy value)
    }

    /// What guards see of `value`. Nil if none looks.
    @inlinable
    func features<Value: Sendable>(of value: borrowing Value) -> Features? where Pointee == SlowStorage<Value> {
        guard pointee.header.isInspected.load(ordering: .acquiring),
            let copies = pointee.guarded.load(ordering: .acquiring)
        else { return nil }
        return copies.pointee.features(of: copy value)
    }

    /// Counts copies that are ignored, and reports those that came too late.
    @usableFromInline
    @inline(never)
    func ignore<Value: Sendable>(_ count: Int, _ entry: consuming SoupEntry) where Pointee == SlowStorage<Value> {
        let slot = pointee.header.slot
        let join = entry.join
        let isDissolved = entry.contents.life.phase == .dissolved
        pointee.header.injected &+= count
        slot.tally.ignored &+= count
        // A flight recorder, which doesn't write down injections, keeps what led to the end.
        if let observation = join.observation, observation.followsInjections { observation.dropped(count, of: slot) }
        entry.leaveUnchanged()
        // A deactivated definition was asked to ignore copies, so it only counts them. After dissolution it is a
        // mishap.
        guard isDissolved else { return }
        join.report(.ignoredInjection(molecule: slot.name, location: slot.location.description, count: count))
    }
}
