import ChemBase
import Synchronization

/// The child tasks of a scope, which run the reactions of its machine, and the error that ends it.
///
/// A task sees the task-local values and the priority of the task that made it, but molecules are injected from
/// anywhere. So the scope has child workers that live as long as it does: what they run and start sees the values and
/// the priority with which the scope was entered.
final class MachineScope: Sendable {
    private enum Job {
        case worker(Join)
        case body(BodyScope)
        /// The main actor has to look after the definition.
        case main(Join)
    }

    /// The scope whose child worker runs on this thread.
    private static let child = ThreadLocal()

    private struct Work {
        var jobs = FIFO<Job>()
        var idle: [CheckedContinuation<Void, Never>] = []
        /// Whether all is dropped, and nothing may begin any more.
        var isEnding = false
        var isClosed = false
        var firstError: (any Error)?
        /// The body in which the scope was entered, if it was in one. Let go when the scope closes: its machine may be
        /// kept for long.
        var enclosing = BodyScope.current
        /// How to revoke the replies that bodies have kept.
        var revocations = Ticketed<@Sendable () -> Void>()
    }

    private let work = Guarded(Work())
    /// Whether the lengths of turns are measured.
    private let isTimed: Bool
    /// Whether the scope's closure has returned. Until then, it may still help whoever waits.
    private let hasReturned = Atomic<Bool>(false)
    /// How many asynchronous bodies have begun and not ended, and how many of them wait in a call.
    ///
    /// Looking at all definitions whenever a body ends would take quadratic time. These two tell when it may be
    /// worthwhile.
    private let bodies = Atomic<Int>(0)
    private let blockedBodies = Atomic<Int>(0)

    init(isTimed: Bool) {
        self.isTimed = isTimed
    }

    // MARK: Workers

    /// Has a child worker look after `join`.
    func startWorker(of join: Join) {
        enqueue(.worker(join))
    }

    /// Has the main actor look after `join`.
    func startMainRun(of join: Join) {
        enqueue(.main(join))
    }

