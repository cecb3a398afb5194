import ChemBase

extension ChemicalMachine {
    /// Pauses all definitions that exist now, one after the other. See ``Join/pause()``.
    public func pause() { for join in definitions { join.pause() } }

    /// Resumes all definitions that exist now. See ``Join/resume()``.
    public func resume() { for join in definitions { join.resume() } }

    /// Clears all definitions that exist now. See ``Join/clear()``.
    public func clear() { for join in definitions { join.clear() } }

    /// Deactivates all definitions that exist now. See ``Join/deactivate(signalling:)``.
    ///
    /// ``quiescence()`` waits until that is complete.
    public func deactivate() { for join in definitions { join.deactivate() } }

    /// Activates all definitions that exist now. See ``Join/activate()``.
    public func activate() { for join in definitions { join.activate() } }

    /// The statistics of all definitions that exist now, added up by molecule as `definition.molecule`.
    public var statistics: JoinStatistics {
        var sum = JoinStatistics()
        for join in definitions {
            var numbers = join.statistics
            numbers.molecules = Dictionary(
                numbers.molecules.map { ("\(join.name).\($0.key)", $0.value) },
                uniquingKeysWith: { first, _ in first }
            )
            sum += numbers
        }
        return sum
    }

    /// What is in each definition at this moment, who waits, and what each reaction lacks.
    ///
    /// - Parameter onlyStuck: Whether to show only definitions in which calls wait, and of these only the reactions
    ///   that take such a call. Not by default.
    /// - Returns: the snapshots, newest definition first. They are taken one after the other.
    public func snapshot(onlyStuck: Bool = false) -> [JoinSnapshot] {
        let all = definitions.map { $0.snapshot() }
        return onlyStuck ? all.compactMap(\.onlyStuck) : all
    }

    /// Waits until all definitions are quiet at the same moment.
    ///
    /// What one definition injects into another is never missed: it is in a body of the one or in the soup of the
    /// other.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, and ``QuiescenceError`` from inside a body on this
    ///   machine.
    nonisolated(nonsending) public func quiescence() async throws {
        if let body = BodyScope.surrounding.first(where: { $0.join.machine === self && $0.isRunning }) {
            throw QuiescenceError(definition: body.join.name)
        }
        while true {
            try Task.checkCancellation()
            guard let busy = firstBusy() else { return }
            try await busy.quiescence()
        }
    }

    /// As `quiescence`, but can't be cancelled.
    nonisolated(nonsending) func quiet() async {
        while let busy = firstBusy() {
            let watch = busy.watchLongQuiet()
            defer { if let watch { deadlines.remove(watch) } }
            await withCheckedContinuation { continuation in
                if busy.waitForQuiet(ticket: nextTicket(), .scope(continuation)) { continuation.resume() }
            }
        }
    }

    /// A definition that isn't quiet, or nil if all are at the same moment.
    private func firstBusy() -> Join? {
        while true {
            let first = definitions.map { ($0, $0.moment) }
            if let busy = first.first(where: { !$1.isQuiet }) { return busy.0 }
            // Each was quiet when it was looked at. If none has started anything since, there was a moment when all
            // were quiet.
            if isUnchanged(since: first) { return nil }
        }
    }

    /// All definitions if every running body waits in a call and nothing is possible, so that nothing will ever happen.
    /// Otherwise none.
    func deadlocked() -> [Join] {
        let first = definitions.map { ($0, $0.moment) }
        let running = first.reduce(0) { $0 + $1.1.running }
        let blocked = first.reduce(0) { $0 + $1.1.blocked }
        guard running > 0, running == blocked, first.allSatisfy({ $1.isIdle }), isUnchanged(since: first) else {
            return []
        }
        return first.map(\.0)
    }

    private func isUnchanged(since first: [(Join, Join.Moment)]) -> Bool {
        let second = definitions.map { ($0, $0.moment) }
        return first.count == second.count && zip(first, second).allSatisfy { $0.0 === $1.0 && $0.1 == $1.1 }
    }
}

extension Join {
    /// What tells whether a definition has done anything between two looks.
    fileprivate struct Moment: Equatable {
        var isIdle: Bool
        var isQuiet: Bool
        var running: Int
        var blocked: Int
        var started: Int
        /// Without it a body that has gone on and waits again would look as if it had never moved.
        var blockings: Int
    }

    nonisolated fileprivate var moment: Moment {
        let entry = soup.enter()
        let moment = Moment(
            isIdle: entry.contents.life.isIdle(isPossible: entry.isPossible) && !entry.state.isScheduledOnMain,
            isQuiet: entry.isQuiet,
            running: entry.contents.life.running,
            blocked: entry.state.blockedBodies,
            started: entry.contents.started,
            blockings: entry.state.blockings
        )
        entry.leaveUnchanged()
        return moment
    }

    /// Takes all waiting calls out of the soup. If there are any, a chore begins, which ends when they are answered.
    ///
    /// - Returns: what answers them with an error, or nil if there are none.
    nonisolated func removeCalls(_ code: CallError.Code) -> RemovedCalls? {
        let entry = soup.enter()
        let calls = entry.contents.slots.compactMap { $0.kind == .fast ? $0.removeAll(entry) : nil }
        if !calls.isEmpty { entry.contents.life.choreBegan() }
        entry.leaveUnchanged()
        return calls.isEmpty ? nil : RemovedCalls(join: self, code: code, calls: calls)
    }
}

/// The calls of one definition that were taken out of its soup, since nothing could answer them.
struct RemovedCalls {
    fileprivate let join: Join
    fileprivate let code: CallError.Code
    fileprivate let calls: [any Leftover]

    func fail() {
        for call in calls { call.fail(CallError(code, molecule: "\(join.name).\(call.name)")) }
    }

    /// Ends the chore once the calls have been answered. Doesn't check the scope again: the caller does that.
    func end() {
        let entry = join.soup.enter()
        entry.contents.life.choreEnded()
        entry.leaveAfterEndOutsideScope()
    }
}
