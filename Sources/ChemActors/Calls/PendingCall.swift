import ChemBase
import Synchronization

/// A call of a fast molecule that could not be answered at once: the value it carries, and the task that waits.
///
/// `stage` and `place` are touched in the soup. From the moment its reaction has taken it out of the soup a call
/// is answered exactly once, by whoever is first; before, it can be withdrawn.
@usableFromInline
final class PendingCall<Argument: Sendable, Answer: Sendable>: WaitingCall, @unchecked Sendable {
    // Checked by hand: `argument` never changes, `continuation` is written before the call enters the soup and read
    // after it left, and the rest is protected as said above.
    enum Stage { case outside, waiting, taken, withdrawn }

    @usableFromInline let argument: Argument
    unowned(unsafe) let slot: FastSlot<Argument, Answer>
    private var continuation: CheckedContinuation<Answer, any Error>?
    private var stage = Stage.outside
    /// Whether it counts as a lease while it is in the soup, since an exported name was called: it keeps the chemistry
    /// alive.
    private let holdsLease: Bool
    /// Whether its time is up. Then it is in the soup only because a reaction is about to take it.
    private var isOverdue = false
    /// Whether the body of a reaction waits for it, in a scope, and whether that body gives up when its time is up.
    private var isOfBody = false
    private var isTimed = false
    /// Whether that body counts as one that can't help anybody. In the soup.
    private var blocksBody = false
    /// Why it was withdrawn before it could enter.
    private var reason: (any Error)?
    private let answered = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)
    /// What is done if the caller gives up while the call is taken. In the soup.
    private var handlers: [@Sendable () -> Void] = []
    /// Whether there has been one. Most calls pay for no lock when they are answered.
    private let hasHandlers = Atomic<Bool>(false)
    /// The definition. Keeps the memory to which `slot` belongs.
    let join: Join

    private var soup: SoupReference { slot.soup }

    init(_ argument: Argument, slot: FastSlot<Argument, Answer>, location: SourceLocation, join: Join, holdsLease: Bool)
    {
        self.argument = argument
        self.slot = slot
        self.holdsLease = holdsLease
        self.join = join
        super.init(location)
    }

    // MARK: A body that waits

    /// Notes whether the caller is the body of a reaction in the same scope. In the calling task.
    func noteBody(isTimed: Bool) {
        let machine = join.machine
        if machine.scope != nil, let scope = BodyScope.current, scope.isRunning, scope.isOwnTask {
            isOfBody = scope.join.machine === machine
            self.isTimed = isTimed
        }
    }

    /// From now on the body that waits can't help anybody, unless its time may come before a reaction.
    func blockBody(_ entry: borrowing SoupEntry) {
        guard isOfBody, !blocksBody, !isTimed || stage == .taken else { return }
        blocksBody = true
        entry.state.countBlockedBody(1)
        join.machine.scope?.countBlockedBody(1)
    }

    /// The body will go on, or whoever has the reply may be anybody.
    func unblockBody(_ entry: borrowing SoupEntry) {
        guard blocksBody else { return }
        blocksBody = false
        entry.state.countBlockedBody(-1)
        join.machine.scope?.countBlockedBody(-1)
    }

    /// The body goes on. Before it is resumed, so that it never counts as waiting when it isn't.
    private func endBlocking() {
        guard isOfBody else { return }
        let entry = soup.enter()
        unblockBody(entry)
        entry.leaveUnchanged()
    }

    // MARK: Waiting

    /// Enters the soup and waits for the answer, or until the task is cancelled or the time is up.
    ///
    /// It may wait in the soup for `duration`; nil means for ever, and zero for a reaction that is possible when it
    /// enters, as long as that stays possible. The closure names `isolation`, where the caller runs, and so needs no
    /// hop to another executor and back.
    func wait(within duration: Duration? = nil, _ isolation: isolated (any Actor)?) async throws -> Answer {
        let deadline = duration.flatMap { $0 > .zero ? CallDeadline(self, within: $0) : nil }
        defer {
            if let deadline { join.machine.deadlines.remove(deadline) }
            // Whoever answered has written this before it resumed the task. ThreadSanitizer doesn't know that resuming
            // comes before what the task does next, where that hasn't suspended yet; so the answer would look like a
            // race.
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
    /// With `onlyNow` it is withdrawn at once unless a reaction is about to take it.
    private func enter(_ continuation: CheckedContinuation<Answer, any Error>, onlyNow: Bool) {
        self.continuation = continuation
        let entry = soup.enterAsCaller()
        if stage == .withdrawn {
            entry.leaveUnchanged()
            finish(throwing: reason ?? CancellationError())
        } else if entry.contents.life.phase.ignoresInjections {
            stage = .withdrawn
            slot.ignoreCall(entry)
            let code: CallError.Code = entry.contents.life.phase == .dissolved ? .dissolved : .deactivated
            entry.leaveUnchanged()
            finish(throwing: CallError(code, slot))
        } else {
            stage = .waiting
            if holdsLease { soup.memory.pointee.leases.add(1, ordering: .relaxed) }
            slot.put(self, entry)
            if onlyNow {
                guard slot.isAwaited(entry) else {
                    withdraw(CallError(.timedOut, slot), entry)
                    return
                }
                markOverdue(entry)
            }
            entry.leave()
        }
    }

    /// Whether it waits in the soup.
    func isWaiting(_ entry: borrowing SoupEntry) -> Bool { stage == .waiting }

    /// It is out of the soup. Whoever calls sees to it that the definition hears of a lease that has gone, or runs a
    /// body.
    private func leaveSoup(to new: Stage, _ entry: borrowing SoupEntry) {
        stage = new
        place = -1
        if isOverdue { slot.unmarkOverdue(entry) }
        if holdsLease { soup.memory.pointee.leases.subtract(1, ordering: .acquiringAndReleasing) }
    }

    /// A reaction has taken it.
    func markTaken(_ entry: borrowing SoupEntry) { leaveSoup(to: .taken, entry) }

    /// A definition that clears or dissolves has taken it out.
    func markRemoved(_ entry: borrowing SoupEntry) { leaveSoup(to: .withdrawn, entry) }

    // MARK: Withdrawing

    /// Withdraws the call, whose time is up. False if a reaction is about to take it: then nothing has happened,
    /// unless this `isFinal`.
    func withdrawAfterTimeout(isFinal: Bool) -> Bool {
        let error = CallError(.timedOut, slot)
        let entry = soup.enter()
        if !isFinal, stage == .waiting, slot.isAwaited(entry) {
            markOverdue(entry)
            entry.leaveUnchanged()
            return false
        }
        withdraw(error, entry)
        return true
    }

    /// Withdraws the call if no reaction has taken it; otherwise only tells its `Reply` that nobody needs it.
    func withdraw(_ error: any Error) {
        withdraw(error, soup.enter())
    }

    private func withdraw(_ error: any Error, _ entry: consuming SoupEntry) {
        switch stage {
        case .outside:
            stage = .withdrawn
            reason = error
            entry.leaveUnchanged()
        case .waiting:
            remove(entry)
            // The reaction that could have taken it may have been all that was possible.
            entry.leaveAfterEnd()
            finish(throwing: error)
        case .taken, .withdrawn:
            cancelled.store(true, ordering: .releasing)
            let handlers = isAnswered ? [] : self.handlers
            self.handlers = []
            if !handlers.isEmpty { entry.contents.life.choreBegan() }
            entry.leaveUnchanged()
            if !handlers.isEmpty { run(handlers) }
        }
    }

    private func markOverdue(_ entry: borrowing SoupEntry) {
        isOverdue = true
        slot.markOverdue(self, entry)
    }

    /// Takes it out of the soup, since it is withdrawn.
    func remove(_ entry: borrowing SoupEntry) {
        slot.remove(self, entry)
        slot.tally.withdrawn += 1
        leaveSoup(to: .withdrawn, entry)
    }

    // MARK: A caller that gives up

    /// Has `handler` run if the caller gives up before the call is answered.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let entry = soup.enter()
        if isAnswered {
            entry.leaveUnchanged()
        } else if isCancelled {
            entry.contents.life.choreBegan()
            entry.leaveUnchanged()
            run([handler])
        } else {
            handlers.append(handler)
            hasHandlers.store(true, ordering: .relaxed)
            entry.leaveUnchanged()
        }
    }

    /// Runs `handlers` in a task, since this may be the thread of the timer. A chore has begun, which ends with them.
    private func run(_ handlers: [@Sendable () -> Void]) {
        let configuration = join.machine.configuration
        Task.detached(executorPreference: configuration.executor, priority: configuration.priority) {
            for handler in handlers { handler() }
            self.soup.endChore()
        }
    }

    /// Releases the handlers of a call that is answered. Outside of the soup.
    private func dropHandlers() {
        let entry = soup.enter()
        let handlers = self.handlers
        self.handlers = []
        entry.leaveUnchanged()
        discard(handlers)
    }

    /// Whether the caller's task was cancelled, or its time is up, since the reaction has taken the call.
    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    // MARK: Answering

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

    // The body comes as a closure: where an asynchronous function itself holds its result, Swift 6.3.1 crashes
    // compiling for ThreadSanitizer.

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
