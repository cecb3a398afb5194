import ChemBase
import Synchronization

// A caller that would have to wait does some work instead, if that is known to be short or is its own.

/// What a caller does before it waits.
struct HelpOfCaller {
    /// Whether guards have looked at the call.
    var isLookedAt: Bool
    /// Whether the call is only for a reaction that is possible now.
    var onlyNow: Bool
    /// Whether it may run first what a worker is on its way for. A call with a time limit wouldn't end at it meanwhile.
    var ahead = false
    /// Whether it holds an actor. Then it runs nothing but steps and a synchronous answer to its own call: nobody else
    /// gets into the actor meanwhile, or it's the main one.
    var holdsActor = false
    /// Whether the asynchronous body that answers it may begin here.
    var mayBegin = false

    enum Outcome {
        /// It hasn't entered the soup.
        case noHelp
        /// It hasn't, since such a body would begin here.
        case body
        case helped
    }
}

extension Call {
    /// Enters the soup if the call makes a reaction possible that may begin on this thread, and has it begin. If a
    /// worker is on its way for something else, that is run first.
    func enterAndHelp(_ caller: HelpOfCaller) -> HelpOfCaller.Outcome {
        guard join.allowsHelp else { return .noHelp }
        var entry = soup.enterAsCaller()
        if caller.ahead, !caller.holdsActor, entry.mayHelpAhead, join.policy.allowsInline, !entry.mustGiveWay {
            entry.leaveUnchanged()
            doDetached(.ahead)
            entry = soup.enterAsCaller()
        }
        guard let (reaction, help) = slot.pickHelp(entry), join.policy.allowsInline, !entry.mustGiveWay,
            !caller.holdsActor || entry.runsOnlyAnswer(reaction, to: slot)
        else {
            entry.leaveUnchanged()
            return .noHelp
        }
        switch help {
        case .here:
            if !caller.mayBegin, entry.contents.reactions[reaction].course == .asynchronous {
                entry.leaveUnchanged()
                return .body
            }
            runsHere = true
            put(entry)
            entry.help(with: reaction)
            if soup.memory.pointee.isObserved, !isSettled { beginWaiting(soup.enter()) }
            return .helped
        case .detached:
            if slot.isAnsweredByBody.load(ordering: .relaxed) {
                // Another reaction might take the call and answer it by its body.
                entry.leaveUnchanged()
                makeContext()
                return enterAndHelpDetached(with: reaction, onlyNow: caller.onlyNow)
            }
            doDetached(.reaction(reaction), onlyNow: caller.onlyNow, entry)
            return .helped
        }
    }

    private func enterAndHelpDetached(with reaction: Int, onlyNow: Bool) -> HelpOfCaller.Outcome {
        let entry = soup.enterAsCaller()
        guard slot.stillHelps(with: reaction, entry) else {
            entry.leaveUnchanged()
            return .noHelp
        }
        doDetached(.reaction(reaction), onlyNow: onlyNow, entry)
        return .helped
    }

    /// Enters the soup, and does `work` on this thread, which may answer the call.
    private func doDetached(_ work: DetachedHelp.Work, onlyNow: Bool, _ entry: consuming SoupEntry) {
        put(entry)
        if onlyNow { slot.markOverdue(self, entry) }
        entry.leaveUnchanged()
        doDetached(work)
        guard !isSettled else { return }
        beginWaiting(soup.enter())
    }

    /// The call wasn't answered at once.
    private func beginWaiting(_ entry: consuming SoupEntry) {
        entered = Pace.now
        if stage == .waiting { leaveLifting(entry) } else { entry.leaveUnchanged() }
    }

    /// Does `work` on this thread, in a detached task, which hides the context of the current one.
    private func doDetached(_ work: DetachedHelp.Work) { DetachedHelp(join, for: self, work).start() }
}

extension SoupEntry {
    /// Has steps answer those calls of `slot` that wait for nothing but a worker, and enters the soup again: whoever
    /// doesn't wait isn't refused for their sake.
    consuming func enteringBehind(_ slot: CallSlot) -> SoupEntry {
        let soup = self.soup
        guard let first = slot.pickStep(self) else { return self }
        var entry = helping(with: first)
        var left = Pace.batch
        while left > 0, let reaction = slot.pickStep(entry) {
            left -= 1
            entry = entry.helping(with: reaction)
        }
        entry.endHelping()
        return soup.enterAsCaller()
    }
}
