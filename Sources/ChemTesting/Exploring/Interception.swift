import ChemActors
import ChemBase

/// Gets hold of what doesn't ask for an executor: the jobs of `Task { }`, of `Task.detached` and of actors.
///
/// Swift's runtime has a hook through which all jobs for its global pool pass. It is one for the process, so it looks
/// whether the thread that enqueues drives a run. Jobs of other threads go where they would have gone.
enum Interception {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    /// The control that drives a run on this thread.
    private static let current = ThreadLocal()
    /// Who was there before. Set once, before the hook.
    private nonisolated(unsafe) static var next: Hook?

    /// Installs the hook, once. Without the variable of that name, such jobs are outside, and only noticed when they
    /// come back.
    private static let install: Void = {
        guard let symbol = Platform.symbol("swift_task_enqueueGlobal_hook") else { return }
        let hook = symbol.assumingMemoryBound(to: Hook?.self)
        next = hook.pointee
        hook.pointee = { job, enqueue in
            if let pointer = Interception.current.pointer {
                Unmanaged<Control>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.enqueueInPool(job) }
            } else if let next = Interception.next {
                next(job, enqueue)
            } else {
                enqueue(job)
            }
        }
    }()

    /// The control that drives a run on this thread, if there is one.
    static var control: Control? {
        current.pointer.map { Unmanaged<Control>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether `control` drives a run on this thread.
    static func isDriving(_ control: Control) -> Bool {
        current.pointer == Unmanaged.passUnretained(control).toOpaque()
    }

    /// Gives `control` what this thread enqueues while `body` runs.
    static func with<Result>(_ control: Control, _ body: () -> Result) -> Result {
        install
        return DrivenThread.with(control.machineOfRun) {
            current.with(Unmanaged.passUnretained(control).toOpaque(), body)
        }
    }
}

#if os(Linux)
    extension Control: SleepingExecutor {}
#endif
