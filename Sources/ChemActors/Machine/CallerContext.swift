import ChemBase
import Synchronization

/// A task made in the context of a caller that has to wait: it has the caller's task-local values and priority. The
/// body that answers the call runs in it, on the thread of whoever runs the reaction.
///
/// The task doesn't begin by itself. Its executor, this object, keeps its first job until a reaction has taken the
/// call, and passes on the later ones, which come when an asynchronous body goes on after a suspension.
class CallerContext: TaskExecutor, @unchecked Sendable {
    // Checked by hand: `task` and `first` are written while the context is made. `work` and `next` are written by
    // whoever has set `hasBegun`, before the task runs.
    enum Work {
        case synchronous(() -> Void)
        case asynchronous(BodyScope)
    }

    private var task: Task<Void, Never>?
    private var first: UnownedJob?
    private let hasBegun = Atomic<Bool>(false)
    private var work: Work?
    /// Where the task goes on after a suspension, or nil for the global pool.
    fileprivate private(set) var next: (any TaskExecutor)?

    fileprivate init() {}

    /// Makes a context from that of the current task.
    ///
    /// - Parameter machine: That of the call.
    /// - Returns: the context, or nil on systems where a task can't run inside another one.
    static func make(on machine: ChemicalMachine) -> CallerContext? {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return nil }
        let context = machine.control.map { ControlledContext($0) } ?? CallerContext()
        context.task = Task(executorPreference: context) { await context.perform() }
        return context
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if hasBegun.load(ordering: .acquiring) { goOn(job) } else { first = job }
    }

    /// Has a job run where the task goes on.
    fileprivate func goOn(_ job: UnownedJob) {
        if let next {
            next.enqueue(job)
        } else if !Interleaving.take(job) {
            globalConcurrentExecutor.enqueue(job)
        }
    }

    /// Runs `work` in the task. Each context can be used once.
    ///
    /// - Parameters:
    ///   - work: A synchronous body, which has ended when this returns, or an asynchronous one, which has begun.
    ///   - executor: Where to run it, or nil to begin on this thread and to go on in the global pool.
    ///   - isQueued: Whether it begins in the global pool, too.
    /// - Returns: false if the context was used before. Then nothing runs.
    func run(_ work: Work, on executor: (any TaskExecutor)?, isQueued: Bool = false) -> Bool {
        begin(work, on: executor, isQueued: isQueued)
    }

    /// Ends the task, unless it is in use. Must be called for each context.
    func end() { _ = begin(nil, on: nil, isQueued: false) }

    /// Cancels the task, because the caller has given up.
    func cancel() { if let task { Cancellation.cancel(.task(task)) } }

    private func begin(_ work: Work?, on executor: (any TaskExecutor)?, isQueued: Bool) -> Bool {
        Interleaving.point()
        guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing), let first else { return false }
        self.work = work
        next = executor
        if executor == nil, !isQueued { first.runSynchronously(on: asUnownedTaskExecutor()) } else { goOn(first) }
        return true
    }

    private func perform() async {
        let work = self.work
        self.work = nil
        switch work {
        case .synchronous(let body): body()
        case .asynchronous(let scope): await scope.run()
        case nil: break
        }
    }
}

/// The context on a machine that is controlled. The control runs its jobs on its behalf, so that the task finds itself
/// where it belongs: each of its switches would be a step otherwise.
private final class ControlledContext: CallerContext, @unchecked Sendable {
    // Checked by hand: nothing else is kept here.
    private let control: any MachineControl

    init(_ control: any MachineControl) {
        self.control = control
    }

    override func goOn(_ job: UnownedJob) {
        // A reaction may have an executor of its own.
        if next === control { control.enqueue(job, for: self) } else { super.goOn(job) }
    }
}

#if os(Linux)
    /// Who sleeps in such a context sleeps by the control's time.
    extension ControlledContext: SleepingExecutor {
        func sleep(_ job: UnownedJob, for duration: Duration) { control.sleep(job, for: duration, on: self) }
    }
#endif
