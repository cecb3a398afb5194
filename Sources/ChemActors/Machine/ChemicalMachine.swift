import ChemBase
import Synchronization

/// What join definitions run on: the seed of their random choices, the executor of their bodies, and the reporter of
/// mishaps.
///
/// ``shared`` serves every definition that names no other machine. A machine of your own makes a test repeatable:
///
/// ```swift
/// let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: 42))
/// let increment = machine.define("counter") { join in … }
/// ```
public final class ChemicalMachine: Sendable {
    /// The machine of all definitions that are made by `Join.define` outside of another machine's bodies. A program
    /// says by ``bootstrap(_:fileID:line:)`` how it runs.
    public static let shared = ChemicalMachine(Bootstrap.shared.withLock { $0.take() })

    /// How a machine runs.
    public struct Configuration: Sendable {
        /// The seed of all random choices. Each definition derives its own from this seed and from its ordinal among
        /// the definitions of the machine.
        public var seed: UInt64
        /// How many workers of one definition may run bodies at once, at least 1. Bodies that have suspended don't
        /// count.
        public var workerLimit: Int { didSet { Self.check(workerLimit: workerLimit, "") } }
        /// Where workers and bodies run, or nil for the global pool.
        ///
        /// With an executor, nothing depends on the clock or on other threads: calls are not answered in the calling
        /// task and the lengths of bodies are not measured. On a serial executor equal seeds give equal runs.
        public var executor: (any TaskExecutor)?
        /// The priority of the bodies' tasks, or nil for the default.
        public var priority: TaskPriority?
        /// Receives the events that a user would otherwise miss. Called outside of all locks, on the thread where it
        /// happened.
        public var reporter: @Sendable (ChemicalEvent) -> Void
        /// How long a call may wait before it is reported, once, with what it lacks; and how long a definition may keep
        /// itself busy, with nothing from outside, before that is reported. For a call with a limit that time begins
        /// when the limit is over, and a reaction has taken the call. Nil for never, which is the default in release
        /// builds. In debug builds it is ten seconds. On a machine with an executor, calls aren't reported.
        public var patience: Duration? { didSet { Self.check(patience: patience, "") } }
        /// What the machine writes down about its definitions.
        public var recorder: EventRecorder
        /// Who decides in place of chance, the clock and the scheduler. It brings an executor.
        package var control: (any MachineControl & TaskExecutor)? {
            didSet { executor = control }
        }

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - seed: The seed of all random choices. Random by default.
        ///   - workerLimit: How many workers of one definition may run at once, at least 1. By default the number of
        ///     cores, and at least 2.
        ///   - executor: Where workers and bodies run. The global pool by default.
        ///   - priority: The priority of the bodies' tasks.
        ///   - reporter: Receives the events that a user would otherwise miss. Writes a line to standard error by
        ///     default.
        ///   - patience: How long a call may wait, more than zero, before it is reported. Nil for never.
        ///   - recorder: What the machine writes down about its definitions. Nothing by default, or what the
        ///     environment variable `CHEMACTORS_RECORDER` says.
        ///   - fileID: The file, for messages.
        ///   - line: The line, for messages.
        public init(
            seed: UInt64 = .random(in: .min ... .max),
            workerLimit: Int = max(2, Configuration.coreCount),
            executor: (any TaskExecutor)? = nil,
            priority: TaskPriority? = nil,
            reporter: @escaping @Sendable (ChemicalEvent) -> Void = ChemicalEvent.printToStandardError,
            patience: Duration? = Configuration.defaultPatience,
            recorder: EventRecorder = .ofEnvironment,
            fileID: StaticString = #fileID,
            line: UInt = #line
        ) {
            Self.check(patience: patience, " (\(fileID):\(line))", fileID, line)
            Self.check(workerLimit: workerLimit, " (\(fileID):\(line))", fileID, line)
            self.seed = seed
            self.workerLimit = workerLimit
            self.executor = executor
            self.priority = priority
            self.reporter = reporter
            self.patience = patience
            self.recorder = recorder
        }

        private static func check(
            patience: Duration?,
            _ place: String,
            _ fileID: StaticString = #fileID,
            _ line: UInt = #line
        ) {
            guard let patience, patience <= .zero else { return }
            fatalError(
                "ChemActors: the patience of a machine\(place) has to be more than zero, not \(patience)",
                file: fileID,
                line: line
            )
        }

        private static func check(
            workerLimit: Int,
            _ place: String,
            _ fileID: StaticString = #fileID,
            _ line: UInt = #line
        ) {
            if workerLimit >= 1 { return }
            fatalError(
                "ChemActors: a machine\(place) needs a worker limit of at least 1, not \(workerLimit)",
                file: fileID,
                line: line
            )
        }

        /// Ten seconds in debug builds, never in release builds.
        public static var defaultPatience: Duration? {
            #if DEBUG
                .seconds(10)
            #else
                nil
            #endif
        }

