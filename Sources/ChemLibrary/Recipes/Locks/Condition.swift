public import ChemActors

/// A value, and tasks that wait until it fulfils their condition.
///
/// ```swift
/// let stock = Condition(0)
/// try await stock.update { $0 += 5 }
/// // Waits until there are three, and takes them in the same step.
/// try await stock.update(when: { $0 >= 3 }) { $0 -= 3 }
/// let count = try await stock.wait(until: { $0 == 0 })
/// ```
///
/// After each change of the value, every waiting task checks its condition, in any order. `update(when:)` checks its
/// condition and changes the value in one step: no other task comes between. Updates without a condition happen in the
/// order in which they were requested.
///
/// Chemistry usually expresses a condition by a molecule: `item`, not "count > 0". That costs less, since no task
/// checks in vain. Use this type if the condition depends on the value in ways that aren't known beforehand. A pthreads
/// condition variable and `NSCondition` block a thread: prefer them if all sides are threads of their own.
///
/// Source: P. Brinch Hansen and C. A. R. Hoare, conditional critical regions.
///
/// - Complexity: an update costs O(n log n) for n waiting tasks, since all of them check their conditions.
public struct Condition<Value: Sendable>: Exportable {
    /// The value, and how often those who waited for a change have been told of one.
    private struct Guarded {
        var value: Value
        var tellings = 0
        /// Whether somebody waits for the next telling, or is about to.
        var isAwaited = false
    }

    private let guarded: AsyncMutex<Guarded>
    /// Tells those who wait that the value has changed.
    private let tell: SlowMolecule<Void>
    /// Waits until there have been as many tellings as the argument says.
    private let wait: FastMolecule<Int, Void>

    /// Creates a condition on `value`.
    ///
    /// - Parameters:
    ///   - value: The initial value.
    ///   - name: What the condition is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(_ value: Value, name: String = "condition", fileID: StaticString = #fileID, line: UInt = #line) {
        // All in one definition: whoever has looked at the value, and is about to wait, hears of its end.
        (guarded, tell, wait) = Join.define(name, fileID: fileID, line: line) { join in
            let guarded = AsyncMutex(Guarded(value: value), in: &join)
            let tellings = join.state("tellings", 0)
            let tell = join.slow("tell")
            let wait = join.fast("wait", of: Int.self)

            join.when(tell, updating: tellings) { tellings, _ in tellings += 1 }
            join.answer(wait, updating: tellings, amount: \.self, atMost: \.self) { _, _ in }

            return (guarded, tell, wait)
        }
    }

    private init(exporting other: Condition) {
        (guarded, tell, wait) = (other.guarded.exported, other.tell.exported, other.wait.exported)
    }

    /// Waits until `condition` holds for the value.
    ///
    /// - Parameters:
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - condition: The condition to wait for. Looks at the value, and should be quick.
    /// - Returns: the value for which the condition held. The value may have changed since.
    /// - Throws: `CancellationError`.
    nonisolated(nonsending) public func wait(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        until condition: (Value) throws -> Bool
    ) async throws -> Value {
        while true {
            let look: Attempt<Value> = try await guarded.withLock(fileID: fileID, line: line) { guarded in
                try condition(guarded.value) ? Attempt.done(guarded.value) : .waits(telling: nextTelling(of: &guarded))
            }
            switch look {
            case .done(let value): return value
            case .waits(let telling): try await wait(telling, fileID: fileID, line: line)
            }
        }
    }

    /// Changes the value, as soon as `condition` holds for it, in one step.
    ///
    /// Both closures run in the calling task, in the caller's isolation, and no other task sees the value meanwhile.
    ///
    /// - Parameters:
    ///   - condition: The condition to wait for. Looks at the value, and should be quick.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - change: What to do with the value. If it throws, the value stays as `change` left it.
    /// - Returns: what `change` returns.
    /// - Throws: what the closures throw; `CancellationError` if the task was cancelled while it waited; then nothing
    ///   has changed.
    nonisolated(nonsending) public func update<Result>(
        when condition: (Value) throws -> Bool = { _ in true },
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ change: nonisolated(nonsending) (inout Value) async throws -> Result
    ) async throws -> Result {
        while true {
            let attempt: Attempt<Result> = try await guarded.withLock(fileID: fileID, line: line) { guarded in
                guard try condition(guarded.value) else { return .waits(telling: nextTelling(of: &guarded)) }
                defer { announceChange(of: &guarded) }
                return .done(try await change(&guarded.value))
            }
            switch attempt {
            case .done(let result): return result
            case .waits(let telling): try await wait(telling, fileID: fileID, line: line)
            }
        }
    }

    /// The number of the telling after the next change.
    private func nextTelling(of guarded: inout Guarded) -> Int {
        guarded.isAwaited = true
        return guarded.tellings + 1
    }

    private func announceChange(of guarded: inout Guarded) {
        guard guarded.isAwaited else { return }
        guarded.isAwaited = false
        guarded.tellings += 1
        tell()
    }

    /// The same value, kept alive by this one.
    public var exported: Condition { Condition(exporting: self) }
}

/// The result of checking the value once.
private enum Attempt<Result> {
    case done(Result)
    case waits(telling: Int)
}
