import ChemBase
import Synchronization

/// Who decides in place of chance, the clock and the scheduler, so that what a machine does can be explored and
/// repeated. `ChemTesting` has one.
///
/// A machine that is controlled has an executor, too: that of the control. So its tasks are jobs of that executor, its
/// workers aren't tasks but steps, and its deadlines pass when the control lets them.
package protocol MachineControl: AnyObject, Sendable {
    /// It controls a machine from now on, which has just been made: the one that it was given to, or that of a scope.
    func controls(_ machine: ChemicalMachine)

    /// One of so many possibilities, of which there are two or more. Called in the soup: it must not use the machine.
    func choose(_ count: Int) -> Int

    /// The time.
    var now: ContinuousClock.Instant { get }

    /// `step` has to be taken, once. Called outside of the soup.
    func ready(_ step: MachineStep)

    /// A definition has ended its step, and wants to take the next one. Called in the soup: it must not use the
    /// machine.
    ///
    /// - Returns: whether it may do so at once, since nothing else could come in between.
    func goesOn() -> Bool

    /// A call is about to be refused, since its definition has ended, or a sleep, since its task is cancelled.
    ///
    /// - Returns: whether the task is to wait for ever instead. The run is over, and the task seems not to heed errors:
    ///   it would go on in one step without end.
    func forsakes() -> Bool

    /// `job` has to run, on behalf of `executor`: its task is to find itself there, and so needs no hop.
    func enqueue(_ job: UnownedJob, for executor: any TaskExecutor)

    /// The same, when so much time has passed by a clock of Swift's.
    func sleep(_ job: UnownedJob, for duration: Duration, on executor: any TaskExecutor)

    /// There are deadlines now in this timetable, until it is freed. Called once for each, and not in the soup.
    func watch(_ timetable: any Timetable)

    /// A reaction has taken a call that has no time limit and waited. Called in the soup: it must not use the machine.
    func takes(_ call: TakenCall)

    /// A reaction is about to start. Called in the soup: it must not use the machine.
    func starts(_ reaction: StartingReaction)

    /// The reaction that was about to start has found no copies that meet its condition. Called in the soup: it must
    /// not use the machine.
    func startsNot()

    /// Whether it wants to be told of messages.
    var followsMessages: Bool { get }

    /// Whether it may interrupt steps. That is so, or isn't, as long as it exists.
    var interrupts: Bool { get }

    /// Somebody is about to do something that others see, or a synchronous body has done so. Before it returns, they
    /// may do something, in threads of their own. Called outside of the soup, and of all locks.
    func mayInterrupt(_ place: PlaceOfInterruption)

    /// Runs `body`, in the middle of which nobody is interrupted.
    func undisturbed(_ body: () -> Void)

    /// Somebody injects or calls. Called outside of the soup.
    func sends(_ message: ControlledMessage)

    /// A body has thrown an error that no caller gets. Called outside of the soup.
    func fails(reaction: String, _ error: any Error)

    /// A definition has dissolved, with what it held. Called outside of the soup.
    func dissolves(_ definition: ObjectIdentifier, with residue: Residue)

    /// Whether it wants to be told of definitions.
    var surveys: Bool { get }

    /// A definition has been made, and its chemistry is fixed.
    func made(_ definition: ControlledDefinition)

    /// Somebody has to do with a definition now, besides injecting. May be called in the soup: it must not use the
    /// machine.
    func touches(_ definition: ObjectIdentifier, _ touch: Touch)

    /// There is something new now that several steps may have to do with, besides definitions.
    ///
    /// - Returns: its number, or nil if nobody wants to know.
    func newSharedObject() -> Int?

    /// Somebody has to do with the shared object of that number now.
    func touches(sharedObject number: Int, _ side: SharedSide)

    /// A definition has become quiet, and tells those who wait for that. Called outside of the soup.
    func tells(ofQuietOf definition: ObjectIdentifier, _ tell: () -> Void)
}

extension MachineControl {
    /// Somebody cancels tasks now, or what somebody does depends on whether a task is cancelled.
    package func touchesCancellation(_ part: PartInCancellation) {
        touches(sharedObject: SharedNumber.cancellation, part == .cancels ? .left : .right)
    }
}

/// What somebody has to do with the cancellation of tasks.
package enum PartInCancellation: Sendable {
    case cancels, asks
}

