import Exploring
import Synchronization

/// What clients of an object have asked for and got, and when: for each operation, whether it was over before another
/// one began.
///
/// ```swift
/// let history = History<ShortQueue>()
/// async let first = history.record(.take) { try await queue.take() }
/// async let second = history.record(.add(1)) { try await queue.add(1) }
/// _ = try await (first, second)
/// expectLinearizable(history, from: ShortQueue())
/// ```
public final class History<Model: SequentialModel>: Sendable {
    /// An operation, from its begin to its end.
    struct Entry: Sendable {
        let operation: Model.Operation
        let begin: Int
        /// Nil if it hasn't ended, or if it has thrown: then nobody knows whether it has had an effect.
        var end: Int?
        var result: Model.Result?
        /// The steps in which it began and ended, in a run that could change the order of steps.
        var steps: (begin: Int, end: Int?)?
    }

    private struct State {
        var entries: [Entry] = []
        /// Counts begins and ends.
        var time = 0
    }

    private let state = Mutex(State())
    let timeline = Timeline()

    /// Creates an empty history.
    public init() {}

    /// Does `body` and notes when it began and ended, and what came of it.
    ///
    /// An operation that throws, or hasn't ended, counts as one that may or may not have had its effect.
    ///
    /// - Parameters:
    ///   - operation: What `body` asks for.
    ///   - body: Asks for it.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    @discardableResult
    nonisolated(nonsending) public func record<Failure: Error>(
        _ operation: Model.Operation,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Model.Result
    ) async throws(Failure) -> Model.Result {
        let step = timeline.begin()
        let index = state.withLock { state in
            state.time += 1
            let steps = step.map { (begin: $0, end: Int?.none) }
            state.entries.append(Entry(operation: operation, begin: state.time, steps: steps))
            return state.entries.count - 1
        }
        let result = try await body()
        let endStep = timeline.end()
        state.withLock { state in
            state.time += 1
            state.entries[index].end = state.time
            state.entries[index].steps?.end = endStep
            state.entries[index].result = result
        }
        return result
    }

    /// The operations so far, in the order in which they began.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// Whether an order explains what the clients got.
    ///
    /// In a run of an exhaustive search, operations might have begun and ended in another order while all else stays
    /// the same. The search needn't try these orders, if each of them is explained by some order, too.
    func isLinearizable(from model: Model) -> Bool {
        let entries = entries
        var search = Linearization<Model>(entries)
        guard search.exists(from: model) else { return false }
        if let order = timeline.order {
            var search = LinearizationInAnyOrder<Model>(entries, order)
            if !search.exists(from: model) { timeline.matters() }
        }
        return true
    }
}
