public import ChemActors
import ChemBase

/// Runs jobs concurrently and returns the result of the one that ends first without an error; cancels the others.
///
/// ```swift
/// let page = try await firstResult(of: { try await load(mirrors[0]) }, { try await load(mirrors[1]) })
/// ```
///
/// The jobs are child tasks of the caller's, in the sense of structured concurrency: they see its task-local values and
/// its priority, are cancelled with it, and have ended when this returns or throws. So a
/// job that ignores its cancellation holds the result up.
///
/// A job that fails doesn't count, unless all of them fail. If two end at the same time, either may be the first.
///
/// A task group whose parent takes `next()` and cancels does the same, if no job fails.
///
/// - Parameters:
///   - jobs: What is done, at least one. All of them begin at once.
///   - configuration: How the machine runs on which the jobs run.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the first result.
/// - Throws: the error of the job that failed last, if all fail; `CancellationError` if the task is cancelled.
/// - Complexity: O(number of jobs).
nonisolated(nonsending)
    public func firstResult<Value: Sendable>(
        of jobs: [@concurrent @Sendable () async throws -> Value],
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value
{
    demand(!jobs.isEmpty, "firstResult needs at least 1 job: of none there is no first", fileID, line)
    guard let result = try await firstResult(of: jobs, where: { _ in true }, configuration) else {
        throw CancellationError()
    }
    return result
}

/// Runs jobs concurrently and returns the result of the one that ends first without an error; cancels the others.
///
/// As `firstResult` of an array of jobs.
///
/// - Parameters:
///   - jobs: What is done, at least one. All of them begin at once.
///   - configuration: How the machine runs on which the jobs run.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: the first result.
/// - Throws: the error of the job that failed last, if all fail; `CancellationError` if the task is cancelled.
/// - Complexity: O(number of jobs).
nonisolated(nonsending)
    public func firstResult<Value: Sendable>(
        of jobs: (@concurrent @Sendable () async throws -> Value)...,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value
{
    try await firstResult(of: jobs, configuration: configuration, fileID: fileID, line: line)
}

/// Whether one of the conditions is true: "or", with all conditions asked at the same time.
///
/// ```swift
/// if try await parallelOr([{ try await isCached(key) }, { try await isStored(key) }]) { … }
/// ```
///
/// The first condition that is true decides, and the others are cancelled and awaited. Therefore it returns true also
/// if other conditions would never end, if only they notice their cancellation. Without
/// conditions it is false.
///
/// A condition that fails doesn't count if another one is true.
///
/// Source: the classic example of join calculus, as in the tutorial of JoCaml.
///
/// - Parameters:
///   - conditions: What is asked. All of them begin at once.
///   - configuration: How the machine runs on which the conditions run.
/// - Returns: whether a condition is true.
/// - Throws: an error of a condition, if none is true; `CancellationError` if the task is cancelled.
/// - Complexity: O(number of conditions).
nonisolated(nonsending)
    public func parallelOr(
        _ conditions: [@concurrent @Sendable () async throws -> Bool],
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration()
    ) async throws -> Bool
{
    try await firstResult(of: conditions, where: { $0 }, configuration) ?? false
}

/// The first result that is accepted, or nil if all jobs end without one.
///
/// The molecule `wanted` exists once: whoever consumes it is the first.
nonisolated(nonsending)
    private func firstResult<Value: Sendable>(
        of jobs: [@concurrent @Sendable () async throws -> Value],
        where isAccepted: @escaping @Sendable (Value) -> Bool,
        _ configuration: ChemicalMachine.Configuration
    ) async throws -> Value?
{
    try Task.checkCancellation()
    if jobs.isEmpty { return nil }
    return try await keepingResult(configuration) {
        let (begin, result) = Join.define("firstResult") { join in
            let begin = join.slow("begin", of: Int.self, order: .oldestFirst)
            let accepted = join.slow("accepted", of: Value.self)
            let ended = join.slow("ended", of: (any Error)?.self)
            let remain = join.state("remain", (count: jobs.count, error: (any Error)?.none))
            let outcome = join.slow("outcome", of: Result<Value?, any Error>.self)
            let wanted = join.slow("wanted")
            let result = join.fast("result", returning: Value?.self)

            join.when(begin) { index async in
                do {
                    let value = try await jobs[index]()
                    if isAccepted(value) { accepted(value) } else { ended(nil) }
                } catch {
                    ended(error)
                }
            }
            join.when(accepted, wanted) { value, _ in outcome(.success(value)) }
            join.when(ended, updating: remain) { remain, error in
                remain.count -= 1
                remain.error = error ?? remain.error
                // An accepted job doesn't end here, so that zero means that there is none.
                if remain.count == 0 { outcome(remain.error.map(Result.failure) ?? .success(nil)) }
            }
            join.when(result, outcome) { reply, outcome in reply.end(with: outcome) }

            wanted()
            return (begin, result)
        }
        begin.inject(contentsOf: jobs.indices)
        return try await result()
    }
}

/// A scope that ends when `body` has a result: whatever runs then is cancelled and awaited.
///
/// If the task is cancelled meanwhile the result isn't lost: it was there first.
nonisolated(nonsending)
    func keepingResult<Value>(
        _ configuration: ChemicalMachine.Configuration,
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value
{
    var result: Value?
    do {
        return try await withChemicalMachine(configuration) { machine in
            let value = try await body()
            result = value
            machine.deactivate()
            return value
        }
    } catch {
        if let result { return result }
        throw error
    }
}
