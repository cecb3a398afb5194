/// A watch on an actor, which can be ended.
public struct MailboxWatch: Sendable {
    let core: MailboxCore
    let number: Int

    /// Ends the watch. The handler won't be called unless the actor has ended by then.
    public func cancel() { core.command(.unwatch(number)) }
}
