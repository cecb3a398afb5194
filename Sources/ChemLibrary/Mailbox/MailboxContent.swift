/// The typed half of an actor: its state and its handler.
protocol MailboxContent: AnyObject {
    /// Stores the cell that holds this content.
    func attach(_ cell: MailboxCell)
    /// Handles a message if the handler doesn't suspend. Returns whether it did.
    func receive(_ letter: Letter) throws -> Bool
    /// Handles a message with a handler that may suspend.
    @concurrent func receiveSuspending(_ letter: Letter) async throws
    /// Goes back to the first state and the first handler.
    func reset()
}
