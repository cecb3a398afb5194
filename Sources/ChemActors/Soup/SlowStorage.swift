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

    init(header: SlotHeader) {
        self.header = header
    }

    /// The offset of the inbox behind the slot, which puts it in another cache line.
    @inlinable static var inboxOffset: Int { MemoryLayout<SlowStorage<Value>>.stride + MemoryLayout<CacheLine>.size }
}

// These are methods of the pointer that touch single fields. An `inout` of the whole slot would also be an access to
// fields that other threads read outside of the soup, such as `header.soup`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// The copies that injectors have left for a worker. Requires the lock of the inbox.
    @inlinable
    @inline(__always)
    func inbox<Value: Sendable>() -> UnsafeMutablePointer<Bag<Value>> where Pointee == SlowStorage<Value> {
        (UnsafeMutableRawPointer(self) + SlowStorage<Value>.inboxOffset).assumingMemoryBound(to: Bag<Value>.self)
    }

    static func make<Value: Sendable>() -> Self where Pointee == SlowStorage<Value> {
        let size = SlowStorage<Value>.inboxOffset + MemoryLayout<Bag<Value>>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size,
            alignment: MemoryLayout<SlowStorage<Value>>.alignment
        )
        (memory + SlowStorage<Value>.inboxOffset).bindMemory(to: Bag<Value>.self, capacity: 1).initialize(to: Bag())
        return memory.bindMemory(to: SlowStorage<Value>.self, capacity: 1)
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

    /// Puts one copy into the soup.
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

    /// Takes one copy out of the soup.
    @inlinable
    @inline(__always)
    func take<Value: Sendable>(_ entry: borrowing SoupEntry) -> Value where Pointee == SlowStorage<Value> {
        let value =
            pointee.header.isOldestFirst
            ? pointee.bag.takeOldest() : pointee.bag.takeRandom(&entry.contents.matching.generator)
        pointee.header.consumed &+= 1
        let count = pointee.bag.count
        if count < pointee.header.need { entry.shrunk(pointee.header.uses, from: count &+ 1, to: count) }
        return value
    }
}
