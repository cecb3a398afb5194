public import ChemBase
public import Synchronization

/// The name of a fast molecule: calling it injects a copy and suspends until a reaction answers.
///
/// ```swift
/// let total = try await counter.value()
/// let soon = try await counter.value(within: .milliseconds(200))
/// ```
///
/// A call ends in exactly one way: with the answer; with the error of the reaction's body; with `CancellationError` if
/// the task was cancelled; or with a ``CallError``, for example because the time is up, the reaction ended without
/// answering, or the definition has dissolved. While the call is in the soup, cancellation or a time-out withdraws it.
/// Once its reaction has started, the caller waits for the answer. If it is cancelled then, so is the task of the
/// asynchronous `answer` body, and ``Reply/isCancelled`` tells a body that has the reply.
///
/// The body of an `answer` is part of the call: it sees the task-local values and the priority of the caller. A call
/// that makes a reaction possible may run it on the caller's thread, without suspending. A body that takes a reply sees
/// nothing of the caller.
///
/// - Complexity: O(reactions that mention the molecule).
public struct FastMolecule<Argument: Sendable, Answer: Sendable>: Molecule {
    @usableFromInline let pointer: SharedPointer<FastStorage<Argument, Answer>>
    /// The definition, or a lease on it. With a lease the name keeps the chemistry running.
    @usableFromInline let anchor: Anchor

    init(storage: UnsafeMutablePointer<FastStorage<Argument, Answer>>, anchor: Anchor) {
        pointer = SharedPointer(storage)
        self.anchor = anchor
    }

    @inlinable var storage: UnsafeMutablePointer<FastStorage<Argument, Answer>> {
        @inline(__always) get { pointer.memory }
    }

