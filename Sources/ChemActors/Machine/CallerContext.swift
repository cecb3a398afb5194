import ChemBase
import Synchronization

#if os(Linux)
    // Only with it does `Task.sleep` ask the executor of the task. The toolchains for Apple's systems don't have it.
    @_spi(ExperimentalScheduling) import _Concurrency
#endif

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

    private(set) var task: Task<Void, Never>?
    private var first: UnownedJob?
    private let hasBegun = Atomic<Bool>(false)
    private var work: Work?
    /// Where the task goes on after a suspension, or nil for the global pool.
    private var next: (any TaskExecutor)?
    /// The control that is in place of it, if the machine is controlled.
    private var control: (any MachineControl)?

    fileprivate init() {}

    /// Makes a context from that of the current task.
    ///
    /// - Parameter machine: That of the call.
    /// - Returns: the context, or nil on systems where a task can't run inside another one.
    static func make(on machine: ChemicalMachine) -> CallerContext? {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return nil }
        #if os(Linux)
            let context = machine.control.map { ControlledContext($0) } ?? CallerContext()
        #else
            let context = CallerContext()
        #endif
        context.task = Task(executorPreference: context) { await context.perform() }
        return context
    }

    func enqueue(_ job: consuming ExecutorJob) {
        if hasBegun.load(ordering: .acquiring) {
            if let control {
                control.enqueue(UnownedJob(job), for: self)
            } else if let next {
                next.enqueue(job)
            } else {
                let job = UnownedJob(job)
                if !Interleaving.take(job) { globalConcurrentExecutor.enqueue(job) }
            }
        } else {
            first = UnownedJob(job)
        }
    }

    /// Runs `work` in the task. Each context can be used once.
    ///
    /// - Parameters:
    ///   - work: A synchronous body, which has ended when this returns, or an asynchronous one, which has begun.
    ///   - executor: Where to run it, or nil to begin on this thread and to go on in the global pool.
    /// - Returns: false if the context was used before. Then nothing runs.
    func run(_ work: Work, on executor: (any TaskExecutor)?) -> Bool { begin(work, on: executor) }

    /// Ends the task, unless it is in use. Must be called for each context.
    func end() { _ = begin(nil, on: nil) }

    /// Cancels the task, because the caller has given up.
    func cancel() { Interleaving.whole { task?.cancel() } }

    private func begin(_ work: Work?, on executor: (any TaskExecutor)?) -> Bool {
        Interleaving.point()
        guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing), let first else { return false }
        self.work = work
        next = executor
        if case .asynchronous(let scope) = work, scope.executor == nil { control = scope.join.machine.control }
        if let control {
            control.enqueue(first, for: self)
        } else if let executor {
            executor.enqueue(first)
        } else {
            first.runSynchronously(on: asUnownedTaskExecutor())
        }
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

#if os(Linux)
    /// The context on a machine that is controlled: who sleeps in it sleeps by the control's time. A type of its own,
    /// since all that sleeps goes to an executor of this kind.
    private final class ControlledContext: CallerContext, SchedulingExecutor, @unchecked Sendable {
        // Checked by hand: nothing else is kept here.
        private let clock: any MachineControl

        init(_ control: any MachineControl) {
            clock = control
        }

        var asSchedulingExecutor: (any SchedulingExecutor)? { self }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            at instant: C.Instant,
            tolerance: C.Duration?,
            clock: C
        ) {
            sleep(UnownedJob(job), for: clock.now.duration(to: instant))
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob,
            after delay: C.Duration,
            tolerance: C.Duration?,
            clock: C
        ) {
            sleep(UnownedJob(job), for: delay)
        }

        /// Only clocks of Swift's come here, whose durations are of this type.
        private func sleep(_ job: UnownedJob, for duration: any DurationProtocol) {
            clock.sleep(job, for: duration as? Duration ?? .zero, on: self)
        }
    }
#endif