        /// The number of cores that are online.
        public static let coreCount: Int = Platform.coreCount
    }

    /// How this machine runs.
    public let configuration: Configuration
    /// The scope of `withChemicalMachine` that the machine belongs to.
    let scope: MachineScope?
    /// The machine of the scope in which the current task runs.
    @TaskLocal static var surrounding: Entry?

    /// A scope's machine, and the body in which the scope was entered.
    struct Entry: Sendable {
        let machine: ChemicalMachine
        let body: BodyScope?

        init(_ machine: ChemicalMachine) {
            self.machine = machine
            body = BodyScope.current
        }
    }

    private let ordinal = Atomic<UInt64>(0)
    private let tickets = Atomic<UInt64>(0)
    /// How many definitions were observed, on all machines: bodies of one inject into definitions of another.
    private static let observed = Atomic<UInt32>(0)
    private let registry = Registry()
    /// What has to happen at a certain time.
    let deadlines: Deadlines
    /// What was recorded of definitions that have dissolved.
    let archive: Archive
    /// What definitions have done that have dissolved.
    let dissolved = DissolvedTally()
    /// The calls that are to be reported because they wait for long.
    let longWaits = LongWaits()
    /// Who decides what happens, if the machine is controlled.
    let control: (any MachineControl)?
    /// Makes the choices, if the machine is controlled.
    let chooser: Chooser?

    /// Creates a machine of your own.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, scope: nil)
    }

    /// Creates a machine, of a scope if one is given.
    init(_ configuration: Configuration, scope: MachineScope?) {
        self.configuration = configuration
        isTimed = configuration.executor == nil
        isPlain = isTimed && configuration.priority == nil && scope == nil
        ordinary = Urgency(configuration.priority ?? .medium)
        self.scope = scope
        deadlines = Deadlines(on: configuration.executor, configuration.control)
        archive = Archive(configuration.recorder)
        control = configuration.control
        chooser = control.map { control in Chooser { control.choose($0) } }
        control?.controls(self)
    }

    /// How many are ending everything here, because their `run()` was cancelled.
    let ending = Atomic<Int>(0)

    /// Whether nothing may start any more. Definitions made from now on are deactivated from the start.
    var hasEnded: Bool { ending.load(ordering: .acquiring) != 0 || scope?.hasEnded == true }

    /// Answers the calls of a scope if it could not end otherwise.
    @inline(__always)
    func checkForDeadlock() {
        if let scope { scope.checkForDeadlock(self) }
    }

    /// What its tasks have that nobody lifts.
    let ordinary: Urgency

    /// Whether the lengths of bodies are measured. A machine with an executor is driven by nothing else.
    let isTimed: Bool

    /// Whether workers and bodies run on the pool, outside of scopes, without a priority of their own.
    let isPlain: Bool

    /// How many time-outs, back-offs and sleepers wait for their time. For tests.
    package var pendingDeadlines: Int { deadlines.count }

    /// The seed of the next definition.
    func nextSeed() -> UInt64 {
        let ordinal = self.ordinal.add(1, ordering: .relaxed).newValue
        var generator = SeededGenerator(seed: configuration.seed ^ (ordinal &* 0x9e37_79b9_7f4a_7c15))
        return generator.next()
    }

    /// Whether somebody wants to know who injects what in its definitions.
    var isObserved: Bool { control != nil || configuration.recorder.isOn }

    /// What is to be seen of a definition of this name. A control that doesn't record asks for messages only, and runs
    /// thousands of definitions.
    func makeObservation(of name: String) -> Observation? {
        guard configuration.recorder.isOn else { return nil }
        let number = Self.observed.add(1, ordering: .relaxed).newValue
        return Observation(number: number, of: name, configuration.recorder, control)
    }

    func nextTicket() -> UInt64 {
        tickets.add(1, ordering: .relaxed).newValue
    }

    /// The definitions that have not dissolved, oldest last.
    var definitions: [Join] { registry.all }

    func add(_ join: Join) { registry.add(join) }

    func remove(_ join: Join) { registry.remove(join) }
}

/// The live definitions of a machine, as a list linked through the definitions themselves. It keeps none of them alive.
///
/// A definition takes itself out while it dissolves, so it exists as long as it is in the list.
private final class Registry: Sendable {
    private struct List {
        unowned(unsafe) var first: Join?
    }

    private let list = Guarded(List())

    func add(_ join: Join) {
        list.withLock { list in
            join.links.next = list.first
            list.first?.links.previous = join
            list.first = join
        }
    }

    func remove(_ join: Join) {
        list.withLock { list in
            let links = join.links
            if let previous = links.previous { previous.links.next = links.next } else { list.first = links.next }
            links.next?.links.previous = links.previous
            join.links = Join.Links()
        }
    }

    var all: [Join] {
        list.withLock { list in
            var result: [Join] = []
            var next = list.first
            while let join = next {
                result.append(join)
                next = join.links.next
            }
            return result
        }
    }
}
