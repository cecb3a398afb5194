public import ChemBase
public import Synchronization

/// Proof of exclusive access to a soup. Making one takes the lock of the soup. Leaving consumes it and releases the
/// lock.
///
/// Only the runtime can make one. The contents of a soup are reached through it, and functions that need to be in the
/// soup take one. A function that borrows it leaves you inside. A function that consumes it has left the soup, or
/// returns another entry. Forgetting to leave stops the program.
@frozen
public struct SoupEntry: ~Copyable {
    @usableFromInline let soup: SoupReference

    @inlinable
    @inline(__always)
    init(_ soup: SoupReference) {
        soup.memory.pointee.lock.lock()
        self.soup = soup
    }

    /// Makes an entry for a caller that holds the lock already.
    init(locked soup: SoupReference) {
        self.soup = soup
    }

    @inlinable
    deinit {
        SoupEntry.reportForgotten()
    }

    @usableFromInline
    @inline(never)
    static func reportForgotten() {
        fatalError("ChemActors: a soup was entered and not left")
    }

    /// What is in the soup.
    @inlinable
    var contents: Soup.Contents {
        @inline(__always)
        _read { yield soup.memory.pointee.contents }
        @inline(__always)
        nonmutating _modify { yield &soup.memory.pointee.contents }
    }

    @inlinable
    @inline(__always)
    var isPossible: Bool { contents.matching.possibleCount != 0 }

    /// Whether anybody has a name of the definition or waits in it.
    @inlinable
    @inline(__always)
    var isReachable: Bool { soup.memory.pointee.leases.load(ordering: .acquiring) != 0 }

    /// Whether nothing runs, is possible, or is about to arrive.
    var isQuiet: Bool { contents.life.isQuiet(isPossible: isPossible) }

    // MARK: Leaving

    /// Leaves the soup when nothing has changed that anybody waits for.
    @inlinable
    @inline(__always)
    consuming func leaveUnchanged() {
        let soup = self.soup
        discard self
        soup.memory.pointee.lock.unlock()
    }

    /// Leaves the soup after something was put in or taken out. Wakes a worker if a reaction is possible and no worker
    /// looks after the soup.
    @inlinable
    @inline(__always)
    consuming func leave() {
        if contents.life.activity == .idle, isPossible {
            wakeWorker()
        } else {
            leaveUnchanged()
        }
    }

    /// As `leave`, for a caller of higher priority that waits.
    consuming func leaveLifting() { soup.owner.leaveLifting(self) }

    @usableFromInline
    @inline(never)
    consuming func wakeWorker() {
        if contents.life.mustWake(isPossible: isPossible) {
            soup.owner.wakeWorker(self)
        } else {
            leaveUnchanged()
        }
    }

    /// Leaves the soup after something has ended or was withdrawn: a worker, a body, a call, a lease, a pause, a chore.
    ///
    /// This, and nothing else, tells whoever may have been waiting for that: a worker, if something is possible; those
    /// who wait for quiet; the definition itself, which dissolves if nothing can reach it any more; and a scope that
    /// could not end otherwise.
    @inlinable
    @inline(__always)
    consuming func leaveAfterEnd() {
        let soup = self.soup
        let isScoped = soup.memory.pointee.isScoped
        leaveAfterEndOutsideScope()
        if isScoped { soup.checkForDeadlock() }
    }

    /// As `leaveAfterEnd`, but doesn't tell a scope. For callers that look after the scope themselves.
    @inlinable
    @inline(__always)
    consuming func leaveAfterEndOutsideScope() {
        let isReachable = soup.memory.pointee.leases.load(ordering: .relaxed) != 0
        if contents.life.hasNothingDue(isPossible: isPossible, isReachable: isReachable) {
            leaveUnchanged()
        } else {
            settle()
        }
    }

    @usableFromInline
    @inline(never)
    consuming func settle() { soup.owner.settle(self) }

    /// Lets in threads that have been waiting for long.
    ///
    /// - Returns: whether there were some.
    @discardableResult
    func letOthersIn() -> Bool {
        guard soup.memory.pointee.lock.isOverdue else { return false }
        soup.memory.pointee.lock.letOthersIn()
        return true
    }

    // MARK: What happens in a soup

    /// Counts a body that is about to run.
    @inlinable
    @inline(__always)
    func countStart() {
        contents.started &+= 1
        contents.life.bodyStarted()
        if contents.life.running > contents.peakRunning { contents.peakRunning = contents.life.running }
    }

    /// The number of present copies of a molecule that `uses` consume has grown.
    @inlinable
    @inline(__always)
    func grown(_ uses: UnsafeBufferPointer<Matching.Use>, from before: Int, to after: Int) {
        contents.matching.grown(uses, from: before, to: after)
    }

    /// The number of present copies of a molecule that `uses` consume has shrunk.
    @inlinable
    @inline(__always)
    func shrunk(_ uses: UnsafeBufferPointer<Matching.Use>, from before: Int, to after: Int) {
        contents.matching.shrunk(uses, from: before, to: after)
    }

