@usableFromInline
final class StateSlot<Value: Sendable>: Slot, @unchecked Sendable {
    let storage: UnsafeMutablePointer<StateStorage<Value>>
    /// The value it gets again when the definition is cleared or activated. Nil once the definition has dissolved.
    private var initial: Value?
    /// What readers see, if there are any.
    private var committed: CommittedValue<Value>?

    override var kind: Kind { .state }

    init(name: String, location: SourceLocation, soup: SoupReference, carriesNames: Bool, initial: Value) {
        storage = .make()
        self.initial = initial
        super.init(name: name, location: location)
        storage.initialize(
            to: StateStorage(
                header: SlotHeader(soup: soup, isOldestFirst: false, carriesNames: carriesNames, slot: self),
                current: storage.place()
            )
        )
        storage.pointee.current.initialize(to: initial)
        header = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: SlotHeader.self)
        storage.pointee.header.injected = 1
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    override func present(_ entry: borrowing SoupEntry) -> Int { storage.pointee.isPresent ? 1 : 0 }

    override var isReadFromOutside: Bool { committed != nil }

    /// Keeps the committed value for readers from now on. Called in the soup, before a reaction can have taken the
    /// state.
    func makeReadable() -> CommittedValue<Value> {
        if let committed { return committed }
        let new = CommittedValue(storage.pointee.current.pointee)
        committed = new
        storage.pointee.committed = new.memory
        return new
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
        guard storage.pointee.isAlive else { return }
        storage.pointee.isAlive = false
        storage.pointee.current.deinitialize(count: 1)
        initial = nil
        committed = nil
    }

    override func reset(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        // If a body has the state right now, that body will put back its own result.
        guard storage.pointee.isPresent, let initial else { return nil }
        tally.dropped += 1
        storage.take(entry)
        storage.pointee.header.consumed &-= 1
        let (old, committed) = storage.putBack(initial, entry)
        return Rest(name: name, value: old, committed: committed)
    }
}
