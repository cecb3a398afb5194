import ChemBase
import Synchronization

@usableFromInline
final class SlowSlot<Value: Sendable>: Slot {
    let storage: UnsafeMutablePointer<SlowStorage<Value>>
    /// Puts the initial copies into the soup whenever the definition begins anew.
    var refill: ((borrowing SoupEntry) -> Void)?
    /// The molecules that share the room that this one stands for, if they are parts of one. Touched in the soup.
    var sharers: [Slot] = []
    /// Whether every value belongs to one of the parts.
    var isDistributed = false
    /// What a recorder writes down of a value. Never changes once the definition has started.
    private var description: (@Sendable (Value) -> String)?
    /// The parts, if there are some. An object: most molecules have none, and empty arrays of a generic type would be
    /// looked up for each molecule.
    private var parts: Parts?
    /// Where the copies will be at which guards look, if there are guards. Injectors don't see it before they begin to.
    private var copies: UnsafeMutablePointer<GuardedCopies<Value>>?

    private final class Parts {
        private var all: [@Sendable (Value) -> Bool] = []
        /// With those that were made before, which an injector may still be reading.
        private var sorters: [UnsafeMutablePointer<Sorter<Value>>] = []

        func add(_ part: @escaping @Sendable (Value) -> Bool) -> UnsafeMutablePointer<Sorter<Value>> {
            all.append(part)
            let sorter = UnsafeMutablePointer<Sorter<Value>>.allocate(capacity: 1)
            sorter.initialize(to: Sorter(all))
            sorters.append(sorter)
            return sorter
        }

        deinit {
            for sorter in sorters {
                sorter.deinitialize(count: 1)
                sorter.deallocate()
            }
        }
    }

    override var mayBeUnused: Bool { isDistributed }

