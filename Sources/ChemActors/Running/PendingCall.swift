import ChemBase
import Synchronization

/// A call of a fast molecule that could not be answered at once: the value it carries, and the task that waits.
///
/// `stage` and `place` belong to the lock of the soup. From the moment its reaction has taken it out of the soup a call
/// is answered exactly once, by whoever is first; before, it can be withdrawn.
@usableFromInline
final class PendingCall<Argument: Sendable, Answer: Sendable>: WaitingCall, @unchecked Sendable {
    // Checked by hand: `argument` never changes, `continuation` is written before the call enters the soup and read after
    // it left, and the rest is protected as said above.
    enum Stage { case outside, waiting, taken, withdrawn }

    @usableFromInline let argument: Argument
    let site: SitePointer
    unowned(unsafe) let slot: FastSlotDescription<Argument, Answer>
    private var continuation: CheckedContinuation<Answer, any Error>?
    private var stage = Stage.outside
    /// Whether it counts as a lease while it is in the soup, since an exported name was called: it keeps the chemistry alive.
    private let holdsLease: Bool
    /// Whether its time is up. Then it is in the soup only because a reaction is about to take it.
    private var isOverdue = false
    /// Whether the body of a reaction waits for it, in a scope, and whether that body gives up when its time is up.
    private var isOfBody = false
    private var isTimed = false
    /// Whether that body counts as one that can't help anybody. Under the lock of the soup.
    private var blocksBody = false
    /// Why it was withdrawn before it could enter.
    private var reason: (any Error)?
    private let answered = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)
    /// What is done if the caller gives up while the call is taken. Under the lock of the soup.
    private var handlers: [@Sendable () -> Void] = []
    /// Whether there has been one. Most calls pay for no lock when they are answered.
    private let hasHandlers = Atomic<Bool>(false)
    /// Keeps the memory of the definition, to which `site` and `slot` belong.
    private let join: Join

    /// Where the call stands in the source, and when it entered the soup.
    let location: SourceLocation
    let entered = ContinuousClock.now

    init(
        _ argument: Argument,
        slot: FastSlotDescription<Argument, Answer>,
        location: SourceLocation,
        anchor: AnyObject
    ) {
        self.argument = argument
        self.slot = slot
        self.location = location
        self.site = slot.site
        holdsLease = anchor is Lease
        join = slot.site.owner
    }

    /// Notes whether the caller is the body of a reaction in the same scope. In the calling task.
    func noteBody(isTimed: Bool) {
        let machine = site.owner.machine
        if machine.scope != nil, let scope = BodyScope.current, scope.isRunning, scope.isOwnTask {
            isOfBody = scope.join.machine === machine
            self.isTimed = isTimed
        }
    }

    /// From now on the body that waits can't help anybody, unless its time may come before a reaction. Under the lock of the soup.
    func blockBody() {
        guard isOfBody, !blocksBody, !isTimed || stage == .taken else { return }
        blocksBody = true
        site.pointee.blockings &+= 1
        site.pointee.blockedBodies += 1
        site.owner.machine.scope?.countBlockedBody(1)
    }

    /// The body will go on, or whoever has the reply may be anybody. Under the lock of the soup.
    func unblockBody() {
        guard blocksBody else { return }
        blocksBody = false
        site.pointee.blockings &+= 1
        site.pointee.blockedBodies -= 1
        site.owner.machine.scope?.countBlockedBody(-1)
    }

    /// The body goes on. Before it is resumed, so that it never counts as waiting when it isn't.
    private func endBlocking() {
        guard isOfBody else { return }
        site.pointee.lock.lock()
        unblockBody()
        site.pointee.lock.unlock()
    }

    /// Enters the soup and waits for the answer, or until the task is cancelled or the time is up.
    ///
    /// - Parameters:
    ///   - duration: How long the call may wait in the soup. Nil for ever; zero: only for a reaction that is possible when it
    ///     enters, as long as that stays possible.
    ///   - isolation: Where the caller runs. The closure names it, and so needs no hop to another executor and back.
    func answer(within duration: Duration? = nil, _ isolation: isolated (any Actor)?) async throws -> Answer {
        let deadline = duration.flatMap { $0 > .zero ? CallDeadline(self, within: $0) : nil }
        defer {
            if let deadline { join.machine.deadlines.remove(deadline) }
            // Whoever answered has written this before it resumed the task. ThreadSanitizer doesn't know that resuming comes before
            // what the task does next, where that hasn't suspended yet; so the answer would look like a race.
            _ = isAnswered
        }
        return try await withTaskCancellationHandler {
            _ = isolation
            return try await withCheckedThrowingContinuation {
                enter($0, onlyNow: duration == .zero)
                if let deadline { join.machine.deadlines.add(deadline) }
                join.machine.checkForDeadlock()
            }
        } onCancel: {
            withdraw(CancellationError())
        }
    }

    /// Enters the soup, unless it was withdrawn before.
    ///
    /// - Parameters:
    ///   - onlyNow: Whether it is withdrawn at once unless a reaction is about to take it.
    private func enter(_ continuation: CheckedContinuation<Answer, any Error>, onlyNow: Bool) {
        self.continuation = continuation
        site.enter()
        if stage == .withdrawn {
            site.pointee.lock.unlock()
            finish(throwing: reason ?? CancellationError())
        } else if site.pointee.phase.ignoresInjections {
            stage = .withdrawn
            slot.slot.countInjected()
            slot.tally.ignored += 1
            let code: CallError.Code = site.pointee.phase == .dissolved ? .dissolved : .deactivated
            site.pointee.lock.unlock()
            finish(throwing: CallError(code, slot))
        } else {
            stage = .waiting
            if holdsLease { site.pointee.leases.add(1, ordering: .relaxed) }
            slot.put(self)
            if onlyNow {
                guard slot.isAwaited else { return withdrawAndUnlock(CallError(.timedOut, slot)) }
                markOverdue()
            }
            site.leave()
        }
    }

    /// It is out of the soup. Under the lock of the soup; whoever calls sees to it that the definition hears of a lease that
    /// has gone, or runs a body.
    private func leaveSoup(to new: Stage) {
        stage = new
        place = -1
        if isOverdue { slot.unmarkOverdue() }
        if holdsLease { site.pointee.leases.subtract(1, ordering: .acquiringAndReleasing) }
    }

    /// Marks it as taken by a reaction. Under the lock of the soup.
    func markTaken() { leaveSoup(to: .taken) }

    /// Marks it as taken out by a clearing or dissolving definition. Under the lock of the soup.
    func markRemoved() { leaveSoup(to: .withdrawn) }

    /// Withdraws the call, whose time is up. False if a reaction is about to take it: then nothing has happened.
    ///
    /// - Parameters:
    ///   - isFinal: Whether it is withdrawn also then.
    fileprivate func withdrawAfterTimeout(isFinal: Bool) -> Bool {
        let error = CallError(.timedOut, slot)
        site.pointee.lock.lock()
        if !isFinal, stage == .waiting, slot.isAwaited {
            markOverdue()
            site.pointee.lock.unlock()
            return false
        }
        withdrawAndUnlock(error)
        return true
    }

    /// Withdraws the call if no reaction has taken it; otherwise only tells its `Reply` that nobody needs it.
    func withdraw(_ error: any Error) {
        site.pointee.lock.lock()
        withdrawAndUnlock(error)
    }

    private func markOverdue() {
        isOverdue = true
        slot.markOverdue(self)
    }

    /// Whether it is in the soup. Under the lock of the soup.
    var isWaiting: Bool { stage == .waiting }

    /// Takes it out of the soup, under its lock, since it is withdrawn.
    func remove() {
        slot.remove(self)
        slot.tally.withdrawn += 1
        leaveSoup(to: .withdrawn)
    }

    private func withdrawAndUnlock(_ error: any Error) {
        switch stage {
        case .outside:
            stage = .withdrawn
            reason = error
            site.pointee.lock.unlock()
        case .waiting:
            remove()
            // The reaction that could have taken it may have been all that was possible.
            site.leaveAfterEnd()
            finish(throwing: error)
        case .taken, .withdrawn:
            cancelled.store(true, ordering: .releasing)
            let handlers = isAnswered ? [] : self.handlers
            self.handlers = []
            if !handlers.isEmpty { site.beginChore() }
            site.pointee.lock.unlock()
            if !handlers.isEmpty { run(handlers) }
        }
    }

    // MARK: A caller that gives up

    /// Has `handler` run if the caller gives up before the call is answered.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        site.pointee.lock.lock()
        if isAnswered {
            site.pointee.lock.unlock()
        } else if isCancelled {
            site.beginChore()
            site.pointee.lock.unlock()
            run([handler])
        } else {
            handlers.append(handler)
            hasHandlers.store(true, ordering: .relaxed)
            site.pointee.lock.unlock()
        }
    }

    /// Runs `handlers` in a task, since this may be the thread of the timer. A chore has begun, which ends with them.
    private func run(_ handlers: [@Sendable () -> Void]) {
        let machine = join.machine
        Task.detached(executorPreference: machine.configuration.executor, priority: machine.configuration.priority) {
            for handler in handlers { handler() }
            self.site.endChore()
        }
    }

    /// Releases the handlers of a call that is answered. Outside of the soup.
    private func dropHandlers() {
        site.pointee.lock.lock()
        let handlers = self.handlers
        self.handlers = []
        site.pointee.lock.unlock()
        discard(handlers)
    }

    /// Whether the caller's task was cancelled, or its time is up, since the reaction has taken the call.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    var isAnswered: Bool { answered.load(ordering: .acquiring) }

    /// Resumes the caller with `answer`. False if it was answered before; then nothing happens.
    @usableFromInline
    @discardableResult
    func finish(returning answer: Answer) -> Bool {
        if answered.exchange(true, ordering: .acquiringAndReleasing) { return false }
        endBlocking()
        takeContinuation().resume(returning: slot.answersNames ? Exports.outward(answer) : answer)
        return true
    }

    // The body comes as a closure: where an asynchronous function itself holds its result, Swift 6.3.1 crashes compiling for
    // ThreadSanitizer.

    /// Resumes the caller with the result of an asynchronous body, once its states are committed.
    @usableFromInline
    nonisolated(nonsending)
        func finish(_ body: nonisolated(nonsending) () async throws -> Answer, committing commit: () -> Void)
        async rethrows
    {
        let answer = try await body()
        commit()
        finish(returning: answer)
    }

    /// Resumes the caller with `error`. False if it was answered before; then nothing happens.
    @usableFromInline
    @discardableResult
    func finish(throwing error: any Error) -> Bool {
        if answered.exchange(true, ordering: .acquiringAndReleasing) { return false }
        endBlocking()
        takeContinuation().resume(throwing: error)
        return true
    }

    private func takeContinuation() -> CheckedContinuation<Answer, any Error> {
        guard let continuation else { fatalError("ChemActors: a call without a caller") }
        self.continuation = nil
        if hasHandlers.load(ordering: .relaxed) { dropHandlers() }
        return continuation
    }
}