    /// Calls the molecule with `argument` and waits for the answer.
    ///
    /// - Returns: the answer.
    /// - Throws: the error of the reaction's body, `CancellationError`, or a ``CallError``.
    @inlinable
    nonisolated(nonsending) public func callAsFunction(
        _ argument: Argument,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Answer {
        if storage.pointee.header.isInspected.load(ordering: .relaxed), let part = begin(with: argument) {
            return try await part(argument, fileID: fileID, line: line)
        }
        if let answer = try answerAtOnce(argument, fileID, line) { return answer }
        if mustGiveWay {
            await Interleaving.yield()
            if let answer = try answerAtOnce(argument, fileID, line) { return answer }
        }
        let call = makeCall(argument, SourceLocation(fileID: fileID, line: line))
        await call.run(#isolation)
        return try call.outcome()
    }

    /// Calls the molecule with `argument` and waits for the answer until `duration` has passed.
    ///
    /// The time runs while the call is in the soup, by the continuous clock, and is never shorter than `duration`. When
    /// it is up, the call is withdrawn and no reaction sees it; if a reaction has started by then, the caller waits for
    /// it, and the body isn't cancelled. Whoever has the reply is told: see ``Reply/onCancel(_:)``. A reaction that is
    /// possible at that moment has the right of way, for at most another 50 milliseconds.
    ///
    /// With a `duration` of zero the call is withdrawn at once if no reaction is possible. Otherwise it waits until a
    /// worker gets to that reaction, and is withdrawn if another call was faster.
    ///
    /// ```swift
    /// let page = try await fetch(url, within: .seconds(5), coveringBody: true)
    /// ```
    ///
    /// With `coveringBody` the time goes on when a reaction has taken the call. When it is up, the caller gets
    /// ``CallError/Code/timedOut``, and the body is told: an asynchronous `answer` body is cancelled, and
    /// ``Reply/isCancelled`` becomes true. What the body returns then is dropped. If it throws, the failure policy of
    /// the definition applies. A body that has the caller's thread keeps it: a synchronous one ends first, and of an
    /// asynchronous one what comes before its first suspension.
    ///
    /// - Parameters:
    ///   - argument: The value that the call carries.
    ///   - duration: How long the call may wait for a reaction. Zero or less: only a reaction that is possible now.
    ///   - coversBody: Whether the reaction, too, has to end in this time. If that is zero or less, it has to end before
    ///     its first suspension.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the answer.
    /// - Throws: the error of the reaction's body, `CancellationError`, or a ``CallError``.
    nonisolated(nonsending) public func callAsFunction(
        _ argument: Argument,
        within duration: Duration,
        coveringBody coversBody: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Answer {
        if storage.pointee.header.isInspected.load(ordering: .relaxed), let part = begin(with: argument) {
            return try await part(argument, within: duration, coveringBody: coversBody, fileID: fileID, line: line)
        }
        if let answer = try answerAtOnce(argument, fileID, line) { return answer }
        if mustGiveWay {
            await Interleaving.yield()
            if let answer = try answerAtOnce(argument, fileID, line) { return answer }
        }
        let call = makeCall(argument, SourceLocation(fileID: fileID, line: line))
        let limit = duration > .longestWait ? nil : max(duration, .zero)
        call.coversBody = coversBody
        if coversBody { call.begin = call.join.machine.deadlines.now }
        await call.run(within: limit, #isolation)
        return try call.outcome()
    }

    /// The part to which a call with `argument` belongs, if there is one.
    @usableFromInline
    func part(for argument: Argument) -> FastMolecule? {
        guard let sorter = storage.pointee.sorter.load(ordering: .acquiring) else { return nil }
        let part = Unmanaged<CallSorter<Argument, Answer>>.fromOpaque(sorter)._withUnsafeGuaranteedRef {
            $0.part(for: argument)
        }
        return part.map { FastMolecule(storage: $0.calls.memory, anchor: anchor) }
    }

    /// Runs an `answer` body in the calling task if that is possible right now.
    @inlinable
    @inline(__always)
    func answerAtOnce(_ argument: Argument, _ fileID: StaticString, _ line: UInt) throws -> Answer? {
        if Task.isCancelled { throw storage.pointee.header.soup.cancellation() }
        guard storage.pointee.allowsInline else { return nil }
        return try answerNow(argument, isTry: false, fileID, line)
    }

    /// Whether the call was refused because callers had kept their threads for long.
    @usableFromInline
    var mustGiveWay: Bool {
        let soup = storage.pointee.header.soup.memory
        return soup.pointee.isWayDue.load(ordering: .relaxed)
            && soup.pointee.isWayDue.exchange(false, ordering: .relaxed)
    }

    /// Runs an `answer` body in this thread if that reaction is possible right now.
    @inlinable
    @inline(__always)
    func answerNow(
        _ argument: Argument,
        isTry: Bool,
        _ fileID: StaticString? = nil,
        _ line: UInt = 0
    ) throws -> Answer? {
        let soup = storage.pointee.header.soup
        if isTry, soup.memory.pointee.isObserved { soup.tellOfTry(slot) }
        var entry = soup.enterAsCaller()
        if isTry, storage.pointee.waiting != 0 { entry = enteringBehindOthers(entry) }
        guard entry.contents.life.phase == .running, !storage.pointee.forbidsInline,
            let index = storage.pickAnswer(amongAnswers: isTry, entry)
        else {
            entry.leaveUnchanged()
            return nil
        }
        // Calls that are answered at once never suspend, so loops of them would keep other tasks from running.
        if !isTry, entry.contents.started & entry.contents.lookMask == 0, entry.hasAnsweredForLong() {
            entry.leaveUnchanged()
            return nil
        }
        if soup.memory.pointee.isObserved { soup.noteArrival(fileID, line) }
        storage.pointee.header.injected &+= 1
        storage.pointee.header.consumed &+= 1
        if storage.pointee.answers.unsafelyUnwrapped[index].isStep {
            entry.contents.started &+= 1
            let leavesOthersBehind = entry.contents.overdueCalls != 0
            let answer = try storage.pointee.answers.unsafelyUnwrapped[index](entry, argument)
            if leavesOthersBehind { soup.withdrawOverdueCalls() }
            if soup.memory.pointee.isScoped { soup.checkForDeadlock() }
            return answer
        }
        entry.countStart()
        let outer = soup.markMine()
        // Not `defer`: the compiler makes its body a function that it doesn't specialize.
        do {
            let answer = try storage.pointee.answers.unsafelyUnwrapped[index](entry, argument)
            soup.endAnswer(outer)
            return answer
        } catch {
            soup.endAnswer(outer)
            throw error
        }
    }

    /// Calls the molecule if a reaction can answer at this moment, in the calling thread; otherwise nothing happens.
    ///
    /// ```swift
    /// if try permit.tryCall() != nil { … }
    /// ```
    ///
    /// For synchronous code, and for code that won't wait. It needs a reaction, declared by `answer` with a synchronous
    /// body or by `turn`, whose other inputs are all in the soup. It doesn't overtake: while other calls of the
    /// molecule wait, the result is nil, except that calls which wait for nothing but a worker to `turn` them are
    /// turned first. An input that a body holds at this moment, such as a state that is being changed, isn't in the
    /// soup. So where nil has to mean "there was none", let the reaction consume only molecules that no other body puts
    /// back.
    ///
    /// The body runs in the calling thread, even on machines with an executor. Where that isn't allowed, the result is
    /// nil: in definitions that retry, and in those on the main actor unless this is the main thread. Cancellation
    /// isn't checked.
    ///
    /// - Returns: the answer, or nil if no reaction could answer; then nothing was injected.
    /// - Throws: the error of the body.
    /// - Complexity: O(reactions that mention the molecule).
    @inlinable
    public func tryCall(_ argument: Argument) throws -> Answer? {
        if storage.pointee.header.isInspected.load(ordering: .relaxed) { return try tryInspectedCall(argument) }
        guard storage.pointee.allowsInline else { return try tryCallElsewhere(argument) }
        return try answerNow(argument, isTry: true)
    }

    /// Does what `tryCall` does, for molecules whose ordinary calls don't run the answer themselves.
    @usableFromInline
    func tryCallElsewhere(_ argument: Argument) throws -> Answer? {
        let soup = storage.pointee.header.soup
        guard !soup.memory.pointee.isOnMain || Platform.isOnMainThread else { return nil }
        let argument = storage.pointee.header.carriesNames ? Exports.onto(soup, argument) : argument
        guard let answer = try answerNow(argument, isTry: true) else { return nil }
        return slot.answersNames ? Exports.outward(answer) : answer
    }

    @usableFromInline
    @inline(never)
    func enteringBehindOthers(_ entry: consuming SoupEntry) -> SoupEntry { entry.enteringBehind(slot) }

    /// Makes a call that is put into the soup. A function of its own, so that nothing is retained where a call that was
    /// answered at once has left the soup.
    @inlinable
    @inline(never)
    func makeCall(_ argument: Argument, _ location: SourceLocation) -> PendingCall<Argument, Answer> {
        PendingCall(
            storage.pointee.header.carriesNames ? Exports.onto(storage.pointee.header.soup, argument) : argument,
            slot,
            location,
            anchor: anchor
        )
    }

    @usableFromInline
    var slot: CallSlot {
        // Each fast molecule has one.
        unsafeDowncast(storage.pointee.header.slot, to: CallSlot.self)
    }

    /// Takes one waiting call out of the soup, for a reaction that answers it with its result.
    @inlinable
    func takeCall(_ entry: borrowing SoupEntry) -> PendingCall<Argument, Answer> { typed(slot.take(entry)) }

    @inlinable
    func typed(_ call: Call) -> PendingCall<Argument, Answer> {
        // The slot of this molecule has no others.
        unsafeDowncast(call, to: PendingCall<Argument, Answer>.self)
    }

    /// Adds itself. Only for `when`.
    @inlinable
    @discardableResult
    public func _list(in molecules: inout MoleculeList) -> MoleculeProof<Self> { molecules.add(storage) }

    /// Takes one copy for a reaction. Only for `when`.
    @inlinable
    public func _take(_ entry: borrowing SoupEntry) -> Reply<Argument, Answer> {
        Reply(typed(slot.takeForReply(entry)))
    }

    /// Tells the caller of a failed reaction, if there is one. Only for `when`.
    public func _fail(
        _ input: Reply<Argument, Answer>,
        _ error: any Error,
        _ end: borrowing FailedReaction
    ) -> Bool {
        end.tell(input.holder.call, error)
    }

    /// Puts back what a failed reaction had taken. Only for `when`.
    public func _putBack(_ input: Reply<Argument, Answer>, _ end: borrowing FailedReaction) {}
}

extension FastMolecule where Argument == Void {
    /// Calls a molecule that carries no value if a reaction can answer at this moment; otherwise nothing happens.
    ///
    /// - Returns: the answer, or nil if no reaction could answer; then nothing was injected.
    /// - Throws: the error of the body.
    @inlinable
    public func tryCall() throws -> Answer? { try tryCall(()) }

    /// Calls a molecule that carries no value and waits for the answer.
    ///
    /// - Returns: the answer.
    /// - Throws: the error of the reaction's body, `CancellationError`, or a ``CallError``.
    @inlinable
    nonisolated(nonsending) public func callAsFunction(
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Answer {
        try await self((), fileID: fileID, line: line)
    }

    /// Calls a molecule that carries no value and waits for the answer until `duration` has passed.
    ///
    /// - Parameters:
    ///   - duration: How long the call may wait for a reaction. Zero or less: only a reaction that is possible now.
    ///   - coversBody: Whether the reaction, too, has to end in this time. If that is zero or less, it has to end before
    ///     its first suspension.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the answer.
    /// - Throws: the error of the reaction's body, `CancellationError`, or a ``CallError``.
    nonisolated(nonsending) public func callAsFunction(
        within duration: Duration,
        coveringBody coversBody: Bool = false,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Answer {
        try await self((), within: duration, coveringBody: coversBody, fileID: fileID, line: line)
    }
}

extension FastMolecule: Hashable {
    /// Whether both name the same molecule of the same definition, exported or not.
    public static func == (one: FastMolecule, other: FastMolecule) -> Bool { one.storage == other.storage }

    /// Feeds the identity of the molecule to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
}

extension FastMolecule: CustomStringConvertible {
    /// The name of the definition and of the molecule, such as `counter.value`.
    public var description: String { storage.pointee.header.slot.fullName }
}

extension FastMolecule: CustomReflectable {
    /// A mirror without children, so that `dump` shows the name rather than its inner structure.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FastMolecule: Exportable {
    /// The same name, holding a lease on its definition.
    public var exported: FastMolecule {
        FastMolecule(storage: storage, anchor: Exports.anchor(of: storage.pointee.header.soup, now: anchor))
    }
}
