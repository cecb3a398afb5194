import Synchronization

/// The task of the asynchronous handler that runs now, so that cancelling the actor can cancel it.
///
/// The task is only known while its handler runs. Whoever cancels it says so first, and the task doesn't end before
/// that is over: what is cancelled is always there.
final class HandlingTask: @unchecked Sendable {
    // Checked by hand: `task` is written while `state` is `none` or by the task itself, and read after `state` went
    // from `running` to `cancelling`, during which the task doesn't go on.
    private static let none = 0
    private static let running = 1
    private static let cancelling = 2

    private let state = Atomic<Int>(HandlingTask.none)
    private var task: UnsafeCurrentTask?

    /// The current task begins to run a handler: from here to `end`, `cancel` cancels it.
    ///
    /// Whoever cancels the actor says so before calling `cancel`, so one of the two sees the other.
    func begin(isCancelled: () -> Bool) {
        withUnsafeCurrentTask { task = $0 }
        state.store(Self.running, ordering: .sequentiallyConsistent)
        if isCancelled() { task?.cancel() }
    }

    /// The handler has ended. Waits for whoever is cancelling the task at this moment.
    @concurrent func end() async {
        while !leave() { await Task.yield() }
    }

    private func leave() -> Bool {
        let (exchanged, _) = state.compareExchange(
            expected: Self.running,
            desired: Self.none,
            ordering: .sequentiallyConsistent
        )
        if exchanged { task = nil }
        return exchanged
    }

    /// Cancels the task, if one runs. Called once.
    func cancel() {
        guard
            state.compareExchange(
                expected: Self.running,
                desired: Self.cancelling,
                ordering: .sequentiallyConsistent
            ).exchanged
        else { return }
        task?.cancel()
        state.store(Self.running, ordering: .sequentiallyConsistent)
    }
}
