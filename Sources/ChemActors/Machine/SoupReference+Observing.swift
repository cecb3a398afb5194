import ChemBase
import Synchronization

extension SoupReference {
    /// Notes that somebody injects; `text` is what is to be written down of the value. Called outside of the soup, if
    /// somebody wants to know that.
    @usableFromInline
    @inline(never)
    func noteInjection(into slot: Slot, _ count: Int, text: String?) {
        mayBeInterrupted()
        // A name of the molecule keeps the definition meanwhile.
        Unmanaged.passUnretained(join)._withUnsafeGuaranteedRef { join in
            let control = join.machine.control
            if join.observation == nil, control?.followsMessages == false {
                // Nobody wants to know more.
                return slot.note(isOwnCode ? .itself : .others)
            }
            let sender = Sender.current
            note(sender, to: slot, isCall: false)
            if control != nil { tellOfMessage(to: slot, from: sender) }
            guard let observation = join.observation else { return }
            guard observation.followsInjections else { return slot.countLesson() }
            if observation.logs(count, of: slot, by: sender.packed, text: text) { return }
            let entry = enter()
            observation.injected(count, of: slot, by: sender.packed, text: text)
            entry.leaveUnchanged()
        }
    }

    /// Whether code of this definition runs in this task.
    private var isOwnCode: Bool {
        if let mark = memory.pointee.threadMark.pointer { return mark == UnsafeMutableRawPointer(memory) }
        return join.hasBegunBodies.load(ordering: .relaxed) && BodyScope.current?.join === join
    }

    /// Notes who has injected into `slot`, which is written down already.
    fileprivate func noteInjection(into slot: Slot, from sender: Sender) {
        note(sender, to: slot, isCall: false)
        tellOfMessage(to: slot, from: sender)
        if join.observation?.followsInjections == false { slot.countLesson() }
    }

    /// Notes, if somebody wants to know, that somebody calls. Called outside of the soup.
    ///
    /// - Returns: who, as events keep it.
    func tellOfCall(of slot: Slot) -> UInt64 {
        guard memory.pointee.isObserved else { return 0 }
        let sender = Sender.current
        note(sender, to: slot, isCall: true)
        tellOfMessage(to: slot, from: sender)
        return sender.packed
    }

    /// Notes, if somebody wants to know, where the call is made that is about to be answered in its caller's task.
    /// Called in the soup.
    @usableFromInline
    @inline(never)
    func noteArrival(_ fileID: StaticString?, _ line: UInt) {
        join.observation?.arriving = fileID.map { SourceLocation(fileID: $0, line: line) }
    }

    /// Notes who makes the molecule `slot`.
    func note(_ sender: Sender, to slot: Slot, isCall: Bool) {
        switch sender {
        case .body(let reaction, _):
            slot.note(sender.join === join ? .itself : .others)
            guard let notes = reaction.notes, notes.knownOutputs.isNew(slot) else { return }
            let output = Observation.Output(
                slot: slot.identity,
                definition: join.name,
                molecule: slot.name,
                isCall: isCall
            )
            let senders = reaction.join.soup.enter()
            let isNews = reaction.join.observation?.add(output, ofReaction: notes.place)
            senders.leaveUnchanged()
            guard let isNews else { return }
            if isNews { slot.learnMore() }
            // Of those who do the same in turn to many that look the same, one source is enough.
            if !isNews, slot.hasBeenInjected(by: .known) { return }
            let location = reaction.location.description
            note(.init(text: reaction.text, location: location), of: reaction.join, to: slot)
        case .definition(let other) where other === join:
            slot.note(.itself)
        case .definition(let other):
            if slot.hasBeenInjected(by: .unfollowed) { return }
            if other.isBeingDefined {
                slot.note(.others)
                return
            }
            // A synchronous body that isn't followed, since many of its reaction have been.
            slot.note(.unfollowed)
            note(nil, of: other, to: slot)
        case .nobody:
            slot.note(.others)
        }
    }

    private func note(_ reaction: Observation.Source.Reaction?, of sender: Join, to slot: Slot) {
        slot.note(.known)
        let number = sender.observation?.number ?? 0
        let source = Observation.Source(definition: sender.name, number: number, reaction: reaction)
        let entry = enter()
        join.observation?.add(source, ofMolecule: Int(slot.number))
        entry.leaveUnchanged()
    }

    /// Tells a control, if there is one and it wants to know, of a message.
    private func tellOfMessage(to slot: Slot, from sender: Sender) {
        guard let control = join.machine.control, control.followsMessages else { return }
        control.sends(
            ControlledMessage(sender: sender.join?.name, definition: join.name, molecule: slot.name)
        )
    }
}

/// An injection that may be refused: what is to be written down of it if it isn't.
struct ObservedInjection {
    private let slot: Slot
    private let sender: Sender
    private let text: String?

    fileprivate init(into slot: Slot, text: String?) {
        self.slot = slot
        sender = .current
        self.text = text
    }

    /// It is accepted. Called in the soup.
    func writeDown(_ entry: borrowing SoupEntry) {
        guard let observation = slot.header.pointee.soup.join.observation, observation.followsInjections else { return }
        observation.injected(1, of: slot, by: sender.packed, text: text)
    }

    /// It was accepted. Called outside of the soup.
    func tell() { slot.header.pointee.soup.noteInjection(into: slot, from: sender) }
}

