/// A definition as a control sees it: what it holds, and what its reactions need.
package struct ControlledDefinition {
    /// What has come to a molecule, and what has left it.
    package struct Count: Equatable {
        package let injected: Int
        package let consumed: Int
        package let present: Int

        package static let zero = Count(injected: 0, consumed: 0, present: 0)
    }

    /// So many copies of a molecule.
    package struct Input {
        /// Its index among the molecules.
        package let molecule: Int
        package let copies: Int
    }

    private weak var join: Join?
    /// Identifies it as long as it exists.
    package let id: ObjectIdentifier
    /// For each molecule, whether its copies leave in the order in which they came.
    package let areOrdered: [Bool]
    /// For each molecule, whether nobody can tell its copies from each other.
    package let areAlike: [Bool]
    /// For each molecule, whether it makes no difference to whoever takes copies that others come behind them.
    package let leaveInTurn: [Bool]
    /// For each molecule, whether guards look at its copies.
    package let areGuarded: [Bool]
    /// For each molecule, whether it is chosen which of its copies is taken.
    package let leaveAtRandom: [Bool]
    /// What each reaction needs.
    package let reactions: [[Input]]
    /// What each reaction takes, in its order: indexes of molecules.
    package let takes: [[Int]]

    init(_ join: Join) {
        self.join = join
        id = ObjectIdentifier(join)
        let entry = join.soup.enter()
        let slots = entry.contents.slots
        let reactions = entry.state.chemistry.reactions
        entry.leaveUnchanged()
        areOrdered = slots.map { $0.header.pointee.isOldestFirst && !$0.areAlike }
        areAlike = slots.map(\.areAlike)
        leaveInTurn = slots.map { slot in
            slot.areAlike || slot.header.pointee.isOldestFirst && !slot.header.pointee.isGuarded
        }
        areGuarded = slots.map(\.areGuarded)
        leaveAtRandom = slots.map(\.leaveAtRandom)
        func index(of slot: Slot) -> Int { slots.firstIndex { $0 === slot } ?? 0 }
        self.reactions = reactions.map { reaction in
            reaction.molecules.map { Input(molecule: index(of: $0.slot), copies: $0.copies) }
        }
        takes = reactions.map { $0.inputs.map(index) }
    }

    /// How many molecules it has.
    package var moleculeCount: Int { areOrdered.count }

    /// Says how many copies have come to each molecule, have left and are there.
    ///
    /// - Returns: whether the definition still exists.
    package func count(_ counts: UnsafeMutableBufferPointer<Count>) -> Bool {
        guard let join else { return false }
        let entry = join.soup.enterAsCaller()
        for (index, slot) in entry.contents.slots.enumerated() where index < counts.count {
            counts[index] = Count(
                injected: slot.header.pointee.injected,
                consumed: slot.header.pointee.consumed,
                present: slot.present(entry)
            )
        }
        entry.leaveUnchanged()
        return true
    }
}

extension SoupReference {
    /// Here, before it does something that others see, a control may interrupt whoever runs in this thread. Called
    /// outside of the soup, and of all locks.
    ///
    /// What a synchronous body does in its own soup is one step.
    @usableFromInline
    @inline(never)
    func mayBeInterrupted() {
        if memory.pointee.isInterruptible, !isMine { owner.mayBeInterrupted(.beforeAct) }
    }

    /// The same of the synchronous body that runs in this thread, if one does, when it has done something in this soup,
    /// which isn't its own and may have gone since. Its end, where its states come back and its caller is answered, is
    /// seen, too.
    @usableFromInline
    @inline(never)
    func bodyHasActed() {
        guard let own = ThreadMark.current, own != self, own.memory.pointee.isInterruptible else { return }
        own.owner.mayBeInterrupted(.afterAct)
    }

    /// Tells a control, if there is one, of what is about to happen, before which it may interrupt whoever does that.
    func tellFirst(of touch: Touch) {
        mayBeInterrupted()
        tell(of: touch)
    }

    /// Tells a control, if there is one, of what happens now.
    func tell(of touch: Touch) {
        if memory.pointee.isObserved { owner.tell(of: touch) }
    }

    /// The same of somebody who calls now or never.
    @usableFromInline
    @inline(never)
    func tellOfTry(_ slot: Slot) { tell(of: .tries(Int(slot.number))) }

    /// The error for a caller whose task is cancelled.
    @usableFromInline
    @inline(never)
    func cancellation() -> CancellationError {
        join.machine.control?.touchesCancellation(.asks)
        return CancellationError()
    }
}

extension Join {
    /// Whether somebody decides for the machine what happens next.
    package nonisolated var isControlled: Bool { machine.control != nil }

    /// Here a control may interrupt whoever runs in this thread. Called outside of the soup, and of all locks.
    @usableFromInline
    package nonisolated func mayBeInterrupted(_ place: PlaceOfInterruption) { machine.control?.mayInterrupt(place) }

    /// Tells a control, if there is one, of what happens now.
    @usableFromInline
    package nonisolated func tell(of touch: Touch) { machine.control?.touches(ObjectIdentifier(self), touch) }

    /// The number of a new shared object, for `tell(ofShared:)`. Zero if nobody wants to know.
    package nonisolated func newSharedObject() -> Int { machine.control?.newSharedObject() ?? SharedNumber.old }

    /// Tells a control, if there is one, that somebody has to do with a shared object now.
    package nonisolated func tell(ofShared number: Int, _ side: SharedSide) {
        machine.control?.touches(sharedObject: number, side)
    }
}