/// The time of a call that has one.
private final class CallDeadline<Argument: Sendable, Answer: Sendable>: Deadline, @unchecked Sendable {
    // Checked by hand: `isFinal` belongs to whoever has it pass, one after the other.
    private let call: PendingCall<Argument, Answer>
    /// Whether there is no more grace.
    private var isFinal = false

    /// A reaction that is possible when the time is up has the right of way, since a worker is about to take the call. But not
    /// for ever: all workers, or all threads of the pool, may be busy, and none may come.
    private static var grace: Duration { .milliseconds(50) }

    init(_ call: PendingCall<Argument, Answer>, within duration: Duration) {
        self.call = call
        super.init(at: .now + duration, ticket: call.site.owner.machine.nextTicket())
    }

    override func pass() -> Duration? {
        if call.withdrawAfterTimeout(isFinal: isFinal) { return nil }
        isFinal = true
        return Self.grace
    }
}

/// A look at the calls whose time is up, by the thread of the timer, since a worker is about to be busy for long.
final class OverdueLook: Deadline, @unchecked Sendable {
    // Checked by hand: nothing changes.
    private let join: Join

    init(_ join: Join) {
        self.join = join
        super.init(at: .now, ticket: join.machine.nextTicket())
    }

    override func pass() -> Duration? {
        join.site.pointee.lock.lock()
        join.site.withdrawOverdueCalls()
        join.site.leaveAfterEnd()
        return nil
    }
}
