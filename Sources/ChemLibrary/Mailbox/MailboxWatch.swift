import Synchronization

/// A watch on an actor, which can be ended.
public struct MailboxWatch: Sendable {
    let core: MailboxCore
    let state: State

    /// Ends the watch. The handler won't be called unless the actor has ended by then.
    public func cancel() { core.end(state) }

    /// What a watch and the actor that it watches share.
    final class State: Sendable {
        /// Its number among the watches of the process.
        let number = numbers.add(1, ordering: .relaxed).newValue
        /// Whether it goes on. The command that ends it may go with the machine of the actor.
        let isOn = Atomic(true)

        private static let numbers = Atomic<Int>(0)
    }
}
