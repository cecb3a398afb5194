public import ChemBase
public import Synchronization

/// The memory of a slow molecule: its copies in the soup, and those in the inbox.
///
/// An injector and a worker meet only in the inbox, and only once per batch. The inbox lies behind the slot, in a cache
/// line of its own.
@usableFromInline
struct SlowStorage<Value: Sendable>: ~Copyable {
    @usableFromInline var header: SlotHeader
    @usableFromInline var bag = Bag<Value>()
    /// The copies, in place of `bag`, if guards look at them. Read outside of the soup: set when they begin to, before
    /// the definition starts.
    @usableFromInline let guarded = Atomic<UnsafeMutablePointer<GuardedCopies<Value>>?>(nil)
    /// The parts, if there are some, which the slot keeps. Read outside of the soup.
    @usableFromInline let sorter = Atomic<UnsafeMutablePointer<Sorter<Value>>?>(nil)

    init(header: consuming SlotHeader) {
        self.header = header
    }
}

extension SlowStorage<Void> {
    /// The offset of the inbox behind the slot, which puts it in another cache line. The same for every type of value;
    /// written for `Void` so that no metadata is looked up.
    @inlinable static var inboxOffset: Int { MemoryLayout<SlowStorage<Void>>.stride + MemoryLayout<CacheLine>.size }
}

