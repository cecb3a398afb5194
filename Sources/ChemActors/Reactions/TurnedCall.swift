extension PendingCall {
    /// Puts a copy with the argument into the soup, and leaves.
    @inlinable
    func turn(into item: UnsafeMutablePointer<SlowStorage<Argument>>, _ entry: consuming SoupEntry) {
        if !item.pointee.header.isGuarded {
            item.put(argument, entry)
            entry.leaveUnchanged()
        } else if let features {
            item.put(argument, features.features, entry)
            entry.leaveUnchanged()
        } else {
            // It was made before guards began to look, by a task that the closure of 'define' has started.
            item.pointee.header.slot.injectLate(argument, entry)
        }
    }
}

extension FastMolecule {
    /// Notes that its calls are turned into copies of `item`.
    @usableFromInline
    func turns(into item: SlowMolecule<Argument>) {
        unsafeDowncast(slot, to: FastSlot<Argument, Answer>.self).turns(into: item.storage)
    }
}

extension Join.Builder {
    /// Notes a step that turns calls, whose molecules are looked at when the chemistry is fixed: until then guards and
    /// parts may be added.
    @usableFromInline
    func noteTurn(
        of fast: CallSlot,
        into made: SlotPointer? = nil,
        from taken: SlotPointer? = nil,
        with room: SlotPointer? = nil,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        let turn = Turn(
            fast: fast,
            location: SourceLocation(fileID: fileID, line: line),
            made: made?.pointee.slot,
            taken: taken?.pointee.slot,
            room: room?.pointee.slot
        )
        let entry = join.soup.enter()
        entry.state.chemistry.turns.append(turn)
        entry.leaveUnchanged()
    }
}
