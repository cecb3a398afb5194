// A body that waits in a call is blocked: its scope has to know, to see when nothing can go on.

extension Call {
    /// Notes whether the caller is the body of a reaction in the same scope. Called in the calling task.
    func noteBody() {
        guard join.machine.scope != nil else { return }
        isOfBody = BodyScope.ofCurrentTask?.join.machine === join.machine
    }

    /// Counts the waiting body as blocked, unless its call may time out: before a reaction takes it, or after that if
    /// its time covers the body.
    func blockBody(_ entry: borrowing SoupEntry) {
        guard isOfBody, !blocksBody, !isTimed || stage == .taken && !coversBody else { return }
        blocksBody = true
        entry.state.countBlockedBody(1)
        join.machine.scope?.countBlockedBody(1)
    }

    /// Stops counting the body as blocked: it will go on, or anybody may have the reply.
    func unblockBody(_ entry: borrowing SoupEntry) {
        guard blocksBody else { return }
        blocksBody = false
        entry.state.countBlockedBody(-1)
        join.machine.scope?.countBlockedBody(-1)
    }

    /// Stops counting the body as blocked. Called before the body is resumed, so that it never counts as waiting when
    /// it isn't.
    func endBlocking() {
        guard isOfBody else { return }
        let entry = soup.enter()
        unblockBody(entry)
        entry.leaveUnchanged()
    }
}
