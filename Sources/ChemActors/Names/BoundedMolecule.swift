import ChemBase
import Synchronization

/// The name of a slow molecule of which only a limited number of copies can wait: back-pressure.
///
/// ```swift
/// let (jobs, stop) = Join.define("printer") { join in
///     let jobs = join.bounded("job", of: Page.self, capacity: 10)
///     join.when(jobs, printer) { page, _ in try await print(page); printer() }  // one page at a time
///     …
/// }
/// try await jobs.inject(page)             // waits for room
/// if !jobs.tryInject(page) { retryLater() }
/// ```
///
/// It has no call syntax: with one, asynchronous code would wait without showing it, and synchronous code would ignore
/// the capacity. A copy takes up room from its injection until a reaction consumes it. Waiting injectors are served
/// oldest first.
///
/// A body that waits for room in its own definition may wait for ever: it may be the one that would make room.
public struct BoundedMolecule<Value: Sendable>: Molecule {
    /// The copies, the room that is left, and the injectors that wait for room.
    let item: SlowMolecule<Value>
    let room: SlowMolecule<Void>
    let put: FastMolecule<Value, Void>
    let capacity: Int

    init(item: SlowMolecule<Value>, room: SlowMolecule<Void>, put: FastMolecule<Value, Void>, capacity: Int) {
        self.capacity = capacity
        self.item = item
        self.room = room
        self.put = put
    }

    /// Injects a copy that carries `value`, as soon as there is room.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, or a ``CallError`` if the definition ends, while it
    ///   waits. In both cases nothing was injected.
    nonisolated(nonsending) public func inject(
        _ value: Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try Task.checkCancellation()
        if tryInject(value) { return }
        try await put(value, fileID: fileID, line: line)
    }

    /// Injects a copy that carries `value`, as soon as there is room and before `duration` has passed.
    ///
    /// - Parameters:
    ///   - value: The value that the copy carries.
    ///   - duration: How long to wait for room. Zero or less: only if there is room now.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Throws: the same errors as ``inject(_:fileID:line:)``, or ``CallError/Code/timedOut``.
    nonisolated(nonsending) public func inject(
        _ value: Value,
        within duration: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try Task.checkCancellation()
        if tryInject(value) { return }
        try await put(value, within: duration, fileID: fileID, line: line)
    }

    /// Injects a copy that carries `value` if there is room now and no other injector is waiting for it.
    ///
    /// - Returns: whether it was injected.
    public func tryInject(_ value: Value) -> Bool {
        if let part = part(for: value) { return part.tryInject(value) }
        let soup = item.storage.pointee.header.soup
        let value = item.storage.pointee.header.carriesNames ? Exports.onto(soup, value) : value
        // What guards see of it is found out outside of the soup.
        let features = item.storage.features(of: value)
        // Whether it is accepted is found out in the soup, so it is told of there and afterwards.
        let injection = soup.memory.pointee.isObserved ? item.storage.observedInjection(of: value) : nil
        soup.tellOfTry(put.slot)
        let entry = soup.enterAsCaller()
        if features == nil, item.storage.pointee.header.isGuarded {
            // Guards have begun to look meanwhile.
            entry.leaveUnchanged()
            return tryInject(value)
        }
        let isAccepted =
            !entry.contents.life.phase.ignoresInjections && room.storage.pointee.bag.count > 0
            && put.storage.pointee.waiting == 0 && !isRoomAwaited(entry)
        if isAccepted {
            room.storage.take(entry)
            if let features { item.storage.put(value, features, entry) } else { item.storage.put(value, entry) }
            injection?.writeDown(entry)
        }
        entry.leave()
        if isAccepted { injection?.tell() }
        soup.bodyHasActed()
        return isAccepted
    }

    /// Whether an injector of another part is about to get room.
    private func isRoomAwaited(_ entry: borrowing SoupEntry) -> Bool {
        room.storage.pointee.header.uses.contains {
            entry.contents.matching.readiness[Int($0.reaction)].missing == 0
        }
    }

    /// Adds itself. Only for `when`.
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> { molecules.add(item.storage) }

    /// Takes one copy for a reaction. Only for `when`.
    public func _take(_ entry: borrowing SoupEntry) -> Value {
        let value = item.storage.take(entry)
        makeRoom(entry)
        return value
    }

    /// Puts the room of a copy that was taken into the soup.
    func makeRoom(_ entry: borrowing SoupEntry) {
        let sharers = roomSlot.sharers
        let present = sharers.isEmpty ? item.storage.count(entry) : sharers.reduce(0) { $0 + $1.present(entry) }
        // Putting back may exceed the capacity, and a copy above it leaves no room behind.
        if present + room.storage.pointee.bag.count < capacity { room.storage.put((), entry) }
    }

    private var roomSlot: SlowSlot<Void> { unsafeDowncast(room.storage.pointee.header.slot, to: SlowSlot<Void>.self) }

    /// Shares its room with a part of it.
    func share(with part: BoundedMolecule) {
        let entry = room.storage.pointee.header.soup.enter()
        if roomSlot.sharers.isEmpty { roomSlot.sharers.append(item.storage.pointee.header.slot) }
        roomSlot.sharers.append(part.item.storage.pointee.header.slot)
        entry.leaveUnchanged()
    }

