import ChemBase

// A caller that would have to wait does some work instead, if that is known to be short or is its own.

extension Call {
    /// Enters the soup if the caller may do the work of the announced worker, and has it do that. Otherwise starts the
    /// worker.
    func enterAsWorker(onlyNow: Bool) -> Bool {
        let entry = soup.enterAsCaller()
        guard !slot.isAnsweredByBody, join.policy.allowsInline, entry.contents.life.phase == .running, entry.isShort,
            !entry.mustGiveWay
        else {
            entry.leaveUnchanged()
            join.startOwnWorker()
            return false
        }
        doDetached(.ofWorker, onlyNow: onlyNow, entry)
        return true
    }

    /// Enters the soup if the call makes a reaction possible that may begin on this thread, and has it begin. If a
    /// worker is on its way for something else, that is run first.
    func enterAndHelp(onlyNow: Bool) -> Bool {
        guard join.allowsHelp else { return false }
        var entry = soup.enterAsCaller()
        if entry.mayHelpAhead, join.policy.allowsInline, !entry.mustGiveWay {
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
    private func doDetached(_ work: Work, onlyNow: Bool, _ entry: consuming SoupEntry) {
        put(entry)
        if onlyNow { markOverdue(entry) }
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

    /// What the caller runs before it waits.
    fileprivate enum Work {
        /// This reaction, if it is still possible.
        case reaction(Int)
        /// What is possible while a worker is on its way.
        case ahead
        /// What the worker would do that was announced, and isn't woken.
        case ofWorker
    }

    /// Does `work` on this thread, in a detached task, which hides the context of the current one.
    private func doDetached(_ work: Work) {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
        var help = DetachedHelp(call: .passUnretained(self), work: work)
        withUnsafeMutablePointer(to: &help) { DetachedHelp.current.with($0) { DetachedHelp.start(times: 1) } }
    }

    fileprivate func doHere(_ work: Work) {
        switch work {
        case .reaction(let reaction):
            let entry = soup.enter()
            if entry.contents.life.mayHelp, entry.isPossible(reaction) {
                entry.help(with: reaction)
            } else {
                entry.leave()
            }
        case .ahead: soup.enter().helpAhead(for: self)
        case .ofWorker: _ = join.work(for: self)
        }
    }
}

extension SoupEntry {
    fileprivate func isPossible(_ reaction: Int) -> Bool { contents.matching.readiness[reaction].missing == 0 }
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

/// What a detached task has to do on this thread. It isn't captured: a closure without captures needs no memory.
private struct DetachedHelp {
    static let current = ThreadLocal()

    /// The call whose caller helps.
    let call: Unmanaged<Call>
    let work: Call.Work

    /// Does what is in `current`, in a detached task that begins on this thread.
    ///
    /// The loop runs once. It is there for the reason given at `SoupReference.startImmediate`.
    @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    @inline(never)
    static func start(times: Int) {
        var left = times
        while left > 0 {
            left &-= 1
            Task.immediateDetached { run() }
        }
    }

    private static func run() {
        guard let pointer = current.pointer else { return }
        let help = pointer.assumingMemoryBound(to: DetachedHelp.self).pointee
        current.with(nil) { help.call.takeUnretainedValue().doHere(help.work) }
    }
}
