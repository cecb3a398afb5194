import ChemActors
import Synchronization

/// The task of the asynchronous handler that is running, so that cancelling the actor can cancel it.
///
/// The task is only known while its handler runs. A thread that cancels the task sets `cancelling` first, and the task
/// doesn't end until the cancellation is over, so the cancelled task always exists.
final class HandlingTask: @unchecked Sendable {
    // Checked by hand: `task` is written while `state` is `none` or by the task itself, and read after `state` changed
    // from `running` to `cancelling`. While it is `cancelling`, the task doesn't go on.
    private enum State: UInt8, AtomicRepresentable { case none, running, cancelling }

    private let state = Atomic<State>(.none)
    private var task: UnsafeCurrentTask?
    /// The address of `task`, and zero if there is none. Only the task itself finds its own here.
    private let address = Atomic<UInt>(0)

    /// Whether the current task is the one that runs the handler.
    var isCurrent: Bool {
        let address = address.load(ordering: .relaxed)
        return address != 0 && Self.addressOfCurrentTask == address
    }

    private static var addressOfCurrentTask: UInt {
        withUnsafeCurrentTask { task in unsafe task.map { unsafe unsafeBitCast($0, to: UInt.self) } ?? 0 }
    }

    /// Marks the current task as running a handler: until `end`, `cancel` cancels it.
    ///
    /// The actor is marked as cancelled before `cancel` is called, so either `begin` or `cancel` sees the other.
    func begin(isCancelled: () -> Bool) {
        withUnsafeCurrentTask { task = $0 }
        address.store(Self.addressOfCurrentTask, ordering: .relaxed)
        state.store(State.running, ordering: .sequentiallyConsistent)
        if isCancelled() { task?.cancel() }
    }

    /// Marks the handler as ended. Waits for a `cancel` that is cancelling the task at this moment.
    @concurrent func end() async {
        while !leave() { await Task.yield() }
    }

    private func leave() -> Bool {
        let (exchanged, _) = state.compareExchange(
            expected: State.running,
            desired: State.none,
            ordering: .sequentiallyConsistent
        )
        if exchanged {
            task = nil
            address.store(0, ordering: .relaxed)
        }
        return exchanged
    }

    /// Cancels the task, if one is running. Called once.
    func cancel() {
        guard
            state.compareExchange(
                expected: State.running,
                desired: State.cancelling,
                ordering: .sequentiallyConsistent
            ).exchanged
        else { return }
        ChemicalMachine.tellOfCancellation(.cancels)
        task?.cancel()
        state.store(State.running, ordering: .sequentiallyConsistent)
    }
}