    /// Puts a worker in charge of the soup, so that injectors may leave their molecules in the inbox.
    ///
    /// - Parameter worker: The worker that looks after the soup now, or nil for one that is on its way.
    func open(to worker: UnsafeMutableRawPointer?) {
        // One that comes late, since another one was faster, may find a definition that was deactivated meanwhile.
        let accepts = !contents.life.phase.ignoresInjections
        if worker == nil { contents.life.workerWoken() } else { contents.life.workerLooks() }
        contents.activeWorker = worker
        soup.memory.pointee.inboxLock.lock()
        soup.memory.pointee.isAccepting.store(accepts, ordering: .relaxed)
        soup.memory.pointee.inboxLock.unlock()
    }

    /// Notes that no worker looks after the soup any more. Injectors put their molecules into it from now on.
    func close() {
        soup.memory.pointee.inboxLock.lock()
        absorbFromLockedInbox()
        takeInArrived()
        closeLockedInbox()
    }

    /// As `close`, unless a reaction is possible with the contents of the inbox. Returns whether it closed the soup.
    func closeUnlessPossible() -> Bool {
        soup.memory.pointee.inboxLock.lock()
        absorbFromLockedInbox()
        takeInArrived()
        if isPossible, contents.life.phase == .running {
            soup.memory.pointee.inboxLock.unlock()
            return false
        }
        closeLockedInbox()
        return true
    }

    private func closeLockedInbox() {
        soup.memory.pointee.isAccepting.store(false, ordering: .relaxed)
        soup.memory.pointee.inboxLock.unlock()
        contents.life.workerTurnsAway()
        contents.activeWorker = nil
    }

    /// Moves the contents of the inbox into the soup.
    ///
    /// - Returns: whether there were any.
    @usableFromInline
    @inline(never)
    @discardableResult
    func absorb() -> Bool {
        soup.memory.pointee.inboxLock.lock()
        let hasArrived = soup.memory.pointee.firstDirty != nil
        absorbFromLockedInbox()
        soup.memory.pointee.inboxLock.unlock()
        takeInArrived()
        return hasArrived
    }

    /// Moves the contents of the inbox into the soup. If injections are ignored, injectors come to the soup from now
    /// on.
    func absorbBeforeRemoval() {
        soup.memory.pointee.inboxLock.lock()
        absorbFromLockedInbox()
        if contents.life.phase.ignoresInjections { soup.memory.pointee.isAccepting.store(false, ordering: .relaxed) }
        soup.memory.pointee.inboxLock.unlock()
        takeInArrived()
    }

    /// Shows guards what has left the inbox.
    private func takeInArrived() {
        while let slot = contents.firstArrived {
            contents.firstArrived = slot.pointee.nextArrived
            slot.pointee.nextArrived = nil
            slot.pointee.slot.takeIn(self)
        }
    }

    private func absorbFromLockedInbox() {
        var next = soup.memory.pointee.firstDirty
        soup.memory.pointee.firstDirty = nil
        while let slot = next {
            next = slot.pointee.nextDirty
            slot.pointee.nextDirty = nil
            slot.pointee.slot.absorb(self)
        }
    }

    /// Withdraws the calls whose time is up and which no reaction can take any more.
    ///
    /// Called by whoever has taken something or is about to: by workers when nothing is possible any more, and before
    /// long bodies; by callers who are answered at once, or come too late to help themselves; and by the monitor, if a
    /// body takes long.
    consuming func withdrawingOverdueCalls() -> SoupEntry {
        guard contents.overdueCalls != 0 else { return self }
        let ends = contents.slots.compactMap { $0.withdrawOverdue(self) }
        guard !ends.isEmpty else { return self }
        contents.life.choreBegan()
        let soup = self.soup
        leaveUnchanged()
        for end in ends { end() }
        // With them the calls, whose arguments may not be released in the soup.
        discard(consume ends)
        let entry = soup.enter()
        entry.contents.life.choreEnded()
        return entry
    }
}

extension SoupReference {
    /// Answers the calls of a scope if it could not end otherwise.
    ///
    /// A separate function, so that nothing is retained where the soup is left.
    @usableFromInline
    @inline(never)
    func checkForDeadlock() { owner.checkForDeadlock() }

    /// Withdraws the calls whose time is up and which no reaction can take any more, after a step.
    @usableFromInline
    @inline(never)
    func withdrawOverdueCalls() { enter().withdrawingOverdueCalls().leaveAfterEnd() }

    /// Begins a chore, which keeps the definition from being quiet.
    func beginChore() {
        let entry = enter()
        entry.contents.life.choreBegan()
        entry.leaveUnchanged()
    }

    /// Ends a chore, which kept the definition from being quiet.
    func endChore() {
        let entry = enter()
        entry.contents.life.choreEnded()
        entry.leaveAfterEnd()
    }
}
