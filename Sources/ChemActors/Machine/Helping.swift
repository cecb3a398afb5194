import ChemBase

// A caller that would have to wait can run the reaction that its call makes possible, instead of waking a worker for
// it. Whoever makes a step possible can run that, since it runs no user code.
//
// No body may see the context of a task that merely happens to run it. So a caller runs a step, or the body that
// answers its own call, whose context it is. Other bodies run in the context of the caller that they answer, or in a
// detached task that begins on the thread of whoever helps.

extension SoupEntry {
    /// Runs `reaction`, which is possible, on this thread. No worker looks after the soup meanwhile.
    consuming func help(with reaction: Int) {
        let soup = self.soup
        let outer = soup.markMine()
        helping(with: reaction).endHelping()
        soup.mark(outer)
    }

    /// Runs what is possible while a worker is on its way, unless it may take long or `asker` has what it waits for.
    consuming func helpAhead(for asker: any Beneficiary) {
        let soup = self.soup
        let outer = soup.markMine()
        var entry = self
        var left = Pace.aheadOfWorker
        while left > 0, entry.mayHelpAhead, !asker.isSettled {
            left -= 1
            let reaction = entry.contents.matching.pick()
            entry = entry.helping(with: reaction)
        }
        entry.endHelping()
        soup.mark(outer)
    }

    /// Runs `reaction` on this thread, and counts as a worker meanwhile.
    consuming func helping(with reaction: Int) -> SoupEntry {
        let record = contents.reactions + reaction
        let isAsynchronous = record.pointee.course == .asynchronous
        contents.life.helperCame()
        var entry = run(record)
        if !isAsynchronous { entry.contents.life.bodyEnded() }
        if entry.contents.lookMask == 0 { entry = entry.notingAnswerEnd() }
        entry.contents.life.helperLeft()
        return entry
    }

    /// Leaves the soup after `helping`, or when there was nothing to help with.
    consuming func endHelping() {
        // While this helper counted as a worker, the limit may have kept another one away.
        if contents.life.mustWake(isPossible: isPossible) { wakeWorker() } else { leaveAfterEnd() }
    }

    /// Whether `reaction` runs no code of a user, or only a synchronous body that answers a call of `slot`.
    func runsOnlyAnswer(_ reaction: Int, to slot: Slot) -> Bool {
        let record = contents.reactions + reaction
        return record.pointee.course == .step
            || record.pointee.course == .synchronous && record.pointee.answered == slot.header
    }

    /// Whether a caller may run what is possible, before the worker comes that is on its way.
    var mayHelpAhead: Bool { contents.life.activity == .scheduled && contents.life.mayHelp && isPossible && isShort }

    /// Whether nothing that is possible may take long. If one reaction may, all are left to a worker, or the choice
    /// wouldn't be fair.
    var isShort: Bool {
        for index in 0..<contents.matching.possibleCount {
            let reaction = Int(contents.matching.possible[index])
            guard reaction < contents.matching.reactionCount, contents.reactions[reaction].helpsAnyCaller else {
                return false
            }
        }
        return true
    }

    /// Runs the steps that are possible, but not for long. If something is still possible then, a worker is needed.
    consuming func runSteps() -> SoupEntry {
        var entry = self
        var left = Pace.batch
        while left > 0, entry.contents.life.mustWake(isPossible: entry.isPossible) {
            let index = entry.contents.matching.pick()
            guard index < entry.contents.matching.reactionCount, entry.contents.reactions[index].course == .step else {
                break
            }
            left -= 1
            entry.contents.life.helperCame()
            entry = entry.run(entry.contents.reactions + index)
            entry.contents.life.bodyEnded()
            entry = entry.withdrawingOverdueCalls()
            entry.contents.life.helperLeft()
        }
        return entry
    }

    private consuming func run(_ reaction: UnsafeMutablePointer<ReactionRecord>) -> SoupEntry {
        reaction.pointee.starts &+= 1
        countStart()
        // As workers do, it looks now and then how long the body is; more often, since nobody looks after the caller.
        guard reaction.pointee.course != .step, reaction.pointee.starts & 7 == 2 else {
            return reaction.pointee.fire(self)
        }
        let begin = Pace.now
        let entry = reaction.pointee.fire(self)
        let time = Pace.now &- begin
        if reaction.pointee.starts & 63 == 2 {
            entry.countBody(nanoseconds: time, times: reaction.pointee.look())
            reaction.pointee.isLong = time > Pace.longBody
        }
        if time > Pace.longBody { reaction.pointee.putOffHelp() }
        return entry
    }
}

extension Join {
    /// Runs this reaction on the current thread, if it is still possible.
    nonisolated func run(_ reaction: Int) {
        let entry = soup.enter()
        if entry.contents.life.mayHelp, entry.contents.matching.readiness[reaction].missing == 0 {
            entry.help(with: reaction)
        } else {
            // Others were faster, and the call that it was meant for may wait only as long as it is possible.
            entry.withdrawingOverdueCalls().endHelping()
        }
    }

    /// Whether callers may run reactions of this definition.
    nonisolated var allowsHelp: Bool {
        guard isPlain else { return false }
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) { return true }
        return false
    }
}
