import ChemActors
import Foundation
import TestSupport
import Testing

/// A value that several threads change, behind a lock that ThreadSanitizer understands on Linux.
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

/// How many are inside of something, and how many have been at most.
final class Occupancy: Sendable {
    private let numbers = Locked((now: 0, peak: 0, total: 0))

    func enter() {
        numbers.update {
            $0.now += 1
            $0.total += 1
            $0.peak = max($0.peak, $0.now)
        }
    }

    func leave() { numbers.update { $0.now -= 1 } }

    var now: Int { numbers.value.now }
    var peak: Int { numbers.value.peak }
    var total: Int { numbers.value.total }
}

/// Waits until `condition` holds; after eighteen minutes that is a failure.
func eventually(
    _ condition: @Sendable () async throws -> Bool,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
    let end = ContinuousClock.now + .seconds(1_100)
    var polling = Polling()
    while try await !condition() {
        try Task.checkCancellation()
        if ContinuousClock.now > end {
            Issue.record("never happened", sourceLocation: sourceLocation)
            throw NeverHappened()
        }
        await polling.pause()
    }
}

/// What `eventually` waited for didn't come.
struct NeverHappened: Error {}

/// An error of a test's own.
struct Mishap: Error, Equatable { var number = 0 }

/// A gate where asynchronous bodies wait until it is opened, or their task is cancelled.
struct Gate: Sendable {
    private let opened: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation

    init() { (opened, opening) = AsyncStream.makeStream() }

    func open() { opening.finish() }

    /// Waits for the gate.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    @concurrent
    func pass() async throws {
        for await _ in opened {}
        try Task.checkCancellation()
    }
}

/// A small generator with a seed: SplitMix64.
struct SplitMix: RandomNumberGenerator, Sendable {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

/// Lets other tasks run `times` times.
func yield(_ times: Int) async {
    for _ in 0..<times { await Task.yield() }
}

/// What a program wrote to standard error before it was stopped.
func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

extension ChemicalMachine {
    /// A recipe whose definitions are on this machine, since it is made inside a definition of it.
    func making<Recipe: Exportable>(_ make: () -> Recipe) -> Recipe {
        define("maker") { _ in make() }
    }

    /// Waits until `count` copies of `molecule`, a name such as `throttle.send`, have been consumed.
    func waitUntilConsumed(
        _ count: Int,
        of molecule: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        try await eventually({ self.statistics.molecules[molecule]?.consumed == count }, sourceLocation: sourceLocation)
    }
}
