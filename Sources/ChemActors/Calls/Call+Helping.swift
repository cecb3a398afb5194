import ChemBase

// A caller that would have to wait does some work instead, if that is known to be short or is its own.

extension Call {
    /// Enters the soup if the call makes a reaction possible that may begin on this thread, and has it begin. If a
    /// worker is on its way for something else, that is run first, if it may be done `ahead`: a call with a time limit
    /// would not end at it meanwhile.
    func enterAndHelp(onlyNow: Bool, ahead: Bool) -> Bool {
        guard join.allowsHelp else { return false }
        var entry = soup.enterAsCaller()
        if ahead, entry.mayHelpAhead, join.policy.allowsInline, !entry.mustGiveWay {
            entry.leaveUnchanged()
            doDetached(.ahead)
            entry = soup.enterAsCaller()
        }
        guard let (reaction, help) = slot.pickHelp(entry), join.policy.allowsInline, !entry.mustGiveWay else {
            entry.leaveUnchanged()
            return false
        }
        switch help {
        case .here:
            runsHere = true
            put(entry)
            entry.help(with: reaction)
            if soup.memory.pointee.isObserved, !isSettled { beginWaiting(soup.enter()) }
            return true
        case .detached:
            if slot.isAnsweredByBody {
                // Another reaction might take the call and answer it by its body.
                entry.leaveUnchanged()
                makeContext()
                return enterAndHelpDetached(with: reaction, onlyNow: onlyNow)
            }
            doDetached(.reaction(reaction), onlyNow: onlyNow, entry)
            return true
        }
    }

    private func enterAndHelpDetached(with reaction: Int, onlyNow: Bool) -> Bool {
        let entry = soup.enterAsCaller()
        guard slot.stillHelps(with: reaction, entry) else {
            entry.leaveUnchanged()
            return false
        }
        doDetached(.reaction(reaction), onlyNow: onlyNow, entry)
        return true
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
