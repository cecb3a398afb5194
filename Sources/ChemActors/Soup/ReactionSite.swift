public import ChemBase
public import Synchronization

/// The memory of one join definition: its soup, its inbox, and who works on it. The `Join` actor owns it, names point to it.
///
/// Two locks protect it, and nothing but memory is touched under either: no body runs, no continuation is resumed and no
/// value of a user is released while one is held. `lock` protects the soup; `inboxLock` the inbox, and is taken after
/// `lock` where both are. Under either no lock of another definition is taken. An injector takes only one of them:
///
/// - while a worker is active (`isAccepting`), it leaves its molecule in the inbox, which the worker empties by the batch;
/// - otherwise it puts it into the soup, and wakes a worker if that made a reaction possible.
///
/// So an injector and a worker that run at the same time touch a common cache line once a batch, not once a molecule.
///
/// Invariants, whenever `lock` is free:
/// 1. `isAccepting` is true exactly while `activity` is not `idle`; then somebody will look at the inbox and the soup.
/// 2. `activity` is `idle` only if nothing is possible, or nothing may start, or all `workerLimit` workers are busy; a
///    worker that comes back looks again.
/// 3. Molecules in the inbox were injected after all those of the same sender that are in the soup.
@usableFromInline
struct ReactionSite: ~Copyable {
    @usableFromInline
    enum Phase: UInt8 {
        /// The closure of `define` is running: molecules wait.
        case defining
        case running
        /// Molecules are accepted and nothing starts.
        case paused
        /// Molecules are ignored.
        case deactivated
        /// Nobody can reach it any more.
        case dissolved

        @inlinable var ignoresInjections: Bool { rawValue >= Phase.deactivated.rawValue }
    }

    /// Whether a worker is looking after the soup.
    @usableFromInline
    enum Activity: UInt8 {
        case idle
        /// A worker has been woken and will look.
        case scheduled
        /// A worker looks, or runs a short body and will look after it.
        case running
    }

    /// Nothing, as in `SlotHeader`.
    let firstPadding: UInt = 0

    // MARK: Under `lock`
    @usableFromInline let lock = Lock()
    @usableFromInline var phase = Phase.defining
    @usableFromInline var activity = Activity.idle
    /// The workers of this definition, woken ones included.
    @usableFromInline var workers: Int32 = 0
    @usableFromInline var workerLimit: Int32
    /// Bodies that have started and not ended.
    @usableFromInline var running = 0
    @usableFromInline var started = 0
    /// The largest number of bodies that ran at the same time.
    @usableFromInline var peakRunning = 0
    /// Calls that are answered in their callers' tasks look for how long that has been going on, whenever `started` has no
    /// bit in common with this.
    @usableFromInline var lookMask = 0
    @usableFromInline var soup: Soup
    @usableFromInline var reactions = UnsafeMutablePointer<ReactionRecord>.allocate(capacity: 0)
    /// The record of the worker that is active, if one is.
    var activeWorker: UnsafeMutablePointer<WorkerRecord>?
    /// Whether `quietWaiters` may hold one.
    @usableFromInline var hasQuietWaiters = false
    var quietWaiters = Ticketed<QuietWaiter>()
    var failures = 0
    /// For how long calls have been answered in their callers' tasks without a pause, at the last look.
    var answering = AnswerPace()
    /// How many calls are in the soup whose time is up, since a reaction was possible that could take them.
    var overdueCalls = 0
    /// What is going on outside of the lock that is no reaction, but before whose end nothing is quiet.
    @usableFromInline var chores: Int32 = 0
    /// The bodies of a scope's machine that wait in a call of this definition.
    var blockedBodies = 0
    /// The phase that the closure of `define` has asked for.
    var phaseAfterStart = Phase.running
    /// Whether the definition is to be activated as soon as its deactivation is complete.
    var activatesWhenQuiet = false
    /// The asynchronous bodies that have suspended, newest first.
    var firstSuspended: BodyScope?
    /// The failed reactions that wait to be tried again.
    var retries = Ticketed<PendingRetry>()
    /// Those of them whose time has come: a worker runs them.
    var dueRetries = FIFO<PendingRetry>()
    /// How often a body of a scope has begun or ceased to wait in a call: tells whether `blockedBodies` is the same or the
    /// same again.
    var blockings = 0
    /// The actor that owns this memory, set as soon as it exists.
    unowned(unsafe) var join: Join?
    /// What the definition keeps until it dissolves.
    var chemistry = Chemistry()
    let padding: CacheLine = (0, 0, 0, 0, 0, 0, 0, 0)

    // MARK: Under `inboxLock`
    @usableFromInline let inboxLock = Lock()
    /// Whether injectors leave their molecules in the inbox. Written under both locks, so stable under either.
    @usableFromInline let isAccepting = Atomic<Bool>(false)
    @usableFromInline var firstDirty: UnsafeMutablePointer<SlotHeader>?
    let padding2: CacheLine = (0, 0, 0, 0, 0, 0, 0, 0)

