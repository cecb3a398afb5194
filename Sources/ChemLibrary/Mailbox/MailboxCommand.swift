/// What an actor is told besides messages. Commands come before all messages.
enum MailboxCommand: Sendable {
    case start
    /// Check the phase: the actor was cancelled.
    case wake
    /// Go on with the messages put aside. The actor sends it to itself, and messages don't wait for it.
    case resume
    case restart
    case fail(any Error)
    case urgent(Letter)
    case watch(Int, @Sendable (MailboxTermination) -> Void)
    case unwatch(Int)
    /// From now on the actor has a supervisor.
    case link(Supervisor)
    /// A group of the actor's children has ended, with an error if they failed too often.
    case childrenEnded(Int, MailboxTermination)
}
