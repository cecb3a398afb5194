import ChemActors
import Foundation
import Testing

/// Runs `body` with 100 seeds, and names the one with which it throws.
func with100Seeds(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (UInt64, inout SplitMix) async throws -> Void
) async {
    for seed in 1...100 as ClosedRange<UInt64> {
        var dice = SplitMix(seed: seed)
        do { try await body(seed, &dice) } catch {
            Issue.record("seed \(seed): \(error)", sourceLocation: sourceLocation)
        }
    }
}

/// Starts the jobs, cancels some of them at moments that `dice` choose, and returns how each ended.
func storm<Result: Sendable>(
    _ jobs: [@concurrent @Sendable () async throws -> Result],
    dice: inout SplitMix,
    cancelling chance: Double = 0.5
) async -> [Swift.Result<Result, any Error>] {
    let tasks = jobs.map { job in Task.detached { try await job() } }
    for task in tasks.shuffled(using: &dice) where Double.random(in: 0..<1, using: &dice) < chance {
        for _ in 0..<dice.roll(0...6) { await Task.yield() }
        task.cancel()
    }
    var results: [Swift.Result<Result, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
}

extension Result {
    var value: Success? { try? get() }
    var wasCancelled: Bool {
        if case .failure(let error) = self { error is CancellationError } else { false }
    }
}

extension SplitMix {
    mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func flip() -> Bool { Bool.random(using: &self) }
}

extension Result {
    var timedOut: Bool {
        if case .failure(let error as CallError) = self { error.code == .timedOut } else { false }
    }
}

extension ChemicalMachine {
    /// Waits until `count` calls wait in its definitions.
    func waits(for count: Int) async throws {
        try await eventually { snapshot().reduce(0) { $0 + $1.waitingCalls.count } == count }
    }

    /// Waits until `count` calls made in this file wait in its definitions: those that recipes make for themselves,
    /// and that may wait for a moment, don't count.
    func waits(for count: Int, from fileID: String) async throws {
        try await eventually {
            snapshot().reduce(0) { sum, join in
                sum + join.waitingCalls.count { $0.location.hasPrefix(fileID + ":") }
            } == count
        }
    }
}

/// Stops a child process unless it ends as it is to: the standard error of `result` has to contain all of `texts`.
func expectMessage(
    _ result: ExitTest.Result?,
    _ texts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for text in texts { #expect(message.contains(text), "\(message)", sourceLocation: sourceLocation) }
}