// These are methods of the pointer that touch single fields. An `inout` of the whole slot would also be an access to
// fields that other threads read outside of the soup, such as `header.soup`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// The copies that injectors have left for a worker. Requires the lock of the inbox.
    @inlinable
    @inline(__always)
    func inbox<Value: Sendable>() -> UnsafeMutablePointer<Bag<Value>> where Pointee == SlowStorage<Value> {
        (UnsafeMutableRawPointer(self) + SlowStorage<Void>.inboxOffset).assumingMemoryBound(to: Bag<Value>.self)
    }

    /// Memory for a molecule, which `begin` initializes.
    static func make<Value: Sendable>() -> Self where Pointee == SlowStorage<Value> {
        let size = SlowStorage<Void>.inboxOffset + MemoryLayout<Bag<Void>>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size,
            alignment: MemoryLayout<SlowStorage<Void>>.alignment
        )
        return memory.assumingMemoryBound(to: SlowStorage<Value>.self)
    }

    /// Initializes a molecule without copies.
    ///
    /// Before there are copies, a molecule looks the same whatever its values will be. Put down as one of `Void`, its
    /// type needn't be looked up at run time, each time that one is made.
    func begin<Value: Sendable>(_ header: consuming SlotHeader) where Pointee == SlowStorage<Value> {
        assert(MemoryLayout<SlowStorage<Value>>.size == MemoryLayout<SlowStorage<Void>>.size)
        let memory = UnsafeMutableRawPointer(self)
        memory.bindMemory(to: SlowStorage<Void>.self, capacity: 1).initialize(to: SlowStorage<Void>(header: header))
        let inbox = memory + SlowStorage<Void>.inboxOffset
        inbox.bindMemory(to: Bag<Void>.self, capacity: 1).initialize(to: Bag())
        memory.bindMemory(to: SlowStorage<Value>.self, capacity: 1)
        inbox.bindMemory(to: Bag<Value>.self, capacity: 1)
    }

    /// Releases the copies and the memory.
    func end<Value: Sendable>() where Pointee == SlowStorage<Value> {
        // Most that end have no copies, and then it doesn't matter of what type, which would have to be looked up.
        let memory = UnsafeMutableRawPointer(self).assumingMemoryBound(to: SlowStorage<Void>.self)
        let inbox: UnsafeMutablePointer<Bag<Void>> = memory.inbox()
        if memory.pointee.bag.base != nil || inbox.pointee.base != nil { endBags() }
        // Nothing is left in it to be released. As a whole it would be released by what is known of it at run time.
        UnsafeMutableRawPointer(self).deallocate()
    }

    @inline(never)
    private func endBags<Value: Sendable>() where Pointee == SlowStorage<Value> {
        pointee.bag.end()
        inbox().pointee.end()
    }

    /// Takes the lock of the inbox if a worker looks after the inbox. Returns false otherwise.
    @inlinable
    @inline(__always)
    func lockInbox<Value: Sendable>() -> Bool where Pointee == SlowStorage<Value> {
        let soup = pointee.header.soup.memory
        guard soup.pointee.isAccepting.load(ordering: .relaxed) else { return false }
        soup.pointee.inboxLock.lock()
        if soup.pointee.isAccepting.load(ordering: .relaxed) { return true }
        soup.pointee.inboxLock.unlock()
        return false
    }

    /// Leaves one copy in the inbox, after `lockInbox`, and releases its lock.
    @inlinable
    @inline(__always)
    func leaveInInbox<Value: Sendable>(_ value: consuming Value) where Pointee == SlowStorage<Value> {
        inbox().pointee.put(value)
        if inbox().pointee.count == 1 { markDirty() }
        pointee.header.soup.memory.pointee.inboxLock.unlock()
    }

    /// Leaves all copies of `arriving` in the inbox, after `lockInbox`, and releases its lock.
    func leaveInInbox<Value: Sendable>(allOf arriving: inout Bag<Value>) where Pointee == SlowStorage<Value> {
        let isFirst = inbox().pointee.count == 0
        inbox().pointee.absorb(&arriving)
        if isFirst { markDirty() }
        pointee.header.soup.memory.pointee.inboxLock.unlock()
    }

    /// Tells the worker that the inbox of this slot holds something. Requires the lock of the inbox.
    @inlinable
    @inline(__always)
    func markDirty<Value: Sendable>() where Pointee == SlowStorage<Value> {
        let soup = pointee.header.soup.memory
        pointee.header.nextDirty = soup.pointee.firstDirty
        soup.pointee.firstDirty = UnsafeMutableRawPointer(self).assumingMemoryBound(to: SlotHeader.self)
    }

    /// How many copies are in the soup.
    func count<Value: Sendable>(_ entry: borrowing SoupEntry) -> Int where Pointee == SlowStorage<Value> {
        pointee.header.isGuarded ? guardedCopies().pointee.table.pointee.count : pointee.bag.count
    }

    /// The copies that guards look at. Only if there are such guards.
    @inlinable
    func guardedCopies<Value: Sendable>() -> UnsafeMutablePointer<GuardedCopies<Value>>
    where Pointee == SlowStorage<Value> {
        pointee.guarded.load(ordering: .relaxed).unsafelyUnwrapped
    }

    /// Puts one copy into the soup. Not for a molecule at whose values guards look.
    @inlinable
    @inline(__always)
    func put<Value: Sendable>(_ value: consuming Value, _ entry: borrowing SoupEntry)
    where Pointee == SlowStorage<Value> {
        pointee.bag.put(value)
        pointee.header.injected &+= 1
        let count = pointee.bag.count
        if count <= pointee.header.need { entry.grown(pointee.header.uses, from: count &- 1, to: count) }
    }

    /// Puts all copies of `arriving` into the soup.
    @inlinable
    func put<Value: Sendable>(allOf arriving: inout Bag<Value>, _ entry: borrowing SoupEntry)
    where Pointee == SlowStorage<Value> {
        let before = pointee.bag.count
        pointee.header.injected &+= arriving.count
        pointee.bag.absorb(&arriving)
        if before < pointee.header.need { entry.grown(pointee.header.uses, from: before, to: pointee.bag.count) }
    }

    /// Puts one copy into the soup, of which guards see `features`.
    @inlinable
    func put<Value: Sendable>(_ value: consuming Value, _ features: Features, _ entry: borrowing SoupEntry)
    where Pointee == SlowStorage<Value> {
        let copies: UnsafeMutablePointer<GuardedCopies<Value>> = guardedCopies()
        copies.pointee.put(value, features, entry)
        pointee.header.injected &+= 1
        let count = copies.pointee.table.pointee.count
        if count <= pointee.header.need { entry.grown(pointee.header.uses, from: count &- 1, to: count) }
    }

    /// Puts one copy into the soup, at which guards look only now.
    @inlinable
    func putLate<Value: Sendable>(_ value: consuming Value, _ entry: borrowing SoupEntry)
    where Pointee == SlowStorage<Value> {
        let features = guardedCopies().pointee.features(of: value)
        put(value, features, entry)
    }

    /// Puts copies into the soup that have left the inbox.
    @inlinable
    func takeIn<Value: Sendable>(_ entry: borrowing SoupEntry) where Pointee == SlowStorage<Value> {
        let copies: UnsafeMutablePointer<GuardedCopies<Value>> = guardedCopies()
        var ahead = 0
        while copies.pointee.arrived.count > 0 {
            if ahead == 0 { ahead = copies.pointee.readAhead() }
            ahead &-= 1
            if copies.pointee.isReadLate {
                putLate(copies.pointee.arrived.takeOldest(), entry)
            } else {
                let features = copies.pointee.arrivedFeatures.takeOldest()
                put(copies.pointee.arrived.takeOldest(), features, entry)
            }
        }
    }

    /// Takes the copy with this number out of the soup.
    @inlinable
    func take<Value: Sendable>(_ copy: CopyTable.Copy, _ entry: borrowing SoupEntry) -> Value
    where Pointee == SlowStorage<Value> {
        let copies: UnsafeMutablePointer<GuardedCopies<Value>> = guardedCopies()
        let value = copies.pointee.take(copy, entry)
        pointee.header.consumed &+= 1
        let count = copies.pointee.table.pointee.count
        if count < pointee.header.need { entry.shrunk(pointee.header.uses, from: count &+ 1, to: count) }
        return value
    }

    @inlinable
    @inline(never)
    func takeGuarded<Value: Sendable>(_ entry: borrowing SoupEntry) -> Value where Pointee == SlowStorage<Value> {
        take(chooseGuarded(entry), entry)
    }

    @usableFromInline
    func chooseGuarded<Value: Sendable>(_ entry: borrowing SoupEntry) -> CopyTable.Copy
    where Pointee == SlowStorage<Value> {
        let copies: UnsafeMutablePointer<GuardedCopies<Value>> = guardedCopies()
        return copies.pointee.table.pointee.choose(&entry.contents.matching.generator)
    }

    /// Leaves one copy in the inbox, after `lockInbox`, and releases its lock.
    @inlinable
    func leaveInInbox<Value: Sendable>(_ value: consuming Value, _ features: Features)
    where Pointee == SlowStorage<Value> {
        let copies: UnsafeMutablePointer<GuardedCopies<Value>> = guardedCopies()
        let inbox = copies.pointee.inbox
        inbox.pointee.put(features)
        leaveInInbox(value)
    }

    /// Takes one copy out of the soup.
    @inlinable
    @inline(__always)
    func take<Value: Sendable>(_ entry: borrowing SoupEntry) -> Value where Pointee == SlowStorage<Value> {
        let value: Value
        if pointee.header.isPlain {
            value = pointee.bag.takeRandom(&entry.contents.matching.generator)
        } else {
            if pointee.header.isGuarded { return takeGuarded(entry) }
            value = pointee.bag.takeOldest()
        }
        pointee.header.consumed &+= 1
        let count = pointee.bag.count
        if count < pointee.header.need { entry.shrunk(pointee.header.uses, from: count &+ 1, to: count) }
        return value
    }
}
