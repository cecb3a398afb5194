public import ChemBase

// A molecule is split by its values into parts, which reactions use like molecules. Whoever injects a value finds out
// which part it belongs to, before entering the soup.

extension Join.Builder {
    /// Declares a part of a slow molecule: the copies whose values `projection` takes, with what it makes of them.
    ///
    /// ```swift
    /// enum Message { case text(String), picture(Data), bye }
    ///
    /// let message = join.slow("message", of: Message.self, order: .oldestFirst)
    /// let text = join.part("text", of: message) { message in
    ///     if case .text(let text) = message { text } else { nil }
    /// }
    /// join.when(text, printer) { text, _ in print(text) }
    /// join.when(message) { message in handle(message) }   // what no part takes
    /// ```
    ///
    /// What is injected as `molecule` and belongs to the part becomes a copy of the part, in one step. If several parts
    /// would take a value, the one that was declared first gets it. What none takes stays a copy of `molecule`, which
    /// some reaction has to consume. The part's own name can be injected too, whatever the value.
    ///
    /// The projection runs in whoever injects the value, outside of any lock. In a soup, parts are molecules like any
    /// others: each has its order, its counts in snapshots and statistics, and its own parts if need be. With parts,
    /// ``SlowMolecule/inject(contentsOf:)-(Sequence<Value>)`` injects one copy after the other.
    ///
    /// - Parameters:
    ///   - name: What the part is called in messages.
    ///   - molecule: A molecule of this definition.
    ///   - order: Which copy a reaction takes; nil for the order of `molecule`.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - projection: What the part carries, or nil if the value doesn't belong to it. It must depend on the value
    ///     alone, be short and not inject anything. The definition keeps it as long as anybody may inject, so it
    ///     captures the definition's handle weakly, if at all, and none of its names.
    /// - Returns: the name of the part.
    /// - Complexity: O(parts declared before) for each injection.
    @inlinable
    public func part<Value: Sendable, Part: Sendable>(
        _ name: String,
        of molecule: SlowMolecule<Value>,
        order: Join.Order? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ projection: @escaping @Sendable (Value) -> Part?
    ) -> SlowMolecule<Part> {
        let part: SlowMolecule<Part> = slow(name, order: order ?? molecule.order, fileID: fileID, line: line)
        let target = PartTarget(part)
        addPart(of: molecule, fileID, line) { value in
            guard let content = projection(value) else { return false }
            target.inject(content)
            return true
        }
        return part
    }

