@usableFromInline
final class StateSlot<Value: Sendable>: Slot {
    let storage: UnsafeMutablePointer<StateStorage<Value>>
    /// What readers see, if there are any.
    private var committed: CommittedValue<Value>?
    private var missedReset = false
    override var hasMissedReset: Bool { missedReset }

    init(name: String, location: SourceLocation, soup: SoupReference, carriesNames: Bool, initial: Value) {
        storage = .make()
        super.init(name: name, location: location)
        storage.begin(
            SlotHeader(soup: soup, kind: .state, isOldestFirst: false, carriesNames: carriesNames, slot: self),
            initial
        )
        header = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: SlotHeader.self)
        storage.pointee.header.injected = 1
    }

    deinit {
        storage.end()
    }

    override func present(_ entry: borrowing SoupEntry) -> Int { storage.pointee.isPresent ? 1 : 0 }

    override var mayBeUnused: Bool { committed != nil }

    /// Keeps the committed value for readers from now on. Called in the soup, before a reaction can have taken the
    /// state.
    func makeReadable() -> CommittedValue<Value> {
        if let committed { return committed }
        let new = CommittedValue(storage.pointee.current.pointee)
        committed = new
        storage.pointee.committed = new.memory
        storage.pointee.isRead = true
        return new
    }

    /// Adds a condition. Called in the soup, before a reaction can have taken the state.
    func add(_ condition: consuming StateCondition<Value>, _ entry: borrowing SoupEntry) {
        let count = storage.pointee.conditionCount
        let larger = UnsafeMutablePointer<StateCondition<Value>>.allocate(capacity: count + 1)
        larger.moveInitialize(from: storage.pointee.conditions, count: count)
        if count > 0 { storage.pointee.conditions.deallocate() }
        (larger + count).initialize(to: condition)
        storage.pointee.conditions = larger
        storage.pointee.conditionCount = count + 1
    }

    private struct Rest: Leftover {
        let name: String
        let value: Value
        let committed: Value?
        var count: Int { 0 }
        func fail(_ error: any Error) {}
    }

    /// Takes it out of the soup. The values stay where they are until `release`, which needs no memory then.
    override func removeAll(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        if storage.pointee.isPresent { tally.dropped += 1 }
        storage.pointee.isPresent = false
        storage.pointee.committed = nil
        return nil
    }

    override func release() {
        storage.release()
        committed = nil
    }

    override func reset(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        // If a body has the state right now, that body will put back its own result.
        missedReset = !storage.pointee.isPresent
        guard storage.pointee.isPresent, storage.pointee.isAlive else { return nil }
        tally.dropped += 1
        storage.take(entry)
        storage.pointee.header.consumed &-= 1
        for index in 0..<storage.pointee.conditionCount { storage.pointee.conditions[index].expectInitial() }
        storage.pointee.hasNews = storage.pointee.conditionCount > 0
        let (old, committed) = storage.putBack(storage.initial().pointee, entry)
        return Rest(name: name, value: old, committed: committed)
    }
}
