public import ChemActors
import ChemBase

/// A door that opens once, when its count reaches zero: all waiting tasks go on, and no task waits from then on.
///
/// ```swift
/// let ready = Latch(count: 3)
/// for part in parts { Task { await part.start(); ready.countDown() } }
/// try await ready.wait()
/// ```
///
/// Waiting tasks are let through in any order. For parties that meet again and again, use ``Barrier``; for a value that
/// is set once, ``JoinPromise``. If the parts are child tasks of one function, prefer a task group.
///
/// Source: `CountDownLatch` of java.util.concurrent.
public struct Latch: Exportable {
    /// Counts down by one. Never waits, and works in synchronous code. At zero it changes nothing.
    public let countDown: SlowMolecule<Void>

    /// Waits until the count is zero.
    ///
    /// `try await latch.wait()` waits; `try await latch.wait(within: .seconds(1))` waits for at most a second. It
    /// throws `CancellationError` if the task is cancelled, and `CallError` if the time is up.
    public let wait: FastMolecule<Void, Void>

    /// A latch that opens after `count` injections of ``countDown``.
    ///
    /// - Parameters:
    ///   - count: How often to count down, not negative; with 0 the latch is open from the start.
    ///   - name: What the latch is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(count: Int, name: String = "latch", fileID: StaticString = #fileID, line: UInt = #line) {
        demand(count >= 0, "a latch can't have a count of \(count)", fileID, line)
        (countDown, wait) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let left = join.state("left", count)
            let countDown = join.slow("countDown")
            let isOpen = join.slow("isOpen")
            let wait = join.fast("wait")

            join.when(countDown, updating: left) { left, _ in
                left -= 1
                if left == 0 { isOpen() }
            }.produces(isOpen)
            join.answer(wait, while: isOpen)

            if count == 0 { isOpen() }
            return (countDown, wait)
        }
    }

    private init(countDown: SlowMolecule<Void>, wait: FastMolecule<Void, Void>) {
        self.countDown = countDown
        self.wait = wait
    }

    /// The same latch, kept alive by this value.
    public var exported: Latch { Latch(countDown: countDown.exported, wait: wait.exported) }
}
