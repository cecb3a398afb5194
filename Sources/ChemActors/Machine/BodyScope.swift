import ChemBase
import Synchronization

/// The asynchronous body in which a task runs, or in which it was started.
///
/// A definition made there holds a lease on the body's definition. Waiting there for the quiet of that definition would
/// never end.
final class BodyScope: StateHolder, @unchecked Sendable {
    // Checked by hand: `task`, `cancellations`, the flags and the links are touched in the soup, except that whoever
    // cancels uses `task` outside, which doesn't end meanwhile. `operation` and `call` belong to the task.
    @TaskLocal private static var ofTask: BodyScope?
    /// Whether the process has had one. Before that, nobody need look for the task's, which takes 16 ns.
    private static let hasBeen = Atomic<Bool>(false)
    static var current: BodyScope? { hasBeen.load(ordering: .relaxed) ? ofTask : nil }

    /// Calls `body` as from code that belongs to no asynchronous body.
    static func inNone(_ body: () -> Void) {
        if current == nil { body() } else { $ofTask.withValue(nil, operation: body) }
    }

    let join: Join
    let reaction: ReactionDescription
    /// Identifies the task of the body itself, to tell it from one that the body has started. Set when the body begins,
    /// if it matters whether the body waits, and read by these tasks.
    @exclusivity(unchecked) private var bodyTask: UInt?
    private let ended = Atomic<Bool>(false)
    /// The body's operation. Taken by the task when it begins.
    @exclusivity(unchecked) private var operation: (@Sendable () async -> Void)?
    /// The call that it answers, if that doesn't know it yet. Taken by the task when it begins.
    @exclusivity(unchecked) private var call: (any AnsweredCall)?
    /// The task of the body, by its address, from its beginning to its end, or zero; and the neighbours of this scope
    /// in the list of those that have begun.
    @exclusivity(unchecked) private var task: UInt = 0
    /// How many are about to cancel the task. It doesn't end before they have.
    @exclusivity(unchecked) private var cancellations = 0
    /// Has the body go on once they have, if it has come to its end before. A continuation would make the layout of
    /// this class one that is looked up.
    @exclusivity(unchecked) private var goesOn: (@Sendable () -> Void)?
    /// Whether the caller that it answers has given up.
    @exclusivity(unchecked) private var isAbandoned = false
    /// Whether another body waits for its answer. Touched in the soup.
    @exclusivity(unchecked) var isAwaitedByBody = false
    @exclusivity(unchecked) private var nextInList: Unmanaged<BodyScope>?
    @exclusivity(unchecked) private var previousInList: Unmanaged<BodyScope>?
    var next: BodyScope? { nextInList?.takeUnretainedValue() }

    /// The number of the start of the reaction, if that is observed.
    let start: UInt32
    /// When the body began, if somebody asks for latencies. Belongs to the task.
    @exclusivity(unchecked) private var begin: UInt64?

    /// The executor that the reaction asks for.
    let executor: (any TaskExecutor)?
    /// Where it has to run, or nil for the global pool.
    var requiredExecutor: (any TaskExecutor)? { executor ?? join.machine.configuration.executor }

    init(
        _ join: Join,
        _ reaction: ReactionDescription,
        on executor: (any TaskExecutor)?,
        answering call: (any AnsweredCall)? = nil,
        _ operation: @escaping @Sendable () async -> Void
    ) {
        self.join = join
        self.reaction = reaction
        self.executor = executor
        self.call = call
        self.operation = operation
        if !join.hasBegunBodies.load(ordering: .relaxed) { join.hasBegunBodies.store(true, ordering: .relaxed) }
        // Asked by itself: whoever has seen the other flag may be ahead of this one. The body's own task comes after.
        if !Self.hasBeen.load(ordering: .relaxed) { Self.hasBeen.store(true, ordering: .relaxed) }
        start = reaction.notes == nil ? 0 : ThreadMark.currentStart
    }

    var isRunning: Bool { !ended.load(ordering: .acquiring) }

    /// Announces that the caller of this method, which holds the soup, is about to cancel the task of the body.
    ///
    /// - Returns: whether the body runs. If so, call `cancel` outside of the soup.
    func willCancel(_ entry: borrowing SoupEntry) -> Bool {
        guard task != 0 else { return false }
        cancellations += 1
        return true
    }

