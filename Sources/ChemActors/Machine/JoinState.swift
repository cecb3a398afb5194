import ChemBase

/// What a definition keeps beside the contents of its soup. It, too, is touched in the soup.
struct JoinState {
    /// What the definition keeps until it dissolves.
    var chemistry = Chemistry()
    var quietWaiters = Ticketed<QuietWaiter>()
    /// The failed reactions that wait to be tried again.
    var retries = Ticketed<any Retry>()
    /// The failed reactions whose time has come. A worker runs them.
    var dueRetries = FIFO<any Retry>()
    /// The asynchronous bodies that have begun and not ended, newest first. Their tasks keep them.
    var firstBody: Unmanaged<BodyScope>?
    var failures = 0
    /// How often each reaction has failed and dropped what it had taken, and with what error the last time.
    var losses: [ObjectIdentifier: (count: Int, last: any Error.Type)] = [:]
    /// How long calls have waited and bodies have run, since somebody asks.
    var latencies = OwnLatencies()
    /// How long calls have been answered in their callers' tasks without a pause, at the last look.
    var answering = AnswerPace()
    /// For how long it has kept itself busy.
    var longRun = LongRun()
    /// How many bodies of a scope's machine wait in a call of this definition.
    private(set) var blockedBodies = 0
    /// How often a body of a scope has begun or ceased to wait in a call. Tells whether `blockedBodies` has not changed
    /// or has come back to the same number.
    private(set) var blockings = 0
    /// How many calls wait whose callers have a higher priority than the machine, and the highest of these since there
    /// was none. Workers have it while they wait.
    private(set) var liftingCalls = 0
    private(set) var lifted = Urgency.none
    /// The priority of the worker that was woken last, if it was lifted.
    var urgencyOfWorker = Urgency.none
    /// Whether a worker has been woken on the main actor.
    var isScheduledOnMain = false
    /// What this one keeps alive: a lease on the definition in whose body it was made, as a rule.
    var parent: AnyLease?
    /// What was made in its own closure.
    var inner: [Join] = []
    /// Which of these was busy when it was looked for last. Often the next one is now.
    var lastBusyInner = 0
    /// How many leases have been made: tells whether there was one between two looks.
    var leasesMade = 0
    /// Whether it would have dissolved, but for one of these, which is busy and tells when it isn't any more.
    var awaitsInner = false
    /// Whether what is made in its closure and bodies keeps alive what this one does, instead of it.
    var handsOnParent = false

    mutating func addLiftingCall(_ urgency: Urgency) {
        liftingCalls += 1
        lifted = max(lifted, urgency)
    }

    mutating func removeLiftingCall() {
        liftingCalls -= 1
        if liftingCalls == 0 { lifted = .none }
    }

    mutating func countBlockedBody(_ difference: Int) {
        blockings &+= 1
        blockedBodies += difference
    }
}

/// The memory of a definition. The soup comes first, so that the rest is found from it.
struct JoinMemory: ~Copyable {
    var soup: Soup
    var state: JoinState
}

extension SoupEntry {
    /// The actor that owns the soup.
    var join: Join { soup.join }

    /// What the definition keeps beside the contents of the soup.
    var state: JoinState {
        _read { yield soup.state.pointee }
        nonmutating _modify { yield &soup.state.pointee }
    }
}

extension SoupReference {
    /// The actor that owns the soup.
    var join: Join { unsafeDowncast(owner, to: Join.self) }

    private var whole: UnsafeMutablePointer<JoinMemory> {
        UnsafeMutableRawPointer(memory).assumingMemoryBound(to: JoinMemory.self)
    }

    /// What the reaction with this index is called. Nil for the repetition. Called in the soup.
    func description(ofReaction index: Int) -> ReactionDescription? {
        let reactions = state.pointee.chemistry.reactions
        return index < reactions.count ? reactions[index] : nil
    }

    fileprivate var state: UnsafeMutablePointer<JoinState> {
        withUnsafeMutablePointer(to: &whole.pointee.state) { $0 }
    }

