import ChemBase

/// For how long a definition has kept itself busy: its worker has run short reactions all the time, and nothing has
/// come from outside. That may be a loop without end.
///
/// Workers look at it once a turn, so it costs a reaction nothing. While a body is long, others inject past the inbox,
/// where they can't be told from the body: with a body that is long twice running, it begins anew.
struct LongRun {
    /// When it began, or zero.
    private var begin: UInt64 = 0
    /// How many reactions had started by then.
    private var started = 0
    /// How many calls had come by then.
    private var calls = 0
    private var isReported = false

    /// Something came from outside, nothing is possible any more, or it can't be told.
    mutating func end() { begin = 0 }

    /// A worker hands over to the next one, with more to do.
    ///
    /// - Returns: how many reactions have started, if it has gone on for longer than `patience`, for the first time.
    mutating func turn(at now: UInt64, started: Int, calls: Int, patience: Duration) -> Int? {
        guard !isReported else { return nil }
        guard begin != 0, calls == self.calls else {
            begin = now
            self.started = started
            self.calls = calls
            return nil
        }
        guard Duration.nanoseconds(Int64(clamping: now &- begin)) > patience else { return nil }
        isReported = true
        return started &- self.started
    }
}

extension Join {
    /// A worker hands over to the next one, with more to do.
    ///
    /// - Returns: what to report after leaving the soup.
    nonisolated func lookAtLongRun(_ entry: borrowing SoupEntry) -> ChemicalEvent.Kind? {
        guard let patience = machine.configuration.patience else { return nil }
        let calls = entry.contents.slots.reduce(0) { $1.kind == .fast ? $0 &+ $1.header.pointee.injected : $0 }
        let started = entry.contents.started
        guard
            let count = entry.state.longRun.turn(at: Pace.now, started: started, calls: calls, patience: patience)
        else { return nil }
        return .runsForLong(reactions: busiestReactions(entry), count: count)
    }

    /// Those that have happened at least half as often as the one that has happened most, each with its line.
    private nonisolated func busiestReactions(_ entry: borrowing SoupEntry) -> String {
        let reactions = entry.state.chemistry.reactions
        let starts = reactions.indices.map { entry.contents.reactions[$0].starts }
        let most = starts.max() ?? 0
        return zip(reactions, starts).filter { $1 >= most / 2 }
            .map { "\($0.0.description.text) (\($0.0.description.location))" }.joined(separator: ", ")
    }
}
