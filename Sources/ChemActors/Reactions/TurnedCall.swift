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
