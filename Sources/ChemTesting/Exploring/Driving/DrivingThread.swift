import ChemBase
import Foundation

/// A thread that is used again for other runs.
final class DrivingThread: @unchecked Sendable {
    // Checked by hand: `work` is handed over by `turn`.
    private static let lock = Lock()
    private nonisolated(unsafe) static var free: [DrivingThread] = []

    private let turn = Turn()
    private var work: (@Sendable () -> Void)?

    /// Runs `work` in a thread of its own.
    static func run(_ work: @escaping @Sendable () -> Void) {
        let thread = lock.withLock { free.popLast() } ?? DrivingThread()
        thread.work = work
        thread.turn.give()
    }

    private init() {
        let thread = Thread { [self] in
            while true {
                _ = turn.wait()
                work.take()?()
                Self.lock.withLock { Self.free.append(self) }
            }
        }
        thread.name = "ChemTesting"
        thread.stackSize = 8 << 20
        thread.start()
    }
}
