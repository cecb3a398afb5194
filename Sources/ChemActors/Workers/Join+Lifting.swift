// Who lends a worker the priority of a caller that waits.

extension Join {
    @usableFromInline
    nonisolated func leaveLifting(_ entry: consuming SoupEntry) {
        let urgency = entry.state.lifted
        guard urgency != .none, machine.scope == nil, !soup.memory.pointee.isOnMain else { return entry.leave() }
        switch entry.contents.life.activity {
        case .idle:
            entry.leave()
        case .scheduled:
            let isLate = urgency > max(entry.state.urgencyOfWorker, machine.ordinary)
            guard isLate, entry.contents.life.mayWakeSpare else { return entry.leaveUnchanged() }
            entry.contents.life.workerWoken()
            entry.state.urgencyOfWorker = urgency
            entry.leaveUnchanged()
            startOwnWorker(urgency)
        case .running:
            entry.liftWorker()
            entry.leaveUnchanged()
        }
    }
}

extension SoupEntry {
    /// Gives the worker that looks after the soup the priority of the callers that wait for it.
    func liftWorker() {
        guard let worker = contents.activeWorker, let priority = state.lifted.priority else { return }
        worker.assumingMemoryBound(to: WorkerRecord.self).pointee.lift(to: priority)
    }
}
