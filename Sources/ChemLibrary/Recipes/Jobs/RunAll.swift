public import ChemActors
public import ChemBase

/// Runs synchronous jobs concurrently and returns their results, in the order of the jobs, when all are done.
///
/// ```swift
/// let sizes = try await runAll(files.map { file in { try size(of: file) } })
/// ```
///
/// The jobs are structured child tasks of the caller: they see its task-local values and its priority, are cancelled
/// with it, and have ended when this returns or throws. They begin in their order, as many at once as there are cores,
/// or `limit` of them. What they make, such as channels, ends with them.
///
/// This throws the first error that a job throws: jobs that haven't begun by then never begin, and running jobs are
/// awaited. (`settleAll` lets all jobs end.) If the task is cancelled, this throws `CancellationError`, and jobs see
/// `Task.isCancelled`. Without jobs, the result is empty.
///
/// For jobs that take less than a few microseconds, this is several times faster than a task group, which makes a task
/// for each job. A task group is better if jobs are added while others run, or if you want results one by one.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: The jobs.
///   - limit: How many jobs may run at once, at least 1; nil for as many as there are workers.
///   - configuration: The configuration of the machine that runs the jobs.
///   - progress: Gets the number of jobs that have ended, from 1 to their total, one call after the other, each before
///     the next job is counted. It must not block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the result of each job, at the job's index.
/// - Throws: the first error of a job, or `CancellationError`.
/// - Complexity: O(number of jobs).
@inlinable
nonisolated(nonsending)
    public func runAll<Value: Sendable>(
        _ jobs: [@Sendable () throws -> Value],
        atMost limit: Int? = nil,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [Value]
{
    demandLimit(limit, "runAll", fileID, line)
    let tally = try await JobsChemistry<Value>.run(
        jobs.count,
        atMost: limit,
        stopsAtFirstError: true,
        configuration,
        progress,
        fileID,
        line
    ) { JobsChemistry<Value>.declare($0, jobs, in: &$1) }
    return tally.values.compactMap(\.self)
}

/// Runs asynchronous jobs concurrently and returns their results, in the order of the jobs, when all are done.
///
/// ```swift
/// let pages = try await runAll(addresses.map { address in { try await load(address) } }, atMost: 4)
/// ```
///
/// The jobs are structured child tasks of the caller: they see its task-local values and its priority, are cancelled
/// with it, and have ended when this returns or throws. They begin in their order, all at once or `limit` of them. What
/// they make, such as channels, ends with them.
///
/// This throws the first error that a job throws: jobs that haven't begun by then never begin, and running jobs are
/// cancelled and awaited. (`settleAll` lets all jobs end.) If the task is cancelled, this cancels the jobs and throws
/// `CancellationError` when they have ended. Without jobs, the result is empty.
///
/// Prefer a task group if jobs are added while others run, or if you want results one by one.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: The jobs.
///   - limit: How many jobs may run at once, suspended ones included, at least 1; nil for all.
///   - configuration: The configuration of the machine that runs the jobs.
///   - progress: Gets the number of jobs that have ended, from 1 to their total, one call after the other, each before
///     the next job is counted. It must not block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the result of each job, at the job's index.
/// - Throws: the first error of a job, or `CancellationError`.
/// - Complexity: O(number of jobs).
@inlinable
nonisolated(nonsending)
    public func runAll<Value: Sendable>(
        _ jobs: [@concurrent @Sendable () async throws -> Value],
        atMost limit: Int? = nil,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [Value]
{
    demandLimit(limit, "runAll", fileID, line)
    let tally = try await JobsChemistry<Value>.run(
        jobs.count,
        atMost: limit,
        stopsAtFirstError: true,
        configuration,
        progress,
        fileID,
        line
    ) { JobsChemistry<Value>.declare($0, jobs, in: &$1) }
    return tally.values.compactMap(\.self)
}

/// Runs synchronous jobs concurrently and returns the outcome of each, a result or an error, when all have ended.
///
/// ```swift
/// let outcomes = try await settleAll(files.map { file in { try size(of: file) } })
/// print(outcomes.count { if case .failure = $0 { true } else { false } }, "failed")
/// ```
///
/// Like `runAll`, but an error of one job doesn't affect the others.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: The jobs.
///   - limit: How many jobs may run at once, at least 1; nil for as many as there are workers.
///   - configuration: The configuration of the machine that runs the jobs.
///   - progress: Gets the number of jobs that have ended, from 1 to their total, one call after the other. It must not
///     block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the outcome of each job, at the job's index.
/// - Throws: `CancellationError` if the task is cancelled. It doesn't throw the errors of jobs.
/// - Complexity: O(number of jobs).
@inlinable
nonisolated(nonsending)
    public func settleAll<Value: Sendable>(
        _ jobs: [@Sendable () throws -> Value],
        atMost limit: Int? = nil,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [Result<Value, any Error>]
{
    demandLimit(limit, "settleAll", fileID, line)
    let tally = try await JobsChemistry<Value>.run(
        jobs.count,
        atMost: limit,
        stopsAtFirstError: false,
        configuration,
        progress,
        fileID,
        line
    ) { JobsChemistry<Value>.declare($0, jobs, in: &$1) }
    return tally.outcomes
}

/// Runs asynchronous jobs concurrently and returns the outcome of each, a result or an error, when all have ended.
///
/// Like `runAll`, but an error of one job doesn't affect the others.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: The jobs.
///   - limit: How many jobs may run at once, suspended ones included, at least 1; nil for all.
///   - configuration: The configuration of the machine that runs the jobs.
///   - progress: Gets the number of jobs that have ended, from 1 to their total, one call after the other. It must not
///     block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the outcome of each job, at the job's index.
/// - Throws: `CancellationError` if the task is cancelled. It doesn't throw the errors of jobs.
/// - Complexity: O(number of jobs).
@inlinable
nonisolated(nonsending)
    public func settleAll<Value: Sendable>(
        _ jobs: [@concurrent @Sendable () async throws -> Value],
        atMost limit: Int? = nil,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> [Result<Value, any Error>]
{
    demandLimit(limit, "settleAll", fileID, line)
    let tally = try await JobsChemistry<Value>.run(
        jobs.count,
        atMost: limit,
        stopsAtFirstError: false,
        configuration,
        progress,
        fileID,
        line
    ) { JobsChemistry<Value>.declare($0, jobs, in: &$1) }
    return tally.outcomes
}

/// Starts synchronous jobs, returns at once, and injects their outcomes into `allDone`, exactly once, when all have
/// ended.
///
/// ```swift
/// runAllAndReport(jobs, to: allDone)
/// ```
///
/// This is CocoaJoin's `run_all_and_report`. It works in synchronous code. Without jobs it reports at once. The jobs
/// are not child tasks: inside `withChemicalMachine(_:_:)` the scope awaits them, elsewhere nothing does. Deactivating
/// the returned definition ends them: jobs that haven't begun never begin, and nothing is reported.
///
/// If the caller can wait, prefer `runAll`, which is cancelled with its task.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: The jobs. They begin in their order.
///   - limit: How many jobs may run at once, at least 1; nil for as many as there are workers.
///   - progress: Gets the number of jobs that have ended, from 1 to their total, one call after the other. It must not
///     block.
///   - allDone: Gets the outcome of each job, at the job's index.
///   - name: What the definition is called in messages.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the control handle of the jobs' definition.
/// - Complexity: O(number of jobs).
@inlinable
@discardableResult
public func runAllAndReport<Value: Sendable>(
    _ jobs: [@Sendable () throws -> Value],
    atMost limit: Int? = nil,
    progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
    to allDone: SlowMolecule<[Result<Value, any Error>]>,
    name: String = "runAll",
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Join {
    demandLimit(limit, "runAllAndReport", fileID, line)
    return JobsChemistry<Value>.start(jobs.count, atMost: limit, progress, to: allDone, name, fileID, line) {
        JobsChemistry<Value>.declare($0, jobs, in: &$1)
    }
}

/// Starts asynchronous jobs, returns at once, and injects their outcomes into `allDone`, exactly once, when all have
/// ended.
///
/// This is CocoaJoin's `run_all_and_report`. It works in synchronous code. Without jobs it reports at once. The jobs
/// are not child tasks: inside `withChemicalMachine(_:_:)` the scope awaits them, elsewhere nothing does. Deactivating
/// the returned definition ends them: jobs that haven't begun never begin, running jobs are cancelled, and nothing is
/// reported.
///
/// If the caller can wait, prefer `runAll`, which is cancelled with its task.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: The jobs. They begin in their order.
///   - limit: How many jobs may run at once, suspended ones included, at least 1; nil for all.
///   - progress: Gets the number of jobs that have ended, from 1 to their total, one call after the other. It must not
///     block.
///   - allDone: Gets the outcome of each job, at the job's index.
///   - name: What the definition is called in messages.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the control handle of the jobs' definition.
/// - Complexity: O(number of jobs).
@inlinable
@discardableResult
public func runAllAndReport<Value: Sendable>(
    _ jobs: [@concurrent @Sendable () async throws -> Value],
    atMost limit: Int? = nil,
    progress: (@Sendable (_ ended: Int, _ total: Int) -> Void)? = nil,
    to allDone: SlowMolecule<[Result<Value, any Error>]>,
    name: String = "runAll",
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Join {
    demandLimit(limit, "runAllAndReport", fileID, line)
    return JobsChemistry<Value>.start(jobs.count, atMost: limit, progress, to: allDone, name, fileID, line) {
        JobsChemistry<Value>.declare($0, jobs, in: &$1)
    }
}

@inlinable
func demandLimit(_ limit: Int?, _ function: String, _ fileID: StaticString, _ line: UInt) {
    guard let limit else { return }
    demand(
        limit >= 1,
        "\(function) can't run \(limit) jobs at once: the limit has to be at least 1, or nil",
        fileID,
        line
    )
}
