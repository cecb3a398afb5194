import ChemActors
import Synchronization

/// The task of the asynchronous handler that is running, so that cancelling the actor can cancel it.
///
/// The task is only known while its handler runs. A thread that cancels the task sets `cancelling` first, and the task
/// doesn't end until the cancellation is over, so the cancelled task always exists.
final class HandlingTask: @unchecked Sendable {
    // Checked by hand: `task` is written while `state` is `none` or by the task itself, and read after `state` changed
    // from `running` to `cancelling`. While it is `cancelling` or `ending`, the task doesn't go on. `ended` is written
    // before `state` changes to `ending`, and read after.
    private enum State: UInt8, AtomicRepresentable {
        case none, running, cancelling
        /// It's being cancelled, and its handler has ended.
        case ending
    }

    private let state = Atomic<State>(.none)
    private var task: UnsafeCurrentTask?
    private var ended: CheckedContinuation<Void, Never>?
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
        if !changes(from: .running, to: .none) {
            await withCheckedContinuation { continuation in
                ended = continuation
                if !changes(from: .cancelling, to: .ending) { goOn() }
            }
            state.store(State.none, ordering: .sequentiallyConsistent)
        }
        task = nil
        address.store(0, ordering: .relaxed)
    }

    private func goOn() {
        let ended = ended.take()
        ended?.resume()
    }

    private func changes(from old: State, to new: State) -> Bool {
        state.compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged
    }

    /// Cancels the task, if one is running. Called once.
    func cancel() {
        guard changes(from: .running, to: .cancelling) else { return }
        ChemicalMachine.tellOfCancellation(.cancels)
        task?.cancel()
        if !changes(from: .cancelling, to: .running) { goOn() }
    }
}
