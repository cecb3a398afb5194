import Foundation

/// Runs jobs one at a time on the thread that drives it, choosing the next one with a seeded generator.
///
/// Whatever is enqueued by its own jobs is enqueued in the same order in every run, so equal seeds give equal runs.
final class SeededExecutor: TaskExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        var generator: SplitMix
    }

    private let state: Guarded<State>

    init(seed: UInt64) {
        state = Guarded(State(generator: SplitMix(state: seed)))
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Whether a job waits to be run.
    var hasJobs: Bool { !state.now.jobs.isEmpty }

    /// Runs jobs on this thread until none is left.
    func drain() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Runs one job on this thread, if there is one.
    func runOne() { next()?.runSynchronously(on: asUnownedTaskExecutor()) }

    /// Runs `operation`, and everything that it starts here, on this thread until no job is left.
    ///
    /// - Throws: what `operation` throws, or ``Stuck`` if it waits for something that never comes.
    func run<Result: Sendable>(_ operation: @escaping @Sendable () async throws -> Result) throws -> Result {
        let outcome = Guarded<Swift.Result<Result, any Error>?>(nil)
        Task.detached(executorPreference: self) {
            do {
                let result = try await operation()
                outcome.withLock { $0 = .success(result) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        drain()
        guard let result = outcome.withLock({ $0 }) else { throw Stuck() }
        return try result.get()
    }

    /// No job is left, and the operation has not ended.
    struct Stuck: Error {}

    private func next() -> UnownedJob? {
        state.withLock { state in
            guard !state.jobs.isEmpty else { return nil }
            let index = Int.random(in: 0..<state.jobs.count, using: &state.generator)
            return state.jobs.remove(at: index)
        }
    }
}

/// A small generator with a seed: SplitMix64.
struct SplitMix: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