/// The shared objects that there are in every run, by their numbers.
package enum SharedNumber {
    /// Stands for all that are older than the run.
    package static let old = 0
    /// Who is cancelled.
    package static let cancellation = 1
    /// What is wired to graphs that aren't sealed yet.
    package static let wiring = 2
    /// The first number of another one.
    package static let first = 3
}

/// On which side of a shared object somebody does something. What is done on one side commutes with what else is done
/// there, and not with what is done on the other one.
package enum SharedSide: Sendable { case left, right, both }

/// Something that a machine has to do: one reaction of a definition, or a look whether one is possible.
package struct MachineStep: Sendable {
    let join: Join

    /// Identifies the definition as long as it exists.
    package var definition: ObjectIdentifier { ObjectIdentifier(join) }

    /// Whether it is no more than a look: nothing is possible.
    package var isLook: Bool {
        let entry = join.soup.enterAsCaller()
        let isLook = !entry.isPossible || entry.contents.life.phase != .running
        entry.leaveUnchanged()
        return isLook
    }

    /// The reactions that are possible, in the order in which they are offered for choice.
    package var possible: [Int] {
        let entry = join.soup.enterAsCaller()
        let matching = UnsafeBufferPointer(
            start: entry.contents.matching.possible,
            count: entry.contents.matching.possibleCount
        )
        let possible = matching.map { Int($0) }
        entry.leaveUnchanged()
        return possible
    }

    /// The name of the definition.
    package var name: String { join.name }

    /// The inputs of one of its reactions, as messages name them. Nil for the next attempt of a reaction that has
    /// failed.
    package func inputs(ofReaction index: Int) -> String? {
        let entry = join.soup.enter()
        let description = entry.soup.description(ofReaction: index)
        entry.leaveUnchanged()
        return description?.text
    }

    /// Takes the step, in the calling thread.
    package func take() { join.work() }

    /// Takes the step if it is no more than a look, wherever the calling thread is.
    package func takeLook() {
        join.soup.asNobody { join.work() }
    }
}

/// A reaction that is about to start. Only for the call that it comes with: it doesn't keep what it tells of.
package struct StartingReaction {
    unowned(unsafe) let join: Join
    let index: Int

    /// The name of the definition.
    package var definition: String { join.name }

    /// Its inputs, as messages name them. Nil for the next attempt of a reaction that has failed.
    package var inputs: String? { join.soup.description(ofReaction: index)?.text }
}

/// A call that a reaction has taken.
package struct TakenCall {
    private(set) weak var call: WaitingCall?

    /// Whether it may still be answered.
    package var isPending: Bool { call?.isSettled == false }
}

/// A thread that drives the run of a control: what runs there belongs to it, even if its task says nothing of a
/// machine, such as one that was detached, or was made by a synchronous body.
package enum DrivenThread {
    private static let machineOfThread = ThreadLocal()
    private static let hasBeen = Atomic(false)

    static var machine: ChemicalMachine? {
        guard hasBeen.load(ordering: .relaxed) else { return nil }
        return machineOfThread.pointer.map { Unmanaged<ChemicalMachine>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body`, which takes steps of `machine`.
    package static func with<Result>(_ machine: ChemicalMachine?, _ body: () -> Result) -> Result {
        hasBeen.store(true, ordering: .relaxed)
        defer { withExtendedLifetime(machine) {} }
        return machineOfThread.with(machine.map { Unmanaged.passUnretained($0).toOpaque() }, body)
    }
}

/// What has to happen at certain times.
package protocol Timetable: AnyObject, Sendable {
    /// When the next thing has to happen.
    var next: ContinuousClock.Instant? { get }

    /// Has everything happen whose time has come.
    func passDue()
}

extension ChemicalMachine {
    /// Tells a control, if there is one, what the current task has to do with the cancellation of tasks.
    package static func tellOfCancellation(_ part: PartInCancellation) {
        Join.currentMachine.control?.touchesCancellation(part)
    }

    /// Tells a control, if there is one, that the current task has to do with a shared object.
    package static func tell(ofShared number: Int, _ side: SharedSide) {
        Join.currentMachine.control?.touches(sharedObject: number, side)
    }

    /// Starts a task that is nobody's. If the machine is controlled, it has the task-local values of the current one
    /// all the same: by these a test learns of the issues that are recorded in it.
    @discardableResult
    func startTask(
        on executor: (any TaskExecutor)?,
        _ priority: TaskPriority?,
        _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        control == nil
            ? Task.detached(executorPreference: executor, priority: priority, operation: operation)
            : Task(executorPreference: executor, priority: priority, operation: operation)
    }
}
