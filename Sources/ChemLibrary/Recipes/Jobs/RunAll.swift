public import ChemActors
public import ChemBase

/// Runs synchronous jobs concurrently and returns their results, in the order of the jobs, when all are done.
///
/// ```swift
/// let sizes = try await runAll(files.map { file in { try size(of: file) } })
/// ```
///
/// The jobs are child tasks of the caller's, in the sense of structured concurrency: they see its task-local values and
/// its priority, are cancelled with it, and have ended when this returns or throws. They
/// begin in their order, as many at once as there are cores, or `limit` of them.
///
/// The first error that a job throws is what this throws: jobs that haven't begun then never do, and those that run are
/// awaited. (`settleAll` lets all jobs end.) If the task is cancelled this throws
/// `CancellationError`, and jobs see `Task.isCancelled`. No jobs are no work: the result is empty.
///
/// For jobs that take less than some microseconds this is several times faster than a task group, which makes a task
/// for each. A task group is better where jobs come about while others run, or where
/// results are wanted one by one.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: What is to be done.
///   - limit: How many jobs may run at once, at least 1; nil for as many as there are workers.
///   - configuration: How the machine runs on which the jobs run.
///   - progress: Is told how many jobs have ended, from 1 to their number, one call after the other, each before the
///     next job is counted. It must not block.
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
        progress
    ) { JobsChemistry<Value>.declare($0, jobs, in: &$1) }
    return tally.values.compactMap(\.self)
}

/// Runs asynchronous jobs concurrently and returns their results, in the order of the jobs, when all are done.
///
/// ```swift
/// let pages = try await runAll(addresses.map { address in { try await load(address) } }, atMost: 4)
/// ```
///
/// The jobs are child tasks of the caller's, in the sense of structured concurrency: they see its task-local values and
/// its priority, are cancelled with it, and have ended when this returns or throws. They
/// begin in their order, all at once or `limit` of them.
///
/// The first error that a job throws is what this throws: jobs that haven't begun then never do, and those that run are
/// cancelled and awaited. (`settleAll` lets all jobs end.) If the task is cancelled
/// this cancels the jobs and throws `CancellationError` when they have ended. No jobs are no work: the result is empty.
///
/// Prefer a task group where jobs come about while others run, or where results are wanted one by one.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: What is to be done.
///   - limit: How many jobs may run at once, suspended ones included, at least 1; nil for all.
///   - configuration: How the machine runs on which the jobs run.
///   - progress: Is told how many jobs have ended, from 1 to their number, one call after the other, each before the
///     next job is counted. It must not block.
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
        progress
    ) { JobsChemistry<Value>.declare($0, jobs, in: &$1) }
    return tally.values.compactMap(\.self)
}

/// Runs synchronous jobs concurrently and returns what came of each, a result or an error, when all have ended.
///
/// ```swift
/// let outcomes = try await settleAll(files.map { file in { try size(of: file) } })
/// print(outcomes.count { if case .failure = $0 { true } else { false } }, "failed")
/// ```
///
/// As `runAll`, but an error of one job doesn't concern the others.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: What is to be done.
///   - limit: How many jobs may run at once, at least 1; nil for as many as there are workers.
///   - configuration: How the machine runs on which the jobs run.
///   - progress: Is told how many jobs have ended, from 1 to their number, one call after the other. It must not block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the outcome of each job, at the job's index.
/// - Throws: `CancellationError` if the task is cancelled. Not the errors of jobs.
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
        progress
    ) { JobsChemistry<Value>.declare($0, jobs, in: &$1) }
    return tally.outcomes
}

/// Runs asynchronous jobs concurrently and returns what came of each, a result or an error, when all have ended.
///
/// As `runAll`, but an error of one job doesn't concern the others.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: What is to be done.
///   - limit: How many jobs may run at once, suspended ones included, at least 1; nil for all.
///   - configuration: How the machine runs on which the jobs run.
///   - progress: Is told how many jobs have ended, from 1 to their number, one call after the other. It must not block.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the outcome of each job, at the job's index.
/// - Throws: `CancellationError` if the task is cancelled. Not the errors of jobs.
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
        progress
    ) { JobsChemistry<Value>.declare($0, jobs, in: &$1) }
    return tally.outcomes
}

/// Starts synchronous jobs, returns at once, and injects what came of them into `allDone`, exactly once, when all have
/// ended.
///
/// ```swift
/// runAllAndReport(jobs, to: allDone)
/// ```
///
/// This is CocoaJoin's `run_all_and_report`. It works in synchronous code. Without jobs it reports at once. The jobs
/// are not child tasks of anybody: inside of `withChemicalMachine(_:_:)` the scope awaits
/// them, elsewhere nobody does. Deactivating the definition that is returned ends them: jobs that haven't begun never
/// do, and nothing is reported.
///
/// Where the caller can wait, prefer `runAll`, which is cancelled with its task.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: What is to be done. They begin in their order.
///   - limit: How many jobs may run at once, at least 1; nil for as many as there are workers.
///   - progress: Is told how many jobs have ended, from 1 to their number, one call after the other. It must not block.
///   - allDone: Gets the outcome of each job, at the job's index.
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
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Join {
    demandLimit(limit, "runAllAndReport", fileID, line)
    return JobsChemistry<Value>.start(jobs.count, atMost: limit, progress, to: allDone) {
        JobsChemistry<Value>.declare($0, jobs, in: &$1)
    }
}

/// Starts asynchronous jobs, returns at once, and injects what came of them into `allDone`, exactly once, when all have
/// ended.
///
/// This is CocoaJoin's `run_all_and_report`. It works in synchronous code. Without jobs it reports at once. The jobs
/// are not child tasks of anybody: inside of `withChemicalMachine(_:_:)` the scope awaits
/// them, elsewhere nobody does. Deactivating the definition that is returned ends them: jobs that haven't begun never
/// do, those that run are cancelled, and nothing is reported.
///
/// Where the caller can wait, prefer `runAll`, which is cancelled with its task.
///
/// Source: CocoaJoin, Example 2.
///
/// - Parameters:
///   - jobs: What is to be done. They begin in their order.
///   - limit: How many jobs may run at once, suspended ones included, at least 1; nil for all.
///   - progress: Is told how many jobs have ended, from 1 to their number, one call after the other. It must not block.
///   - allDone: Gets the outcome of each job, at the job's index.
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
    fileID: StaticString = #fileID,
    line: UInt = #line
) -> Join {
    demandLimit(limit, "runAllAndReport", fileID, line)
    return JobsChemistry<Value>.start(jobs.count, atMost: limit, progress, to: allDone) {
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