extension Join {
    /// Whether the closure of `define` hasn't returned yet. Called outside of the soup.
    fileprivate nonisolated var isBeingDefined: Bool {
        let entry = soup.enter()
        let isOpen = entry.contents.life.phase == .defining
        entry.leaveUnchanged()
        return isOpen
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// What is to be told of an injection of `value`, if it is accepted. Called outside of the soup.
    func observedInjection<Value: Sendable>(of value: Value) -> ObservedInjection
    where Pointee == SlowStorage<Value> {
        let slot = pointee.header.slot
        pointee.header.soup.mayBeInterrupted()
        return ObservedInjection(into: slot, text: slot.isDescribed ? text(of: value) : nil)
    }
}

/// What an observed reaction does. In memory of its own, so that nothing is retained for a start.
struct ObservedReaction: ~Copyable {
    private let body: @Sendable (consuming SoupEntry) -> SoupEntry
    private let observation: Unmanaged<Observation>
    private let description: Unmanaged<ReactionDescription>
    private let notes: Unmanaged<ReactionNotes>

    /// Both live as long as the definition, whose reaction this is.
    init(
        _ body: @escaping @Sendable (consuming SoupEntry) -> SoupEntry,
        _ observation: Observation,
        _ description: ReactionDescription,
        _ notes: ReactionNotes
    ) {
        self.body = body
        self.observation = .passUnretained(observation)
        self.description = .passUnretained(description)
        self.notes = .passUnretained(notes)
    }

    struct Start {
        let number: UInt32
        /// The worker that looks after the soup, if it runs the body.
        let worker: UnsafeMutableRawPointer?

        /// Whether that worker still looks after the soup.
        @inline(__always)
        func isByActiveWorker(_ entry: borrowing SoupEntry) -> Bool {
            worker != nil && worker == entry.contents.activeWorker
        }
    }

    @inline(__always)
    borrowing func fire(_ entry: consuming SoupEntry) -> SoupEntry { body(entry) }

    @inline(__always)
    borrowing func begin(_ entry: borrowing SoupEntry) -> Start {
        let worker = entry.contents.activeWorker
        let number = observation._withUnsafeGuaranteedRef { observation in
            notes._withUnsafeGuaranteedRef { observation.starts($0, isInWorker: worker != nil) }
        }
        return Start(number: number, worker: worker)
    }

    @inline(__always)
    borrowing func end(_ start: Start, _ entry: borrowing SoupEntry) {
        let isInWorker = start.isByActiveWorker(entry)
        observation._withUnsafeGuaranteedRef { observation in
            notes._withUnsafeGuaranteedRef { observation.ended($0, start.number, isInWorker: isInWorker) }
        }
    }

    borrowing func mark(_ start: Start) -> ThreadMark.Outer {
        description._withUnsafeGuaranteedRef { ThreadMark.mark($0, start.number) }
    }

    @inline(__always)
    var mustMark: Bool {
        observation._withUnsafeGuaranteedRef { observation in
            notes._withUnsafeGuaranteedRef { observation.mustMark($0) }
        }
    }
}

/// Keeps the memory of an observed reaction.
private final class ObservedReactionKeeper: Sendable {
    let pointer = SharedPointer(UnsafeMutablePointer<ObservedReaction>.allocate(capacity: 1))

    init(_ reaction: consuming ObservedReaction) {
        pointer.memory.initialize(to: reaction)
    }

    deinit {
        pointer.memory.deinitialize(count: 1)
        pointer.memory.deallocate()
    }
}

extension ReactionDescription {
    /// What `fire` does, if somebody wants to know who makes what.
    func observed(
        _ course: Course,
        _ fire: @escaping @Sendable (consuming SoupEntry) -> SoupEntry
    ) -> @Sendable (consuming SoupEntry) -> SoupEntry {
        guard let observation, let notes else { return fire }
        let isAsynchronous = course == .asynchronous
        let keeper = ObservedReactionKeeper(ObservedReaction(fire, observation, self, notes))
        // Valid, since the closure has the keeper.
        let pointer = keeper.pointer
        return { entry in
            let observed = pointer.memory
            let start = observed.pointee.begin(entry)
            guard observed.pointee.mustMark else {
                let entry = observed.pointee.fire(entry)
                // The end of an asynchronous body is that of its scope.
                if !isAsynchronous { observed.pointee.end(start, entry) }
                return entry
            }
            let outer = observed.pointee.mark(start)
            let entry = observed.pointee.fire(entry)
            ThreadMark.mark(outer)
            withExtendedLifetime(keeper) {}
            if !isAsynchronous { observed.pointee.end(start, entry) }
            return entry
        }
    }

    /// As above, for a call that is answered in its caller's task.
    func observed<Argument, Answer>(
        _ slot: Slot,
        _ atOnce: @escaping @Sendable (consuming SoupEntry, Argument) throws -> Answer
    ) -> @Sendable (consuming SoupEntry, Argument) throws -> Answer {
        guard let observation, let notes else { return atOnce }
        let (slotInSoup, notesInSoup) = (InSoup(slot), InSoup(notes))
        return { [unowned(unsafe) self] entry, argument in
            let (slot, notes) = (slotInSoup.object, notesInSoup.object)
            let soup = entry.soup
            let start = observation.starts(notes, isInWorker: false)
            let isMarked = observation.mustMark(notes)
            // Whoever takes a token will put it back, so it is known for whom it was taken.
            let sender = isMarked || notes.takesTokens ? Sender.ofTask : .nobody
            if notes.takesTokens {
                let caller = observation.arriving.map {
                    Observation.Caller(location: $0, task: BodyScope.currentTask ?? 0)
                }
                observation.serves(sender.packed, caller, by: notes)
            }
            let outer = isMarked ? ThreadMark.mark(self, start) : nil
            defer {
                if let outer {
                    ThreadMark.mark(outer)
                    soup.note(sender, to: slot, isCall: true)
                }
                let entry = soup.enter()
                observation.ended(notes, start)
                entry.leaveUnchanged()
            }
            return try atOnce(entry, argument)
        }
    }
}
