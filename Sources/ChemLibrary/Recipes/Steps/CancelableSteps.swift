public import ChemActors

/// A long computation in steps, which any task may cancel between two steps without losing the completed work.
///
/// ```swift
/// let computation = CancelableSteps(from: image, steps: [sharpen, denoise, compress])
/// let task = Task { try await computation.run() }
/// try await computation.cancel()
/// switch try await task.value.ending {
/// case .finished: …
/// case .cancelled: …      // `value` is what `completed` steps have made of it
/// }
/// ```
///
/// Each step goes through a switch: the next one begins only if the computation hasn't been cancelled, neither by
/// ``cancel``, which any task may call, nor by cancelling the task that runs the steps. A running step isn't
/// interrupted, but it may look at `Task.isCancelled` itself, and throw.
///
/// The steps run in the task that calls ``run(fileID:line:)``, without changing threads between them. They run
/// once: later callers of ``run(fileID:line:)``, and callers of ``outcome``, wait for the same outcome.
///
/// If you don't need the partial result, `try Task.checkCancellation()` between the steps is enough.
///
/// Source: CocoaJoin, Example 5.
public struct CancelableSteps<Value: Sendable>: Exportable {
    /// One step: makes the next value from the current one.
    public typealias Step = @concurrent @Sendable (Value) async throws -> Value

    /// The outcome of the computation.
    public struct Outcome: Sendable {
        /// The value that the completed steps have made from the initial value.
        public let value: Value
        /// How many steps have been completed.
        public let completed: Int
        /// Why no further step has begun.
        public let ending: Ending
    }

    /// Why no further step has begun.
    public enum Ending: Sendable {
        /// All steps are completed.
        case finished
        /// A task has called ``CancelableSteps/cancel``, or the task that ran the steps was cancelled.
        case cancelled
        /// The next step has thrown.
        case failed(any Error)
    }

    /// Prevents further steps from beginning. Returns how many steps have begun: no step after these ever begins.
    ///
    /// If you cancel before ``run(fileID:line:)``, no step begins; cancelling after the end changes nothing. The call
    /// doesn't wait for a running step: ``outcome`` does.
    public let cancel: FastMolecule<Void, Int>
    /// Waits until no step runs any more, and returns the outcome of the computation, to any number of callers.
    ///
    /// It waits forever if no task calls ``run(fileID:line:)``.
    public let outcome: FastMolecule<Void, Outcome>
    /// The current value and the number of completed steps, at any time, for any code.
    public let progress: StateReader<(value: Value, completed: Int)>

    private let start: FastMolecule<Void, Bool>
    private let next: FastMolecule<(value: Value, completed: Int), Bool>
    private let end: FastMolecule<Outcome, Void>
    private let steps: [Step]

    /// A computation that hasn't started.
    ///
    /// - Parameters:
    ///   - initial: The value with which the first step begins.
    ///   - steps: The steps, in their order. Without steps, the computation is finished as soon as it runs.
    ///   - name: What the computation is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(
        from initial: Value,
        steps: [Step],
        name: String = "steps",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.steps = steps
        (cancel, outcome, progress, start, next, end) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            // The switch also counts the steps it has let through, so the reply of `cancel` is exact.
            let position = join.state("position", (isOn: true, begun: 0))
            let reached = join.state("reached", (value: initial, completed: 0))
            let isStarted = join.state("isStarted", false)
            let ended = join.slow("ended", of: Outcome.self)

            let cancel = join.fast("cancel", returning: Int.self)
            let outcome = join.fast("outcome", returning: Outcome.self)
            let start = join.fast("start", returning: Bool.self)
            let next = join.fast("next", of: (value: Value, completed: Int).self, returning: Bool.self)
            let end = join.fast("end", of: Outcome.self)

            join.answer(cancel, updating: position) { position, _ in
                position.isOn = false
                return position.begun
            }
            join.answer(next, updating: position, reached) { position, reached, now in
                reached = now
                if position.isOn { position.begun += 1 }
                return position.isOn
            }
            join.answer(start, updating: isStarted) { isStarted, _ in
                defer { isStarted = true }
                return !isStarted
            }
            join.answer(end, updating: reached) { reached, outcome in
                reached = (outcome.value, outcome.completed)
                ended(outcome)
            }
            join.answer(outcome, with: ended) { _, outcome in
                ended(outcome)
                return outcome
            }

            return (cancel, outcome, reached.reader, start, next, end)
        }
    }

    /// Runs the steps in this task until all are completed, one throws, or a task cancels; returns the outcome.
    ///
    /// If the task is cancelled, no further step begins, and the outcome is that of a cancelled computation: nothing is
    /// thrown. If the computation is already running, or has run, this waits for its outcome.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the outcome of the computation. An error of a step is in ``Outcome/ending``, so that the value isn't
    ///   lost.
    /// - Throws: `CancellationError` if the task is cancelled while it waits for the outcome of another task's run.
    @concurrent
    public func run(fileID: StaticString = #fileID, line: UInt = #line) async throws -> Outcome {
        guard try await isFirst(fileID, line) else { return try await outcome(fileID: fileID, line: line) }
        var (value, completed) = progress.value
        var ending = Ending.finished
        for step in steps {
            guard try await mayBegin(value, completed, fileID, line) else {
                ending = .cancelled
                break
            }
            do {
                value = try await step(value)
            } catch {
                ChemicalMachine.tellOfCancellation(.asks)
                ending = error is CancellationError && Task.isCancelled ? .cancelled : .failed(error)
                break
            }
            completed += 1
        }
        let outcome = Outcome(value: value, completed: completed, ending: ending)
        try await publish(outcome, fileID, line)
        return outcome
    }

    /// Has everybody see the outcome, if the definition still exists. A call of a cancelled task would end at once, so
    /// one in a task of its own takes its place.
    private func publish(_ outcome: Outcome, _ fileID: StaticString, _ line: UInt) async throws {
        do {
            do {
                try await end(outcome, fileID: fileID, line: line)
            } catch is CancellationError {
                let end = end.exported
                try await Task.detached { try await end(outcome, fileID: fileID, line: line) }.value
            }
        } catch is CallError {
            // The machine was deactivated: nobody will see it but the caller.
        }
    }

    /// Whether this is the first run. A run that is cancelled before it begins also has an outcome, so it then asks in
    /// a task of its own. If the scope is cancelled with it, there is nobody to ask, and nobody else will run.
    private func isFirst(_ fileID: StaticString, _ line: UInt) async throws -> Bool {
        do {
            return try await start(fileID: fileID, line: line)
        } catch is CancellationError {
            let start = start.exported
            do {
                return try await Task.detached { try await start(fileID: fileID, line: line) }.value
            } catch is CallError {
                return true
            }
        }
    }

    /// Whether the next step may begin; false if this task is cancelled, or the machine was deactivated.
    private func mayBegin(
        _ value: Value,
        _ completed: Int,
        _ fileID: StaticString,
        _ line: UInt
    ) async throws -> Bool {
        do {
            return try await next((value, completed), fileID: fileID, line: line)
        } catch is CancellationError {
            return false
        } catch is CallError {
            return false
        }
    }

    private init(exporting other: CancelableSteps) {
        steps = other.steps
        cancel = other.cancel.exported
        outcome = other.outcome.exported
        progress = other.progress.exported
        start = other.start.exported
        next = other.next.exported
        end = other.end.exported
    }

    /// The same computation, kept alive by this value.
    public var exported: CancelableSteps { CancelableSteps(exporting: self) }
}
