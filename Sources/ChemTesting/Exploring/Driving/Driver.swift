import ChemBase

/// A thread that takes steps when it is its turn.
///
/// There is one that leads: that of the test. If it, or another one, is interrupted in the middle of a step, a helper
/// goes on in its place.
class Driver: @unchecked Sendable {
    // Checked by hand: whoever has the turn touches it, and passes it on by `Turn`.
    /// What it waits for.
    var turn: Turn {
        guard let ownTurn else { preconditionFailure("ChemTesting: a driver waits that isn't prepared") }
        return ownTurn
    }
    private var ownTurn: Turn?
    /// What it has to do first when it gets the turn.
    var next: Control.Next?
    /// The step that it was interrupted in.
    var rest: Rest?
    /// Whether it goes on without having the turn: it may hold a lock that who has it waits for.
    var hasLostTurn = false

    /// Called before others know of it: most runs have one driver, which never waits.
    func prepareToWait() { if ownTurn == nil { ownTurn = Turn() } }
}

/// The rest of a step that was interrupted.
final class Rest: @unchecked Sendable {
    // Checked by hand: as for `Driver`.
    let driver: Driver
    /// The number of the definition whose body it is, if a search wants to know.
    let definition: Int?
    /// How many steps the run had when it last looked.
    var seen = -1

    init(of driver: Driver, definition: Int?) {
        self.driver = driver
        self.definition = definition
    }
}

/// A driver with a thread from a pool. Its steps run in a task that was made where the test's was, so bodies find the
/// same values of the task.
final class Helper: Driver, TaskExecutor, @unchecked Sendable {
    // Checked by hand: as for `Driver`.
    private var job: UnownedJob?
    private var thread: DrivingThread?
    private(set) var isDismissed = false

    /// Makes one, which waits. Called in the test's task, or in another helper's.
    init(for control: Control) {
        super.init()
        prepareToWait()
        Task(executorPreference: self) { control.help(as: self) }
    }

    /// Takes its only job.
    func enqueue(_ job: UnownedJob) { self.job = job }

    /// Waits for its turn, in a thread of its own.
    func begin() {
        thread = DrivingThread.run { [self] in work() }
    }

    /// It isn't needed any more.
    func dismiss() {
        isDismissed = true
        thread?.release()
        turn.give()
        if thread == nil { work() }
    }

    private func work() { job.take()?.runSynchronously(on: asUnownedTaskExecutor()) }
}
