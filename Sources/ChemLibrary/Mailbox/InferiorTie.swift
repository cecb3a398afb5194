/// What a supervisor knows of an actor, and keeps alive. If the supervisor's own machine ends, the actor ends too:
/// nobody decides after its failures any more.
final class InferiorTie: Sendable {
    let core: MailboxCore
    private let actor: any AnyObject & Sendable

    init(_ core: MailboxCore, _ actor: any AnyObject & Sendable) {
        self.core = core
        self.actor = actor
    }

    deinit { core.cancel() }
}
