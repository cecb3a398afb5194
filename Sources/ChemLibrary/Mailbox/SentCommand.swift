import ChemActors
import Synchronization

/// A command on its way to an actor.
///
/// If it goes with what else lay in the soup, because somebody has cleared the definition, it is sent once more: the
/// actor may be handling a message, and wait for it afterwards. If nobody takes it then either, the definition has
/// ended, and the actor with it.
final class SentCommand: Sendable {
    private let command: MailboxCommand
    private let core: MailboxCore
    private let isLastTry: Bool
    private let isTaken = Atomic(false)

    init(_ command: MailboxCommand, to core: MailboxCore, isLastTry: Bool = false) {
        self.command = command
        self.core = core
        self.isLastTry = isLastTry
    }

    /// The command, which messages don't wait for any longer.
    func take() -> MailboxCommand {
        isTaken.store(true, ordering: .relaxed)
        if command.isAwaited { core.pendingCommands.subtract(1, ordering: .acquiringAndReleasing) }
        return command
    }

    deinit {
        if isTaken.load(ordering: .relaxed) { return }
        if isLastTry {
            take().come(to: core, endedBy: .cancelled)
        } else {
            core.names.control(SentCommand(command, to: core, isLastTry: true))
        }
    }
}
