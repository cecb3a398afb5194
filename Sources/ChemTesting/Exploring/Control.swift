import ChemActors
import ChemBase
import Dispatch

/// Drives a machine and everything that runs on its executor, on one thread: takes one step after the other, and asks a
/// script which one.
final class Control: MachineControl, TaskExecutor, @unchecked Sendable {
    // Checked by hand: what others than the driving thread touch is under `lock`; that thread alone touches the rest.
    private struct Watched {
        weak var timetable: (any Timetable)?
    }

    private struct Controlled {
        weak var machine: ChemicalMachine?
    }

    let lock = Lock()
    @exclusivity(unchecked) var ready: [Ready] = []
    @exclusivity(unchecked) private var jobCount = 0
    private var timetables: [Watched] = []
    /// The machine of the run, until that has ended, and those of scopes, which come and go.
    private var machine: ChemicalMachine?
    private var controlled: [Controlled] = []
    /// The tasks that sleep by a clock of Swift's, if there have been such.
    private(set) var sleepers: Sleepers?
    /// When the present step has begun, by the clock of the system.
    @exclusivity(unchecked) private var stepBegin: UInt64
    /// When the step began that has made the present one ready: a task may change its executor on the way to its sleep.
    @exclusivity(unchecked) private var since: UInt64
    /// The job that is running, by its address, and whether it goes on as soon as it has returned.
    @exclusivity(unchecked) private var running: UInt = 0
    @exclusivity(unchecked) private var goesOn = false
    /// Whether the run is over, and how many calls and sleeps were refused since.
    var isDraining = false
    var refusals = 0
    /// Whether something has come from a thread that isn't driven here.
    private(set) var hasEscaped = false

    let script: Script
    /// Whether a lab says what happens.
    let isByHand: Bool
    /// What the lab has been asked for, by one task or several.
    var requests: [(LabRequest, CheckedContinuation<LabAnswer, Never>)] = []
    /// The reactions that have started since it asked.
    var happened: [String] = []
    private let timeMayPass: Bool
    @exclusivity(unchecked) private var thread = Platform.threadIdentity
    /// Who waits for others, and how many have done so before.
    var waiter: CheckedContinuation<Bool, Never>?
    var waits = 0
    private(set) var now: ContinuousClock.Instant
    /// How many steps have been taken.
    @exclusivity(unchecked) var steps = 0
    /// What has happened, if that is wanted.
    @exclusivity(unchecked) private(set) var happenings: [Happening]?
    /// What went wrong that nobody gets an error for.
    private(set) var mishaps: [String] = []
    /// Who is who, if a walk wants to know.
    @exclusivity(unchecked) private var agents: Agents?
    /// Finds out what the steps touch, if schedules are left out.
    @exclusivity(unchecked) var surveyor: Surveyor?

    init(_ script: Script, timeMayPass: Bool = false, keepsLog: Bool = false, isByHand: Bool = false) {
        self.script = script
        self.isByHand = isByHand
        self.timeMayPass = timeMayPass
        now = .now
        stepBegin = Platform.monotonicNanoseconds
        since = stepBegin
        happenings = keepsLog ? [] : nil
        surveyor = script.reduction.map { Surveyor($0) }
        agents = script.walk.map { _ in Agents() }
    }

    // MARK: What the machine asks

    func controls(_ machine: ChemicalMachine) {
        lock.withLock {
            if self.machine == nil { self.machine = machine } else { controlled.append(Controlled(machine: machine)) }
        }
    }

    /// The machine of the run, and those of scopes in it.
    var machines: [ChemicalMachine] {
        lock.withLock { (machine.map { [$0] } ?? []) + controlled.compactMap(\.machine) }
    }

    /// The run has ended: it lets go of its machine, which holds this control.
    func end() {
        let machine = lock.withLock { self.machine.take() }
        withExtendedLifetime(machine) {}
    }

    func choose(_ count: Int) -> Int { script.choose(count) }

