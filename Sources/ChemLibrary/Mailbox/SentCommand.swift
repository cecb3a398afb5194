import Synchronization

/// A command on its way to an actor. If nobody takes it, the definition has ended before, and the actor with it.
final class SentCommand: Sendable {
    private let command: MailboxCommand
    private let core: MailboxCore
    private let isTaken = Atomic(false)

    init(_ command: MailboxCommand, to core: MailboxCore) {
        self.command = command
        self.core = core
    }

    /// The command, which messages don't wait for any longer.
    func take() -> MailboxCommand {
        isTaken.store(true, ordering: .relaxed)
        if command.isAwaited { core.pendingCommands.subtract(1, ordering: .acquiringAndReleasing) }
        return command
    }

    deinit {
        if !isTaken.load(ordering: .relaxed) { take().come(to: core, endedBy: .cancelled) }
    }
}
