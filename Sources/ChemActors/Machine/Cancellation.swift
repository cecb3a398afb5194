import ChemBase

/// Cancels the tasks of bodies.
///
/// What a body waits for is often another body, whose task is cancelled in turn by a handler of the first. Of a chain
/// of calls each would take room on the stack, so a thread that is cancelling one notes the next, and cancels it
/// afterwards.
enum Cancellation {
    /// The tasks that this thread has yet to cancel, if it is cancelling one.
    private static let pending = ThreadLocal()

    /// Cancels `task`, at once or, if this thread is cancelling another one, right after that.
    static func cancel(_ task: Task<Void, Never>) {
        if let tasks = pending.pointer?.assumingMemoryBound(to: FIFO<Task<Void, Never>>.self) {
            return tasks.pointee.append(task)
        }
        var tasks = FIFO<Task<Void, Never>>()
        withUnsafeMutablePointer(to: &tasks) { tasks in
            pending.with(UnsafeMutableRawPointer(tasks)) {
                Interleaving.whole { task.cancel() }
                while let next = tasks.pointee.popFirst() { Interleaving.whole { next.cancel() } }
            }
        }
    }
}
