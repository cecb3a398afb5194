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
    /// Whether `current` points to a value, and the place behind it to the initial one. True until the definition
    /// dissolves.
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

    init(header: consuming SlotHeader, current: UnsafeMutablePointer<Value>) {
        self.header = header
        self.current = current
    }
}

// These are methods of the pointer that touch single fields, for the reason given in `SlowStorage.swift`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Memory for a state, which `begin` initializes, with two places for values behind it.
    static func make<Value: Sendable>() -> Self where Pointee == StateStorage<Value> {
        let values = MemoryLayout<Value>.stride + MemoryLayout<Value>.size
        return UnsafeMutableRawPointer.allocate(
            byteCount: placeOffset(MemoryLayout<Value>.alignment) + values,
            alignment: Swift.max(MemoryLayout<StateStorage<Void>>.alignment, MemoryLayout<Value>.alignment)
        ).assumingMemoryBound(to: StateStorage<Value>.self)
    }

    private static func placeOffset(_ alignment: Int) -> Int {
        (MemoryLayout<StateStorage<Void>>.size + alignment - 1) & ~(alignment - 1)
    }

    /// Initializes a state, which looks the same whatever its value, but for that value. See `SlowStorage`.
    func begin<Value: Sendable>(_ header: consuming SlotHeader, _ value: Value)
    where Pointee == StateStorage<Value> {
        assert(MemoryLayout<StateStorage<Value>>.size == MemoryLayout<StateStorage<Void>>.size)
        let memory = UnsafeMutableRawPointer(self)
        let place = memory + Self.placeOffset(MemoryLayout<Value>.alignment)
        let current = place.bindMemory(to: Value.self, capacity: 2)
        current.initialize(to: value)
        (current + 1).initialize(to: value)
        let any = place.assumingMemoryBound(to: Void.self)
        memory.bindMemory(to: StateStorage<Void>.self, capacity: 1)
            .initialize(to: StateStorage<Void>(header: header, current: any))
        memory.bindMemory(to: StateStorage<Value>.self, capacity: 1)
    }

    /// The value with which the definition begins. It's there as long as the state is alive.
    func initial<Value: Sendable>() -> UnsafeMutablePointer<Value> where Pointee == StateStorage<Value> {
        pointee.current + 1
    }

    /// Releases the values, and the closures of conditions. Called outside of the soup, when nobody asks for them any
    /// more.
    func release<Value: Sendable>() where Pointee == StateStorage<Value> {
        guard pointee.isAlive else { return }
        pointee.isAlive = false
        pointee.current.deinitialize(count: 2)
        let count = pointee.conditionCount
        guard count > 0 else { return }
        pointee.conditionCount = 0
        pointee.conditions.deinitialize(count: count)
        pointee.conditions.deallocate()
    }

    /// Releases everything.
    func end<Value: Sendable>() where Pointee == StateStorage<Value> {
        release()
        UnsafeMutableRawPointer(self).deallocate()
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
