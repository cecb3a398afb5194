import ChemBase
import Foundation

/// A thread that is used again for other runs.
final class DrivingThread: @unchecked Sendable {
    // Checked by hand: `work` is under the lock.
    private static let lock = Lock()
    private nonisolated(unsafe) static var free: [DrivingThread] = []

    private let turn = Turn()
    /// What it does next. What it did before may not have ended yet.
    private var work: [@Sendable () -> Void] = []

    /// Runs `work` in a thread of its own.
    static func run(_ work: @escaping @Sendable () -> Void) -> DrivingThread {
        let thread = lock.withLock { free.popLast() } ?? DrivingThread()
        lock.withLock { thread.work.append(work) }
        thread.turn.give()
        return thread
    }

    /// It may be used again: what it runs is about to end. So the next run finds it awake, and needn't wake another
    /// one.
    func release() { Self.lock.withLock { Self.free.append(self) } }

    private init() {
        let thread = Thread { [self] in
            while true {
                _ = turn.wait()
                while let next = Self.lock.withLock({ work.isEmpty ? nil : work.removeFirst() }) { next() }
            }
        }
        thread.name = "ChemTesting"
        thread.stackSize = 8 << 20
        thread.start()
    }
}
