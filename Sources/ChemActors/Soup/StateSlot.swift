import ChemBase

/// The memory of a state molecule: one copy by construction, changed where it lies by the one body that has taken it.
///
/// If somebody may read it from outside of a reaction, the last committed value is kept beside it. Otherwise it is not: a second
/// copy would make every change of an array copy the array.
@usableFromInline
struct StateSlot<Value: Sendable>: ~Copyable {
    @usableFromInline var header: SlotHeader
    /// Whether the copy is in the soup; otherwise a body has it.
    @usableFromInline var isPresent = true
    @usableFromInline let current: UnsafeMutablePointer<Value>
    /// Whether `current` points to a value: until the definition dissolves.
    @usableFromInline var isAlive = true
    /// The last committed value, if there is a reader. It belongs to the `CommittedValue` that the description holds.
    @usableFromInline var committed: UnsafeMutablePointer<Value>?

    init(header: SlotHeader, initial: Value) {
        self.header = header
        current = .allocate(capacity: 1)
        current.initialize(to: initial)
    }

    @inlinable
    deinit {
        if isAlive { current.deinitialize(count: 1) }
        current.deallocate()
    }
}

// Functions of the pointer that touch single fields, as with `SlowSlot`.
extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Takes the value out for good, under the lock.
    func end<Value: Sendable>() -> Value? where Pointee == StateSlot<Value> {
        guard pointee.isAlive else { return nil }
        pointee.isAlive = false
        pointee.committed = nil
        return pointee.current.move()
    }

    /// Takes the copy out of the soup, under its lock.
    @inlinable
    @inline(__always)
    func take<Value: Sendable>() where Pointee == StateSlot<Value> {
        pointee.isPresent = false
        pointee.header.consumed &+= 1
        pointee.header.site.pointee.soup.shrunk(pointee.header.uses, from: 1, to: 0)
    }

    /// Puts the copy back, under the lock. Returns the value that was committed before, to be released after leaving.
    @inlinable
    @inline(__always)
    func putBack<Value: Sendable>() -> Value? where Pointee == StateSlot<Value> {
        var previous: Value?
        if let committed = pointee.committed {
            previous = committed.move()
            committed.initialize(to: pointee.current.pointee)
        }
        pointee.isPresent = true
        pointee.header.injected &+= 1
        pointee.header.site.pointee.soup.grown(pointee.header.uses, from: 0, to: 1)
        return previous
    }

    /// Puts `value` back in place of the old one, which is returned to be released after leaving. Under the lock.
    @inlinable
    func putBack<Value: Sendable>(_ value: consuming Value) -> (Value, Value?) where Pointee == StateSlot<Value> {
        let old = pointee.current.move()
        pointee.current.initialize(to: value)
        return (old, putBack())
    }
}

/// The last committed value of a state. Its readers share it, and keep it when the definition has dissolved.
final class CommittedValue<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: the memory is touched under the lock of the soup.
    fileprivate let memory: UnsafeMutablePointer<Value>

    fileprivate init(_ value: Value) {
        memory = .allocate(capacity: 1)
        memory.initialize(to: value)
    }

    deinit {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    /// The value now. `site` is that of the state.
    func read(_ site: SitePointer) -> Value {
        site.pointee.lock.lock()
        defer { site.pointee.lock.unlock() }
        return memory.pointee
    }
}

@usableFromInline
final class StateSlotDescription<Value: Sendable>: SlotDescription, @unchecked Sendable {
    let slot: UnsafeMutablePointer<StateSlot<Value>>
    /// What it holds again after the definition was cleared or activated. Nil once that has dissolved.
    private var initial: Value?
    /// What readers see, if there are any.
    private var committed: CommittedValue<Value>?

    override var kind: Kind { .state }

    init(name: String, location: SourceLocation, site: SitePointer, initial: Value) {
        slot = .allocate(capacity: 1)
        self.initial = initial
        super.init(name: name, location: location)
        slot.initialize(
            to: StateSlot(
                header: SlotHeader(
                    site: site,
                    isOldestFirst: false,
                    carriesNames: Exports.mayBeNames(Value.self),
                    description: self
                ),
                initial: initial
            )
        )
        header = UnsafeMutableRawPointer(slot).assumingMemoryBound(to: SlotHeader.self)
        slot.pointee.header.injected = 1
    }

    deinit {
        unseal()
        slot.deinitialize(count: 1)
        slot.deallocate()
    }

    override var present: Int { slot.pointee.isPresent ? 1 : 0 }

    override var isReadFromOutside: Bool { committed != nil }

    /// Keeps the committed value for readers from now on. Under the lock, before a reaction can have taken the state.
    func makeReadable() -> CommittedValue<Value> {
        if let committed { return committed }
        let new = CommittedValue(slot.pointee.current.pointee)
        committed = new
        slot.pointee.committed = new.memory
        return new
    }

    private struct Rest: Leftover {
        let name: String
        let values: [Value]
        let committed: CommittedValue<Value>?
        var count: Int { 0 }
        func fail(_ error: any Error) {}
    }

    override func removeAll() -> (any Leftover)? {
        guard let value = slot.end() else { return nil }
        if slot.pointee.isPresent { tally.dropped += 1 }
        let rest = Rest(name: name, values: [value, initial].compactMap { $0 }, committed: committed)
        initial = nil
        committed = nil
        slot.pointee.isPresent = false
        return rest
    }

    override func reset() -> (any Leftover)? {
        // A body that has it right now will put back what it makes of it.
        guard slot.pointee.isPresent, let initial else { return nil }
        tally.dropped += 1
        slot.take()
        slot.pointee.header.consumed &-= 1
        let (old, committed) = slot.putBack(initial)
        return Rest(name: name, values: [old, committed].compactMap { $0 }, committed: nil)
    }
}
