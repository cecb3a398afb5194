@usableFromInline
final class FastSlot<Argument: Sendable, Answer: Sendable>: Slot, @unchecked Sendable {
    @usableFromInline typealias Call = PendingCall<Argument, Answer>

    @usableFromInline let storage: UnsafeMutablePointer<FastStorage<Argument, Answer>>
    let soup: SoupReference
    /// Whether its answers may carry names, which have to travel exported.
    let answersNames: Bool
    private var calls: WaitingCalls
    /// The calls whose time is up, and some that have left meanwhile.
    private var overdue: [Call] = []
    private var overdueCount = 0

    override var kind: Kind { .fast }

    init(name: String, location: SourceLocation, soup: SoupReference, isOldestFirst: Bool) {
        storage = .allocate(capacity: 1)
        self.soup = soup
        answersNames = Exports.mayBeNames(Answer.self)
        calls = WaitingCalls(isOldestFirst: isOldestFirst)
        super.init(name: name, location: location)
        storage.initialize(
            to: FastStorage(
                header: SlotHeader(
                    soup: soup,
                    isOldestFirst: isOldestFirst,
                    carriesNames: Exports.mayBeNames(Argument.self),
                    slot: self
                ),
                answersNames: answersNames
            )
        )
        header = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: SlotHeader.self)
    }

    deinit {
        unseal()
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    override func present(_ entry: borrowing SoupEntry) -> Int { storage.pointee.waiting }

    override func waitingCalls(_ entry: borrowing SoupEntry) -> WaitingCalls? {
        storage.pointee.waiting > 0 ? calls : nil
    }

    private func changeWaiting(by difference: Int, _ entry: borrowing SoupEntry) {
        let before = storage.pointee.waiting
        storage.pointee.waiting = before + difference
        if difference > 0 {
            entry.grown(storage.pointee.header.uses, from: before, to: before + difference)
        } else {
            entry.shrunk(storage.pointee.header.uses, from: before, to: before + difference)
        }
    }

    func put(_ call: Call, _ entry: borrowing SoupEntry) {
        storage.pointee.header.injected &+= 1
        calls.append(call)
        call.blockBody(entry)
        changeWaiting(by: 1, entry)
    }

    /// Counts a call that came too late.
    func ignoreCall(_ entry: borrowing SoupEntry) {
        storage.pointee.header.injected &+= 1
        tally.ignored += 1
    }

    /// Whether a reaction that takes a waiting call is possible and may start.
    func isAwaited(_ entry: borrowing SoupEntry) -> Bool {
        guard entry.contents.life.phase == .running else { return false }
        for use in storage.pointee.header.uses
        where entry.contents.matching.readiness[Int(use.reaction)].missing == 0 { return true }
        return false
    }

    /// Notes that the time of `call` is up while a reaction is about to take it. The call is withdrawn when that is no
    /// longer so.
    func markOverdue(_ call: Call, _ entry: borrowing SoupEntry) {
        overdue.append(call)
        overdueCount += 1
        entry.contents.overdueCalls += 1
        // Makes the next call that is answered in its caller's task look after them, in `notingAnswerEnd`.
        entry.contents.lookMask = 0
    }

    /// Notes that an overdue call has left the soup.
    func unmarkOverdue(_ entry: borrowing SoupEntry) {
        overdueCount -= 1
        entry.contents.overdueCalls -= 1
        if overdue.count > 2 * overdueCount + 16 { overdue = waiting(entry) }
    }

    /// The calls in `overdue` that are still in the soup.
    private func waiting(_ entry: borrowing SoupEntry) -> [Call] {
        var calls: [Call] = []
        for call in overdue where call.isWaiting(entry) { calls.append(call) }
        return calls
    }

    override func withdrawOverdue(_ entry: borrowing SoupEntry) -> (() -> Void)? {
        guard overdueCount > 0, !isAwaited(entry) else { return nil }
        let late = waiting(entry)
        for call in late { call.remove(entry) }
        overdue = []
        return {
            for call in late { call.finish(throwing: CallError(.timedOut, call.slot)) }
        }
    }

    /// Takes one waiting call out of the soup, for a reaction that answers it when its body ends. A body that waits for
    /// this call now depends on the body of that reaction.
    @usableFromInline
    func take(_ entry: borrowing SoupEntry) -> Call {
        let call = takeOne(entry)
        call.blockBody(entry)
        return call
    }

    /// Takes one waiting call out of the soup, for a reaction that gets its reply. From then on anybody may have the
    /// reply.
    @usableFromInline
    func takeForReply(_ entry: borrowing SoupEntry) -> Call {
        let call = takeOne(entry)
        call.unblockBody(entry)
        return call
    }

    private static func typed(_ call: WaitingCall) -> Call {
        // Only calls of this molecule are put in.
        unsafeDowncast(call, to: Call.self)
    }

    private func takeOne(_ entry: borrowing SoupEntry) -> Call {
        let call = Self.typed(
            storage.pointee.header.isOldestFirst
                ? calls.oldest() : calls.call(at: entry.contents.matching.generator.below(calls.count))
        )
        storage.pointee.header.consumed &+= 1
        remove(call, entry)
        call.markTaken(entry)
        return call
    }

    /// Takes `call` out of the soup.
    func remove(_ call: Call, _ entry: borrowing SoupEntry) {
        calls.remove(call)
        changeWaiting(by: -1, entry)
    }

    override func forbidInline() {
        storage.pointee.forbidsInline = true
    }

    override func removeClosures() {
        storage.removeAnswers()
    }

    private struct Rest: Leftover {
        let name: String
        let calls: [Call]
        var count: Int { calls.count }
        func fail(_ error: any Error) {
            for call in calls { call.finish(throwing: error) }
        }
    }

    override func removeAll(_ entry: borrowing SoupEntry) -> (any Leftover)? {
        guard storage.pointee.waiting > 0 else { return nil }
        let rest = Rest(name: name, calls: calls.all.map { Self.typed($0) })
        tally.dropped += rest.count
        for call in rest.calls { call.markRemoved(entry) }
        calls.removeAll()
        changeWaiting(by: -storage.pointee.waiting, entry)
        return rest
    }
}
