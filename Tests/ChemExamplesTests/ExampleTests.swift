import ChemActors
import Synchronization
import TestSupport
import Testing

@testable import ChemExamples

/// A run that goes wrong is said to have gone wrong.
@Suite("Running an example", .endsInTime)
struct ExampleTests {
    struct Broken: Error {}

    private func outcome(
        _ body: @escaping @concurrent @Sendable (Stage, Screen, ChemicalMachine) async throws -> [Check]
    ) async -> Outcome {
        await Example("test", "a test", from: "here", body).run(on: Stage())
    }

    @Test func oneFailedCheckFailsTheExample() async {
        let outcome = await outcome { _, _, _ in [Check("a", holds: true), Check("b", holds: false)] }
        #expect(!outcome.holds)
        #expect(Report.lines(of: outcome).contains("  ✗ b"))
        #expect(Report.summary(of: [outcome]).last?.hasPrefix("1 examples, 2 checks: 1 FAILED;") == true)
    }

    @Test func checksThatHoldMakeAGoodExample() async {
        let outcome = await outcome { _, _, _ in [Check("a", holds: true)] }
        #expect(outcome.holds)
        #expect(Report.lines(of: outcome).contains("  ✓ a"))
        #expect(Report.summary(of: [outcome]).last?.hasPrefix("1 examples, 1 checks: all hold;") == true)
    }

    @Test func aRunCanBeRecorded() async throws {
        let philosophers = try #require(Gallery.example(named: "philosophers"))
        let recordings = Mutex<[Recording]>([])
        var stage = Stage(size: .small)
        stage.record = { recording in recordings.withLock { $0.append(recording) } }
        #expect(await philosophers.run(on: stage).holds)
        let first = recordings.withLock { $0.first }
        let recording = try #require(first)
        #expect(recording.definitions.contains { $0.name == "table" })
        #expect(recording.events.contains { $0.kind == .started && $0.sender == nil })
        #expect(recording.events.contains { $0.kind == .injected && $0.sender != nil })
    }

    @Test func anExampleThatChecksNothingFails() async {
        #expect(await !outcome { _, _, _ in [] }.holds)
    }

    @Test func anErrorFails() async {
        let outcome = await outcome { _, _, _ in throw Broken() }
        #expect(!outcome.holds)
        #expect(outcome.checks.first?.statement == "it ended with the error: Broken()")
    }

    @Test func aBodyThatThrowsFails() async {
        let outcome = await outcome { _, _, _ in
            let begin = Join.define("broken") { join in
                let begin = join.slow("begin")
                join.when(begin) { _ in throw Broken() }
                return begin
            }
            begin()
            return [Check("a", holds: true)]
        }
        #expect(!outcome.holds)
    }

    @Test func aMishapThatTheMachineReportsFails() async {
        let outcome = await outcome { _, _, _ in
            let ask = Join.define("forgetful") { join in
                let ask = join.fast("ask")
                join.when(ask) { _ in }
                return ask
            }
            try? await ask()
            return [Check("a", holds: true)]
        }
        #expect(!outcome.holds)
        #expect(outcome.checks.last?.statement.contains("'ask' ended without an answer") == true)
    }

    @Test func aCallThatNothingAnswersFailsInsteadOfWaitingForEver() async {
        let outcome = await outcome { _, _, _ in
            let begin = Join.define("stuck") { join in
                let begin = join.slow("begin")
                let key = join.slow("key")
                let open = join.fast("open")
                join.when(begin) { _ in try await open() }
                join.answer(open, with: key) { _, _ in }
                return begin
            }
            begin()
            return [Check("a", holds: true)]
        }
        #expect(!outcome.holds)
    }
}
