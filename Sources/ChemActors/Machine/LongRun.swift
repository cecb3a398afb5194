import ChemBase

/// For how long a definition has kept itself busy: its worker has run short reactions all the time, nothing has come
/// from outside, and there is no less left than there was. That may be a loop without end.
///
/// A pile of work, however high, is none: each reaction leaves less of it, or there have been fewer reactions than
/// there was work.
///
/// Workers look at it once a turn, so it costs a reaction nothing. While a body is long, others inject past the inbox,
/// where they can't be told from the body: with bodies that are long many times running, it begins anew. On a busy
/// machine a short body may be long a few times running: it has lost its core, and then has to wake another worker. A
/// worker that has lost its core in a body may find another one in its place, and leave in the inbox what its body
/// injects.
struct LongRun {
    /// What a worker sees at the end of its turn.
    struct Look {
        /// Nanoseconds, of any origin.
        let time: UInt64
        /// How many reactions have started so far.
        let started: Int
        /// How many calls have come so far.
        let calls: Int
        /// How many molecules there are now.
        let present: Int
    }

    /// The look with which it began, if it has.
    private var begin: Look?
    private var isReported = false
    /// Whether what arrives next may come from a body whose worker has ended since.
    private var mayBeOwn = false
    /// How many bodies have been long that had been long the time before, since one that hasn't.
    private var longBodies = 0
    /// So many in turn are long indeed.
    private static let longBodyLimit = 32

    /// Nothing is possible any more, or it can't be told what comes from outside.
    mutating func end() { begin = nil }

    /// A body that was long the last time has ended.
    mutating func longBodyEnded(isLongAgain: Bool) {
        longBodies = isLongAgain ? longBodies + 1 : 0
        if longBodies >= Self.longBodyLimit { end() }
    }

    /// The worker has found something in the inbox. If it isn't the only one, that may come from the other's body.
    mutating func somethingArrived(isOnlyWorker: Bool) {
        guard isOnlyWorker else { return }
        if !mayBeOwn { begin = nil }
        mayBeOwn = false
    }

    /// A worker ends, and another one goes on.
    mutating func workerLeaves() { mayBeOwn = true }

    /// A worker hands over to the next one, with more to do.
    ///
    /// - Returns: how many reactions have started, if it has gone on for longer than `patience`, for the first time.
    mutating func turn(_ look: Look, patience: Duration) -> Int? {
        guard !isReported else { return nil }
        guard let begin, look.calls == begin.calls, look.present >= begin.present else {
            begin = look
            return nil
        }
        let count = look.started &- begin.started
        guard
            Duration.nanoseconds(Int64(clamping: look.time &- begin.time)) > patience,
            count > begin.present
        else { return nil }
        isReported = true
        return count
    }
}

extension ChemicalMachine {
    /// Reports that a definition of the library runs for long, if `look` says in how many steps it has done so for
    /// longer than it is told. Called by its body.
    package func lookAtLongRun(
        of what: @autoclosure () -> String,
        in definition: String,
        _ look: (Duration) -> Int?
    ) {
        guard let patience = configuration.patience, control == nil, let count = look(patience) else { return }
        configuration.reporter(
            ChemicalEvent(
                definition: definition,
                kind: .runsForLong(reactions: what(), count: count),
                isKnownToCaller: false,
                droppedInputs: [],
                lastEvents: nil
            )
        )
    }
}

extension Join {
    /// A worker hands over to the next one, with more to do.
    ///
    /// - Returns: what to report after leaving the soup.
    nonisolated func lookAtLongRun(_ entry: borrowing SoupEntry) -> ChemicalEvent.Kind? {
        // What another worker's body has taken would be missed.
        guard let patience = machine.configuration.patience, entry.contents.life.workers == 1 else { return nil }
        var (calls, present) = (0, 0)
        for slot in entry.contents.slots {
            if slot.kind == .fast { calls &+= slot.header.pointee.injected }
            present &+= slot.present(entry)
        }
        let look = LongRun.Look(time: Pace.now, started: entry.contents.started, calls: calls, present: present)
        guard let count = entry.state.longRun.turn(look, patience: patience) else { return nil }
        return .runsForLong(reactions: busiestReactions(entry), count: count)
    }

    /// Those that have happened at least half as often as the one that has happened most, each with its line.
    private nonisolated func busiestReactions(_ entry: borrowing SoupEntry) -> String {
        let reactions = entry.state.chemistry.reactions
        let starts = reactions.indices.map { entry.contents.reactions[$0].starts }
        let most = starts.max() ?? 0
        return zip(reactions, starts).filter { $1 >= most / 2 }
            .map { "\($0.0.text) (\($0.0.location))" }.joined(separator: ", ")
    }
}
