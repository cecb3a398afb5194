/// What a join definition is doing and who works on it, as a plain value.
///
/// Each method is an event in the life of a definition. It returns what has to be done about it, and whoever leaves the
/// soup does that. Nothing here waits, wakes a worker or runs user code. Callers pass in whether a reaction is possible
/// and whether anybody can still reach the definition.
@usableFromInline
struct Lifecycle: Hashable {
    @usableFromInline
    enum Phase: UInt8 {
        /// The closure of `define` is running: molecules wait.
        case defining
        case running
        /// Molecules are accepted and nothing starts.
        case paused
        /// Molecules are ignored.
        case deactivated
        /// Nobody can reach it any more.
        case dissolved

        @inlinable var ignoresInjections: Bool { rawValue >= Phase.deactivated.rawValue }
    }

    /// Whether a worker looks after the soup.
    @usableFromInline
    enum Activity: UInt8 {
        case idle
        /// A worker has been woken and will look after the soup.
        case scheduled
        /// A worker is looking after the soup, or is running a short body and will come back to the soup.
        case running
    }

    /// What has to be done after something has ended.
    @usableFromInline
    enum After: Hashable {
        case nothing
        /// A reaction is possible, and a worker is free to run it.
        case wakeWorker
        /// The failed reactions have to be given up: they hold states, and nobody is left who could end the pause that
        /// holds them up.
        case dropRetries
        case settle(Settlement)
    }

    /// The definition has come to rest.
    @usableFromInline
    struct Settlement: Hashable, Sendable {
        /// Its deactivation is complete, and an activation was waiting for that.
        var activates: Bool
        /// It is quiet, so those who wait for that have to be told.
        var tells: Bool
        /// Nothing can reach it any more, so it dissolves.
        var dissolves: Bool

        static let none = Settlement(activates: false, tells: false, dissolves: false)
    }

    @usableFromInline private(set) var phase = Phase.defining
    /// The phase that the closure of `define` has asked for.
    private(set) var phaseAfterStart = Phase.running
    @usableFromInline private(set) var activity = Activity.idle
    /// The number of workers of this definition, including woken ones.
    @usableFromInline private(set) var workers: Int32 = 0
    @usableFromInline let workerLimit: Int32
    /// The number of bodies that have started and not ended.
    @usableFromInline var running = 0
    /// The number of chores: work that is no reaction, but that keeps the definition from being quiet until it ends.
    private(set) var chores: Int32 = 0
    /// The number of failed reactions that wait to be tried again.
    private(set) var retries = 0
    /// Whether somebody waits until the definition is quiet.
    @usableFromInline var isAwaited = false
    /// Whether it is to be activated as soon as its deactivation is complete.
    private(set) var activatesWhenQuiet = false
    /// Whether it is to be paused then.
    private(set) var pausesWhenActivated = false
    /// Whether it can't go on once its molecules were dropped: clearing deactivates it, and nothing activates it again.
    private(set) var endsWhenCleared = false

    init(workerLimit: Int) {
        self.workerLimit = Int32(clamping: workerLimit)
    }

    // MARK: Queries

    /// Whether to wake a worker for a possible reaction. On the main actor, where no worker is ever active, this holds
    /// for each one.
    @inlinable
    @inline(__always)
    func mustWake(isPossible: Bool) -> Bool {
        activity == .idle && isPossible && phase == .running && workers < workerLimit
    }

    /// Whether nothing runs, nothing is possible, no retry is pending and no worker looks after the soup.
    ///
    /// Nothing is on its way into the soup then: as long as the inbox may hold something, a worker looks after it.
    func isQuiet(isPossible: Bool) -> Bool {
        isAtRest(isPossible: isPossible) && !isPossible && retries == 0
    }

    /// Whether the definition may end. As `isQuiet`, except that what a pause holds up doesn't prevent it.
    ///
    /// A worker counts as long as it exists, because it may be about to come back to its reaction.
    private func isAtRest(isPossible: Bool) -> Bool {
        activity == .idle && workers == 0 && running == 0 && phase != .defining && chores == 0
            && (phase == .paused || (!isPossible && retries == 0))
    }

    /// Whether there is no worker and no chore, and nothing is about to start. Bodies may be running.
    func isIdle(isPossible: Bool) -> Bool {
        activity == .idle && workers == 0 && chores == 0 && !isPossible && retries == 0
    }

    /// A cheap test that settles most cases: true only if nothing is due for certain.
    ///
    /// While there is a worker or a running body, whoever made a reaction possible has already offered it to a worker.
    /// The exception is `resumed`. Its caller leaves the soup with `leave` first.
    @inlinable
    @inline(__always)
    func hasNothingDue(isPossible: Bool, isReachable: Bool) -> Bool {
        workers != 0 || running != 0 || (!isPossible && !isAwaited && isReachable)
    }