    /// Declares a part of a slow molecule: the copies whose values meet a condition.
    ///
    /// ```swift
    /// let order = join.slow("order", of: Order.self)
    /// let urgent = join.part("urgent", of: order, where: \.isUrgent)
    /// ```
    ///
    /// See ``part(_:of:order:fileID:line:_:)`` for the details.
    ///
    /// - Parameters:
    ///   - name: What the part is called in messages.
    ///   - molecule: A molecule of this definition.
    ///   - order: Which copy a reaction takes; nil for the order of `molecule`.
    ///   - condition: Whether a value belongs to the part.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the part.
    @inlinable
    public func part<Value: Sendable>(
        _ name: String,
        of molecule: SlowMolecule<Value>,
        order: Join.Order? = nil,
        where condition: @escaping @Sendable (Value) -> Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SlowMolecule<Value> {
        let part: SlowMolecule<Value> = slow(name, order: order ?? molecule.order, fileID: fileID, line: line)
        let target = PartTarget(part)
        addPart(of: molecule, fileID, line) { value in
            guard condition(value) else { return false }
            target.inject(value)
            return true
        }
        return part
    }

    /// Splits a slow molecule completely: one part for each case of what `key` says of a value.
    ///
    /// ```swift
    /// let order = join.slow("order", of: Order.self)
    /// let orders = join.parts(of: order, by: \.status)        // Status: CaseIterable
    /// join.when(orders[.paid], box) { order, _ in pack(order) }
    /// join.when(orders[.open], reminder) { order, _ in remind(order) }
    /// ```
    ///
    /// A reaction has to consume each of the parts, and none can consume `molecule`, of which nothing is left.
    ///
    /// - Parameters:
    ///   - molecule: A molecule of this definition.
    ///   - key: Which part a value belongs to.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the parts. They are called after the molecule and the case, such as `order.paid`.
    public func parts<Value: Sendable, Key: CaseIterable & Hashable & Sendable>(
        of molecule: SlowMolecule<Value>,
        by key: @escaping @Sendable (Value) -> Key,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Parts<Value, Key> {
        let slot = unsafeDowncast(molecule.storage.pointee.header.slot, to: SlowSlot<Value>.self)
        var parts: [Key: SlowMolecule<Value>] = [:]
        for key in Key.allCases {
            parts[key] = slow("\(slot.name).\(key)", order: molecule.order, fileID: fileID, line: line)
        }
        let targets = parts.mapValues { PartTarget($0) }
        let name = slot.name
        addPart(of: molecule, fileID, line) { value in
            let key = key(value)
            guard let target = targets[key] else {
                fatalError("ChemActors: a copy of '\(name)' belongs to \(key), which isn't among \(Key.self).allCases")
            }
            target.inject(value)
            return true
        }
        slot.isDistributed = true
        return Parts(parts: parts)
    }

    /// Declares a part of a fast molecule: the calls whose arguments meet a condition.
    ///
    /// ```swift
    /// let access = join.fast("access", of: Access.self)
    /// let write = join.part("write", of: access, where: \.isWrite)
    /// ```
    ///
    /// A call that belongs to the part is one of the part, from its beginning to its end: it waits for the reactions
    /// of the part only. What no part takes is a call of `molecule`.
    ///
    /// - Parameters:
    ///   - name: What the part is called in messages.
    ///   - molecule: A molecule of this definition.
    ///   - order: Which of several waiting calls a reaction takes; nil for the order of `molecule`.
    ///   - condition: Whether a call with this argument belongs to the part. It runs in the caller, outside of any
    ///     lock.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the part.
    public func part<Argument: Sendable, Answer: Sendable>(
        _ name: String,
        of molecule: FastMolecule<Argument, Answer>,
        order: Join.Order? = nil,
        where condition: @escaping @Sendable (Argument) -> Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FastMolecule<Argument, Answer> {
        let order = order ?? (molecule.storage.pointee.header.isOldestFirst ? .oldestFirst : .random)
        let part: FastMolecule<Argument, Answer> = fast(name, order: order, fileID: fileID, line: line)
        addPart(CallSorter.Part(takes: condition, calls: part.pointer), of: molecule, fileID, line)
        return part
    }

    /// Declares a part of a bounded molecule: the copies whose values meet a condition.
    ///
    /// The part shares the capacity of `molecule`. When there is room again, the injectors of one of the parts are
    /// served, chosen at random; among these, oldest first.
    ///
    /// - Parameters:
    ///   - name: What the part is called in messages.
    ///   - molecule: A molecule of this definition.
    ///   - order: Which copy a reaction takes; nil for the order of `molecule`.
    ///   - condition: Whether a value belongs to the part. It runs in the injector, outside of any lock.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the name of the part.
    public func part<Value: Sendable>(
        _ name: String,
        of molecule: BoundedMolecule<Value>,
        order: Join.Order? = nil,
        where condition: @escaping @Sendable (Value) -> Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> BoundedMolecule<Value> {
        let item: SlowMolecule<Value> = slow(name, order: order ?? molecule.item.order, fileID: fileID, line: line)
        let put: FastMolecule<Value, Void> = fast("\(name).inject", order: .oldestFirst, fileID: fileID, line: line)
        turn(put, into: item, with: molecule.room, fileID: fileID, line: line)
        addPart(
            CallSorter.Part(takes: condition, calls: put.pointer, item: item.pointer),
            of: molecule.put,
            fileID,
            line
        )
        let target = PartTarget(item)
        resort(molecule.item) { value in
            guard condition(value) else { return false }
            target.inject(value)
            return true
        }
        let part = BoundedMolecule(item: item, room: molecule.room, put: put, capacity: molecule.capacity)
        molecule.share(with: part)
        return part
    }

    /// Adds a part, and moves what is already there and belongs to it.
    @usableFromInline
    func addPart<Value: Sendable>(
        of molecule: SlowMolecule<Value>,
        _ fileID: StaticString,
        _ line: UInt,
        _ part: @escaping @Sendable (Value) -> Bool
    ) {
        checkIsOwn(molecule, "declares a part (\(fileID):\(line)) of", fileID, line)
        let slot = unsafeDowncast(molecule.storage.pointee.header.slot, to: SlowSlot<Value>.self)
        let entry = join.soup.enter()
        slot.addPart(part, entry)
        entry.leaveUnchanged()
        resort(molecule, part)
    }

    /// Moves what belongs to a part. These copies count as injected there.
    private func resort<Value: Sendable>(_ molecule: SlowMolecule<Value>, _ part: (Value) -> Bool) {
        var bag = Bag<Value>()
        let entry = join.soup.enter()
        swap(&bag, &molecule.storage.pointee.bag)
        molecule.storage.pointee.header.injected -= bag.count
        entry.leaveUnchanged()
        while bag.count > 0 {
            let value = bag.takeOldest()
            if part(value) { continue }
            let entry = join.soup.enter()
            molecule.storage.put(value, entry)
            entry.leaveUnchanged()
        }
    }

    private func addPart<Argument, Answer>(
        _ part: CallSorter<Argument, Answer>.Part,
        of molecule: FastMolecule<Argument, Answer>,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        guard molecule.storage.pointee.header.soup == join.soup else {
            fatalError(
                "ChemActors: definition '\(join.name)' declares a part (\(fileID):\(line)) of '\(molecule)', which belongs to "
                    + "another definition",
                file: fileID,
                line: line
            )
        }
        let slot = unsafeDowncast(molecule.slot, to: FastSlot<Argument, Answer>.self)
        let entry = join.soup.enter()
        slot.addPart(part, entry)
        entry.leaveUnchanged()
    }
}

/// The parts of a molecule that is split completely. ``Join/Builder/parts(of:by:fileID:line:)`` makes it.
public struct Parts<Value: Sendable, Key: CaseIterable & Hashable & Sendable>: Sendable {
    let parts: [Key: SlowMolecule<Value>]

    /// The part for `key`.
    public subscript(key: Key) -> SlowMolecule<Value> {
        guard let part = parts[key] else { fatalError("ChemActors: \(key) isn't among \(Key.self).allCases") }
        return part
    }
}

/// A part, as its molecule knows it. It doesn't keep the definition alive: whoever injects the molecule does.
@usableFromInline
struct PartTarget<Value: Sendable>: Sendable {
    @usableFromInline let pointer: SharedPointer<SlowStorage<Value>>

    @usableFromInline
    init(_ part: SlowMolecule<Value>) {
        pointer = part.pointer
        // Whoever injects the whole one injects it.
        part.storage.pointee.header.slot.noteExport()
    }

    @inlinable
    @inline(__always)
    func inject(_ value: consuming Value) { pointer.memory.inject(value) }
}

extension SlowMolecule {
    /// The order in which its copies leave the soup.
    @usableFromInline var order: Join.Order { storage.pointee.header.isOldestFirst ? .oldestFirst : .random }
}
