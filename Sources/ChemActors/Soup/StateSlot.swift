@usableFromInline
final class StateSlot<Value: Sendable>: Slot, @unchecked Sendable {
    let storage: UnsafeMutablePointer<StateStorage<Value>>
    /// The value it gets again when the definition is cleared or activated. Nil once the definition has dissolved.
    private var initial: Value?
    /// What readers see, if there are any.
    private var committed: CommittedValue<Value>?

    override var kind: Kind { .state }

    init(name: String, location: SourceLocation, soup: SoupReference, carriesNames: Bool, initial: Value) {
        storage = .allocate(capacity: 1)
        self.initial = initial
        super.init(name: name, location: location)
        storage.initialize(
            to: StateStorage(
                header: SlotHeader(soup: soup, isOldestFirst: false, carriesNames: carriesNames, slot: self),
                initial: initial
            )
        )
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
        let values: [Value]
        let committed: CommittedValue<Value>?
        var count: Int { 0 }
        func fail(_ error: any Error) {}
    }

    override func removeAll(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        guard let value = storage.end(entry) else { return nil }
        if storage.pointee.isPresent { tally.dropped += 1 }
        let rest = Rest(name: name, values: [value, initial].compactMap { $0 }, committed: committed)
        initial = nil
        committed = nil
        storage.pointee.isPresent = false
        return rest
    }

    override func reset(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        // If a body has the state right now, that body will put back its own result.
        guard storage.pointee.isPresent, let initial else { return nil }
        tally.dropped += 1
        storage.take(entry)
        storage.pointee.header.consumed &-= 1
        let (old, committed) = storage.putBack(initial, entry)
        return Rest(name: name, values: [old, committed].compactMap { $0 }, committed: nil)
    }
}
