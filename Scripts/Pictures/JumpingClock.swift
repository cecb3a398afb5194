import ChemBase

/// A clock on which time passes when somebody sleeps. In the midst of the first sleep, something happens.
final class JumpingClock: Clock, @unchecked Sendable {
    // Checked by hand: both variables are touched under `lock`.
    private let lock = Lock()
    private var time = ContinuousClock.now
    private var meanwhile: (@Sendable () async -> Void)?

    let minimumResolution = Duration.nanoseconds(1)

    var now: ContinuousClock.Instant { lock.withLock { time } }

    /// `body` runs when somebody has slept for half of the first time.
    func inTheFirstSleep(_ body: @escaping @Sendable () async -> Void) {
        lock.withLock { meanwhile = body }
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let body = lock.withLock {
            defer { meanwhile = nil }
            if meanwhile != nil { time += time.duration(to: deadline) / 2 }
            return meanwhile
        }
        // Not by the body that sleeps.
        if let body { await Task.detached { await body() }.value }
        lock.withLock { time = max(time, deadline) }
    }
}
