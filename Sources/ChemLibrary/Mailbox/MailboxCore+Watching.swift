import ChemActors
import Synchronization

// Who is told of the end.

extension MailboxCore {
    /// Has `handler` called at the end.
    ///
    /// - Parameters:
    ///   - list: What the watching actor watches, if an actor does.
    ///   - handler: What to call.
    /// - Returns: the watch.
    func watch(
        for list: MailboxWatches? = nil,
        _ handler: @escaping @Sendable (MailboxTermination) -> Void
    ) -> MailboxWatch {
        let state = MailboxWatch.State(list)
        let watch = MailboxWatch(core: self, state: state)
        // The end takes it off the list, and may come at once.
        list?.add(watch)
        command(
            .watch(state) { termination in
                state.leaveList()
                if state.isOn.load(ordering: .acquiring) { handler(termination) }
            }
        )
        return watch
    }

    /// Nobody wants to be told any more.
    func end(_ watch: MailboxWatch.State) {
        watch.leaveList()
        tell(of: .controls)
        // Before it goes: the command that adds it may still be on its way, and looks.
        watch.isOn.store(false, ordering: .releasing)
        watchers.remove(watch.number)
    }
}