    /// Decides what is due after something has ended or was withdrawn: a worker, a body, a call, a lease, a pause or a
    /// chore. Doing that tells whoever may have been waiting for the end.
    ///
    /// - Parameters:
    ///   - isPossible: Whether a reaction is possible.
    ///   - isReachable: Whether anybody has a name of the definition or waits in it.
    /// - Returns: what has to be done after leaving the soup.
    func afterEnd(isPossible: Bool, isReachable: Bool) -> After {
        if isPossible, phase == .running { return mustWake(isPossible: true) ? .wakeWorker : .nothing }
        guard isAtRest(isPossible: isPossible) else { return .nothing }
        let isAbandoned = phase != .dissolved && !isReachable
        if isAbandoned, retries != 0 { return .dropRetries }
        let isQuiet = !isPossible && retries == 0
        let settlement = Settlement(
            activates: isQuiet && phase == .deactivated && activatesWhenQuiet,
            tells: isQuiet && isAwaited,
            dissolves: isAbandoned
        )
        return settlement == .none ? .nothing : .settle(settlement)
    }

    // MARK: Callers that help

    /// Whether a caller may run a reaction: no worker looks after the soup, though one may be on its way.
    var mayHelp: Bool { activity != .running && phase == .running && workers < workerLimit }

    /// A caller begins to run a reaction. It counts as a worker until `helperLeft`, but never looks after the soup.
    mutating func helperCame() { workers += 1 }

    mutating func helperLeft() { workers -= 1 }

    // MARK: Workers

    /// A worker is woken.
    mutating func workerWoken() {
        workers += 1
        activity = .scheduled
    }

    /// Whether a second worker may be woken while the first one is still on its way, because the first would come
    /// late. Whichever begins first looks after the soup. There may be one worker too many then, but not one body.
    var mayWakeSpare: Bool { activity == .scheduled && workers <= workerLimit }

    /// Whether a worker that begins now has to end: another one looks after the soup, or there is one too many.
    var isWorkerSpare: Bool { activity == .running || activity == .idle && workers > workerLimit }

    /// A worker looks after the soup from now on.
    mutating func workerLooks() { activity = .running }

    /// The worker that looked after the soup hands it over to another one, which is on its way.
    mutating func workerHandsOver() { activity = .scheduled }

    /// Nobody looks after the soup any more.
    mutating func workerTurnsAway() { activity = .idle }

    /// A worker ends.
    mutating func workerEnded() { workers -= 1 }

    /// Whether a worker whose soup was taken away while it ran a body may look after it again.
    var takesWorkerBack: Bool { activity == .idle && phase == .running }

    // MARK: Bodies, chores and retries

    @inlinable
    @inline(__always)
    mutating func bodyStarted() { running &+= 1 }

    @inlinable
    @inline(__always)
    mutating func bodyEnded() { running &-= 1 }

    mutating func choreBegan() { chores += 1 }

    mutating func choreEnded() { chores -= 1 }

    mutating func retryAdded() { retries += 1 }

    mutating func retryTaken() { retries -= 1 }

    mutating func retriesRemoved() { retries = 0 }

    // MARK: Phases

    /// Its closure says that it can't go on once its molecules were dropped.
    mutating func endWhenCleared() { endsWhenCleared = true }

    /// The closure of `define` has returned.
    ///
    /// - Parameter isOver: Whether the scope of the definition has ended.
    /// - Returns: whether to deactivate it at once.
    mutating func started(isOver: Bool) -> Bool {
        phase = phaseAfterStart == .paused ? .paused : .running
        return isOver || phaseAfterStart == .deactivated
    }

    mutating func paused() {
        switch phase {
        case .running: phase = .paused
        case .defining where phaseAfterStart == .running: phaseAfterStart = .paused
        case .deactivated: pausesWhenActivated = activatesWhenQuiet
        default: break
        }
    }

    mutating func resumed() {
        switch phase {
        case .paused: phase = .running
        case .defining where phaseAfterStart == .paused: phaseAfterStart = .running
        case .deactivated: pausesWhenActivated = false
        default: break
        }
    }

    /// - Returns: whether this ends anything. If so, the contents of the soup have to be dropped.
    mutating func deactivated() -> Bool {
        switch phase {
        case .defining:
            phaseAfterStart = .deactivated
            return true
        case .running, .paused:
            phase = .deactivated
            return true
        case .deactivated:
            (activatesWhenQuiet, pausesWhenActivated) = (false, false)
            return false
        case .dissolved:
            return false
        }
    }

    /// - Returns: whether it is active again, so that its states have to begin anew. Otherwise it may become active as
    ///   soon as it is quiet.
    mutating func activated(isPossible: Bool) -> Bool {
        switch phase {
        case .defining:
            if phaseAfterStart == .deactivated, !endsWhenCleared { phaseAfterStart = .running }
        case .deactivated where endsWhenCleared:
            break
        case .deactivated:
            if isQuiet(isPossible: isPossible) {
                reactivated()
                return true
            }
            activatesWhenQuiet = true
            isAwaited = true
        default:
            break
        }
        return false
    }

    /// Its deactivation is complete, and it begins anew.
    mutating func reactivated() {
        phase = pausesWhenActivated ? .paused : .running
        (activatesWhenQuiet, pausesWhenActivated) = (false, false)
    }

    mutating func dissolved() { phase = .dissolved }
}
