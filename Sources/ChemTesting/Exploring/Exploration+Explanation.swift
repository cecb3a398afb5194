// What is said of a run that has failed: what is wrong, under a schedule that is as short as possible.

extension Exploration {
    /// What is wrong, in words, and how it came about, as a sequence diagram of Mermaid.
    package struct Explanation {
        package let text: String
        package let diagram: String
    }

    /// Finds a short schedule that fails in the same way, and runs it once more, this time without muting it.
    ///
    /// - Returns: what is wrong, with that schedule, or nil if nothing has failed.
    nonisolated(nonsending) package func explanation(of outcome: Outcome) async -> Explanation? {
        guard let (script, failure) = outcome.failed else { return nil }
        if case .endless(let limit) = failure, limit < stepLimit {
            var bounded = self
            bounded.stepLimit = limit
            return await bounded.explanation(of: outcome)
        }
        // What is stuck has nothing elsewhere, or it would have come back before.
        let patience = if case .escaped = failure { Self.patience } else { 0.0 }
        // Each run that waits for a lock takes seconds.
        let isBlocked = if case .blocked = failure { true } else { false }
        let (shortest, shown) = isBlocked ? (script, failure) : await shortened(script, failure, patience)
        let rerun = Script(.schedule(shortest.schedule))
        let (again, happenings) = await perform(rerun, patience: patience, keepsLog: true)
        // The search may have broken off the run that failed, since an earlier one had been the same from there on. The
        // token is of the whole run.
        let isWhole = if !isBlocked, let again { again.isLike(shown) } else { false }
        let schedule = isWhole ? rerun.schedule : shortest.schedule
        // Nobody reads, or passes on, a token of pages.
        let token = "\(schedule)"
        let isLong = token.utf8.count > 2_000
        let said = isLong ? "\(token.prefix(100))… (the whole token stands in the diagram)" : token
        var lines = ["\(text(of: shown)), under schedule \(outcome.runs): \(said)"]
        if let stale = outcome.stale {
            lines.append("'\(stale.schedule)' is of another chemistry: \(stale.difference)")
        }
        if !isBlocked, await muted(Script(.schedule(schedule)), patience: patience)?.isLike(shown) != true {
            lines.append(
                "it didn't fail so when it ran again: something outlives a run, such as a definition in a global"
            )
        }
        // This run was recorded, so more is known.
        let told = if let again, again.isLike(shown) { again } else { shown }
        switch told {
        case .stuck(let what), .leftOver(let what), .leaked(let what): lines += what.prefix(9)
        // The run that was recorded tells of it in full.
        case .issues(let texts): lines += texts[0].split(separator: "\n").prefix(1).map { "  \($0)" }
        default: break
        }
        lines += Self.end(
            of: happenings,
            limit: max(4, min(8, 15 - lines.count)),
            whole: "'swift test --attachments-path FOLDER' draws all"
        )
        return Explanation(
            text: lines.joined(separator: "\n"),
            diagram: SequenceDiagram(happenings).description + (isLong ? "\n%% \(token)\n" : "")
        )
    }

    private static var fewSteps: String { ", the most that a search of all schedules compares" }

    func text(of failure: Failure) -> String {
        switch failure {
        case .threw(let error): "it throws \(error)"
        case .issues(let texts): "it records an issue\(texts.count > 1 ? ", the first of \(texts.count)" : "")"
        case .stuck: "it waits for what can't come"
        case .mishap(let text): text
        case .leftOver: "something is left at the end"
        case .leaked: "somebody holds what has to be gone at the end"
        case .unperformed: "it waits for what nobody has performed"
        case .unrepeatable: "it does something else when it runs again, so not all schedules can be found"
        case .endless(let limit):
            "it takes more than \(limit) steps"
                + (strategy.isExhaustive && limit == Self.mostStepsToCompare ? Self.fewSteps : "")
        case .blocked:
            "a step waits for a lock that another one holds, which was interrupted as it injected or called: do that "
                + "outside of locks"
        case .escaped:
            "something runs where it isn't under control: on another thread, executor or actor, "
                + "as a test on the main actor does"
        }
    }

    /// Leaves out deviations as long as it still fails.
    nonisolated(nonsending) private func shortened(
        _ script: Script,
        _ failure: Failure,
        _ patience: Double
    ) async -> (Script, Failure) {
        var (best, bestFailure) = (script, failure)
        var size = max(1, best.schedule.deviations.count / 2)
        var runs = 0
        // A run without end takes as many steps as there may be, so a few have to do.
        let mostRuns = if case .endless = failure { 4 } else { 300 }
        while runs < mostRuns {
            var start = 0
            var hasChanged = false
            while start < best.schedule.deviations.count, runs < mostRuns {
                var deviations = best.schedule.deviations
                deviations.removeSubrange(start..<min(start + size, deviations.count))
                let candidate = Script(.schedule(Schedule(deviations, hasWholeSteps: best.hasWholeSteps)))
                runs += 1
                if let other = await muted(candidate, patience: patience), other.isLike(failure),
                    candidate.schedule.deviations.count < best.schedule.deviations.count
                {
                    (best, bestFailure) = (candidate, other)
                    hasChanged = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasChanged { break }
            if !hasChanged { size = max(1, size / 2) }
        }
        return (best, bestFailure)
    }
}
