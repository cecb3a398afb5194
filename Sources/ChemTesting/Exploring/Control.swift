import ChemActors
import ChemBase
import Dispatch
import Synchronization

/// Drives a machine and everything that runs on its executor: takes one step after the other, and asks a script which
/// one. No two threads do so at once.
final class Control: MachineControl, TaskExecutor, @unchecked Sendable {
    // Checked by hand: what others than the driving thread touch is under `lock`. That thread alone touches the rest,
    // and hands it over to the next by `Turn`; it goes without the lock, which would be taken ten times for each step.
    struct Watched {
        weak var timetable: (any Timetable)?
    }

    private struct Controlled {
        weak var machine: ChemicalMachine?
    }

    private static let count = Atomic<Int>(0)
    /// Tells it from all others of the process.
    let number = Control.count.wrappingAdd(1, ordering: .relaxed).newValue
    let lock = Lock()
    @exclusivity(unchecked) var ready: [Ready] = []
    /// How many of these are steps of the machine.
    @exclusivity(unchecked) var readySteps = 0
    /// What has to wait for interrupted steps.
    @exclusivity(unchecked) var postponed: [Ready] = []
    /// What others have made ready, and the rests that are not to be taken up, until the driving thread sees to them.
    var arrivals = Arrivals()
    let hasArrivals = Atomic<Bool>(false)
    @exclusivity(unchecked) private var jobCount = 0
    private(set) var timetables: [Watched] = []
    /// The machine of the run, until that has ended, and those of scopes, which come and go.
    private var machine: ChemicalMachine?
    private var controlled: [Controlled] = []
    /// The tasks that sleep by a clock of Swift's, if there have been such.
    private(set) var sleepers: Sleepers?
    /// The step that is being taken.
    @exclusivity(unchecked) var present: Present
    /// What the drivers have to do, and why they have stopped.
    var errand = Errand()
    @exclusivity(unchecked) var halt: Halt?
    /// Who takes steps now, who leads, and who helps. Those that are idle have been interrupted by nobody.
    let leader = Driver()
    @exclusivity(unchecked) var driver: Driver
    var helpers: [Helper] = []
    var idle: [Driver] = []
    /// The next helper.
    var spare: Helper?
    /// How long, in seconds, a step may take while another one is interrupted.
    let lockPatience: Double
    /// How many steps are interrupted right now.
    @exclusivity(unchecked) var interruptions = 0
    /// Whether the body of the test has ended.
    @exclusivity(unchecked) var isTestOver = false
    /// Whether the run is over, and how many calls and sleeps were refused since.
    var isDraining = false
    var refusals = 0
    /// Whether something has come from a thread that isn't driven here.
    var hasEscaped = false
    /// The definitions that were made elsewhere, until a search that leaves out schedules knows them.
    @exclusivity(unchecked) var strangers: [ControlledDefinition] = []

    let script: Script
    let interrupts: Bool
    /// Whether a lab says what happens.
    let isByHand: Bool
    /// What the lab has been asked for, by one task or several.
    var requests: [(LabRequest, CheckedContinuation<LabAnswer, Never>)] = []
    /// The reactions that have started since it asked.
    var happened: [String] = []
    let timeMayPass: Bool
    /// The thread that drives the run, or that makes it ready; zero while there is none.
    let thread = Atomic<UInt>(Platform.threadIdentity)
    /// Who waits for others, and how many have done so before.
    var waiter: CheckedContinuation<Bool, Never>?
    var waits = 0
    var now: ContinuousClock.Instant
    /// The deadline that comes, if that is what comes next.
    var deadline: ContinuousClock.Instant
    /// How many steps have been taken. Who waits for his turn looks whether there are more.
    var steps: Int {
        get { stepCount.load(ordering: .relaxed) }
        set { stepCount.store(newValue, ordering: .relaxed) }
    }
    private let stepCount = Atomic<Int>(0)
    /// What has happened, if that is wanted.
    @exclusivity(unchecked) var happenings: [Happening]?
    /// What went wrong that nobody gets an error for.
    private(set) var mishaps: [String] = []
    /// The calls without a time limit that reactions have taken, but for some of those that have been answered.
    private var takenCalls: [TakenCall] = []
    /// At how many those that have been answered are dropped.
    private var takenLimit = 64
    /// Who is who, if a walk wants to know.
    @exclusivity(unchecked) var agents: Agents?
    /// Finds out what the steps touch, if schedules are left out.
    @exclusivity(unchecked) var surveyor: Surveyor?

