public import ChemActors
import Synchronization
public import Testing

/// Runs `body` under many schedules, and fails the test if it fails under one of them.
///
/// ```swift
/// @Test func nobodyIsForgotten() async throws {
///     try await explore { machine in
///         let (put, take) = machine.define("box") { join in … }
///         async let taken = take()
///         put(1)
///         let number = try await taken
///         #expect(number == 1)
///     }
/// }
/// ```
///
/// Each run has a machine of its own, on which `Join.define` makes definitions, too, and a clock of its own, by which
/// calls time out, failed reactions are tried again and `MachineClock` sleeps: it jumps to the next deadline when there
/// is nothing else to do. Everything that `body` starts runs on one thread, one step after the other: a
/// reaction whose body is synchronous is one step, a task goes on to its next suspension.
///
/// A run fails if `body` throws, records an issue, or waits for what can't come. The test then fails once, with the
/// shortest schedule that was found and the last reactions that ran under it. Give its token to
/// ``Strategy/replay(_:)-(String)`` to run it again.
///
/// What runs elsewhere isn't under control: bodies on the main actor, `Task {}` and `Task.detached`, threads, other
/// machines and their scopes, and what sleeps by another clock. If a task comes back from there, the test fails and
/// says so; if nothing does for half a second, it counts as what can't come. What is injected from there isn't always
/// noticed, and such a test may be different each time.
///
/// - Parameters:
///   - strategy: Which schedules.
///   - timeMayPass: Whether a deadline may come at any step, as it may in reality. Otherwise time passes only when there
///     is nothing else to do.
///   - sourceLocation: Where a failure is reported.
///   - body: What is tested. It runs once for each schedule, so it must make all it needs.
/// - Throws: nothing of `body`. `CancellationError` if the task is cancelled.
nonisolated(nonsending) public func explore(
    _ strategy: Strategy = .deviations(),
    timeMayPass: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
) async throws {
    try await Exploration(strategy, timeMayPass: timeMayPass, body).run(reportingAt: sourceLocation)
}

/// One exploration.
struct Exploration {
    private let strategy: Strategy
    private let timeMayPass: Bool
    private let body: @Sendable (ChemicalMachine) async throws -> Void

    /// A run that takes more steps never ends.
    private static let stepLimit = 1_000_000
    /// How many seconds a run that is stuck waits for something that may have left its control. Only a run that fails
    /// waits so long.
    private static let patience = 0.5

    init(
        _ strategy: Strategy,
        timeMayPass: Bool,
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
    ) {
        self.strategy = strategy
        self.timeMayPass = timeMayPass
        self.body = body
    }

    /// Explores, and reports the first failure.
    nonisolated(nonsending) func run(reportingAt location: SourceLocation) async throws {
        var plan = Plan(strategy)
        while let script = plan.nextScript() {
            try Task.checkCancellation()
            let failure = await muted(script)
            if let failure {
                await report(failure, of: script, after: plan.runs, at: location)
                return
            }
            if case .replay(let schedule) = strategy.kind, schedule.fingerprint != script.schedule.fingerprint {
                Issue.record(
                    "'\(schedule)' is of another chemistry: \(difference(script)). What it showed may be mended, or not",
                    sourceLocation: location
                )
            }
            plan.learn(from: script)
        }
        if plan.isCutShort, case .exhaustive(let limit) = strategy.kind {
            Issue.record("there are more than \(limit) schedules", sourceLocation: location)
        }
    }

    private func difference(_ script: Script) -> String {
        script.impossible.map { "step \($0) doesn't offer that choice" } ?? "it has other choices at its steps"
    }

    // MARK: One run

    /// Why a run failed.
    enum Failure {
        case threw(any Error)
        case issues
        case stuck([String])
        case endless
        case escaped

        /// Whether both are of one kind. Then one can stand for the other.
        func isLike(_ other: Failure) -> Bool {
            switch (self, other) {
            case (.threw(let one), .threw(let other)): String(describing: one) == String(describing: other)
            case (.issues, .issues), (.stuck, .stuck), (.endless, .endless), (.escaped, .escaped): true
            default: false
            }
        }
    }

    /// A run whose issues aren't reported.
    nonisolated(nonsending) private func muted(_ script: Script, patience: Double = Self.patience) async -> Failure? {
        let hasIssues = Atomic(false)
        var failure: Failure?
        await withKnownIssue(isIntermittent: true) {
            failure = await perform(script, patience: patience).failure
        } matching: { _ in
            hasIssues.store(true, ordering: .relaxed)
            return true
        }
        return failure ?? (hasIssues.load(ordering: .relaxed) ? .issues : nil)
    }