    /// Cancels the task of the body, as announced.
    func cancel() {
        join.machine.control?.touchesCancellation(.cancels)
        Cancellation.cancel(.body(self))
    }

    /// Does what `cancel` has to do, now.
    func cancelNow() {
        unsafe unsafeBitCast(task, to: UnsafeCurrentTask.self).cancel()
        let entry = join.soup.enter()
        cancellations -= 1
        let goesOn = cancellations == 0 ? self.goesOn.take() : nil
        entry.leaveUnchanged()
        goesOn?()
    }

    /// Waits until nobody is about to cancel the task.
    private func cancellationsEnd() async {
        await withCheckedContinuation { continuation in
            let entry = join.soup.enter()
            let isOver = cancellations == 0
            if !isOver { goesOn = { continuation.resume() } }
            entry.leaveUnchanged()
            if isOver { continuation.resume() }
        }
    }

    /// Cancels the task of the body, because the caller that it answers has given up. Called outside of the lock. If
    /// the body hasn't begun, it is cancelled when it does.
    func cancelWithCaller() {
        let entry = join.soup.enter()
        isAbandoned = true
        let isRunning = willCancel(entry)
        entry.leaveUnchanged()
        if isRunning { cancel() }
    }

    /// Runs the body, in its own task.
    @inline(__always)
    func run() async {
        if join.machine.dissolved.isOn { begin = Pace.now }
        if reaction.isWaitedFor || join.machine.scope != nil || join.observation != nil
            || join.machine.configuration.patience != nil
        {
            bodyTask = Self.currentTask
        }
        if begins() { cancel() }
        await runOperation()
        if !ends() { await endLater() }
    }

    /// A function of its own, so that the frames of bodies are small.
    @inline(never)
    private func endLater() async {
        repeat { await cancellationsEnd() } while !ends()
    }

    /// The body begins: from now on a deactivation or its caller can cancel it, also while it hasn't suspended.
    ///
    /// - Returns: whether that has happened already. Then call `cancel`.
    private func begins() -> Bool {
        let (task, call) = (Self.currentTask ?? 0, self.call.take())
        let entry = join.soup.enter()
        self.task = task
        let me = Unmanaged.passUnretained(self)
        nextInList = entry.state.firstBody
        nextInList?._withUnsafeGuaranteedRef { $0.previousInList = me }
        entry.state.firstBody = me
        if call?.begins(self) == true { isAbandoned = true }
        let isTooLate = (isAbandoned || entry.contents.life.phase == .deactivated) && willCancel(entry)
        entry.leaveUnchanged()
        return isTooLate
    }

    /// Runs the operation and releases it with the inputs it holds, so that what their `deinit` injects comes in time.
    private func runOperation() async {
        guard let operation = takeOperation() else { return }
        await Self.$ofTask.withValue(self) { await operation() }
    }

    private func takeOperation() -> (@Sendable () async -> Void)? {
        defer { operation = nil }
        return operation
    }

    /// The bodies in which the current task runs, the innermost first: a scope that is entered in a body is part of it.
    static var surrounding: UnfoldSequence<BodyScope, BodyScope?> {
        sequence(state: current) { next in
            defer { next = next?.join.machine.scope?.enclosing }
            return next
        }
    }

    /// The body whose own task is the current one.
    static var ofCurrentTask: BodyScope? {
        guard let scope = current, scope.isRunning, let bodyTask = scope.bodyTask, bodyTask == currentTask else {
            return nil
        }
        return scope
    }

    /// Identifies the current task, by its address, which no other task has while it lives: its `hashValue` takes half
    /// as long again. Only compared with that of a body that is running, or of a caller that waits.
    static var currentTask: UInt? {
        withUnsafeCurrentTask { task in unsafe task.map { unsafe unsafeBitCast($0, to: UInt.self) } }
    }

    /// The body has ended, unless somebody is about to cancel it.
    private func ends() -> Bool {
        let entry = join.soup.enter()
        guard cancellations == 0 else {
            entry.leaveUnchanged()
            return false
        }
        ended.store(true, ordering: .releasing)
        task = 0
        if let previousInList {
            previousInList._withUnsafeGuaranteedRef { $0.nextInList = nextInList }
        } else {
            entry.state.firstBody = nextInList
        }
        nextInList?._withUnsafeGuaranteedRef { $0.previousInList = previousInList }
        if let notes = reaction.notes { join.observation?.ended(notes, start) }
        if let begin { entry.countBody(nanoseconds: Pace.now &- begin) }
        entry.contents.life.bodyEnded()
        join.machine.scope?.countBody(-1)
        entry.leaveAfterEnd()
        return true
    }
}

