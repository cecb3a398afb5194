import ChemBase

// A caller that doesn't wait any longer: if no reaction has taken the call, it's withdrawn. If one has, whoever is
// about to answer it hears that nobody needs the answer.

extension Call {
    /// Withdraws the call, whose time is up. If a reaction is about to take it, returns false and withdraws nothing,
    /// unless this `isFinal`.
    func withdrawAfterTimeout(isFinal: Bool) -> Bool {
        let entry = soup.enter()
        if !isFinal, stage == .waiting, slot.isAwaited(self, entry) {
            if overduePlace < 0 { slot.markOverdue(self, entry) }
            entry.leaveUnchanged()
            return false
        }
        if stage == .taken, !coversBody {
            // The caller waits for what the reaction makes of it. But whoever keeps the reply may want to end that.
            giveUp(Mark.late, entry)
        } else if stage == .taken, claim() {
            expire(CallError(.timedOut, slot, "one has taken it and hasn't answered yet"), entry)
        } else {
            let lack = stage == .waiting ? slot.lack(entry, for: self) : nil
            withdraw(CallError(.timedOut, slot, lack?() ?? ""), entry)
        }
        return true
    }

    /// Withdraws the call if no reaction has taken it. Otherwise only tells its `Reply` that nobody needs the answer.
    func withdraw(_ error: any Error) {
        soup.tell(of: .looksAt(Int(slot.number)))
        withdraw(error, soup.enter())
    }

    /// The error is made outside of the soup.
    func withdraw(_ error: @autoclosure () -> any Error, _ entry: consuming SoupEntry) {
        switch stage {
        case .waiting:
            remove(entry)
            // The reaction that could have taken it may have been all that was possible, and what others waited for.
            entry.withdrawingOverdueCalls().leaveAfterEnd()
            finish(throwing: error())
        case .outside:
            // Its caller, which is about to enter, looks at the mark then. Nobody has taken it.
            mark(Mark.abandoned)
            entry.leaveUnchanged()
        case .taken, .withdrawn: giveUp(Mark.abandoned, entry)
        }
    }

    /// Ends the call, which is claimed, although a reaction has taken it, since its time covers the body.
    private func expire(_ error: any Error, _ entry: consuming SoupEntry) {
        mark(Mark.expired)
        self.error = error
        tell(Mark.abandoned, entry, handlers: takeHandlers(entry))
        settle()
    }

    private func takeHandlers(_ entry: borrowing SoupEntry) -> [@Sendable () -> Void] {
        defer { handlers = [] }
        return handlers
    }

    /// Whether its time was up before it was answered, so that it is no mishap to answer it once more.
    var hasExpired: Bool { has(Mark.expired) }

    /// Takes the call out of the soup, because it is withdrawn.
    ///
    /// Its caller is about to go on. A body that waits for it counts as blocked no longer, lest somebody should find
    /// that nothing can happen any more before the caller has heard of it.
    func remove(_ entry: borrowing SoupEntry) {
        slot.remove(self, entry)
        slot.tally.withdrawn += 1
        unblockBody(entry)
        leaveSoup(to: .withdrawn, entry)
    }

    /// Takes the call out of the soup if it still waits. If so, the caller of this method ends the call, and then the
    /// chore that begins here.
    func takeOut() -> Bool {
        let entry = soup.enter()
        let isWaiting = stage == .waiting
        if isWaiting {
            remove(entry)
            entry.contents.life.choreBegan()
        }
        entry.leaveUnchanged()
        return isWaiting
    }

    // MARK: A caller that gives up

    /// Tells a control, if there is one, what the caller has to do with the cancellation of tasks.
    func tellOfCancellation(_ part: PartInCancellation) {
        if soup.memory.pointee.isObserved { join.machine.control?.touchesCancellation(part) }
    }

    /// Whether the caller's task was cancelled, or its time is up, since the reaction has taken the call.
    var isCancelled: Bool { has(Mark.abandoned | Mark.late) }

    /// Whether that cancels the body that answers it: a caller whose time is up waits for the body nevertheless.
    var cancelsBody: Bool { has(Mark.abandoned) }

    /// Tells whoever has the reply that nobody needs the answer, and why. If the caller doesn't wait for it any more,
    /// the body that answers it is cancelled.
    private func giveUp(_ reason: UInt8, _ entry: consuming SoupEntry) {
        let handlers = takeHandlers(entry)
        tell(reason, entry, handlers: isAnswered ? [] : handlers)
    }

    private func tell(_ reason: UInt8, _ entry: consuming SoupEntry, handlers: [@Sendable () -> Void]) {
        mark(reason)
        let (body, context) = cancelsBody ? (self.body, self.context) : (nil, nil)
        if !handlers.isEmpty { entry.contents.life.choreBegan() }
        entry.leaveUnchanged()
        body?.cancelWithCaller()
        context?.cancel()
        if !handlers.isEmpty { run(handlers) }
    }

    /// Runs `handler` if the caller gives up before the call is answered.
    func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let entry = soup.enter()
        if isAnswered, !hasExpired {
            entry.leaveUnchanged()
        } else if isCancelled {
            entry.contents.life.choreBegan()
            entry.leaveUnchanged()
            run([handler])
        } else {
            handlers.append(handler)
            let before = mark(Mark.hasHandlers)
            entry.leaveUnchanged()
            // Whoever has answered it meanwhile hasn't seen the handler.
            if before & Mark.settled != 0 { dropHandlers() }
        }
    }

    /// Runs `handlers` in a task, since this may be the thread of the timer. Ends the chore that was begun for them.
    private func run(_ handlers: [@Sendable () -> Void]) {
        let configuration = join.machine.configuration
        join.machine.startTask(on: configuration.executor, configuration.priority) {
            for handler in handlers { handler() }
            self.soup.endChore()
        }
    }

    /// Releases the handlers of an answered call. Called outside of the soup.
    func dropHandlers() {
        let entry = soup.enter()
        let handlers = self.handlers
        self.handlers = []
        entry.leaveUnchanged()
        discard(handlers)
    }
}