    func ready(_ step: MachineStep) { add(.step(step)) }

    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    func enqueue(_ job: UnownedJob) { add(.job(job)) }

    /// A job is to run in Swift's global pool, and its thread drives the run.
    ///
    /// A task without an executor comes here whenever it enters an asynchronous function, to leave the one on behalf of
    /// which it runs. It would be back in its next step, and do nothing in between that others could see. So it goes on
    /// in the same step. What has yielded comes back as another job.
    ///
    /// It is known by its address, and since Swift says no more that it is the current task: a new task, which might be
    /// where an ended job was, is made by one that is.
    func enqueueInPool(_ job: UnownedJob) {
        if job.address == running, withUnsafeCurrentTask(body: { unsafe $0 == nil }) {
            goesOn = true
        } else {
            enqueue(job)
        }
    }

    func enqueue(_ job: UnownedJob, for executor: any TaskExecutor) { add(.job(job, executor)) }

    /// Has `job` sleep. The clock that has measured `duration` isn't that of the run, and goes on during a step.
    func sleep(_ job: UnownedJob, for duration: Duration) { sleep(.job(job), for: duration) }

    func sleep(_ job: UnownedJob, for duration: Duration, on executor: any TaskExecutor) {
        sleep(.job(job, executor), for: duration)
    }

    private func sleep(_ job: Item, for duration: Duration) {
        let sleepers =
            self.sleepers
            ?? {
                let new = Sleepers(of: self)
                self.sleepers = new
                watch(new)
                return new
            }()
        let delay = Platform.monotonicNanoseconds &- since
        sleepers.add(job, until: now + Sleepers.asked(duration, delay: .nanoseconds(delay)))
    }

    func add(_ item: Item) {
        let isElsewhere = lock.withLock {
            ready.append(Ready(item: item, since: stepBegin, origin: origin(of: item)))
            guard Platform.threadIdentity != thread else { return false }
            hasEscaped = true
            return true
        }
        if isElsewhere { endWait(returning: true) }
    }

    private func origin(of item: Item) -> Origin? {
        if surveyor == nil && agents == nil { return nil }
        defer { jobCount += 1 }
        return Origin(
            number: jobCount,
            cause: surveyor?.step ?? -1,
            quiet: surveyor?.quiet,
            agent: agents == nil ? 0 : agent(of: item),
            task: surveyor == nil ? nil : item.task
        )
    }

    private func agent(of item: Item) -> Agents.Agent {
        switch item {
        case .job(let job, _): agents?.agent(of: job) ?? 0
        case .step(let step): agents?.agent(of: step.definition) ?? 0
        }
    }

    func watch(_ timetable: any Timetable) {
        lock.withLock { timetables.append(Watched(timetable: timetable)) }
    }

    func starts(_ reaction: StartingReaction) {
        guard happenings != nil || isByHand else { return }
        let happening = Happening.reaction(definition: reaction.definition, inputs: reaction.inputs)
        happenings?.append(happening)
        if isByHand, let name = happening.reaction { happened.append(name) }
    }

    var followsMessages: Bool { happenings != nil }

    func sends(_ message: ControlledMessage) { lock.withLock { happenings?.append(.message(message)) } }

    func fails(reaction: String, _ error: any Error) {
        note("nobody gets the error that the reaction \(reaction) has thrown: \(error)")
    }

    /// Notes what a machine reports. An error that a body has thrown counts if no caller gets it.
    func report(_ event: ChemicalEvent) {
        if case .failedReaction = event.kind { return }
        if event.isMishap { note("\(event)") }
    }

    /// What definitions held that have dissolved.
    private(set) var residue = Residue()

    func dissolves(_ definition: ObjectIdentifier, with residue: Residue) {
        if residue.isEmpty && agents == nil { return }
        lock.withLock {
            self.residue += residue
            agents?.forget(definition)
        }
    }

    private func note(_ mishap: String) { lock.withLock { mishaps.append(mishap) } }

    // MARK: Driving

