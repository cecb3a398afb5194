public import ChemActors
import ChemBase

/// Runs jobs concurrently, returns the result of the first one that ends without an error, and cancels the others.
///
/// ```swift
/// let page = try await firstResult(of: { try await load(mirrors[0]) }, { try await load(mirrors[1]) })
/// ```
///
/// The jobs are structured child tasks of the caller: they see its task-local values and its priority, are cancelled
/// with it, and have ended when this returns or throws. So a job that ignores its cancellation delays the result. What
/// they make, such as channels, belongs to the surrounding machine.
///
/// A failed job doesn't count unless all jobs fail. If two jobs end at the same time, either may be the first.
///
/// If no job fails, a task group whose parent takes `next()` and cancels the rest does the same.
///
/// - Parameters:
///   - jobs: The jobs, at least one. All of them begin at once.
///   - configuration: The configuration of the machine that runs the jobs.
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
    guard let result = try await firstResult(of: jobs, where: { _ in true }, configuration, fileID, line) else {
        throw CancellationError()
    }
    return result
}

/// Runs jobs concurrently, returns the result of the first one that ends without an error, and cancels the others.
///
/// Like `firstResult` with an array of jobs.
///
/// - Parameters:
///   - jobs: The jobs, at least one. All of them begin at once.
///   - configuration: The configuration of the machine that runs the jobs.
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

/// Whether one of the conditions is true: an "or" that evaluates all conditions concurrently.
///
/// ```swift
/// if try await parallelOr([{ try await isCached(key) }, { try await isStored(key) }]) { … }
/// ```
///
/// The first condition that is true decides, and the others are cancelled and awaited. So it returns true even if other
/// conditions would never end, provided that they respond to cancellation. Without conditions it is false.
///
/// A failed condition doesn't count if another one is true.
///
/// Source: the classic example of join calculus, as in the tutorial of JoCaml.
///
/// - Parameters:
///   - conditions: The conditions. All of them begin at once.
///   - configuration: The configuration of the machine that runs the conditions.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
/// - Returns: whether a condition is true.
/// - Throws: an error of a condition, if none is true; `CancellationError` if the task is cancelled.
/// - Complexity: O(number of conditions).
nonisolated(nonsending)
    public func parallelOr(
        _ conditions: [@concurrent @Sendable () async throws -> Bool],
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Bool
{
    try await firstResult(of: conditions, where: { $0 }, configuration, fileID, line) ?? false
}

/// The first result that is accepted, or nil if all jobs end without one.
///
/// The molecule `wanted` exists once: the job whose reaction consumes it is the first.
nonisolated(nonsending)
    private func firstResult<Value: Sendable>(
        of jobs: [@concurrent @Sendable () async throws -> Value],
        where isAccepted: @escaping @Sendable (Value) -> Bool,
        _ configuration: ChemicalMachine.Configuration,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws -> Value?
{
    try Task.checkCancellation()
    if jobs.isEmpty { return nil }
    let machine = ChemicalMachine.current
    return try await keepingResult(configuration) {
        let (begin, result) = Join.define("firstResult", fileID: fileID, line: line) { join in
            join.isNotKeptByInnerDefinitions()
            join.endsWhenCleared()
            let begin = join.slow("begin", of: Int.self, order: .oldestFirst)
            let accepted = join.slow("accepted", of: Value.self, order: .oldestFirst)
            // In order, for the error of the job that has failed last.
            let ended = join.slow("ended", of: (any Error)?.self, order: .oldestFirst)
            let remain = join.state("remain", (count: jobs.count, error: (any Error)?.none))
            let outcome = join.slow("outcome", of: Result<Value?, any Error>.self)
            let wanted = join.slow("wanted")
            let result = join.fast("result", returning: Value?.self)

            join.when(begin) { index async in
                do {
                    let value = try await machine.asCurrent { try await jobs[index]() }
                    if isAccepted(value) { accepted(value) } else { ended(nil) }
                } catch {
                    ended(error)
                }
            }
            join.when(accepted, wanted) { value, _ in outcome(.success(value)) }
            join.when(ended, updating: remain) { remain, error in
                remain.count -= 1
                remain.error = error ?? remain.error
                // Accepted jobs aren't counted here, so zero means that no job was accepted.
                if remain.count == 0 { outcome(remain.error.map(Result.failure) ?? .success(nil)) }
            }
            join.when(result, outcome) { reply, outcome in reply.end(with: outcome) }

            wanted()
            return (begin, result)
        }
        begin.inject(contentsOf: jobs.indices)
        return try await result(fileID: fileID, line: line)
    }
}

/// A scope that ends when `body` has a result: everything that still runs is cancelled and awaited.
///
/// If the task is cancelled meanwhile, the result isn't lost, because it was there first.
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
