import ChemActors
import Foundation
import Testing

/// A value behind a lock that ThreadSanitizer understands.
final class Locked<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: `stored` is touched under `lock` only.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    @discardableResult
    func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try change(&stored)
    }

    var value: Value { update { $0 } }
}

/// A small generator with a seed: SplitMix64.
struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func flip() -> Bool { Bool.random(using: &self) }
}

/// Runs `body` with 100 seeds, and names the one with which it throws.
func with100Seeds(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (UInt64, inout Dice) async throws -> Void
) async {
    for seed in 1...100 as ClosedRange<UInt64> {
        var dice = Dice(seed: seed)
        do { try await body(seed, &dice) } catch {
            Issue.record("seed \(seed): \(error)", sourceLocation: sourceLocation)
        }
    }
}

/// Starts the jobs, cancels some of them at moments that `dice` choose, and returns how each ended.
func storm<Result: Sendable>(
    _ jobs: [@Sendable () async throws -> Result],
    dice: inout Dice,
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

extension Result {
    var timedOut: Bool {
        if case .failure(let error as CallError) = self { error.code == .timedOut } else { false }
    }
}

extension ChemicalMachine {
    /// Waits until `count` calls wait in its definitions.
    func waits(for count: Int) async throws {
        try await until { snapshot().reduce(0) { $0 + $1.waitingCalls.count } == count }
    }
}

/// Gives up its turn so often.
func yield(_ times: Int) async {
    for _ in 0..<times { await Task.yield() }
}

/// Waits until `condition` holds; after two minutes that is a failure.
func until(_ condition: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while try await !condition() {
        if ContinuousClock.now > end { throw NeverHappened(place: "\(sourceLocation)") }
        await Task.yield()
    }
}

/// What `until` waited for didn't come.
struct NeverHappened: Error { let place: String }

/// Stops a child process unless it ends as it is to: the standard error of `result` has to contain all of `texts`.
func expectMessage(
    _ result: ExitTest.Result?,
    _ texts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for text in texts { #expect(message.contains(text), "\(message)", sourceLocation: sourceLocation) }
}