    // MARK: Free of locks
    /// How many leases keep the chemistry alive.
    @usableFromInline let leases = Atomic<Int>(0)

    /// Whether the next call that isn't answered at once is to let others have its thread, and try again.
    let isWayDue = Atomic<Bool>(false)
    /// Whether a call may run its `answer` body in the calling task.
    @usableFromInline let allowsInline: Bool
    /// Whether the definition is designated to the main actor.
    let isOnMain: Bool
    /// Whether a worker has been woken on the main actor. Under `lock`.
    var isScheduledOnMain = false
    /// Whether the machine is that of a scope.
    @usableFromInline let isScoped: Bool
    /// Whether bodies run on the pool, without an executor or a priority of their own.
    @usableFromInline let isPlain: Bool
    /// `ThreadMark.site`, here because the hot path is here.
    @usableFromInline let threadMark: ThreadLocal

    init(seed: UInt64, configuration: ChemicalMachine.Configuration, isScoped: Bool, isOnMain: Bool) {
        soup = Soup(seed: seed)
        workerLimit = Int32(clamping: configuration.workerLimit)
        allowsInline = configuration.executor == nil && !isOnMain
        isPlain = configuration.executor == nil && configuration.priority == nil && !isScoped && !isOnMain
        self.isOnMain = isOnMain
        self.isScoped = isScoped
        threadMark = ThreadMark.site
    }

    @inlinable
    deinit {
        reactions.deallocate()
    }
}

@usableFromInline typealias SitePointer = UnsafeMutablePointer<ReactionSite>

extension UnsafeMutablePointer where Pointee == ReactionSite {
    /// The actor that owns this memory.
    var owner: Join { pointee.join.unsafelyUnwrapped }

    /// Leaves the soup after something was put in or taken out: wakes a worker if something is possible and nobody looks.
    @inlinable
    @inline(__always)
    func leave() {
        if pointee.activity == .idle, pointee.soup.possibleCount != 0 {
            wakeAndUnlock()
        } else {
            pointee.lock.unlock()
        }
    }

    /// Wakes a worker, if one may start. Entered under the lock, left without it.
    @usableFromInline
    @inline(never)
    func wakeAndUnlock() {
        guard pointee.phase == .running, pointee.workers < pointee.workerLimit else {
            pointee.lock.unlock()
            return
        }
        if pointee.isOnMain {
            wakeOnMainAndUnlock()
            return
        }
        scheduleWorker()
        let join = owner
        pointee.lock.unlock()
        join.startWorker()
    }

    /// From now on a worker is responsible, and injectors leave their molecules in the inbox. Under the lock.
    func scheduleWorker() {
        pointee.workers += 1
        pointee.activity = .scheduled
        openInbox()
    }

    func openInbox() {
        pointee.inboxLock.lock()
        pointee.isAccepting.store(true, ordering: .relaxed)
        pointee.inboxLock.unlock()
    }

    /// Counts a body that is about to run. Under the lock.
    @inlinable
    @inline(__always)
    func countStart() {
        pointee.started &+= 1
        pointee.running &+= 1
        if pointee.running > pointee.peakRunning { pointee.peakRunning = pointee.running }
    }

    /// Moves what is in the inbox into the soup, under the lock.
    @usableFromInline
    @inline(never)
    func absorb() {
        pointee.inboxLock.lock()
        absorbUnderBothLocks()
        pointee.inboxLock.unlock()
    }

    func absorbUnderBothLocks() {
        var next = pointee.firstDirty
        pointee.firstDirty = nil
        while let slot = next {
            next = slot.pointee.nextDirty
            slot.pointee.nextDirty = nil
            slot.pointee.description.absorb()
        }
    }

    /// Moves what is in the inbox into the soup and sends injectors to the soup from now on. Under the lock.
    func closeInbox() {
        pointee.inboxLock.lock()
        absorbUnderBothLocks()
        pointee.isAccepting.store(false, ordering: .relaxed)
        pointee.inboxLock.unlock()
    }

    /// Becomes idle unless something is possible. Under the lock; returns whether the caller goes on being active.
    func staysActive() -> Bool {
        pointee.inboxLock.lock()
        absorbUnderBothLocks()
        if pointee.soup.possibleCount != 0, pointee.phase == .running {
            pointee.inboxLock.unlock()
            return true
        }
        pointee.isAccepting.store(false, ordering: .relaxed)
        pointee.inboxLock.unlock()
        pointee.activity = .idle
        return false
    }

    /// Enters the soup as a caller does: with everything in it that this sender has injected before.
    @inlinable
    @inline(__always)
    func enter() {
        pointee.lock.lock()
        if pointee.activity != .idle { absorb() }
    }

    /// Whether calls have been answered in their callers' tasks for so long that the next one is to give way. Under the lock.
    @usableFromInline
    @inline(never)
    func hasAnsweredForLong() -> Bool {
        pointee.answering.look(at: Pace.now)
        pointee.lookMask = pointee.answering.lookMask
        if pointee.answering.isLong { pointee.isWayDue.store(true, ordering: .relaxed) }
        return pointee.answering.isLong
    }

