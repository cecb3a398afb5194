/// The copies of a slow molecule whose values guards look at.
///
/// They lie at the numbers that the table gives them. The memory is made when the first reaction with such a guard is
/// declared, and used from the moment when the definition is sealed.
@usableFromInline
struct GuardedCopies<Value: Sendable>: ~Copyable {
    @usableFromInline let table: UnsafeMutablePointer<CopyTable>
    @usableFromInline var values =
        UnsafeMutablePointer<Value>(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped
    @usableFromInline var capacity = 0
    /// What the first index sees of a value. Called outside of the soup, as are the others.
    @usableFromInline let first: FeatureSource<Value>
    /// What the other indexes see, in their order.
    @usableFromInline var others: [@Sendable (Value) -> Feature] = []
    /// Whether all of these run no code of a user: they read a number. Then whoever puts a copy into the table calls
    /// them, in the soup, and not who injects it. Fixed before the definition starts.
    @usableFromInline var isReadLate = true
    /// What was seen of the copies in the inbox, in their order. Protected by the lock of the inbox, and so not a part
    /// of this, all of which counts as changed when a method changes some of it.
    @usableFromInline let inbox: UnsafeMutablePointer<Bag<Features>>
    /// What has left the inbox and isn't in the table yet.
    @usableFromInline var arrived = Bag<Value>()
    @usableFromInline var arrivedFeatures = Bag<Features>()
    /// Puts what has arrived into the table. It's made where the type of the values is known.
    let takeIn: TakeIn<Value>

    init(isOldestFirst: Bool, _ feature: @escaping @Sendable (Value) -> Feature, _ takeIn: @escaping TakeIn<Value>) {
        table = .allocate(capacity: 1)
        table.initialize(to: CopyTable(isOldestFirst ? .oldest : .random))
        first = FeatureSource(read: feature)
        self.takeIn = takeIn
        inbox = .allocate(capacity: 1)
        inbox.initialize(to: Bag())
    }

    deinit {
        for copy in table.pointee.copies { (values + Int(copy)).deinitialize(count: 1) }
        if capacity > 0 { values.deallocate() }
        table.deinitialize(count: 1)
        table.deallocate()
        inbox.deinitialize(count: 1)
        inbox.deallocate()
    }

    /// What the indexes see of `value`.
    @inlinable
    @inline(__always)
    borrowing func features(of value: Value) -> Features {
        if others.isEmpty { return Features(first(value)) }
        return Features(first(value), others.map { $0(value) })
    }

    @inlinable
    @inline(__always)
    mutating func put(_ value: consuming Value, _ seen: borrowing Features, _ entry: borrowing SoupEntry) {
        let copy = table.pointee.add()
        if table.pointee.capacity > capacity { grow() }
        (values + Int(copy)).initialize(to: value)
        table.pointee.index(copy, seen, entry)
    }

    @inlinable
    @inline(__always)
    mutating func take(_ copy: CopyTable.Copy, _ entry: borrowing SoupEntry) -> Value {
        table.pointee.unindex(copy, entry)
        table.pointee.remove(copy)
        let value = (values + Int(copy)).move()
        if table.pointee.isOversized { giveBack() }
        return value
    }

    /// Reads what an index needs for the copies that come next, all at once: what lies far away is then fetched side by
    /// side.
    ///
    /// - Returns: for how many copies that has been done, or needn't be.
    @inlinable
    func readAhead() -> Int {
        let next = min(arrived.count, CopyTable.ahead)
        guard next > 1, table.pointee.readsAhead else { return arrived.count }
        for index in 0..<next {
            if isReadLate {
                arrived.withElement(index) { table.pointee.expect(first($0)) }
            } else {
                arrivedFeatures.withElement(index) { table.pointee.expect($0.first) }
            }
        }
        table.pointee.expectGroups()
        return next
    }

    /// Takes everything out.
    mutating func removeAll(into bag: inout Bag<Value>, _ entry: borrowing SoupEntry) {
        for copy in table.pointee.copies { bag.put(take(copy, entry)) }
    }

    @usableFromInline
    mutating func grow() {
        let larger = table.pointee.capacity
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: larger)
        // All numbers below the old capacity are in use but the new one, which isn't initialized yet.
        if capacity > 0 {
            memory.moveInitialize(from: values, count: capacity)
            values.deallocate()
        }
        values = memory
        capacity = larger
    }

    @usableFromInline
    mutating func giveBack() {
        table.pointee.giveBack()
        values.deallocate()
        capacity = 0
    }
}

/// What an index sees of a value. Not copyable, so that the closure isn't retained for a call.
@usableFromInline
struct FeatureSource<Value: Sendable>: ~Copyable {
    @usableFromInline let read: @Sendable (Value) -> Feature

    init(read: @escaping @Sendable (Value) -> Feature) {
        self.read = read
    }

    @inlinable
    @inline(__always)
    borrowing func callAsFunction(_ value: Value) -> Feature { read(value) }
}

/// Puts copies that have arrived into the table.
@usableFromInline typealias TakeIn<Value: Sendable> =
    @Sendable (UnsafeMutablePointer<SlowStorage<Value>>, borrowing SoupEntry) -> Void
