/// What the steps of a test have in common besides molecules, and so, which of them depend on each other.
///
/// An exhaustive search can leave out schedules only as far as it knows that. It sees molecules. It doesn't see a
/// variable that two bodies change, or an actor that two tasks call.
///
/// Whatever is taken for granted here, a step counts as happening at once: the synchronous body of a reaction, and what
/// a task does up to its next suspension. In reality, something may come between two injections of one body, or between
/// `Task { }` and what follows it. Where that makes a difference, have a task suspend there, by `Task.yield()`.
public enum Sharing: Sendable {
    /// Nothing: tasks and bodies share molecules only, answers of calls, and histories. The search knows what the
    /// library cancels and which calls and sleeps end thereby. A test whose own tasks cancel others shares more.
    case molecules
    /// Tasks may share anything: asynchronous bodies, children of groups, the test itself. A reaction with a
    /// synchronous body shares molecules only. What such bodies collect elsewhere may not depend on their order.
    ///
    /// A task can be interrupted where it takes a step. `async let` and children of groups take one on their way into
    /// an actor, and one on their way out. A task that `Task { }` or `Task.detached { }` has made does so only where
    /// Swift's runtime doesn't let it in at once.
    case tasks
    /// All steps may share anything. No order of steps is left out.
    case everything
}
