public import ChemActors
import ChemBase

/// A fixed number of workers for jobs that come at any time, from anywhere.
///
/// ```swift
/// let pool = WorkerPool(workers: 4)
/// pool.submit { await index(file) }                                    // from synchronous code, too
/// let size = try await pool.perform { try await measure(file) }        // and waits
/// try await pool.drain()
/// ```
///
/// A worker does one job at a time, and does nothing else until the job ends. Jobs of each kind begin oldest first; the
/// choice between a submitted job and one that a caller waits for is random.
///
/// For a list of jobs that is known from the beginning, use `runAll`.
public struct WorkerPool: Exportable {
    private let job: SlowMolecule<@concurrent @Sendable () async -> Void>
    private let take: FastMolecule<Void, Void>
    private let worker: SlowMolecule<Void>
    private let drained: FastMolecule<Void, Void>
    private let definition: Join

    /// A pool.
    ///
    /// - Parameters:
    ///   - count: How many jobs may run at once, suspended ones included; at least 1.
    ///   - name: What the pool is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Complexity: O(`count`).
    public init(workers count: Int, name: String = "workerPool", fileID: StaticString = #fileID, line: UInt = #line) {
        demand(count >= 1, "a worker pool needs at least 1 worker, not \(count)", fileID, line)
        (job, take, worker, drained, definition) = Join.define(name, fileID: fileID, line: line) { join in
            join.isNotKeptByInnerDefinitions()
            join.endsWhenCleared()
            let job = join.slow("job", of: (@concurrent @Sendable () async -> Void).self, order: .oldestFirst)
            let take = join.fast("take", order: .oldestFirst)
            let worker = join.slow("worker")
            // How many submitted jobs wait or run.
            let left = join.state("left", 0)
            let waiting = join.slow("waiting", of: (@concurrent @Sendable () async -> Void).self, order: .oldestFirst)
            let done = join.slow("done")
            let drained = join.fast("drained")
            join.when(job, updating: left) { left, job in
                left += 1
                waiting(job)
            }
            join.when(waiting, worker) { job, _ async in
                await job()
                done()
            }
            join.when(done, updating: left) { left, _ in
                left -= 1
                worker()
            }
            join.answer(take, with: worker) { _, _ in }
            join.answer(drained, updating: left.while { $0 == 0 }) { _, _ in }
            worker.inject(contentsOf: repeatElement((), count: count.countable))
            return (job, take, worker, drained, join.definition)
        }
    }

    /// Submits `job` for a worker to do later, and doesn't wait. Never suspends.
    ///
    /// The job is a task of its own. Only ``cancel()`` cancels it.
    ///
    /// - Parameter job: The job.
    public func submit(_ job: @escaping @concurrent @Sendable () async -> Void) { self.job(job) }

    /// Waits for a worker, runs `job` in its place, and returns the result.
    ///
    /// The job runs in the calling task: it sees that task's task-local values and priority, and is cancelled with it.
    /// A task that is cancelled while it waits is withdrawn: its job never begins, and no worker is lost.
    ///
    /// A job of the pool that calls this may wait for ever: its own worker may be the only one.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - job: The job.
    /// - Returns: what `job` returns.
    /// - Throws: what `job` throws, `CancellationError` if the task is cancelled while it waits, or a
    ///   `CallError` if the pool is cancelled meanwhile.
    nonisolated(nonsending)
        public func perform<Value>(
            fileID: StaticString = #fileID,
            line: UInt = #line,
            _ job: nonisolated(nonsending) () async throws -> Value
        ) async throws -> Value
    {
        try await take(fileID: fileID, line: line)
        defer { worker() }
        return try await job()
    }

    /// Waits until no submitted job waits or runs. Jobs may be submitted again at any time.
    ///
    /// It doesn't wait for those of ``perform(fileID:line:_:)``, which their callers await. Nor may such a job call it:
    /// it has a worker for which a submitted job may be waiting.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, and a `QuiescenceError` inside a submitted job, which
    ///   would wait for itself.
    nonisolated(nonsending) public func drain() async throws {
        // All that were submitted before are counted then, and most often done.
        try await definition.quiescence()
        do {
            // What is left waits for workers that callers of `perform` have.
            try await drained()
        } catch let error as CallError where error.code == .deactivated {
            try await definition.quiescence()
        }
    }

    /// Ends the pool: running submitted jobs are cancelled, waiting ones are dropped, and callers that wait in
    /// ``perform(fileID:line:_:)`` get an error.
    ///
    /// Never suspends: ``drain()`` waits until the jobs have ended. Jobs submitted from now on are ignored.
    public func cancel() { definition.deactivate() }

    private init(exporting other: WorkerPool) {
        job = other.job.exported
        take = other.take.exported
        worker = other.worker.exported
        drained = other.drained.exported
        definition = other.definition
    }

    /// The same pool, kept alive by this value.
    public var exported: WorkerPool { WorkerPool(exporting: self) }
}
