/// What the steps of a test have in common besides molecules, and so, which of them depend on each other.
///
/// An exhaustive search can leave out schedules only as far as it knows that. It sees molecules. It doesn't see a
/// variable that two bodies change, or an actor that two tasks call.
///
/// Whatever is taken for granted here, a step can be interrupted only between things that it does with molecules: where
/// it injects, calls, or looks at a definition. A synchronous body that injects into its own definition isn't
/// interrupted there, and no task that is cancelled runs before those that are interrupted have gone on. So a task that
/// one step makes and cancels has never begun by then.
public enum Sharing: Sendable {
    /// Nothing: tasks and bodies share molecules only, answers of calls, and histories. The search knows what the
    /// library cancels and which calls and sleeps end thereby. A test whose own tasks cancel others shares more.
    case molecules
    /// Tasks may share anything: asynchronous bodies, children of groups, the test itself. A reaction with a
    /// synchronous body shares molecules only. What such bodies collect elsewhere may not depend on their order.
    ///
    /// A step counts as having touched what is shared where it begins, and where it goes on when it was interrupted.
    /// `async let` and children of groups take one on their way into an actor, and one on their way out. A task that
    /// `Task { }` or `Task.detached { }` has made does so only where Swift's runtime doesn't let it in at once.
    case tasks
    /// All steps may share anything. No order of steps is left out.
    case everything
}
