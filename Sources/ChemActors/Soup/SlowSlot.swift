/// The memory of a slow molecule: its copies in the soup, and those in the inbox.
///
/// An injector and a worker meet only in the inbox, and only once a batch: it lies behind the slot, in a cache line of its own.
@usableFromInline
struct SlowSlot<Value: Sendable>: ~Copyable {
    @usableFromInline var header: SlotHeader
    @usableFromInline var bag = Bag<Value>()

    init(header: SlotHeader) {
        self.header = header
    }

    /// How far behind the slot its inbox lies: in another cache line.
    @inlinable static var inboxOffset: Int { MemoryLayout<SlowSlot<Value>>.stride + MemoryLayout<CacheLine>.size }
}

// These are functions of the pointer and touch single fields: an `inout` of the whole slot would be an access to what other
// threads read without the lock, such as `header.site`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// The copies that injectors have left for a worker. Under the lock of the inbox.
    @inlinable
    @inline(__always)
    func inbox<Value: Sendable>() -> UnsafeMutablePointer<Bag<Value>> where Pointee == SlowSlot<Value> {
        (UnsafeMutableRawPointer(self) + SlowSlot<Value>.inboxOffset).assumingMemoryBound(to: Bag<Value>.self)
    }

    static func make<Value: Sendable>() -> Self where Pointee == SlowSlot<Value> {
        let size = SlowSlot<Value>.inboxOffset + MemoryLayout<Bag<Value>>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size,
            alignment: MemoryLayout<SlowSlot<Value>>.alignment
        )
        (memory + SlowSlot<Value>.inboxOffset).bindMemory(to: Bag<Value>.self, capacity: 1).initialize(to: Bag())
        return memory.bindMemory(to: SlowSlot<Value>.self, capacity: 1)
    }

    /// Puts one copy into the soup, under its lock.
    @inlinable
    @inline(__always)
    func put<Value: Sendable>(_ value: consuming Value) where Pointee == SlowSlot<Value> {
        pointee.bag.put(value)
        pointee.header.injected &+= 1
        let count = pointee.bag.count
        if count <= pointee.header.need {
            pointee.header.site.pointee.soup.grown(pointee.header.uses, from: count &- 1, to: count)
        }
    }

    /// Takes one copy out of the soup, under its lock.
    @inlinable
    @inline(__always)
    func take<Value: Sendable>() -> Value where Pointee == SlowSlot<Value> {
        let value =
            pointee.header.isOldestFirst
            ? pointee.bag.takeOldest() : pointee.bag.takeRandom(&pointee.header.site.pointee.soup.generator)
        pointee.header.consumed &+= 1
        let count = pointee.bag.count
        if count < pointee.header.need {
            pointee.header.site.pointee.soup.shrunk(pointee.header.uses, from: count &+ 1, to: count)
        }
        return value
    }
}

@usableFromInline
final class SlowSlotDescription<Value: Sendable>: SlotDescription, @unchecked Sendable {
    let slot: UnsafeMutablePointer<SlowSlot<Value>>
    /// Puts what is there whenever the definition begins anew. Under the lock.
    var refill: ((UnsafeMutablePointer<SlowSlot<Value>>) -> Void)?

    override var kind: Kind { .slow }

    init(name: String, location: SourceLocation, site: UnsafeMutablePointer<ReactionSite>, isOldestFirst: Bool) {
        slot = .make()
        super.init(name: name, location: location)
        slot.initialize(
            to: SlowSlot(
                header: SlotHeader(
                    site: site,
                    isOldestFirst: isOldestFirst,
                    carriesNames: Exports.mayBeNames(Value.self),
                    description: self
                )
            )
        )
        header = UnsafeMutableRawPointer(slot).assumingMemoryBound(to: SlotHeader.self)
    }

    deinit {
        unseal()
        slot.inbox().deinitialize(count: 1)
        slot.deinitialize(count: 1)
        slot.deallocate()
    }

    override func reset() -> (any Leftover)? {
        let rest = removeAll()
        refill?(slot)
        return rest
    }

    override var present: Int { slot.pointee.bag.count }

    override var inInbox: Int { slot.inbox().pointee.count }

    override func absorb() {
        let before = slot.pointee.bag.count
        slot.pointee.header.injected += slot.inbox().pointee.count
        slot.pointee.bag.absorb(&slot.inbox().pointee)
        if before < slot.pointee.header.need {
            header.pointee.site.pointee.soup.grown(slot.pointee.header.uses, from: before, to: slot.pointee.bag.count)
        }
    }

    private final class Rest: Leftover {
        let name: String
        var bag = Bag<Value>()
        var count: Int { bag.count }
        init(name: String) { self.name = name }
        func fail(_ error: any Error) {}
    }

    override func removeAll() -> (any Leftover)? {
        let count = slot.pointee.bag.count
        guard count > 0 else { return nil }
        tally.dropped += count
        let rest = Rest(name: name)
        swap(&rest.bag, &slot.pointee.bag)
        header.pointee.site.pointee.soup.shrunk(slot.pointee.header.uses, from: count, to: 0)
        return rest
    }
}
