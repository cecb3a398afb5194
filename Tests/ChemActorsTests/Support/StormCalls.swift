import ChemActors
import Testing

/// The calls that a storm makes: each has to end, and in its own way.
final class StormCalls: Sendable {
    let begun = ControlProbe.Count()
    let ended = ControlProbe.Count()
    let wrong = ControlProbe.Count()

    /// Makes one call, and counts that it began and ended.
    func make(expecting answer: Int?, _ body: () async throws -> Int) async {
        begun.add()
        do {
            let result = try await body()
            if let answer, result != answer { wrong.add() }
        } catch {
            if !(error is CallError || error is CancellationError || error is ControlProbe.Failed) { wrong.add() }
        }
        ended.add()
    }

    /// Makes a call that isn't waited for here: it may last until the end of a pause, which has to come from one of the
    /// tasks.
    func makeAside(expecting answer: Int?, _ body: @escaping @Sendable () async throws -> Int) {
        begun.add()
        Task { [self] in
            await make(expecting: answer, body)
            ended.add()
        }
    }

    /// Waits until all calls have ended. One that begins only now may be kept by a reaction or wait for what doesn't
    /// come: clearing answers it. One that is lost stays lost.
    func end(in definition: Join, _ seed: UInt64) async throws {
        try await ControlProbe.until("seed \(seed): \(begun.now) calls begun, all ended") {
            if ended.now == begun.now { return true }
            definition.clear()
            return false
        }
    }

    /// Waits for quiet, and says what stands in its way if it doesn't come.
    func settle(_ definition: Join, _ seed: UInt64) async throws {
        let waiter = Task { try await definition.quiescence() }
        let done = ControlProbe.Count()
        let watcher = Task {
            try? await waiter.value
            done.add()
        }
        do {
            try await ControlProbe.until("seed \(seed): quiet") { done.now == 1 }
        } catch {
            Issue.record("seed \(seed): \(definition.snapshot())\n\(definition.statistics)")
            waiter.cancel()
            throw error
        }
        await watcher.value
    }
}