/// A call that is answered by a body that begins in the task of its caller.
protocol AnsweredCall: AnyObject {
    /// `body`, which answers it, begins. Called in the soup.
    ///
    /// - Returns: whether the caller has given up already.
    func begins(_ body: BodyScope) -> Bool
}

/// In whose context a body runs: whose task-local values, priority and cancellation it sees.
enum BodyContext {
    /// Nobody's.
    case none
    /// That of the current task, which waits for the body.
    case thisTask
    /// That of a caller that waits elsewhere.
    case context(CallerContext)
}

extension SoupReference {
    /// Starts the task of an asynchronous body, whose operation also delivers its errors. Called by whoever runs the
    /// reaction, outside of the soup.
    ///
    /// The task begins on this thread and goes on elsewhere after its first suspension: a body that doesn't suspend
    /// costs no trip through the queue of the executor.
    @usableFromInline
    @inline(never)
    func startBody(
        of reaction: ReactionDescription,
        on executor: (any TaskExecutor)?,
        _ operation: @escaping @Sendable () async -> Void
    ) {
        start(BodyScope(join, reaction, on: executor, operation), in: .none)
    }

    /// Starts the task of a body.
    func start(_ scope: BodyScope, in context: BodyContext) {
        let outer = markNobody()
        scope.join.machine.scope?.countBody(1)
        let depth = BodyNesting.depth.pointer
        let isQueued = depth.pointee >= BodyNesting.limit
        depth.pointee += 1
        if case .context(let context) = context,
            context.run(.asynchronous(scope), on: scope.requiredExecutor, isQueued: isQueued)
        {
            // The task of the context runs it.
        } else if let machineScope = scope.join.machine.scope {
            machineScope.start(scope, isQueued: isQueued)
        } else if let executor = scope.requiredExecutor {
            startQueued(scope, on: executor, isCallers: context.isThisTask)
        } else if !isQueued, scope.join.isPlain,
            #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
        {
            if context.isThisTask { startHere(scope, times: 1) } else { startImmediate(scope, times: 1) }
        } else {
            startQueued(scope, on: nil, isCallers: context.isThisTask)
        }
        depth.pointee -= 1
        memory.pointee.threadMark.pointer = outer
    }

    /// Starts the task of a body on this thread.
    ///
    /// The loop runs once and is there for the compiler, which inlines `immediateDetached` inside a loop. Where that
    /// isn't inlined (Swift 6.3.1), every task gets an empty executor preference. Each hop then takes a lock to look it
    /// up, which costs more than the task: 600 ns per body instead of 430.
    @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    @inline(never)
    private func startImmediate(_ scope: BodyScope, times: Int) {
        var left = times
        while left > 0 {
            left &-= 1
            Task.immediateDetached { await scope.run() }
        }
    }

    /// Starts the task of a body on this thread, with the task-local values and the priority of the current task. The
    /// loop is there for the same reason.
    @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    @inline(never)
    private func startHere(_ scope: BodyScope, times: Int) {
        var left = times
        while left > 0 {
            left &-= 1
            Task.immediate { await scope.run() }
        }
    }

    /// Starts the task of a body through the queue of its executor.
    @inline(never)
    private func startQueued(_ scope: BodyScope, on executor: (any TaskExecutor)?, isCallers: Bool) {
        // Without an executor, what is its caller's has also its caller's priority.
        let priority = isCallers && executor == nil ? nil : scope.join.machine.configuration.priority
        // Written out, since a closure that is handed on costs the task another frame and another hop.
        if isCallers || scope.join.machine.control != nil {
            Task(executorPreference: executor, priority: priority) { await scope.run() }
        } else {
            Task.detached(executorPreference: executor, priority: priority) { await scope.run() }
        }
    }
}

extension BodyContext {
    fileprivate var isThisTask: Bool {
        if case .thisTask = self { true } else { false }
    }
}

/// Bodies that have begun in each other on a thread: a body that calls has the next one begin on its own thread, above
/// its own stack.
enum BodyNesting {
    /// How many there are on this thread.
    static let depth = ThreadValue(0)
    /// What begins above so many others waits for a thread of its own, since stacks are small.
    static let limit = 16
}
