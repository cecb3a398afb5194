@usableFromInline
final class SlowSlot<Value: Sendable>: Slot, @unchecked Sendable {
    let storage: UnsafeMutablePointer<SlowStorage<Value>>
    /// Puts the initial copies into the soup whenever the definition begins anew.
    var refill: ((borrowing SoupEntry) -> Void)?

    override var kind: Kind { .slow }

    init(name: String, location: SourceLocation, soup: SoupReference, isOldestFirst: Bool, carriesNames: Bool) {
        storage = .make()
        super.init(name: name, location: location)
        storage.initialize(
            to: SlowStorage(
                header: SlotHeader(soup: soup, isOldestFirst: isOldestFirst, carriesNames: carriesNames, slot: self)
            )
        )
        header = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: SlotHeader.self)
    }

    deinit {
        storage.inbox().deinitialize(count: 1)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    override func reset(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        let rest = removeAll(entry)
        refill?(entry)
        return rest
    }

    override func present(_ entry: borrowing SoupEntry) -> Int { storage.pointee.bag.count }

    override var inInbox: Int { storage.inbox().pointee.count }

    override func absorb(_ entry: borrowing SoupEntry) {
        storage.put(allOf: &storage.inbox().pointee, entry)
    }

    private final class Rest: Leftover {
        let name: String
        var bag = Bag<Value>()
        var count: Int { bag.count }
        init(name: String) { self.name = name }
        func fail(_ error: any Error) {}
    }

    override func removeAll(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        let count = storage.pointee.bag.count
        guard count > 0 else { return nil }
        tally.dropped += count
        let rest = Rest(name: name)
        swap(&rest.bag, &storage.pointee.bag)
        entry.shrunk(header.pointee.uses, from: count, to: 0)
        return rest
    }
}
