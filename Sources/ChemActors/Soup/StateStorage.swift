/// The memory of a state molecule: one copy by construction, changed in place by the one body that has taken it.
///
/// If it can be read from outside of a reaction, the last committed value is kept beside it. Otherwise it isn't: a
/// second copy would make every change of an array copy the array.
@usableFromInline
struct StateStorage<Value: Sendable>: ~Copyable {
    @usableFromInline var header: SlotHeader
    /// Whether the copy is in the soup. Otherwise a body has it.
    @usableFromInline var isPresent = true
    @usableFromInline let current: UnsafeMutablePointer<Value>
    /// Whether `current` points to a value. True until the definition dissolves.
    @usableFromInline var isAlive = true
    /// Whether there are readers, who have to be shown each new value.
    @usableFromInline var isRead = false
    /// Whether a condition has another answer for the value that is about to be put back. It belongs to whoever has the
    /// state.
    @usableFromInline var hasNews = false
    /// The last committed value, if there is a reader. It belongs to the `CommittedValue` that the slot holds.
    @usableFromInline var committed: UnsafeMutablePointer<Value>?
    /// What reactions want of the value.
    @usableFromInline var conditions = UnsafeMutablePointer<StateCondition<Value>>(bitPattern: 8).unsafelyUnwrapped
    @usableFromInline var conditionCount = 0

    /// Where the value lies behind it.
    static var offset: Int {
        let mask = MemoryLayout<Value>.alignment - 1
        return (MemoryLayout<StateStorage<Value>>.size + mask) & ~mask
    }

    init(header: consuming SlotHeader, current: UnsafeMutablePointer<Value>) {
        self.header = header
        self.current = current
    }

    @inlinable
    deinit {
        if isAlive { current.deinitialize(count: 1) }
        if conditionCount > 0 {
            conditions.deinitialize(count: conditionCount)
            conditions.deallocate()
        }
    }
}

// These are methods of the pointer that touch single fields, for the reason given in `SlowStorage.swift`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Memory for a state, with a place for its value behind it.
    static func make<Value: Sendable>() -> Self where Pointee == StateStorage<Value> {
        let alignment = Swift.max(MemoryLayout<StateStorage<Value>>.alignment, MemoryLayout<Value>.alignment)
        return UnsafeMutableRawPointer.allocate(
            byteCount: StateStorage<Value>.offset + MemoryLayout<Value>.stride,
            alignment: alignment
        ).bindMemory(to: StateStorage<Value>.self, capacity: 1)
    }

    /// The place for the value.
    func place<Value: Sendable>() -> UnsafeMutablePointer<Value> where Pointee == StateStorage<Value> {
        (UnsafeMutableRawPointer(self) + StateStorage<Value>.offset).bindMemory(to: Value.self, capacity: 1)
    }

    /// Takes the copy out of the soup.
    @inlinable
    @inline(__always)
    func take<Value: Sendable>(_ entry: borrowing SoupEntry) where Pointee == StateStorage<Value> {
        pointee.isPresent = false
        pointee.header.consumed &+= 1
        entry.shrunk(pointee.header.uses, from: 1, to: 0)
    }

    /// Puts the copy back. Returns the value that was committed before, to be released after leaving.
    @inlinable
    @inline(__always)
    func putBack<Value: Sendable>(_ entry: borrowing SoupEntry) -> Value? where Pointee == StateStorage<Value> {
        let previous = pointee.isRead || pointee.hasNews ? publish(entry) : nil
        pointee.isPresent = true
        pointee.header.injected &+= 1
        entry.grown(pointee.header.uses, from: 0, to: 1)
        return previous
    }

    /// Shows the new value to its readers, and says which conditions it meets.
    @inlinable
    @inline(never)
    func publish<Value: Sendable>(_ entry: borrowing SoupEntry) -> Value? where Pointee == StateStorage<Value> {
        if pointee.hasNews {
            pointee.hasNews = false
            for index in 0..<pointee.conditionCount { pointee.conditions[index].tell(entry) }
        }
        guard let committed = pointee.committed else { return nil }
        let previous = committed.move()
        committed.initialize(to: pointee.current.pointee)
        return previous
    }

    /// Finds out which conditions the value at `place` meets, before it is put back. Called outside of the soup, by
    /// whoever has taken the state.
    @inlinable
    @inline(__always)
    func look<Value: Sendable>(at place: UnsafeMutablePointer<Value>) where Pointee == StateStorage<Value> {
        if pointee.conditionCount > 0 { check(place) }
    }

    @inlinable
    @inline(never)
    func check<Value: Sendable>(_ place: UnsafeMutablePointer<Value>) where Pointee == StateStorage<Value> {
        // Taken out meanwhile: a condition can be given what is here and nowhere else without being given a copy.
        let value = place.move()
        check(value)
        place.initialize(to: consume value)
    }

    @inlinable
    @inline(never)
    func check<Value: Sendable>(_ value: borrowing Value) where Pointee == StateStorage<Value> {
        var hasNews = false
        for index in 0..<pointee.conditionCount where pointee.conditions[index].check(value) { hasNews = true }
        pointee.hasNews = hasNews
    }

    /// Puts `value` back in place of the old one, which is returned to be released after leaving.
    @inlinable
    func putBack<Value: Sendable>(_ value: consuming Value, _ entry: borrowing SoupEntry) -> (Value, Value?)
    where Pointee == StateStorage<Value> {
        let old = pointee.current.move()
        pointee.current.initialize(to: value)
        return (old, putBack(entry))
    }
}
