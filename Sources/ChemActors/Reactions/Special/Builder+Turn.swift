extension Join.Builder {
    /// Declares that each call of `fast` becomes a copy of `item` and is answered, in one step of the soup.
    ///
    /// ```swift
    /// join.turn(send, into: item, with: room, while: open)
    /// ```
    ///
    /// An `answer` whose body injects `item` does almost the same. But between its start and its end others can see
    /// that the inputs are gone and the copy isn't there yet. Here nobody sees anything in between: at any moment
    /// either the call and its room are in the soup, or the copy is. So when another reaction consumes `gate`, all
    /// copies that passed it are already in the soup.
    ///
    /// None of your code runs, so it can't fail.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are turned.
    ///   - item: What the calls become: a slow molecule of this definition, with the value of the call.
    ///   - room: A molecule of which each call consumes one copy, or nil for none.
    ///   - gate: A molecule that has to be present, and stays, or nil for none.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the reaction, to say more about it.
    @inlinable
    @inline(__always)
    @discardableResult
    public func turn<Value: Sendable>(
        _ fast: FastMolecule<Value, Void>,
        into item: SlowMolecule<Value>,
        with room: SlowMolecule<Void>? = nil,
        while gate: SlowMolecule<Void>? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Reaction {
        checkIsOwn(item, "turns calls of '\(fast)' (\(fileID):\(line)) into", fileID, line)
        fast.turns(into: item)
        noteTurn(of: fast.slot, into: item.storage.header, fileID, line)
        let list = list(Both(fast, [room, gate].compactMap(\.self)), NoState())
        return declareAnswer(describe(list, fileID, line), fast, list, .step) { entry in
            let soup = entry.soup
            do {
                let call = fast.takeCall(entry)
                room?.storage.take(entry)
                call.turn(into: item.storage, entry)
                call.finish(returning: ())
            }
            return soup.enter()
        } atOnce: { entry, value in
            room?.storage.take(entry)
            item.storage.put(value, entry)
            entry.leave()
        }.produces(item)
    }

    /// Declares that each call of `fast` takes a copy of `item` and is answered with what it carries, in one step of
    /// the soup.
    ///
    /// ```swift
    /// join.turn(receive, from: item, into: room)
    /// ```
    ///
    /// The counterpart of ``turn(_:into:with:while:fileID:line:)``. A copy that carries nil means that there are no
    /// more: it answers calls, and stays.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - item: What the calls take: a slow molecule of this definition.
    ///   - room: A molecule of which one copy is injected for each copy taken, or nil for none.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the reaction, to say more about it.
    @inlinable
    @inline(__always)
    @discardableResult
    public func turn<Value: Sendable>(
        _ fast: FastMolecule<Void, Value?>,
        from item: SlowMolecule<Value?>,
        into room: SlowMolecule<Void>? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Reaction {
        if let room { checkIsOwn(room, "turns calls of '\(fast)' (\(fileID):\(line)) into", fileID, line) }
        noteTurn(of: fast.slot, from: item.storage.header, with: room?.storage.header, fileID, line)
        let list = list(Both(fast, item), NoState())
        return declareAnswer(describe(list, fileID, line), fast, list, .step) { entry in
            let soup = entry.soup
            do {
                let call = fast.takeCall(entry)
                let value = item.storage.take(entry)
                if value == nil { item.storage.put(nil, entry) } else { room?.storage.put((), entry) }
                entry.leaveUnchanged()
                call.finish(returning: value)
            }
            return soup.enter()
        } atOnce: { entry, _ in
            let value = item.storage.take(entry)
            if value == nil { item.storage.put(nil, entry) } else { room?.storage.put((), entry) }
            entry.leave()
            return value
        }.producesEach(of: [room].compactMap(\.self))
    }

    /// Declares that each call of `fast` is answered as soon as a copy of `molecule` is present, which stays.
    ///
    /// ```swift
    /// join.answer(ready, while: item)
    /// ```
    ///
    /// By the time the caller goes on, another reaction may have consumed the copy: the answer is a hint to try, not a
    /// promise.
    ///
    /// - Parameters:
    ///   - fast: The molecule whose calls are answered.
    ///   - molecule: A molecule of this definition, which other reactions consume.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the reaction, to say more about it.
    @discardableResult
    public func answer(
        _ fast: FastMolecule<Void, Void>,
        while molecule: any Molecule,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Reaction {
        answer(fast, beside: molecule, fileID, line)
    }

    private func answer<M: Molecule>(
        _ fast: FastMolecule<Void, Void>,
        beside molecule: M,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Reaction {
        let list = list(Both(fast, molecule), NoState())
        return declareAnswer(describe(list, fileID, line), fast, list, .step) { entry in
            let soup = entry.soup
            do {
                let call = fast.takeCall(entry)
                entry.leaveUnchanged()
                call.finish(returning: ())
            }
            return soup.enter()
        } atOnce: { entry, _ in
            entry.leave()
        }.produces(molecule)
    }

    /// Stops the program unless `molecule` belongs to this definition.
    @usableFromInline
    func checkIsOwn<Value>(
        _ molecule: SlowMolecule<Value>,
        _ what: @autoclosure () -> String,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        guard molecule.storage.pointee.header.soup != join.soup else { return }
        fatalError(
            "ChemActors: definition '\(join.name)' \(what()) '\(molecule)', which belongs to another definition",
            file: fileID,
            line: line
        )
    }
}
