import ChemBase
import Dispatch
import Synchronization

/// What a thread waits for that isn't to run before it is its turn.
///
/// A turn often comes within microseconds, and waking a thread takes longer than most steps do. So whoever waits looks
/// for a while, and lets others have its core in between.
final class Turn: Sendable {
    private enum State {
        static let none = 0
        static let given = 1
        static let awaited = 2
    }

    private let state = Atomic(State.none)
    private let semaphore = DispatchSemaphore(value: 0)

    /// It is the turn of whoever waits, or will wait, for this.
    func give() {
        if state.exchange(State.given, ordering: .acquiringAndReleasing) == State.awaited { semaphore.signal() }
    }

    /// Waits, for so long at most.
    ///
    /// - Returns: whether it is its turn.
    func wait(until time: DispatchTime = .distantFuture) -> Bool {
        for look in 0..<200 {
            if state.load(ordering: .relaxed) == State.given { return take() }
            if look >= 20 { Platform.yieldThread() }
        }
        let (isAwaited, _) = state.compareExchange(
            expected: State.none,
            desired: State.awaited,
            ordering: .acquiringAndReleasing
        )
        if isAwaited, semaphore.wait(timeout: time) == .timedOut {
            let (isOver, _) = state.compareExchange(
                expected: State.awaited,
                desired: State.none,
                ordering: .acquiringAndReleasing
            )
            if isOver { return false }
            // It was given at this moment, and the signal is on its way.
            semaphore.wait()
        }
        return take()
    }

    private func take() -> Bool {
        state.compareExchange(expected: State.given, desired: State.none, ordering: .acquiringAndReleasing).exchanged
    }
}
