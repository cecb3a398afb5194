import Foundation
import Testing

/// A clock whose time passes when a test says so.
final class ManualClock: Clock, @unchecked Sendable {
    // Checked by hand: everything mutable is touched under `lock`, and nothing is resumed under it.
    struct Instant: InstantProtocol, Sendable, CustomStringConvertible {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
        var description: String { "\(offset)" }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private var time = Instant()
    private var sleepers: [Int: Sleeper] = [:]
    private var cancelled: Set<Int> = []
    private var tickets = 0

    var now: Instant { lock.withLock { time } }
    var minimumResolution: Duration { .zero }

    /// How many sleep.
    var sleeping: Int { lock.withLock { sleepers.count } }

    /// When the next sleeper wakes, if there is one.
    var nextDeadline: Instant? { lock.withLock { sleepers.values.map(\.deadline).min() } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let ticket = lock.withLock {
            tickets += 1
            return tickets
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = lock.withLock {
                    if cancelled.remove(ticket) != nil { return .failure(CancellationError()) }
                    if deadline <= time { return .success(()) }
                    sleepers[ticket] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = lock.withLock {
                let sleeper = sleepers.removeValue(forKey: ticket)
                if sleeper == nil { cancelled.insert(ticket) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Lets `duration` pass, and wakes those whose time has come, the earliest first.
    func advance(by duration: Duration) {
        let due = lock.withLock {
            time = time.advanced(by: duration)
            let due = sleepers.filter { $0.value.deadline <= time }
            for ticket in due.keys { sleepers[ticket] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until `count` sleep, or more.
    func waitForSleepers(_ count: Int = 1) async throws {
        try await eventually { self.sleeping >= count }
    }
}
