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
        let record = contents.reactions + reaction
        let isAsynchronous = record.pointee.course == .asynchronous
        contents.life.helperCame()
        var entry = run(record)
        if !isAsynchronous { entry.contents.life.bodyEnded() }
        if entry.contents.lookMask == 0 { entry = entry.notingAnswerEnd() }
        entry.contents.life.helperLeft()
        // While this helper counted as a worker, the limit may have kept another one away.
        if entry.contents.life.mustWake(isPossible: entry.isPossible) {
            entry.wakeWorker()
        } else {
            entry.leaveAfterEnd()
        }
        soup.mark(outer)
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
            entry.contents.life.helperLeft()
        }
        return entry
    }

    private consuming func run(_ reaction: UnsafeMutablePointer<ReactionRecord>) -> SoupEntry {
        reaction.pointee.starts &+= 1
        countStart()
        guard reaction.pointee.course != .step, reaction.pointee.starts & 63 == 2 else {
            return reaction.pointee.fire(self)
        }
        // As workers do, it looks now and then how long the body is.
        let begin = Pace.now
        let entry = reaction.pointee.fire(self)
        reaction.pointee.isLong = Pace.now &- begin > Pace.longBody
        return entry
    }
}

extension Join {
    /// Runs `reaction` on this thread if it is still possible, in a detached task, which hides the context of the
    /// current one.
    nonisolated func helpDetached(with reaction: Int) {
        guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else { return }
        var help = DetachedHelp(join: .passUnretained(self), reaction: reaction)
        withUnsafeMutablePointer(to: &help) { DetachedHelp.current.with($0) { DetachedHelp.start(times: 1) } }
    }

    fileprivate nonisolated func helpIfPossible(with reaction: Int) {
        let entry = soup.enter()
        if entry.contents.life.mayHelp, entry.contents.matching.readiness[reaction].missing == 0 {
            entry.help(with: reaction)
        } else {
            entry.leave()
        }
    }
}

/// What a detached task has to run on this thread. It isn't captured: a closure without captures needs no memory.
struct DetachedHelp {
    fileprivate static let current = ThreadLocal()

    fileprivate let join: Unmanaged<Join>
    fileprivate let reaction: Int

    /// Whether a task can begin inside another one.
    static var isAvailable: Bool {
        if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) { true } else { false }
    }

    /// Runs what is in `current`, in a detached task that begins on this thread.
    ///
    /// The loop runs once. It is there for the reason given at `SoupReference.startImmediate`.
    @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
    @inline(never)
    fileprivate static func start(times: Int) {
        var left = times
        while left > 0 {
            left &-= 1
            Task.immediateDetached { run() }
        }
    }

    private static func run() {
        guard let pointer = current.pointer else { return }
        let help = pointer.assumingMemoryBound(to: DetachedHelp.self).pointee
        current.with(nil) { help.join.takeUnretainedValue().helpIfPossible(with: help.reaction) }
    }
}
