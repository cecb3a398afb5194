import ChemBase

/// Cancels the tasks of bodies.
///
/// What a body waits for is often another body, whose task is cancelled in turn by a handler of the first. Of a chain
/// of calls each would take room on the stack, so a thread that is cancelling one notes the next, and cancels it
/// afterwards.
enum Cancellation {
    /// What is cancelled.
    enum Target {
        case task(Task<Void, Never>)
        /// The task of this body, as `BodyScope.willCancel` has announced.
        case body(BodyScope)

        fileprivate func cancel() {
            switch self {
            case .task(let task): Interleaving.whole { task.cancel() }
            case .body(let scope): Interleaving.whole { scope.cancelNow() }
            }
        }
    }

    /// What this thread has yet to cancel, if it is cancelling a task.
    private static let pending = ThreadLocal()

    /// Cancels `target`, at once or, if this thread is cancelling a task, right after that.
    static func cancel(_ target: Target) {
        if let targets = pending.pointer?.assumingMemoryBound(to: FIFO<Target>.self) {
            return targets.pointee.append(target)
        }
        var targets = FIFO<Target>()
        withUnsafeMutablePointer(to: &targets) { targets in
            pending.with(UnsafeMutableRawPointer(targets)) {
                target.cancel()
                while let next = targets.pointee.popFirst() { next.cancel() }
            }
        }
    }
}
