import Synchronization

/// A call of a fast molecule that could not be answered at once: the value it carries, and the task that waits.
///
/// `stage` and `position` belong to the lock of the soup. From the moment its reaction has taken it out of the soup a call
/// is answered exactly once, by whoever is first; before, it can be withdrawn.
@usableFromInline
final class PendingCall<Argument: Sendable, Answer: Sendable>: @unchecked Sendable {
    // Checked by hand: `argument` never changes, `continuation` is written before the call enters the soup and read after
    // it left, and the rest is protected as said above.
    enum Stage { case outside, waiting, taken, withdrawn }

    @usableFromInline let argument: Argument
    let site: SitePointer
    unowned(unsafe) let slot: FastSlotDescription<Argument, Answer>
    private var continuation: CheckedContinuation<Answer, any Error>?
    private var stage = Stage.outside
    /// Where it stands among the waiting calls.
    var position = -1
    /// Whether the body of a reaction waits for it, in a scope, and whether that body gives up when its time is up.
    private var isOfBody = false
    private var isTimed = false
    /// Whether that body counts as one that can't help anybody. Under the lock of the soup.
    private var blocksBody = false
    /// Why it was withdrawn before it could enter.
    private var reason: (any Error)?
    private let answered = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)
    /// The lease of the name that was called: a waiting call keeps the chemistry alive.
    private var anchor: AnyObject?
    /// Keeps the memory of the definition, to which `site` and `slot` belong.
    private let join: Join

    /// Where the call stands in the source, and when it entered the soup.
    let location: SourceLocation
    private(set) var entered = ContinuousClock.now

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
        self.anchor = anchor
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
        site.pointee.blockedBodies += 1
        site.owner.machine.scope?.countBlockedBody(1)
    }

    /// The body will go on, or whoever has the reply may be anybody. Under the lock of the soup.
    func unblockBody() {
        guard blocksBody else { return }
        blocksBody = false
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

    /// Enters the soup and waits for the answer, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - isolation: Where the caller runs. The closure names it, and so needs no hop to another executor and back.
    func answer(_ isolation: isolated (any Actor)?) async throws -> Answer {
        try await withTaskCancellationHandler {
            _ = isolation
            return try await withCheckedThrowingContinuation {
                enter($0)
                site.owner.machine.checkForDeadlock()
            }
        } onCancel: {
            withdraw(CancellationError())
        }
    }

    /// Enters the soup, unless it was withdrawn before.
    @usableFromInline
    func enter(_ continuation: CheckedContinuation<Answer, any Error>) {
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
            slot.put(self)
            site.leave()
        }
    }

    /// Marks it as taken by a reaction. Under the lock of the soup.
    @usableFromInline
    func markTaken() {
        stage = .taken
        position = -1
    }

    /// Withdraws the call, whose time is up. False if a reaction that is possible now may take it, or if it isn't in the soup yet:
    /// then nothing has happened.
    func withdraw(afterTimeout error: any Error) -> Bool {
        site.pointee.lock.lock()
        if stage == .outside || (stage == .waiting && slot.isAwaited) {
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

    private func withdrawAndUnlock(_ error: any Error) {
        switch stage {
        case .outside:
            stage = .withdrawn
            reason = error
            site.pointee.lock.unlock()
        case .waiting:
            stage = .withdrawn
            slot.remove(self)
            slot.tally.withdrawn += 1
            site.pointee.lock.unlock()
            finish(throwing: error)
        case .taken, .withdrawn:
            cancelled.store(true, ordering: .releasing)
            site.pointee.lock.unlock()
        }
    }

    /// Marks it as taken out by a clearing or dissolving definition. Under the lock of the soup.
    func markRemoved() {
        stage = .withdrawn
        position = -1
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

    // A body that answers and updates states commits them before the caller is resumed, who may look at them. The bodies come as
    // closures: where an asynchronous function itself holds their result, Swift 6.3.1 crashes compiling for ThreadSanitizer.

    /// Resumes the caller with the result of a synchronous body, once its states are committed.
    @inlinable
    @inline(__always)
    func finish(_ body: () throws -> Answer, committing commit: () -> Void) rethrows {
        let answer = try body()
        commit()
        finish(returning: answer)
    }

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
        // An answered call keeps nothing alive, even if somebody keeps its reply.
        anchor = nil
        return continuation
    }
}
