import ChemActors
import ChemBase
import Synchronization

// How steps are taken: one at a time, in the thread that leads, or in that of a helper while it is interrupted.

extension Control {
    enum Halt {
        case over, limit
        /// Nothing is left to do.
        case nothing
        /// Whatever came next would repeat what has been seen.
        case repetition
        /// A step waits for a lock that an interrupted one holds.
        case blocked
    }

    /// What comes next. It is little, since it is moved about at each step.
    enum Next {
        /// What stands at that place in what is ready, until it is performed.
        case ready(Int)
        /// The rest of an interrupted step, which is taken up by its own thread. It isn't among what is ready any more.
        case rest(Rest)
        /// The deadline that was found last.
        case time
    }

    /// What the drivers have to do.
    struct Errand {
        /// How many steps there may be since the beginning.
        var limit = 0
        var timePasses = true
        /// Whether they have done it when the body of the test has ended.
        var endsWithTest = false
    }

    /// The step that is being taken.
    struct Present {
        /// When it has begun, by the clock of the system.
        var begin: UInt64
        /// When the step began that has made it ready: a task may change its executor on the way to its sleep.
        var since: UInt64
        /// The job that is running, by its address, and whether it goes on as soon as it has returned.
        var job: UInt = 0
        var goesOn = false
        /// Whether something may come between what it does.
        var isInterruptible = false
        /// Whether it has done something that others see.
        var hasActed = false
        /// Where it comes from, if a search or a walk wants to know.
        var origin: Origin?
        /// Who goes on if it is interrupted, if a walk has to know that already.
        var agent: Agents.Agent?
    }

    /// Takes steps, in the calling thread, until the test is over, or nothing is left to do, or `limit` steps have been
    /// taken since the beginning.
    func drive(limit: Int) -> Halt {
        errand = Errand(limit: limit, endsWithTest: true)
        return lead()
    }

    /// After the end of the test, takes the steps that are left, without time passing: what is wrong may show in them.
    ///
    /// - Returns: why it has ended.
    func finish(limit: Int) -> Halt {
        errand = Errand(limit: limit, timePasses: false)
        return lead()
    }

    private func lead() -> Halt {
        halt = nil
        return driving {
            while true {
                if let halt { return halt }
                if isOver { return .over }
                prepareHelper()
                switch chooseNext() {
                case .rest(let rest)?: if let next = pass(turnTo: rest) { perform(next) }
                case let next?: perform(next)
                case nil: break
                }
                if leader.hasLostTurn { getBackTurn() }
            }
        }
    }

    /// Whether the drivers have done what they have to.
    var isOver: Bool { errand.endsWithTest && isTestOver }

    /// Runs `body` with this thread as the one that drives.
    func driving<Result>(_ body: () -> Result) -> Result {
        takeTurn(leader)
        // While nobody drives, the thread may serve others.
        defer { thread.store(0, ordering: .relaxed) }
        return Interception.with(self, body)
    }

    /// `driver` goes on in this thread.
    func takeTurn(_ driver: Driver) {
        self.driver = driver
        thread.store(Platform.threadIdentity, ordering: .relaxed)
    }

    /// Says which step comes next.
    ///
    /// - Returns: nil if none does: then `halt` says why.
    func chooseNext() -> Next? {
        do throws(Halted) { return try decide() } catch {
            halt = error.reason
            return nil
        }
    }

    private struct Halted: Error {
        let reason: Halt
    }

    private func decide() throws(Halted) -> Next? {
        guard steps < errand.limit else { throw Halted(reason: .limit) }
        if isByHand {
            steps += 1
            if let reason = driveByHand() { throw Halted(reason: reason) }
            return nil
        }
        if interruptions > 0 { postponeCancelled() }
        if let only = takeOnly() { return only }
        if readyCount > 1 || surveyor != nil || timeMayPass { takeLooks() }
        let count = readyCount
        if count == 0 || timeMayPass { return try decideWithTime(count) }
        return try decide(among: count, andTime: false)
    }

    /// A function of its own, since what the deadline is made of has to be looked up at each step that knows one.
    @inline(never)
    private func decideWithTime(_ count: Int) throws(Halted) -> Next? {
        let timePasses = errand.timePasses && !(interruptions > 0 && isOver)
        let timeMayPass = timePasses && setDeadline()
        if count == 0, !timeMayPass { throw Halted(reason: .nothing) }
        return try decide(among: count, andTime: timeMayPass)
    }

    /// Notes the next deadline, if there is one.
    func setDeadline() -> Bool {
        guard let next = nextDeadline else { return false }
        deadline = next
        return true
    }

    private func decide(among count: Int, andTime timeMayPass: Bool) throws(Halted) -> Next? {
        if let reduction = script.reduction {
            guard let next = choose(by: reduction, count, andTime: timeMayPass) else {
                throw Halted(reason: .repetition)
            }
            return next
        }
        if let walk = script.walk { follow(walk, timeMayPass: timeMayPass) }
        let possibilities = count + (timeMayPass ? 1 : 0)
        let choice = possibilities == 1 ? 0 : script.choose(possibilities)
        steps += 1
        return next(choice, of: count)
    }

