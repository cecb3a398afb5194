package import ChemActors
import ChemBase
import Synchronization

/// Runs the body of a test under many schedules.
package struct Exploration {
    let strategy: Strategy
    private let timeMayPass: Bool
    private let allowance: Allowance
    private let body: @Sendable (ChemicalMachine) async throws -> Void

    /// A run that takes more steps never ends.
    var stepLimit: Int
    /// How many seconds a run that is stuck waits for something that may have left its control. Only a run that fails
    /// waits so long.
    static let patience = 0.5
    /// How many seconds a step may take while another one is interrupted, before it counts as waiting for its lock.
    package var lockPatience = 10.0
    /// Whether no step is interrupted in any schedule.
    package var hasWholeSteps = false

    /// Counts what went wrong in a run besides errors.
    package final class Issues: Sendable {
        private let texts = Mutex<[String]>([])

        package init() {}

        /// - Parameter text: What is wrong, in one line or several.
        package func add(_ text: String) { texts.withLock { $0.append(text) } }

        fileprivate var all: [String] { texts.withLock { $0 } }
    }

    /// Makes a run so that its issues are counted, and nobody else is told of them.
    package typealias Muting =
        @Sendable (_ issues: Issues, _ run: @escaping @Sendable @concurrent () async -> Void) async -> Void

    static let mostStepsToCompare = 20_000

    private let muting: Muting
    /// The body of a test that says what happens.
    private var byHand: (@Sendable (Lab) async throws -> Void)?

    package init(
        _ strategy: Strategy,
        timeMayPass: Bool = false,
        allowing allowance: Allowance = [],
        stepLimit: Int = 1_000_000,
        muting: @escaping Muting = { _, run in await run() },
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
    ) {
        self.strategy = strategy
        self.timeMayPass = timeMayPass
        self.allowance = allowance
        self.stepLimit = stepLimit
        self.muting = muting
        self.body = body
    }

    /// An exploration of the one schedule that `body` asks for.
    package init(byHand body: @escaping @Sendable (Lab) async throws -> Void) {
        self.init(.once, allowing: .everything) { _ in }
        byHand = body
    }

    /// Runs that schedule.
    ///
    /// - Returns: what is wrong, if it isn't an error of `body`.
    /// - Throws: what `body` throws.
    nonisolated(nonsending) package func runByHand() async throws -> String? {
        let (failure, happenings) = await perform(Script(.canonical), patience: Self.patience, keepsLog: true)
        switch failure {
        case nil: return nil
        case .threw(let error): throw error
        case .some(let failure):
            var lines = ["\(text(of: failure))"]
            switch failure {
            case .stuck(let who), .unperformed(let who): lines += who.prefix(6)
            default: break
            }
            return (lines + Self.end(of: happenings)).joined(separator: "\n")
        }
    }

    /// The last reactions, numbered, and where time has passed before them.
    ///
    /// - Parameters:
    ///   - happenings: All that has happened.
    ///   - limit: How many lines it takes at most.
    ///   - whole: Where all of them are, if they are too many.
    /// - Returns: the lines.
    static func end(of happenings: [Happening], limit: Int = 8, whole: String? = nil) -> [String] {
        var lines: [String] = []
        var reactions = 0
        for happening in happenings {
            if let reaction = happening.reaction {
                reactions += 1
                lines.append("\(reactions). \(reaction)")
            } else if case .time(let duration) = happening {
                lines.append("   time passes, \(duration.spoken)")
            }
        }
        if lines.count <= limit { return lines }
        let last = lines.suffix(limit - 1)
        return ["  … \(lines.count - last.count) before\(whole.map { ": \($0)" } ?? "")"] + last
    }

    /// What came of an exploration.
    package struct Outcome {
        /// How many schedules were run, and how many of them were different.
        package let coverage: ScheduleCoverage
        /// How many schedules were wanted at most, if there are more.
        package let exceededLimit: Int?
        /// The first run that failed.
        let failed: (script: Script, failure: Failure)?
        /// The schedule that was to be replayed, if it is of another chemistry, and how that shows.
        package let stale: (schedule: Schedule, difference: String)?

        package var runs: Int { coverage.runs }

        /// Whether there are more schedules than were wanted.
        package var isCutShort: Bool { exceededLimit != nil }

        /// Whether a run has failed.
        package var hasFailed: Bool { failed != nil }
    }

    /// Why it explores nothing, if its strategy is none.
    package var flaw: String? { if case .flawed(let text) = strategy.kind { text } else { nil } }

    /// Explores until a run fails. Whoever waits for long hears every ten seconds how many schedules there were so far.
    nonisolated(nonsending) package func outcome(
        tellingEvery interval: Duration = .seconds(10),
        _ tell: (_ runs: Int) -> Void = { _ in }
    ) async throws -> Outcome {
        var plan = Plan(strategy, hasWholeSteps: hasWholeSteps)
        var failed: (script: Script, failure: Failure)?
        var stale: (schedule: Schedule, difference: String)?
        // Of a sample, which schedules there were: their hash values, since they may be millions.
        var seen: Set<Int> = []
        let isExhaustive = strategy.isExhaustive
        var last = ContinuousClock.now
        while failed == nil, let script = plan.nextScript() {
            try Task.checkCancellation()
            // Explorations would keep all threads of Swift's pool to themselves, and nobody could cancel them.
            if plan.runs % 64 == 63 { await Task.yield() }
            if let failure = await muted(script) {
                failed = (script, failure)
            } else if case let now = ContinuousClock.now, now - last > interval {
                tell(plan.runs)
                last = now
            }
            if case .replay(let schedule) = strategy.kind, schedule.fingerprint != script.schedule.fingerprint {
                stale = (schedule, difference(script))
            }
            // An exhaustive search runs none twice.
            if !isExhaustive { seen.insert(script.choicesHash) }
            // What has failed may have taken more steps than there is time to compare.
            if failed == nil { plan.learn(from: script) }
        }
        let coverage = ScheduleCoverage(
            runs: plan.runs,
            different: isExhaustive ? plan.runs : seen.count,
            areAll: isExhaustive && failed == nil && plan.exceededLimit == nil
        )
        return Outcome(coverage: coverage, exceededLimit: plan.exceededLimit, failed: failed, stale: stale)
    }

    private func difference(_ script: Script) -> String {
        script.impossible.map { "step \($0) doesn't offer that choice" } ?? "it has other choices at its steps"
    }

    // MARK: One run

    /// A run whose issues aren't reported.
    nonisolated(nonsending) func muted(_ script: Script, patience: Double = Self.patience) async -> Failure? {
        let issues = Issues()
        let run = Run(script)
        await muting(issues) { run.failure = await perform(run.script, patience: patience, issues).failure }
        return run.failure
    }

    /// Takes a script to where it is run, and what came of it back.
    private final class Run: @unchecked Sendable {
        // Checked by hand: whoever waits for the run doesn't touch it meanwhile.
        let script: Script
        var failure: Failure?

        init(_ script: Script) {
            self.script = script
        }
    }

    /// What came of `body`.
    private final class Ending: @unchecked Sendable {
        // Checked by hand: the driving thread alone touches it, unless something has escaped.
        var result: Result<Void, any Error>?
    }

    nonisolated(nonsending) func perform(
        _ script: Script,
        patience: Double,
        _ issues: Issues? = nil,
        keepsLog: Bool = false
    ) async -> (failure: Failure?, happenings: [Happening]) {
        let control = Control(
            script,
            timeMayPass: timeMayPass,
            lockPatience: lockPatience,
            keepsLog: keepsLog,
            isByHand: byHand != nil
        )
        let machine = makeMachine(control, keepsLog: keepsLog)
        let (task, ending) = start(on: machine, control)
        let limit = limit(of: script)
        var halt = control.drive(limit: limit)
        while halt == .nothing, await control.waitForOthers(patience) {
            halt = control.drive(limit: limit)
        }
        if halt == .over, case let last = control.finish(limit: limit),
            // A run that is given up, since another one has been the same, hasn't come to what would be left at its
            // end.
            last == .limit || last == .blocked || last == .repetition
        {
            halt = last
        }
        var failure = failure(halt, ending, control, limit)
        if failure == nil, script.hasChanged { failure = .unrepeatable }
        // What comes later is of what is made to end here.
        if failure.map(\.isRecorded) ?? true, let texts = issues?.all, !texts.isEmpty { failure = .issues(texts) }
        if failure == nil, control.hasEscaped { failure = .escaped }
        if failure == nil, halt == .over { failure = fault(control, machine) }
        let happenings = control.happenings ?? []
        switch halt {
        case .nothing where byHand == nil, .limit:
            // Its tasks are given up as they are. They might not end, and what they did now would be no part of it.
            break
        default:
            // Nothing of this run may remain.
            // It may take as many steps as there were, for instance to refuse all who wait.
            control.drain(limit: max(10_000, 4 * control.steps)) {
                task.cancel()
                machine.deactivate()
            }
        }
        if failure == nil, halt == .over, !allowance.contains(.leakedDefinitions) {
            let leaked = machine.undissolved
            if !leaked.isEmpty { failure = .leaked(leaked) }
        }
        control.end()
        return (failure, happenings)
    }

    /// How many steps a run may take. A search that leaves out schedules keeps in mind what each step has touched, and
    /// compares each with all before it.
    private func limit(of script: Script) -> Int {
        script.reduction == nil ? stepLimit : min(stepLimit, Self.mostStepsToCompare)
    }

    private func makeMachine(_ control: Control, keepsLog: Bool) -> ChemicalMachine {
        var configuration = ChemicalMachine.Configuration(seed: 0, workerLimit: 64, patience: nil)
        configuration.control = control
        configuration.reporter = { control.report($0) }
        // Then a report can say who has taken a call.
        if keepsLog, !configuration.recorder.isOn { configuration.recorder = .flight }
        return ChemicalMachine(configuration)
    }

    /// Has the body run as a task that is driven by `control`.
    private func start(on machine: ChemicalMachine, _ control: Control) -> (Task<Void, Never>, Ending) {
        let ending = Ending()
        let task = Task(executorPreference: control) { [body, byHand] in
            do {
                try await machine.asCurrent {
                    if let byHand { try await byHand(Lab(machine, control)) } else { try await body(machine) }
                }
                ending.result = .success(())
            } catch {
                ending.result = .failure(error)
            }
            control.isTestOver = true
        }
        return (task, ending)
    }

    /// What the end of the steps says.
    private func failure(_ halt: Control.Halt, _ ending: Ending, _ control: Control, _ limit: Int) -> Failure? {
        switch halt {
        case .repetition: return nil
        case .over: if case .failure(let error) = ending.result { return .threw(error) } else { return nil }
        case .limit: return .endless(limit: limit)
        case .blocked: return .blocked
        case .nothing:
            var lines = control.machines.flatMap { $0.explainStuck().lines }
            let possible = control.possible
            if lines.isEmpty, possible.isEmpty, byHand == nil, control.nextDeadline == nil {
                lines = ["a task waits for something that is no part of the run"]
            }
            return possible.isEmpty
                ? .stuck(lines)
                : .unperformed(
                    lines.filter { !$0.hasPrefix(" ") } + ["possible: \(possible.joined(separator: ", "))"]
                )
        }
    }

    /// What is wrong though the body has ended well.
    private func fault(_ control: Control, _ machine: ChemicalMachine) -> Failure? {
        if !allowance.contains(.mishaps), let mishap = control.mishaps.first { return .mishap(mishap) }
        var residue = control.residue
        // Whoever called a definition that has dissolved was told.
        (residue.calls, residue.lacks) = ([], residue.molecules.isEmpty ? [] : residue.lacks)
        residue += machine.residue
        let lines =
            residue.unbalanced + (allowance.contains(.waitingCalls) ? [] : residue.calls + control.forgottenCalls)
            + (allowance.contains(.unconsumedMolecules) ? [] : residue.molecules)
        return lines.isEmpty ? nil : .leftOver(lines + residue.lacks)
    }
}