    /// Starts the task of an asynchronous body: here if this is a child worker, otherwise, or if it has to be queued,
    /// in one.
    func start(_ scope: BodyScope, isQueued: Bool) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        if Self.child.pointer == me, !isQueued {
            Self.child.with(nil) { Self.startHere(scope) }
        } else {
            enqueue(.body(scope))
        }
    }

    private static func startHere(_ scope: BodyScope) {
        let configuration = scope.join.machine.configuration
        if let executor = scope.executor ?? configuration.executor {
            Task(executorPreference: executor, priority: configuration.priority) { await scope.run() }
        } else if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
            Task.immediate(priority: configuration.priority) { await scope.run() }
        } else {
            Task(priority: configuration.priority) { await scope.run() }
        }
    }

    private func enqueue(_ job: Job) {
        let (isTooLate, worker) = work.withLock { work in
            if !work.isClosed { work.jobs.append(job) }
            return (work.isClosed, work.idle.popLast())
        }
        worker?.resume()
        // The workers have gone. Whoever uses a definition from outside now must not wait for them.
        if isTooLate { Task.detached { _ = self.run(job) } }
    }

    /// Runs jobs as the first child worker. As soon as there is something to do, it brings along the others, so that
    /// there are `count`: a scope in which nothing reacts gets by with one.
    func workWithOthers(_ count: Int, _ configuration: ChemicalMachine.Configuration) async {
        guard let first = await next() else { return }
        await withTaskGroup(of: Void.self) { group in
            // More wouldn't find a core, and each takes memory.
            let most = configuration.executor == nil ? max(2, Platform.coreCount) : 1024
            for _ in 1..<min(count, most) {
                group.addTask(executorPreference: configuration.executor, priority: configuration.priority) {
                    if let job = await self.next() { await self.workOff(job) }
                }
            }
            await workOff(first)
        }
    }

    /// Runs `first` and what comes behind it, as one child worker, until the scope is closed.
    private func workOff(_ first: Job) async {
        var job = first
        // Taking the next job doesn't suspend while there is one, so the thread has to be given up now and then.
        var begin = Pace.now
        while true {
            if run(job) || isTimed && Pace.now &- begin > Pace.turn {
                await Interleaving.yield()
                begin = Pace.now
            }
            guard let next = await next() else { return }
            job = next
        }
    }

    /// - Returns: whether a turn was used up.
    private func run(_ job: Job) -> Bool {
        switch job {
        case .worker(let join):
            return Self.child.with(Unmanaged.passUnretained(self).toOpaque()) { join.work() }
        case .body(let scope):
            Self.startHere(scope)
        case .main(let join):
            // A task made here sees the task-local values with which the scope was entered.
            Task(priority: join.machine.configuration.priority) { @MainActor in join.serveOnMain() }
        }
        return false
    }

    /// The next job, or nil if there won't be one.
    ///
    /// Jobs are taken under the lock, and not handed over by the continuation. If a task is resumed before it has
    /// suspended, Swift 6.3.1 doesn't tell ThreadSanitizer that the resumption comes before what the task does next, so
    /// ThreadSanitizer would report races in whatever the job does first. `Tests/Fixtures/Toolchain/EarlyResume.swift`
    /// shows it without this package.
    private func next() async -> Job? {
        while true {
            let (job, isOver) = work.withLock { ($0.jobs.popFirst(), $0.isClosed) }
            if job != nil || isOver { return job }
            await withCheckedContinuation { continuation in
                let waits = work.withLock { work in
                    guard work.jobs.isEmpty, !work.isClosed else { return false }
                    work.idle.append(continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
    }

    /// Ends the workers once they have nothing to do, and answers the callers of all replies that bodies have kept.
    func close() {
        let (workers, revoked, enclosing) = work.withLock { work in
            work.isClosed = true
            defer { (work.idle, work.enclosing) = ([], nil) }
            return (work.idle, work.revocations.removeAll(), work.enclosing)
        }
        for worker in workers { worker.resume() }
        for revoke in revoked { revoke() }
        // Not under the lock.
        withExtendedLifetime(enclosing) {}
    }

    // MARK: The end

    /// Whether nothing may start any more. Definitions made from now on are deactivated from the start.
    var hasEnded: Bool { work.withLock { $0.firstError != nil || $0.isEnding } }

    /// Nothing that is defined from now on begins.
    func beginEnd() { work.withLock { $0.isEnding = true } }

    /// The body in which it was entered, if it was in one and hasn't closed.
    var enclosing: BodyScope? { work.withLock { $0.enclosing } }

    /// The error that ends the scope, if there is one.
    var error: (any Error)? { work.withLock { $0.firstError } }

    /// Ends the scope with `error` if it is the first one. Reactions are cancelled, and waiting callers answered.
    func fail(_ error: any Error, _ machine: ChemicalMachine) {
        let isFirst = work.withLock { work in
            defer { if work.firstError == nil { work.firstError = error } }
            return work.firstError == nil
        }
        if isFirst { machine.deactivate() }
    }

    /// Notes that the closure of the scope has returned.
    ///
    /// One thread marks this and then looks whether all bodies wait. Another counts a body that waits and then looks
    /// whether this is marked. At least one of them has to see what the other did. Only sequential consistency
    /// guarantees that. With a weaker ordering, both stores may still be on their way when both threads look.
    func markReturned() {
        Interleaving.point()
        hasReturned.store(true, ordering: .sequentiallyConsistent)
    }

    /// Counts a body that begins, or with -1 one that has ended.
    func countBody(_ difference: Int) {
        Interleaving.point()
        bodies.add(difference, ordering: .sequentiallyConsistent)
    }

    /// Counts a body whose task enters a soup as a caller, or with -1 one whose call has left it.
    func countBlockedBody(_ difference: Int) {
        Interleaving.point()
        blockedBodies.add(difference, ordering: .sequentiallyConsistent)
    }

    /// Whether each asynchronous body waits in a call.
    private var mayBeDeadlocked: Bool {
        Interleaving.point()
        let blocked = blockedBodies.load(ordering: .sequentiallyConsistent)
        return blocked > 0 && blocked == bodies.load(ordering: .sequentiallyConsistent)
    }

    /// Answers all waiting calls if nothing else can: the closure has returned, nothing is possible, and every body
    /// that runs waits in such a call.
    func checkForDeadlock(_ machine: ChemicalMachine) {
        Interleaving.point()
        guard hasReturned.load(ordering: .sequentiallyConsistent) else { return }
        // In a loop, since answered bodies may call again, and not by recursion, since they may do so for ever.
        while mayBeDeadlocked {
            // All calls leave their soups before the first is answered, so what that caller does can't change the
            // outcome of the others.
            let removed = machine.deadlocked().compactMap { $0.removeCalls(.neverAnswerable) }
            if removed.isEmpty { return }
            for calls in removed { calls.fail() }
            for calls in removed { calls.end() }
        }
    }

    // MARK: Kept replies

    /// Has `revoke` called when the scope is closed, or soon if it is closed already. This runs under the lock of a
    /// soup, so it doesn't call `revoke` itself.
    func add(_ ticket: UInt64, revoke: @escaping @Sendable () -> Void) {
        let isTooLate = work.withLock { work in
            if !work.isClosed { work.revocations.insert(revoke, under: ticket) }
            return work.isClosed
        }
        if isTooLate { Task.detached { revoke() } }
    }

    func remove(_ ticket: UInt64) {
        discard(work.withLock { $0.revocations.remove(ticket) })
    }
}