    init(name: String, location: SourceLocation, soup: SoupReference, isOldestFirst: Bool, carriesNames: Bool) {
        storage = .make()
        super.init(name: name, location: location)
        storage.begin(
            SlotHeader(soup: soup, kind: .slow, isOldestFirst: isOldestFirst, carriesNames: carriesNames, slot: self)
        )
        header = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: SlotHeader.self)
        if soup.memory.pointee.isObserved { header.pointee.isInspected.store(true, ordering: .relaxed) }
    }

    deinit {
        if let copies {
            copies.deinitialize(count: 1)
            copies.deallocate()
        }
        storage.end()
    }

    func describe(_ description: @escaping @Sendable (Value) -> String) {
        self.description = description
        isDescribed = true
    }

    /// What a recorder writes down of `value`.
    func text(of value: Value) -> String? { description?(value) }

    override func reset(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        let rest = removeAll(entry)
        refill?(entry)
        return rest
    }

    override func present(_ entry: borrowing SoupEntry) -> Int { storage.count(entry) }

    // A reply is an object, and a string holds none.
    override var mayCarryReplies: Bool { !_isPOD(Value.self) && Value.self != String.self }

    override var leaveAtRandom: Bool { header.pointee.isPlain && !areAlike }

    override var areAlike: Bool { MemoryLayout<Value>.size == 0 && !header.pointee.isGuarded }

    override var inInbox: Int { storage.inbox().pointee.count }

    override func absorb(_ entry: borrowing SoupEntry) {
        if header.pointee.isGuarded {
            // Nothing has arrived before that isn't in the table.
            let copies: UnsafeMutablePointer<GuardedCopies<Value>> = storage.guardedCopies()
            copies.pointee.arrived.absorb(&storage.inbox().pointee)
            copies.pointee.arrivedFeatures.absorb(&copies.pointee.inbox.pointee)
            header.pointee.nextArrived = entry.contents.firstArrived
            entry.contents.firstArrived = header
        } else {
            storage.put(allOf: &storage.inbox().pointee, entry)
        }
    }

    private final class Rest: Leftover {
        let name: String
        let count: Int
        /// Touched by whoever takes the copies out, and by whoever releases them.
        let bag = SharedPointer<Bag<Value>>(.allocate(capacity: 1))

        init(name: String, count: Int) {
            self.name = name
            self.count = count
            bag.memory.initialize(to: Bag())
        }

        deinit {
            bag.memory.deinitialize(count: 1)
            bag.memory.deallocate()
        }

        func fail(_ error: any Error) {}
    }

    override func removeAll(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        let count = storage.count(entry)
        guard count > 0 else { return nil }
        tally.dropped &+= count
        let rest = Rest(name: name, count: count)
        if header.pointee.isGuarded {
            storage.guardedCopies().pointee.removeAll(into: &rest.bag.memory.pointee, entry)
        } else {
            rest.bag.memory.pointee.trade(with: &storage.pointee.bag)
        }
        entry.shrunk(header.pointee.uses, from: count, to: 0)
        return rest
    }

    override var isLookedAtByGuards: Bool { copies != nil }

    override var hasParts: Bool { storage.pointee.sorter.load(ordering: .acquiring) != nil }

    override func endLessons() {
        // Guards and parts are there before the first copy, and stay.
        guard !header.pointee.carriesNames, !hasParts, !isLookedAtByGuards else { return }
        header.pointee.isInspected.store(false, ordering: .relaxed)
    }

    // MARK: Guards

    /// Adds a part, behind the others: it injects a value if it is its own, and says so. Called in the soup, while the
    /// definition is being made.
    func addPart(_ part: @escaping @Sendable (Value) -> Bool, _ entry: borrowing SoupEntry) {
        let parts = self.parts ?? Parts()
        self.parts = parts
        storage.pointee.sorter.store(parts.add(part), ordering: .releasing)
        header.pointee.isInspected.store(true, ordering: .releasing)
    }

    /// Adds an index to which guards look for copies. Called in the soup, while the definition is being made.
    ///
    /// - Returns: where the copies are, and the number of the index among those of the molecule.
    func attach(
        _ index: GuardIndex,
        as member: Int,
        _ feature: @escaping @Sendable (Value) -> Feature,
        isOurs: Bool,
        _ takeIn: @escaping TakeIn<Value>,
        _ entry: borrowing SoupEntry
    ) -> (table: UnsafeMutablePointer<CopyTable>, attachment: Int) {
        let copies: UnsafeMutablePointer<GuardedCopies<Value>>
        if let known = self.copies {
            copies = known
            copies.pointee.others.append(feature)
        } else {
            copies = .allocate(capacity: 1)
            copies.initialize(to: GuardedCopies(isOldestFirst: header.pointee.isOldestFirst, feature, takeIn))
            self.copies = copies
        }
        if !isOurs { copies.pointee.isReadLate = false }
        return (copies.pointee.table, copies.pointee.table.pointee.attach(index, as: member))
    }

    /// From now on guards look at all copies: at those that are there, too.
    override func beginGuarding() {
        guard let copies else { return }
        var bag = Bag<Value>()
        let entry = header.pointee.soup.enter()
        // Not before all guards are there: what the closure has injected so far is in the bag, as matching knows it.
        storage.pointee.guarded.store(copies, ordering: .releasing)
        header.pointee.beginGuarding()
        copies.pointee.table.pointee.learn(header.pointee.uses)
        bag.trade(with: &storage.pointee.bag)
        entry.shrunk(header.pointee.uses, from: bag.count, to: 0)
        entry.leaveUnchanged()
        // No injection: these were counted.
        while bag.count > 0 {
            let value = bag.takeOldest()
            let features = copies.pointee.features(of: value)
            let entry = header.pointee.soup.enter()
            storage.put(value, features, entry)
            header.pointee.injected &-= 1
            entry.leaveUnchanged()
        }
    }

    override func injectLate(_ value: Any, _ entry: consuming SoupEntry) {
        guard let value = value as? Value else { fatalError("ChemActors: a copy of another type") }
        entry.leaveUnchanged()
        storage.injectInspected(value)
    }

    override func takeIn(_ entry: borrowing SoupEntry) {
        let copies: UnsafeMutablePointer<GuardedCopies<Value>> = storage.guardedCopies()
        copies.pointee.takeIn(storage, entry)
    }
}