    enum Halt {
        case over, limit
        /// Nothing is left to do.
        case nothing
        /// Whatever came next would repeat what has been seen.
        case repetition
    }

    /// Takes steps, in the calling thread, until it is over, or nothing is left to do, or `limit` steps have been
    /// taken since the beginning.
    func drive(limit: Int, until isOver: () -> Bool) -> Halt {
        driving {
            while !isOver() {
                guard steps < limit else { return .limit }
                if let halt = drive() { return halt }
            }
            return .over
        }
    }

    /// Runs `body` with this thread as the one that drives.
    func driving<Result>(_ body: () -> Result) -> Result {
        lock.withLock { thread = Platform.threadIdentity }
        // While nobody drives, the thread may serve others.
        defer { lock.withLock { thread = 0 } }
        return Interception.with(self, body)
    }

    /// Takes the next step.
    ///
    /// - Returns: why it hasn't.
    func drive(timePasses: Bool = true) -> Halt? {
        if isByHand {
            steps += 1
            return driveByHand()
        }
        if takeOnly() { return nil }
        if readyCount > 1 || surveyor != nil { takeLooks() }
        let count = readyCount
        let deadline = timePasses && (count == 0 || timeMayPass) ? nextDeadline : nil
        let possibilities = count + (deadline == nil ? 0 : 1)
        if possibilities == 0 { return .nothing }
        if let reduction = script.reduction { return drive(reduction, count, deadline) }
        if let walk = script.walk { follow(walk, timeMayPass: deadline != nil) }
        let choice = possibilities == 1 ? 0 : script.choose(possibilities)
        steps += 1
        if choice == count, let deadline { pass(to: deadline) } else { take(choice) }
        return nil
    }

    /// Takes the only step that there is, if neither time nor anybody who wants to know comes into it. Most steps of
    /// most runs are such.
    private func takeOnly() -> Bool {
        guard !timeMayPass, surveyor == nil, agents == nil else { return false }
        lock.lock()
        guard ready.count == 1 else {
            lock.unlock()
            return false
        }
        let one = ready.removeLast()
        lock.unlock()
        steps += 1
        take(one)
        return true
    }

    /// Has a walk say whose turn it is.
    private func follow(_ walk: Walk, timeMayPass: Bool) {
        let (newcomers, present) = lock.withLock {
            defer { agents?.newcomers = [] }
            return (agents?.newcomers ?? [], ready.map { $0.origin?.agent ?? 0 } + (timeMayPass ? [Agents.time] : []))
        }
        for (agent, maker) in newcomers { walk.comes(agent, madeBy: maker) }
        let choice = present.count == 1 ? 0 : walk.choose(among: present)
        if present.count > 1 { script.wanted = choice }
        walk.steps(present[choice])
        lock.withLock { agents?.current = present[choice] }
    }

    /// The next deadline.
    var nextDeadline: ContinuousClock.Instant? { watched.compactMap(\.next).min() }

    var readyCount: Int { lock.withLock { ready.count } }

    func take(_ index: Int) { take(lock.withLock { ready.remove(at: index) }) }

    private func take(_ one: Ready) {
        switch one.item {
        case .job(let job, let executor):
            stepBegin = Platform.monotonicNanoseconds
            since = one.since
            run(job, on: executor?.asUnownedTaskExecutor() ?? asUnownedTaskExecutor())
        case .step(let step): step.take()
        }
    }

    private func run(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
        running = job.address
        repeat {
            goesOn = false
            job.runSynchronously(on: executor)
        } while goesOn
        running = 0
    }

    private var watched: [any Timetable] { lock.withLock { timetables.compactMap(\.timetable) } }

    func pass(to deadline: ContinuousClock.Instant) {
        if deadline > now {
            happenings?.append(.time(now.duration(to: deadline)))
            now = deadline
        }
        for timetable in watched { timetable.passDue() }
    }

    /// Whether something can happen that nobody has to ask for. Requires the lock.
    var canGoOn: Bool {
        isByHand ? ready.contains(where: \.isJob) : !ready.isEmpty
    }
}