    /// What came of `body`.
    private final class Ending: @unchecked Sendable {
        // Checked by hand: the driving thread alone touches it, unless something has escaped.
        var result: Result<Void, any Error>?
    }

    nonisolated(nonsending) private func perform(
        _ script: Script,
        patience: Double,
        keepsLog: Bool = false
    ) async -> (failure: Failure?, log: [String]) {
        let control = Control(script, timeMayPass: timeMayPass, keepsLog: keepsLog)
        var configuration = ChemicalMachine.Configuration(seed: 0, workerLimit: 64, patience: nil)
        configuration.control = control
        let machine = ChemicalMachine(configuration)
        let ending = Ending()
        let task = Task(executorPreference: control) { [body] in
            do {
                try await machine.asCurrent { try await body(machine) }
                ending.result = .success(())
            } catch {
                ending.result = .failure(error)
            }
        }
        var halt = control.drive(limit: Self.stepLimit) { ending.result != nil }
        while halt == .nothing, await control.waitForOthers(patience) {
            halt = control.drive(limit: Self.stepLimit) { ending.result != nil }
        }
        var failure: Failure?
        switch halt {
        case .over: if case .failure(let error) = ending.result { failure = .threw(error) }
        case .nothing: failure = .stuck(Self.lines(of: machine))
        case .limit: failure = .endless
        }
        // What is left ends: nothing of this run may remain.
        task.cancel()
        machine.deactivate()
        control.drain(limit: 10_000)
        if control.hasEscaped, failure == nil { failure = .escaped }
        return (failure, control.log ?? [])
    }

    /// Who waits, and for what.
    private static func lines(of machine: ChemicalMachine) -> [String] {
        machine.snapshot().flatMap { snapshot -> [String] in
            guard !snapshot.waitingCalls.isEmpty else { return [] }
            let calls = snapshot.waitingCalls.map {
                "\(snapshot.definition).\($0.molecule) waits, called at \($0.location)"
            }
            let reactions = snapshot.reactions.filter { reaction in
                snapshot.waitingCalls.contains { reaction.inputs.contains($0.molecule) } && !reaction.missing.isEmpty
            }
            return calls
                + reactions.map {
                    "  \($0.inputs.joined(separator: " & ")) lacks \($0.missing.joined(separator: ", "))"
                }
        }
    }

    // MARK: Reporting

    /// Finds a short schedule that fails in the same way, and reports it.
    nonisolated(nonsending) private func report(
        _ failure: Failure,
        of script: Script,
        after runs: Int,
        at location: SourceLocation
    ) async {
        // What is stuck has nothing elsewhere, or it would have come back before.
        let patience = if case .escaped = failure { Self.patience } else { 0.0 }
        let (script, failure) = await shortened(script, failure, patience)
        let schedule = script.schedule
        // Once more, and this time the issues are reported.
        let (_, log) = await perform(Script(.deviations(schedule.deviations)), patience: patience, keepsLog: true)
        var lines = ["\(Self.text(of: failure)), under schedule \(runs): \(schedule)"]
        if case .stuck(let who) = failure { lines += who.prefix(6) }
        lines += log.suffix(8).enumerated().map { "\(max(0, log.count - 8) + $0 + 1). \($1)" }
        Issue.record("\(lines.joined(separator: "\n"))", sourceLocation: location)
    }

    private static func text(of failure: Failure) -> String {
        switch failure {
        case .threw(let error): "it throws \(error)"
        case .issues: "it records an issue"
        case .stuck: "it waits for what can't come"
        case .endless: "it takes more than \(stepLimit) steps"
        case .escaped: "something runs where it isn't under control: on another thread, executor or actor"
        }
    }

    /// Leaves out deviations as long as it still fails.
    nonisolated(nonsending) private func shortened(
        _ script: Script,
        _ failure: Failure,
        _ patience: Double
    ) async -> (Script, Failure) {
        var (best, bestFailure) = (script, failure)
        var size = max(1, best.schedule.deviations.count / 2)
        var runs = 0
        while runs < 300 {
            var start = 0
            var hasChanged = false
            while start < best.schedule.deviations.count, runs < 300 {
                var deviations = best.schedule.deviations
                deviations.removeSubrange(start..<min(start + size, deviations.count))
                let candidate = Script(.deviations(deviations))
                runs += 1
                if let other = await muted(candidate, patience: patience), other.isLike(failure),
                    candidate.schedule.deviations.count < best.schedule.deviations.count
                {
                    (best, bestFailure) = (candidate, other)
                    hasChanged = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasChanged { break }
            if !hasChanged { size = max(1, size / 2) }
        }
        return (best, bestFailure)
    }
}