    /// The part that `value` belongs to, if there is one.
    private func part(for value: Value) -> BoundedMolecule? {
        guard put.storage.pointee.header.isInspected.load(ordering: .relaxed),
            let sorter = put.storage.pointee.sorter.load(ordering: .acquiring)
        else { return nil }
        let part = Unmanaged<CallSorter<Value, Void>>.fromOpaque(sorter)._withUnsafeGuaranteedRef {
            $0.part(for: value)
        }
        guard let part, let copies = part.item else { return nil }
        return BoundedMolecule(
            item: SlowMolecule(storage: copies.memory, anchor: item.anchor),
            room: room,
            put: FastMolecule(storage: part.calls.memory, anchor: put.anchor),
            capacity: capacity
        )
    }

    /// Tells the caller of a failed reaction, if there is one. Only for `when`.
    public func _fail(_ input: Value, _ error: any Error, _ end: borrowing FailedReaction) -> Bool { false }

    /// Puts back what a failed reaction had taken, above the capacity if need be: nothing may be lost.
    public func _putBack(_ input: Value, _ end: borrowing FailedReaction) {
        item.putBack(input) { entry in
            // A definition that was deactivated meanwhile drops the copy: all its room is free again, and must stay
            // free.
            if !entry.contents.life.phase.ignoresInjections, room.storage.pointee.bag.count > 0 {
                room.storage.take(entry)
            }
        }
    }
}

extension BoundedMolecule: Hashable {
    /// Whether both name the same molecule of the same definition, exported or not.
    public static func == (one: BoundedMolecule, other: BoundedMolecule) -> Bool { one.item == other.item }

    /// Feeds the identity of the molecule to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(item) }
}

extension BoundedMolecule: CustomStringConvertible {
    /// The name of the definition and of the molecule, such as `printer.job`.
    public var description: String { item.description }
}

extension BoundedMolecule: Exportable {
    /// The same name, holding a lease on its definition.
    public var exported: BoundedMolecule {
        BoundedMolecule(item: item.exported, room: room.exported, put: put.exported, capacity: capacity)
    }
}

extension Join.Builder {
    /// Declares a slow molecule of which at most `capacity` copies wait.
    ///
    /// - Parameters:
    ///   - name: What the molecule is called in messages.
    ///   - type: The type of the value that each copy carries.
    ///   - capacity: How many copies may wait, at least 1.
    ///   - order: Which copy a reaction takes: any one, by default, or the oldest.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the molecule.
    public func bounded<Value: Sendable>(
        _ name: String,
        of type: Value.Type = Value.self,
        capacity: Int,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> BoundedMolecule<Value> {
        guard capacity >= 1 else {
            fatalError(
                "ChemActors: definition '\(join.name)': \(name.isEmpty ? "a bounded molecule" : "the bounded molecule '\(name)'") (\(fileID):\(line)) needs a capacity of "
                    + "at least 1, not \(capacity)",
                file: fileID,
                line: line
            )
        }
        let item = slow(name, of: type, order: order, fileID: fileID, line: line)
        let room = slow("\(name).room", fileID: fileID, line: line)
        let put = fast("\(name).inject", of: type, order: .oldestFirst, fileID: fileID, line: line)
        // The copy and the room that it takes change hands in one step of the soup, so that clearing can't come between
        // them.
        turn(put, into: item, with: room, fileID: fileID, line: line)
        let entry = join.soup.enter()
        entry.state.chemistry.rooms.append((item.storage.pointee.header.slot, room.storage.pointee.header.slot))
        entry.leaveUnchanged()
        let capacity = capacity.countable
        room.fillUp(to: capacity)
        return BoundedMolecule(item: item, room: room, put: put, capacity: capacity)
    }

    /// Declares a slow molecule that carries no value, of which at most `capacity` copies wait.
    ///
    /// - Parameters:
    ///   - name: What the molecule is called in messages.
    ///   - capacity: How many copies may wait, at least 1.
    ///   - order: Which copy a reaction takes. The copies can't be told apart, but a stream requires the oldest-first
    ///     order.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the molecule.
    public func bounded(
        _ name: String,
        capacity: Int,
        order: Join.Order = .random,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> BoundedMolecule<Void> {
        bounded(name, of: Void.self, capacity: capacity, order: order, fileID: fileID, line: line)
    }
}

extension BoundedMolecule where Value == Void {
    /// Injects a copy that carries no value, as soon as there is room.
    ///
    /// - Throws: as ``inject(_:fileID:line:)``.
    nonisolated(nonsending) public func inject(fileID: StaticString = #fileID, line: UInt = #line) async throws {
        try await inject((), fileID: fileID, line: line)
    }

    /// Injects a copy that carries no value if there is room now and no other injector is waiting for it.
    ///
    /// - Returns: whether it was injected.
    public func tryInject() -> Bool { tryInject(()) }
}

extension SlowMolecule where Value == Void {
    /// Injects `count` copies, now and whenever the definition begins anew.
    fileprivate func fillUp(to count: Int) {
        let slot = unsafeDowncast(storage.pointee.header.slot, to: SlowSlot<Void>.self)
        // In one step: the machine may be cleared while this definition is being made.
        let entry = storage.pointee.header.soup.enter()
        slot.refill = { [pointer] entry in
            // Copies without values are a number, however many they are.
            var all = Bag<Void>()
            all.count = count
            pointer.memory.put(allOf: &all, entry)
        }
        slot.refill?(entry)
        entry.leave()
    }
}
