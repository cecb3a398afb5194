import ChemBase
import Synchronization

/// A call of a fast molecule that could not be answered at once, whatever it carries: its way into the soup and out of
/// it, and the task that waits.
///
/// `stage` and `place` are touched in the soup. Once a reaction has taken a call out of the soup, the call is answered
/// exactly once, by whoever is first. Before that, it can be withdrawn.
///
/// It isn't generic, so the path of a call that waits is compiled once, and looks up no metadata. ``PendingCall`` adds
/// the argument and the answer.
@usableFromInline
class Call: WaitingCall, @unchecked Sendable {
    // Checked by hand: what is written before the call enters the soup never changes afterwards, `error` is written by
    // whoever has claimed the call, `continuation` is handed over by `progress`, and the rest is protected as said
    // above. That is also why the compiler need not check for overlapping accesses at run time.
    enum Stage { case outside, waiting, taken, withdrawn }

    /// What has happened, as bits of `progress`.
    enum Mark {
        /// Somebody has claimed the right to answer it.
        static let claimed: UInt8 = 1
        /// The outcome is there.
        static let settled: UInt8 = 2
        /// The caller has suspended, so whoever settles the call resumes it.
        static let suspended: UInt8 = 4
        /// The caller has given up after a reaction had taken the call.
        static let abandoned: UInt8 = 8
        /// There has been a handler. Spares most calls a lock when they are answered.
        static let hasHandlers: UInt8 = 16
        /// It has brought along its caller's context.
        static let hasContext: UInt8 = 32
        /// Its time was up after a reaction had taken it, and so it has ended.
        static let expired: UInt8 = 64
        /// Its time was up after a reaction had taken it, and its caller waits on.
        static let late: UInt8 = 128
    }

    @usableFromInline unowned(unsafe) final let slot: CallSlot
    /// The definition, which keeps the memory that `slot` belongs to.
    final let join: Join
    private final let progress = Atomic<UInt8>(0)
    @exclusivity(unchecked) final var stage = Stage.outside
    /// Whether it counts as a lease while it is in the soup, because an exported name was called. Then it keeps the
    /// chemistry alive.
    final let holdsLease: Bool
    /// What such a call keeps alive besides the definition.
    private final let leaseOfHome: AnyLease?
    /// Its place among the calls whose time is up, which are in the soup only because a reaction is about to take them.
    /// Otherwise -1.
    @exclusivity(unchecked) final var overduePlace = -1
    /// When its time began, if that covers the body. Otherwise it begins when the caller waits. Not an argument of
    /// `run`, with which the frames of a call would no longer fit into the first memory of a task.
    @exclusivity(unchecked) final var begin: ContinuousClock.Instant?
    /// Whether a reaction's body in a scope waits for it.
    @exclusivity(unchecked) final var isOfBody = false
    /// Whether its caller gives up when the time is up.
    @exclusivity(unchecked) private(set) final var isTimed = false
    /// Whether the priority of its caller lifts those who work for it while it waits in the soup.
    @exclusivity(unchecked) private final var isLifting = false
    /// Whether the time limit covers the body that answers it. Set before it enters the soup.
    @exclusivity(unchecked) final var coversBody = false
    /// Whether that body counts as blocked. Touched in the soup.
    @exclusivity(unchecked) final var blocksBody = false
    /// Whether the reaction that answers it begins on the caller's thread.
    @exclusivity(unchecked) final var runsHere = false
    /// How it ended, if not with an answer.
    @exclusivity(unchecked) final var error: (any Error)?
    @exclusivity(unchecked) private final var continuation: CheckedContinuation<Void, Never>?
    /// What guards see of its argument, if any look. Touched in the soup, once it has entered it.
    @exclusivity(unchecked) @usableFromInline final var features: FeaturesOfCall?
    /// Its number among the calls that guards look at, or -1. Touched in the soup.
    @exclusivity(unchecked) final var copy: CopyTable.Copy = -1
    /// Where the body of its `answer` runs, if that isn't the caller's own task. Touched in the soup, once the call has
    /// entered it.
    @exclusivity(unchecked) final var context: CallerContext?
    /// The asynchronous body that answers it. Touched in the soup.
    @exclusivity(unchecked) final var body: BodyScope?
    /// Whether a body waits for it. Touched in the soup.
    @exclusivity(unchecked) final var isOfWaitingBody = false
    /// What to do if the caller gives up after a reaction has taken the call. Touched in the soup.
    @exclusivity(unchecked) final var handlers: [@Sendable () -> Void] = []