    /// Memory for a definition.
    static func make(_ soup: consuming Soup, _ state: JoinState) -> SoupReference {
        let memory = UnsafeMutablePointer<JoinMemory>.allocate(capacity: 1)
        memory.initialize(to: JoinMemory(soup: soup, state: state))
        return SoupReference(UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Soup.self))
    }

    /// Releases the memory, which nobody uses any more.
    func end() {
        whole.deinitialize(count: 1)
        whole.deallocate()
    }
}

/// Somebody who waits for a definition to be quiet.
enum QuietWaiter {
    case task(CheckedContinuation<Void, any Error>)
    /// Injects a molecule into another definition.
    case signal(@Sendable () -> Void)
    /// The end of a scope, which can't be cancelled.
    case scope(CheckedContinuation<Void, Never>)
    /// The definition in whose closure this one was made, and which nobody reaches any more.
    case home(Join)

    var isSignal: Bool {
        if case .signal = self { true } else { false }
    }

    /// The definition that waits for what was made in its closure.
    var home: Join? {
        if case .home(let join) = self { join } else { nil }
    }

    /// Tells the waiter. Called outside of all locks.
    func tell() {
        switch self {
        case .task(let continuation): continuation.resume()
        case .signal(let inject): inject()
        case .scope(let continuation): continuation.resume()
        // Told by `settle`, which looks after its quiet.
        case .home: break
        }
    }
}

/// A failed reaction that waits until it is tried again, or until its inputs are put back.
protocol Retry: AnyObject, Sendable {
    /// Identifies it in its definition.
    var ticket: UInt64 { get }

    /// Tries again, or puts the inputs back. Called by a worker or on the main actor.
    ///
    /// It leaves the soup, and doesn't enter it again: with the last reference to it its inputs go, whose `deinit` may
    /// enter.
    ///
    /// - Returns: what has ended.
    func run(_ entry: consuming SoupEntry) -> RetryEnd

    /// Gives up, because the definition was cleared or deactivated, or because nobody is left who could end its pause.
    func drop()
}

/// What has ended when a failed reaction was tried again.
enum RetryEnd {
    /// A body, which was observed under this number.
    case body(ReactionDescription, start: UInt32)
    /// Putting inputs back.
    case chore
    /// Nothing yet: an asynchronous body says so itself.
    case nothing
}

extension SoupEntry {
    /// Tries the failed reaction again that has been due for longest. Called when the repetition was chosen.
    consuming func runDueRetry() -> SoupEntry {
        let soup = self.soup
        let retry = takeDueRetry()
        let end = retry.run(self)
        discard(consume retry)
        let entry = soup.enter()
        switch end {
        case .body(let reaction, let start):
            if let notes = reaction.notes { reaction.observation?.ended(notes, start) }
            entry.contents.life.bodyEnded()
        case .chore: entry.contents.life.choreEnded()
        case .nothing: break
        }
        return entry
    }

    /// Adds a failed reaction that waits, under the ticket of its deadline.
    func add(_ retry: any Retry) {
        state.retries.insert(retry, under: retry.ticket)
        contents.life.retryAdded()
    }

    /// Makes a failed reaction whose time has come count as possible, unless it was dropped meanwhile.
    func offer(_ retry: any Retry) {
        guard state.retries.contains(retry.ticket) else { return }
        state.dueRetries.append(retry)
        contents.matching.canRepeat = true
    }

    private func takeDueRetry() -> any Retry {
        guard let retry = state.dueRetries.popFirst() else {
            fatalError("ChemActors: nothing to try again")
        }
        contents.matching.canRepeat = !state.dueRetries.isEmpty
        _ = state.retries.remove(retry.ticket)
        contents.life.retryTaken()
        return retry
    }

    /// Takes out all failed reactions that wait.
    func removeRetries() -> [any Retry] {
        _ = state.dueRetries.removeAll()
        contents.matching.canRepeat = false
        contents.life.retriesRemoved()
        return state.retries.removeAll()
    }
}
