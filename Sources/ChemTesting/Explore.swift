public import ChemActors
import ChemBase
@_exported public import Exploring
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
/// is nothing else to do. Everything that `body` starts takes one step after the other: a reaction whose body is
/// synchronous is one step, a task goes on to its next suspension. Between two things that a step injects or calls,
/// others may come. It keeps the locks that it holds, so if another step waits for one of them, the test fails and says
/// so.
///
/// When `body` has returned, what can still happen without time passing happens. A run fails if `body` throws, if that
/// takes more than a million steps (20,000 in a search of all schedules), if an issue is recorded, which counts even if
/// `withKnownIssue` knows it, if `body` waits for what can't come, or if something is left behind that shouldn't be:
/// see ``Allowance``. The test then fails once, with the shortest schedule that was found and the last reactions that
/// ran under it. Give its token to ``Strategy/replay(_:)-(String)`` to run it again. A sequence diagram of Mermaid
/// shows who has sent what to whom: `swift test --attachments-path FOLDER` keeps it.
///
/// Tasks of their own, actors, task groups and scopes belong to the run, too, and on Linux so does who sleeps by a
/// clock of Swift's: `Task.sleep` takes no time.
///
/// What runs elsewhere isn't under control: bodies on the main actor, threads and queues, other machines, and an
/// actor's method that yields or sleeps for a task that `Task {}` has made. If a task comes back from there, the test
/// fails and says so; if nothing does for half a second, it counts as what can't come. What is injected from there
/// isn't always noticed, and such a test may be different each time.
///
/// - Parameters:
///   - strategy: Which schedules.
///   - timeMayPass: Whether a deadline may come at any step, as it may in reality. Otherwise time passes only when
///     there is nothing else to do.
///   - allowance: What `body` may leave behind.
///   - sourceLocation: Where a failure is reported.
///   - body: What is tested. It runs once for each schedule, so it must make all it needs.
/// - Returns: how many schedules it has run, and how many of them were different.
/// - Throws: nothing of `body`. `CancellationError` if the task is cancelled.
@discardableResult
nonisolated(nonsending) public func explore(
    _ strategy: Strategy = .mixed(),
    timeMayPass: Bool = false,
    allowing allowance: Allowance = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
) async throws -> ScheduleCoverage {
    try await Exploration(strategy, timeMayPass: timeMayPass, allowing: allowance, muting: mute, body)
        .report(at: sourceLocation)
}

/// Runs `body` once, on a machine whose reactions happen when it says so: see ``Lab``.
///
/// Everything that is said of ``explore(_:timeMayPass:allowing:sourceLocation:_:)`` holds here, too, except that
/// nothing happens by itself: tasks go on, reactions and time wait for the lab; and that anything may be left at the
/// end.
///
/// - Parameters:
///   - sourceLocation: Where it is reported if `body` waits for what can't come.
///   - body: The test.
/// - Throws: what `body` throws.
nonisolated(nonsending) public func withLab(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Lab) async throws -> Void
) async throws {
    if let problem = try await Exploration(byHand: body).runByHand() {
        Issue.record("\(problem)", sourceLocation: sourceLocation)
    }
}

/// Makes a run whose issues aren't reported.
@Sendable func mute(_ issues: Exploration.Issues, _ run: @escaping @Sendable @concurrent () async -> Void) async {
    let counting = IssueHandlingTrait.compactMapIssues { issue in
        // One that only warns doesn't fail a test. Known ones count: nobody can say whether `body` knows them, or the
        // test that shows what `explore` finds.
        if issue.severity >= .error {
            let place = issue.sourceLocation.map { " (\($0.fileID):\($0.line))" } ?? ""
            // That it is an error is clear.
            issues.add("\("\(issue)".replacing(" (error)", with: "", maxReplacements: 1))\(place)")
        }
        return nil
    }
    guard let test = Test.current else { return await run() }
    // It throws what `run` throws: nothing.
    try? await counting.provideScope(for: test, testCase: Test.Case.current, performing: run)
}

extension Exploration {
    /// Explores, and reports the first failure.
    @discardableResult
    nonisolated(nonsending) func report(at location: SourceLocation) async throws -> ScheduleCoverage {
        if let flaw {
            Issue.record("\(flaw)", sourceLocation: location)
            return ScheduleCoverage(runs: 0, different: 0, areAll: false)
        }
        let outcome = try await outcome { runs in
            Platform.writeToStandardError(
                "ChemTesting: \(runs) schedules so far, none has failed (\(location.fileID):\(location.line))\n"
            )
        }
        // The test itself was cancelled.
        try Task.checkCancellation()
        if let explanation = await explanation(of: outcome) {
            Issue.record("\(explanation.text)", sourceLocation: location)
            Attachment.record(explanation.diagram, named: "schedule.mmd", sourceLocation: location)
        } else if let (schedule, difference) = outcome.stale {
            let end = "What it showed may be mended, or not; or it was found with another 'timeMayPass'"
            Issue.record("'\(schedule)' is of another chemistry: \(difference). \(end)", sourceLocation: location)
        } else if let limit = outcome.exceededLimit {
            let hint =
                "take fewer tasks or calls, 'sharing: .molecules' if they share nothing else, or a strategy that takes "
                + "a sample, such as '.random(…)'; and wait for what may come rather than in a loop that yields"
            Issue.record("there are more than \(limit) schedules: \(hint)", sourceLocation: location)
        }
        return outcome.coverage
    }
}
