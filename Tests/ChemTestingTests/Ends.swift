import Synchronization

/// What came of the runs of an exploration: the ends that there were, and how often.
final class Ends: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func add(_ end: String) { counts.withLock { $0[end, default: 0] += 1 } }

    var all: [String: Int] { counts.withLock { $0 } }
}