    /// What stands behind a choice: one of so many that are ready, or time.
    func next(_ choice: Int, of count: Int) -> Next {
        choice == count ? .time : nextReady(at: choice)
    }

    /// What stands at that place in what is ready.
    private func nextReady(at place: Int) -> Next {
        guard let rest = ready[place].rest else { return .ready(place) }
        ready.remove(at: place)
        return .rest(rest)
    }

    /// The only step that there is, if neither time nor anybody who wants to know comes into it. Most steps of most
    /// runs are such.
    private func takeOnly() -> Next? {
        guard !timeMayPass, surveyor == nil, agents == nil, readyCount == 1 else { return nil }
        steps += 1
        return nextReady(at: 0)
    }

    /// A definition has ended its step, and wants another one. If that is the only one that there could be then, it is
    /// taken herewith, without being put where steps wait for their turn: most steps of most runs are such.
    func goesOn() -> Bool {
        guard !timeMayPass, surveyor == nil, agents == nil, !isByHand, interruptions == 0, present.job == 0,
            halt == nil, !isDraining, !isOver, steps < errand.limit, Interception.isDriving(self), readyCount == 0
        else { return false }
        steps += 1
        present.hasActed = false
        return true
    }

    /// Has a walk say whose turn it is.
    private func follow(_ walk: Walk, timeMayPass: Bool) {
        let (newcomers, yielded, present) = lock.withLock {
            defer {
                agents?.newcomers = []
                agents?.yielded = []
            }
            let present = ready.map { $0.origin?.agent ?? 0 } + (timeMayPass ? [Agents.time] : [])
            return (agents?.newcomers ?? [], agents?.yielded ?? [], present)
        }
        for (agent, maker) in newcomers { walk.comes(agent, madeBy: maker) }
        for agent in yielded { walk.yields(agent) }
        let choice = present.count == 1 ? 0 : walk.choose(among: present)
        if present.count > 1 { script.wanted = choice }
        walk.steps(present[choice])
        lock.withLock { agents?.current = present[choice] }
    }

    /// Takes a step.
    func perform(_ next: Next) {
        guard let surveyor else { return performUnsurveyed(next) }
        // A definition that the step has ended exists until it is known what the step has done there.
        let taken: Ready? = if case .ready(let place) = next { ready[place] } else { nil }
        defer { withExtendedLifetime(taken) {} }
        performUnsurveyed(next)
        guard halt == nil else { return }
        if !script.planned.isEmpty { script.reduction?.goAstray() }
        takeLooks()
        surveyor.end()
    }

    private func performUnsurveyed(_ next: Next) {
        switch next {
        case .ready(let place): take(removeReady(at: place))
        case .rest(let rest): preconditionFailure("ChemTesting: \(rest) is taken up by its own thread")
        case .time: pass(to: deadline)
        }
        present.isInterruptible = false
    }

    /// Takes what stands at that place in what is ready.
    func take(_ place: Int) { take(removeReady(at: place)) }

    func removeReady(at place: Int) -> Ready {
        let one = ready.remove(at: place)
        if case .step = one.item { readySteps -= 1 }
        return one
    }

    private func take(_ one: Ready) {
        let begin = if case .job = one.item { Platform.monotonicNanoseconds } else { present.begin }
        present = Present(begin: begin, since: one.since)
        present.isInterruptible = interrupts && !isDraining
        present.origin = one.origin
        switch one.item {
        case .job(let job, let executor):
            run(job, on: executor?.asUnownedTaskExecutor() ?? asUnownedTaskExecutor())
        case .step(let step): step.take()
        case .rest(let rest): preconditionFailure("ChemTesting: \(rest) is taken up by its own thread")
        }
        present.isInterruptible = false
    }

    private func run(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
        present.job = job.address
        repeat {
            present.goesOn = false
            job.runSynchronously(on: executor)
        } while present.goesOn
        present.job = 0
    }

    private var watched: [any Timetable] { lock.withLock { timetables.compactMap(\.timetable) } }

    /// The next deadline.
    var nextDeadline: ContinuousClock.Instant? { watched.compactMap(\.next).min() }

    /// How much is ready, with what has come from others.
    var readyCount: Int {
        admitArrivals()
        return ready.count
    }

    func pass(to deadline: ContinuousClock.Instant) {
        if deadline > now {
            lock.withLock { happenings?.append(.time(now.duration(to: deadline))) }
            now = deadline
        }
        for timetable in watched { timetable.passDue() }
    }

    /// Whether something can happen that nobody has to ask for. Requires the lock, while nobody drives.
    var canGoOn: Bool {
        isByHand
            ? ready.contains(where: \.item.isJob) || arrivals.items.contains(where: \.isJob)
            : !ready.isEmpty || !arrivals.items.isEmpty
    }
}
