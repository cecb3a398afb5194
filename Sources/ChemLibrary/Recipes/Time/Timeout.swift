public import ChemActors
import ChemBase

/// The time limit of `withTimeout` was up before its body had ended.
public struct TimedOut: Error, Hashable, Sendable, CustomStringConvertible {
    /// How long the body might have taken.
    public let limit: Duration
    /// Where `withTimeout` was called.
    private let location: String

    fileprivate init(_ limit: Duration, _ fileID: StaticString, _ line: UInt) {
        self.limit = limit
        location = "\(fileID):\(line)"
    }

    /// The error message.
    public var description: String {
        "The time was up: after \(limit) the body of withTimeout (\(location)) hadn't ended."
    }
}

/// Runs `body`, but cancels it and throws if `duration` passes before it has ended.
///
/// ```swift
/// let page = try await withTimeout(.seconds(5)) { try await load(address) }
/// ```
///
/// The body is a structured child task of the caller: it sees its task-local values and its priority, is cancelled with
/// it, and has ended when this returns or throws. So this waits even for a body that ignores its cancellation: a
/// timeout can't stop a thread. What it makes, such as a channel, belongs to the surrounding machine, and outlives it.
///
/// To limit how long a call of a fast molecule waits, `within:` is cheaper and exact: the call is withdrawn.
///
/// - Parameters:
///   - duration: How long the body may take, by `clock`. Zero or less: the time is up, and `body` doesn't run.
///   - clock: The clock that measures the time; by default, that of the surrounding machine.
///   - configuration: The configuration of the machine that runs the body.
///   - fileID: The file, for messages.
///   - line: The line, for messages.
///   - body: The body.
/// - Returns: what `body` returns, if that comes first.
/// - Throws: ``TimedOut`` if the time is up first, the error of `body` if that comes first, `CancellationError` if the
///   task is cancelled.
nonisolated(nonsending)
    public func withTimeout<Value: Sendable>(
        _ duration: Duration,
        clock: some Clock<Duration> = .machine,
        configuration: ChemicalMachine.Configuration = ChemicalMachine.Configuration(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: @escaping @concurrent @Sendable () async throws -> Value
    ) async throws -> Value
{
    try Task.checkCancellation()
    guard duration > .zero else { throw TimedOut(duration, fileID, line) }
    let machine = ChemicalMachine.current
    return try await keepingResult(configuration) {
        let deadline = clock.instant(after: duration)
        let result = Join.define("timeout", fileID: fileID, line: line) { join in
            join.isNotKeptByInnerDefinitions()
            join.endsWhenCleared()
            let begin = join.slow("begin")
            let timer = join.slow("timer")
            let ended = join.slow("ended", of: Result<Value, any Error>.self, order: .oldestFirst)
            let first = join.slow("first")
            let outcome = join.slow("outcome", of: Result<Value, any Error>.self)
            let result = join.fast("result", returning: Value.self)

            join.when(begin) { _ async in
                do {
                    ended(.success(try await machine.asCurrent { try await body() }))
                } catch {
                    ended(.failure(error))
                }
            }
            join.when(timer) { _ async in
                // It throws if the timer is no longer needed.
                guard (try? await clock.sleep(until: deadline, tolerance: nil)) != nil else { return }
                ended(.failure(TimedOut(duration, fileID, line)))
            }
            // There is only one `first`: the second end finds none.
            join.when(ended, first) { end, _ in outcome(end) }
            join.when(result, outcome) { reply, outcome in reply.end(with: outcome) }

            first()
            timer()
            begin()
            return result
        }
        return try await result(fileID: fileID, line: line)
    }
}