    /// Its number among the calls of the definition, if these are observed. Otherwise zero. Set before the call enters
    /// the soup.
    @exclusivity(unchecked) private final var number: UInt32 = 0
    /// What a recorder is to write down of its argument. Set before the call enters the soup.
    @exclusivity(unchecked) private final var description: CallDescription?
    /// Who calls, if that is observed, and in which task.
    @exclusivity(unchecked) private final var sender: UInt64 = 0
    @exclusivity(unchecked) private(set) final var task: UInt = 0

    final var soup: SoupReference { slot.soup }

    /// `anchor` is the definition, or a lease on it.
    @usableFromInline
    init(_ slot: CallSlot, _ location: SourceLocation, anchor: AnyObject) {
        self.slot = slot
        join = slot.soup.join
        let lease = anchor as? Lease
        holdsLease = lease != nil
        leaseOfHome = lease?.ofHome
        super.init(location)
    }

    // MARK: Entering

    /// Looks at the call and its caller before the call enters the soup.
    ///
    /// - Parameters:
    ///   - duration: How long it may wait in the soup. Nil means for ever. Zero means only for a reaction that is possible
    ///     when the call enters, as long as that stays possible.
    ///   - holdsActor: Whether the caller holds an actor.
    /// - Returns: what the caller may do before it waits.
    final func prepare(within duration: Duration?, holdsActor: Bool) -> HelpOfCaller {
        isTimed = duration != nil
        noteBody()
        sender = soup.tellOfCall(of: slot)
        if soup.memory.pointee.isObserved {
            task = BodyScope.currentTask ?? 0
            tellOfCancellation(.asks)
        }
        if slot.isDescribed { description = text.map { CallDescription(text: $0) } }
        let isLookedAt = slot.isLookedAt.load(ordering: .acquiring)
        if isLookedAt { features = findFeatures() }
        return HelpOfCaller(
            isLookedAt: isLookedAt,
            onlyNow: duration == .zero,
            ahead: duration == nil,
            holdsActor: holdsActor
        )
    }

    /// Puts the call into the soup. If that makes a reaction possible which the caller may run, it runs here, before
    /// the call has to wait.
    ///
    /// - Returns: what the caller has to do then.
    final func enter(_ help: HelpOfCaller) -> Entering {
        switch enterAndHelp(help) {
        case .noHelp: enterAndWait(onlyNow: help.onlyNow)
        case .body: return .begins
        case .helped: break
        }
        // Guards may have begun to look meanwhile.
        if !help.isLookedAt, slot.isLookedAt.load(ordering: .acquiring) { slot.look(at: self) }
        return isSettled ? .ends : .waits
    }

    /// What a caller does that has entered the soup.
    enum Entering {
        case waits, ends
        /// It hasn't entered: a body begins here then, which has to hear of a cancellation.
        case begins
    }

    /// What guards see of the argument, if any look. Called outside of the soup.
    func findFeatures() -> FeaturesOfCall? { nil }

    /// Leaves the soup, where the call waits. Whoever works for it has its caller's priority.
    final func leaveLifting(_ entry: consuming SoupEntry) {
        let urgency = Urgency(Task.currentPriority)
        guard urgency > join.machine.ordinary else { return entry.leave() }
        isLifting = true
        entry.state.addLiftingCall(urgency)
        entry.leaveLifting()
    }

    /// Enters the soup, for a worker or somebody else to take the call.
    private func enterAndWait(onlyNow: Bool) {
        entered = Pace.now
        makeContext()
        let entry = soup.enterAsCaller()
        if entry.contents.life.phase.ignoresInjections {
            stage = .withdrawn
            slot.ignoreCall(entry)
            let code: CallError.Code = entry.contents.life.phase == .dissolved ? .dissolved : .deactivated
            entry.leaveUnchanged()
            if join.machine.control?.forsakes() != true { finish(throwing: CallError(code, slot)) }
            return
        }
        put(entry)
        if onlyNow {
            soup.tellOfTry(slot)
            guard slot.isAwaited(self, entry) else {
                withdraw(CallError(.timedOut, slot), entry)
                return
            }
            slot.markOverdue(self, entry)
        }
        leaveLifting(entry)
        join.machine.checkForDeadlock()
    }

    /// Makes the context in which its body will run if another task runs the reaction.
    final func makeContext() {
        guard slot.isAnsweredByBody.load(ordering: .relaxed), context == nil,
            let context = CallerContext.make(on: join.machine)
        else { return }
        self.context = context
        mark(Mark.hasContext)
    }

