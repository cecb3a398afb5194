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
    case watch(MailboxWatch.State, MailboxWatchers.Handler)
    /// From now on the actor has a supervisor.
    case link(Supervisor)
    /// A group of the actor's children has ended, with an error if they failed too often.
    case childrenEnded(Int, MailboxTermination)

    /// Whether messages wait for it.
    var isAwaited: Bool { if case .resume = self { false } else { true } }

    /// The actor has ended before the command: tells those who wait for that, and loses what nobody will handle.
    func come(to core: MailboxCore, endedBy termination: MailboxTermination) {
        switch self {
        case .urgent(let letter): core.lose(letter, .terminated)
        case .watch(_, let handler): handler(termination)
        case .link(let supervisor): supervisor.childEnded(core)
        case .start, .wake, .resume, .restart, .fail, .childrenEnded: break
        }
    }
}
