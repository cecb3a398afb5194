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
public final class BlockingExecutor: TaskExecutor, @unchecked Sendable {
    // Checked by hand: `idle`, and the job of a thread that is in it, are touched under `lock`.
    /// The executor that everybody shares.
    public static let shared = BlockingExecutor()

    private let lock = Lock()
    private var idle: [Worker] = []

    /// A thread and its next job.
    private final class Worker: @unchecked Sendable {
        var job: UnownedJob?
        let hasJob = DispatchSemaphore(value: 0)
    }

    /// Creates an executor of your own.
    public init() {}

    /// Runs `job` on a thread that no other job uses.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.lock()
        let worker = idle.popLast()
        worker?.job = job
        lock.unlock()
        if let worker {
            worker.hasJob.signal()
        } else {
            let worker = Worker()
            worker.job = job
            Thread.detachNewThread { self.work(worker) }
        }
    }

    private func work(_ worker: Worker) {
        while let job = worker.job {
            worker.job = nil
            job.runSynchronously(on: asUnownedTaskExecutor())
            lock.lock()
            idle.append(worker)
            lock.unlock()
            if worker.hasJob.wait(timeout: .now() + .seconds(5)) == .success { continue }
            lock.lock()
            if let place = idle.firstIndex(where: { $0 === worker }) {
                idle.remove(at: place)
                lock.unlock()
                return
            }
            // It was given a job at the last moment.
            lock.unlock()
            worker.hasJob.wait()
        }
    }
}