    /// A call has been answered whose end is to be noted, since the next one is looked at. Under the lock.
    @usableFromInline
    @inline(never)
    func noteAnswerEnd() {
        pointee.answering.lastEnd = Pace.now
        withdrawOverdueCalls()
    }

    /// Answers the calls of a scope that could not end otherwise.
    @usableFromInline
    func checkForDeadlock() {
        owner.machine.checkForDeadlock()
    }

    /// Something begins that is no reaction, but before whose end nothing is quiet. Under the lock.
    func beginChore() {
        pointee.chores += 1
    }

    /// It has ended.
    func endChore() {
        pointee.lock.lock()
        pointee.chores -= 1
        leaveAfterEnd()
    }

    /// Withdraws the calls whose time is up and which no reaction can take any more. Entered and left under the lock.
    ///
    /// By whoever has taken something, or is about to: workers when nothing is possible any more, and before long bodies.
    func withdrawOverdueCalls() {
        guard pointee.overdueCalls != 0 else { return }
        let ends = pointee.chemistry.slots.compactMap { $0.withdrawOverdue() }
        guard !ends.isEmpty else { return }
        beginChore()
        pointee.lock.unlock()
        for end in ends { end() }
        pointee.lock.lock()
        pointee.chores -= 1
    }

    /// Whether nothing runs, nothing is possible, no retry is pending and nobody looks. Under the lock.
    ///
    /// Nothing is on its way then: while the inbox may hold something, somebody looks.
    var isQuiet: Bool {
        isAtRest && pointee.soup.possibleCount == 0 && pointee.retries.isEmpty
    }

    /// Whether the definition may end: as `isQuiet`, but what a pause holds up doesn't prevent it.
    ///
    /// A worker counts as long as it exists: it may still be about to come back to its reaction.
    private var isAtRest: Bool {
        pointee.activity == .idle && pointee.workers == 0 && pointee.running == 0 && pointee.phase != .defining
            && pointee.chores == 0
            && (pointee.phase == .paused || (pointee.soup.possibleCount == 0 && pointee.retries.isEmpty))
    }

    /// Leaves the soup after something has ended or was withdrawn: a worker, a body, a call, a lease, a pause, a chore.
    ///
    /// Whoever may have been waiting for that is told here, and nowhere else: a worker, if something is possible; those who
    /// wait for quiet; the definition itself, which dissolves if nothing can reach it any more; and a scope that could not
    /// end otherwise. Entered under the lock, left without it.
    @inlinable
    @inline(__always)
    func leaveAfterEnd() {
        let isScoped = pointee.isScoped
        leaveAndTell()
        if isScoped { checkForDeadlock() }
    }

    /// As `leaveAfterEnd`, but a scope isn't told. By whoever looks after the scope itself.
    @inlinable
    @inline(__always)
    func leaveAndTell() {
        if pointee.workers != 0 || pointee.running != 0
            || (pointee.soup.possibleCount == 0 && !pointee.hasQuietWaiters
                && pointee.leases.load(ordering: .relaxed) != 0)
        {
            pointee.lock.unlock()
        } else {
            settleAndUnlock()
        }
    }

    /// An `answer` body has ended in the thread of its caller, whose mark was `outer` before.
    @inlinable
    @inline(__always)
    func leaveAfterAnswer(_ outer: UnsafeMutableRawPointer?) {
        mark(outer)
        pointee.lock.lock()
        if pointee.lookMask == 0 { noteAnswerEnd() }
        pointee.running &-= 1
        leaveAfterEnd()
    }

    @usableFromInline
    @inline(never)
    func settleAndUnlock() {
        if pointee.soup.possibleCount != 0, pointee.phase == .running {
            wakeAndUnlock()
            return
        }
        guard isAtRest else {
            pointee.lock.unlock()
            return
        }
        let isAbandoned = pointee.phase != .dissolved && pointee.leases.load(ordering: .acquiring) == 0
        if isAbandoned, !pointee.retries.isEmpty {
            // A pause holds them up, and nobody is left who could end it. They hold states, which come back first.
            owner.dropRetriesAndUnlock()
            return
        }
        var waiters: [QuietWaiter] = []
        var values: [any Leftover] = []
        if isQuiet {
            if pointee.phase == .deactivated, pointee.activatesWhenQuiet { values = owner.reactivate() }
            let signals = pointee.quietWaiters.removeAll(where: \.isSignal)
            if !signals.isEmpty {
                // A signal is on its way until it is in another definition's soup.
                beginChore()
                pointee.lock.unlock()
                Handoff.giveUp()
                discard(values)
                for signal in signals { signal.resume() }
                endChore()
                return
            }
            waiters = pointee.quietWaiters.removeAll()
            pointee.hasQuietWaiters = false
        }
        if isAbandoned {
            owner.dissolveAndUnlock()
        } else {
            pointee.lock.unlock()
        }
        if !values.isEmpty || !waiters.isEmpty { Handoff.giveUp() }
        discard(values)
        for waiter in waiters { waiter.resume() }
    }
}
