import ChemBase
import Dispatch
import Foundation

/// A task executor with as many threads as it has blocked jobs, for bodies that block.
///
/// ```swift
/// join.when(request, on: BlockingExecutor.shared) { path in
///     content(try readWithBlockingCalls(path))
/// }
/// ```
///
/// Swift's pool has as many threads as there are cores, so a body that blocks one of them takes a core from everybody.
/// Here it takes only a thread of its own. A synchronous body may call functions that are unavailable from asynchronous
/// code. Idle threads are kept for a few seconds, for the next job.
public final class BlockingExecutor: TaskExecutor {
    /// The executor that everybody shares.
    public static let shared = BlockingExecutor()

    private let idle = Guarded<[Worker]>([])

    /// A thread and its next job.
    private final class Worker: Sendable {
        let job: Guarded<UnownedJob?>
        let hasJob = DispatchSemaphore(value: 0)

        init(_ job: UnownedJob) {
            self.job = Guarded(job)
        }

        func takeJob() -> UnownedJob? { job.withLock { $0.take() } }
    }

    /// Creates an executor of your own.
    public init() {}

    /// Runs `job` on a thread that no other job uses.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let worker = idle.withLock({ $0.popLast() }) {
            worker.job.withLock { $0 = job }
            worker.hasJob.signal()
        } else {
            let worker = Worker(job)
            Thread.detachNewThread { self.work(worker) }
        }
    }

    private func work(_ worker: Worker) {
        while let job = worker.takeJob() {
            job.runSynchronously(on: asUnownedTaskExecutor())
            idle.withLock { $0.append(worker) }
            if worker.hasJob.wait(timeout: .now() + .seconds(5)) == .success { continue }
            let isDismissed = idle.withLock { idle in
                guard let place = idle.firstIndex(where: { $0 === worker }) else { return false }
                idle.remove(at: place)
                return true
            }
            if isDismissed { return }
            // It is being given a job at the last moment.
            worker.hasJob.wait()
        }
    }
}
