import ChemActors
import ChemBase
import Synchronization

// What becomes of messages that no handler will see.

extension MailboxCore {
    /// Counts and reports the messages of an actor that nobody has started, and nobody can start any more.
    func loseUnstarted() {
        // Whatever was done through the last reference was done before it went: nothing to tell a control.
        if started.load(ordering: .acquiring) { return }
        // One that is stopped or cancelled loses them as any other that ends.
        if isOver { return }
        let count = depth + earlyUrgent.load(ordering: .relaxed)
        if count > 0 {
            definition.reportFailure(of: "start()", NeverStarted(count: count), place.fileID, place.line)
        }
        for _ in 0..<count {
            dropped.add(1, ordering: .relaxed)
            options.deadLetters.add(
                DeadLetter(recipient: description, message: "a message", reason: .notStarted)
            )
            trace(.deadLetter(.notStarted))
        }
        // The mark at which draining ends may wait for room, and nobody makes any.
        if isTerminating { definition.deactivate() }
    }

    /// Nobody has started an actor that was told something.
    private struct NeverStarted: Finding {
        let count: Int

        var description: String {
            "was never started, so \(count == 1 ? "a message is" : "\(count) messages are") lost: call start()"
        }
    }

    /// Counts a message that no handler will see, and reports it.
    func lose(_ letter: Letter, _ reason: DeadLetter.Reason) {
        guard let content = letter.content else { return }
        switch reason {
        case .full, .terminated, .notStarted: dropped.add(1, ordering: .relaxed)
        case .unknown: unknown.add(1, ordering: .relaxed)
        }
        options.deadLetters.add(
            DeadLetter(
                recipient: description,
                message: (content as? any AnyParcel)?.contentDescription ?? "a message",
                reason: reason
            )
        )
        trace(.deadLetter(reason))
        // Whoever has asked with it hears why.
        if case .full = reason, let parcel = content as? any AnyParcel {
            Self.overflowing.with(Unmanaged.passUnretained(self).toOpaque()) { parcel.discard() }
        }
    }

    /// The actor whose full mailbox this thread is dropping a message of.
    private static let overflowing = ThreadLocal()

    /// What the asker gets whose question has gone without an answer.
    var whyUnanswered: MailboxError.Code {
        if Self.overflowing.pointer == Unmanaged.passUnretained(self).toOpaque() { return .full }
        return isOver ? .terminated : .unanswered
    }
}