    final func put(_ entry: borrowing SoupEntry) {
        stage = .waiting
        if holdsLease { soup.memory.pointee.leases.add(1, ordering: .relaxed) }
        if soup.memory.pointee.isObserved { beObserved(entry) }
        slot.put(self, entry)
    }

    /// Whether it waits in the soup.
    final func isWaiting(_ entry: borrowing SoupEntry) -> Bool { stage == .waiting }

    /// Notes that the call is out of the soup. The caller of this method makes sure that the definition hears of a
    /// lease that has gone, or runs a body.
    final func leaveSoup(to new: Stage, _ entry: borrowing SoupEntry) {
        stage = new
        if number != 0 { leaveObserved(entry) }
        place = -1
        if overduePlace >= 0 { slot.unmarkOverdue(self, entry) }
        if isLifting {
            isLifting = false
            entry.state.removeLiftingCall()
        }
        if holdsLease { soup.memory.pointee.leases.subtract(1, ordering: .acquiringAndReleasing) }
    }

    /// A reaction has taken it.
    final func markTaken(_ entry: borrowing SoupEntry) {
        entry.countWait(since: entered)
        leaveSoup(to: .taken, entry)
    }

    /// A definition that clears or dissolves has taken it out.
    final func markRemoved(_ entry: borrowing SoupEntry) { leaveSoup(to: .withdrawn, entry) }

    /// Whether its release may run code of a user.
    var mayReleaseValues: Bool { false }

    // MARK: Observed

    /// What a recorder writes down of its argument. Called outside of the soup.
    var text: String? { nil }

    private func beObserved(_ entry: borrowing SoupEntry) {
        // Without a recorder, its control alone hears of it.
        number =
            join.observation?.called(slot, by: sender, text: description?.text)
            ?? (join.machine.control == nil ? 0 : .max)
    }

    private func leaveObserved(_ entry: borrowing SoupEntry) {
        if stage == .taken {
            join.observation?.took(self, number, of: slot, from: sender, in: task)
            if !isTimed { join.machine.control?.takes(TakenCall(call: self)) }
        } else {
            join.observation?.withdrawn(number, of: slot)
        }
    }

    @inline(never)
    private func endObserved() {
        guard let observation = join.observation else { return }
        let entry = soup.enter()
        observation.answered(number)
        entry.leaveUnchanged()
    }

    // MARK: Waiting

    final func suspend(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = continuation
        if mark(Mark.suspended) & Mark.settled != 0 { resume() }
    }

    private func resume() {
        guard let continuation else { fatalError("ChemActors: a call without a caller") }
        self.continuation = nil
        continuation.resume()
    }

    // MARK: Answering

    @discardableResult
    final func mark(_ mark: UInt8) -> UInt8 {
        Interleaving.point()
        return progress.bitwiseOr(mark, ordering: .acquiringAndReleasing).oldValue
    }

    final func has(_ mark: UInt8) -> Bool { progress.load(ordering: .acquiring) & mark != 0 }

    /// Whether somebody has answered it, or is just doing so.
    final var isAnswered: Bool { has(Mark.claimed) }

    override final var isSettled: Bool { has(Mark.settled) }

    /// Claims the right to write the outcome. Returns false if somebody else has it.
    @usableFromInline
    final func claim() -> Bool { mark(Mark.claimed) & Mark.claimed == 0 }

    /// Notes that the outcome is written, and resumes the caller if it has suspended.
    @usableFromInline
    final func settle() {
        if number != 0 { endObserved() }
        endBlocking()
        let before = mark(Mark.settled)
        if before & Mark.hasHandlers != 0 { dropHandlers() }
        if before & Mark.suspended != 0 { resume() }
    }

    /// Throws the error with which the call has ended.
    @usableFromInline
    @inline(never)
    final func throwError() throws {
        guard let error else { fatalError("ChemActors: a call without an outcome") }
        throw error
    }

    /// Ends the call with `error`. Does nothing and returns false if it was answered before.
    @usableFromInline
    @discardableResult
    final func finish(throwing error: any Error) -> Bool {
        guard claim(throwing: error) else { return false }
        settle()
        return true
    }

    /// Claims the right to write the outcome, and writes this one. It isn't told yet: ``settle()`` does that.
    final func claim(throwing error: any Error) -> Bool {
        guard claim() else { return false }
        self.error = error
        return true
    }
}
