import ChemBase
import Synchronization

/// A call of a fast molecule that could not be answered at once: the value it carries, and the task that waits.
///
/// `stage` and `place` are touched in the soup. Once a reaction has taken a call out of the soup, the call is answered
/// exactly once, by whoever is first. Before that, it can be withdrawn.
@usableFromInline
final class PendingCall<Argument: Sendable, Answer: Sendable>: WaitingCall, @unchecked Sendable {
    // Checked by hand: `argument` never changes, `continuation` is written before the call enters the soup and read
    // after it has left, and the rest is protected as described above.
    enum Stage { case outside, waiting, taken, withdrawn }

    @usableFromInline let argument: Argument
    unowned(unsafe) let slot: FastSlot<Argument, Answer>
    private var continuation: CheckedContinuation<Answer, any Error>?
    private var stage = Stage.outside
    /// Whether it counts as a lease while it is in the soup, because an exported name was called. Then it keeps the
    /// chemistry alive.
    private let holdsLease: Bool
    /// Whether its time is up. If so, it is in the soup only because a reaction is about to take it.
    private var isOverdue = false
    /// Whether a reaction's body in a scope waits for it, and whether that body gives up when the time of the call is
    /// up.
    private var isOfBody = false
    private var isTimed = false
    /// Whether that body counts as blocked. Touched in the soup.
    private var blocksBody = false
    /// Why it was withdrawn before it could enter the soup.
    private var reason: (any Error)?
    private let answered = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)
    /// What to do if the caller gives up after a reaction has taken the call. Touched in the soup.
    private var handlers: [@Sendable () -> Void] = []
    /// Whether there has been a handler. Spares most calls a lock when they are answered.
    private let hasHandlers = Atomic<Bool>(false)
    /// The definition, which keeps the memory that `slot` belongs to.
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

    /// Notes whether the caller is the body of a reaction in the same scope. Called in the calling task.
    func noteBody(isTimed: Bool) {
        let machine = join.machine
        if machine.scope != nil, let scope = BodyScope.current, scope.isRunning, scope.isOwnTask {
            isOfBody = scope.join.machine === machine
            self.isTimed = isTimed
        }
    }

    /// Counts the waiting body as blocked, unless its call may time out before a reaction takes it.
    func blockBody(_ entry: borrowing SoupEntry) {
        guard isOfBody, !blocksBody, !isTimed || stage == .taken else { return }
        blocksBody = true
        entry.state.countBlockedBody(1)
        join.machine.scope?.countBlockedBody(1)
    }

    /// Stops counting the body as blocked: it will go on, or anybody may have the reply.
    func unblockBody(_ entry: borrowing SoupEntry) {
        guard blocksBody else { return }
        blocksBody = false
        entry.state.countBlockedBody(-1)
        join.machine.scope?.countBlockedBody(-1)
    }

    /// Stops counting the body as blocked. Called before the body is resumed, so that it never counts as waiting when
    /// it isn't.
    private func endBlocking() {
        guard isOfBody else { return }
        let entry = soup.enter()
        unblockBody(entry)
        entry.leaveUnchanged()
    }

    // MARK: Waiting

    /// Enters the soup and waits for the answer, or until the task is cancelled or the time is up.
    ///
    /// The call may wait in the soup for `duration`. Nil means for ever. Zero means only for a reaction that is
    /// possible when the call enters, as long as that stays possible. The closure captures the caller's `isolation`,
    /// and so needs no hop to another executor and back.
    func wait(within duration: Duration? = nil, _ isolation: isolated (any Actor)?) async throws -> Answer {
        let deadline = duration.flatMap { $0 > .zero ? CallDeadline(self, within: $0) : nil }
        defer {
            if let deadline { join.machine.deadlines.remove(deadline) }
            // Whoever answered wrote this before resuming the task. If the task is resumed before it has suspended,
            // ThreadSanitizer doesn't know that the resumption comes before what the task does next, so the answer
            // would look like a race.
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

    /// Enters the soup, unless the call was withdrawn before.
    ///
    /// With `onlyNow` the call is withdrawn at once unless a reaction is about to take it.
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

    /// Notes that the call is out of the soup. The caller of this method makes sure that the definition hears of a
    /// lease that has gone, or runs a body.
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

    /// Withdraws the call, whose time is up. If a reaction is about to take it, returns false and withdraws nothing,
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

    /// Withdraws the call if no reaction has taken it. Otherwise only tells its `Reply` that nobody needs the answer.
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

    /// Takes the call out of the soup, because it is withdrawn.
    func remove(_ entry: borrowing SoupEntry) {
        slot.remove(self, entry)
        slot.tally.withdrawn += 1
        leaveSoup(to: .withdrawn, entry)
    }

    // MARK: A caller that gives up

    /// Runs `handler` if the caller gives up before the call is answered.
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

    /// Runs `handlers` in a task, since this may be the thread of the timer. Ends the chore that was begun for them.
    private func run(_ handlers: [@Sendable () -> Void]) {
        let configuration = join.machine.configuration
        Task.detached(executorPreference: configuration.executor, priority: configuration.priority) {
            for handler in handlers { handler() }
            self.soup.endChore()
        }
    }

    /// Releases the handlers of an answered call. Called outside of the soup.
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

    /// Resumes the caller with `answer`. Does nothing and returns false if the call was answered before.
    @usableFromInline
    @discardableResult
    func finish(returning answer: Answer) -> Bool {
        if answered.exchange(true, ordering: .acquiringAndReleasing) { return false }
        endBlocking()
        takeContinuation().resume(returning: slot.answersNames ? Exports.outward(answer) : answer)
        return true
    }

    // The body is passed as a closure: Swift 6.3.1 crashes compiling for ThreadSanitizer where an asynchronous function
    // itself holds its result.

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

    /// Resumes the caller with `error`. Does nothing and returns false if the call was answered before.
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