    init(
        _ script: Script,
        timeMayPass: Bool = false,
        lockPatience: Double = 10,
        keepsLog: Bool = false,
        isByHand: Bool = false
    ) {
        self.script = script
        interrupts = !script.hasWholeSteps
        self.lockPatience = lockPatience
        self.isByHand = isByHand
        self.timeMayPass = timeMayPass
        now = .now
        deadline = now
        let begin = Platform.monotonicNanoseconds
        present = Present(begin: begin, since: begin)
        driver = leader
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

    /// The machine of the run, until that has ended.
    var machineOfRun: ChemicalMachine? { lock.withLock { machine } }

    /// The run has ended: it lets go of its machine, which holds this control.
    func end() {
        dismissHelpers()
        let machine = lock.withLock { self.machine.take() }
        withExtendedLifetime(machine) {}
    }

    func choose(_ count: Int) -> Int {
        if Interception.isDriving(self) { return script.choose(count) }
        // The script is the driving thread's.
        lock.withLock { hasEscaped = true }
        return 0
    }

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
        if job.address == present.job, withUnsafeCurrentTask(body: { unsafe $0 == nil }) {
            present.goesOn = true
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
        let delay = Platform.monotonicNanoseconds &- present.since
        sleepers.add(job, until: now + Sleepers.asked(duration, delay: .nanoseconds(delay)))
    }

    func add(_ item: Item) {
        guard isOwnThread else { return arrive(item) }
        append(item)
        present.hasActed = true
    }

    /// Whether the calling thread is the one that drives the run. One that has lost its turn isn't.
    var isOwnThread: Bool { thread.load(ordering: .relaxed) == Platform.threadIdentity }

    /// For the driving thread.
    func append(_ item: Item) {
        ready.append(Ready(item: item, since: present.begin, origin: origin(of: item)))
        if case .step = item { readySteps += 1 }
    }

    private func origin(of item: Item) -> Origin? {
        if surveyor == nil && agents == nil { return nil }
        return lock.withLock { originOfNew(item) }
    }

    private func originOfNew(_ item: Item) -> Origin {
        return origin(
            cause: surveyor?.step ?? -1,
            quiet: surveyor?.quiet,
            agent: agents == nil ? 0 : agent(of: item),
            task: surveyor == nil ? nil : item.task
        )
    }

    func origin(cause: Int, quiet: Int?, agent: Agents.Agent, task: String?) -> Origin {
        defer { jobCount += 1 }
        return Origin(number: jobCount, cause: cause, quiet: quiet, agent: agent, task: task)
    }

    private func agent(of item: Item) -> Agents.Agent {
        switch item {
        case .job(let job, _): agents?.agent(of: job) ?? 0
        case .step(let step): agents?.agent(of: step.definition) ?? 0
        case .rest: agents?.current ?? 0
        }
    }

    func watch(_ timetable: any Timetable) {
        lock.withLock { timetables.append(Watched(timetable: timetable)) }
    }

    func starts(_ reaction: StartingReaction) {
        // It has taken what it needs.
        if isOwnThread { present.hasActed = true }
        guard happenings != nil || isByHand else { return }
        let happening = Happening.reaction(definition: reaction.definition, inputs: reaction.inputs)
        lock.withLock {
            happenings?.append(happening)
            if isByHand, let name = happening.reaction { happened.append(name) }
        }
    }

    func takes(_ call: TakenCall) {
        // What escapes isn't followed.
        guard Interception.isDriving(self) else { return }
        if takenCalls.count == takenLimit {
            takenCalls.removeAll { !$0.isPending }
            takenLimit = max(64, 2 * takenCalls.count)
        }
        takenCalls.append(call)
    }

    /// The calls that reactions have taken, and that nobody will answer: nobody sleeps who might.
    var forgottenCalls: [String] { nextDeadline == nil ? takenCalls.compactMap(\.forgotten) : [] }

    func startsNot() {
        lock.withLock {
            if let place = happenings?.lastIndex(where: { $0.reaction != nil }) { happenings?.remove(at: place) }
            _ = happened.popLast()
        }
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
}
