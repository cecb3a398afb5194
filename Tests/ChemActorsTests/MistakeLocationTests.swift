import ChemActors
import Foundation
import TestSupport
import Testing

/// What stops the program names the line of the program, not one of the library.
@Suite("A mistake that stops the program is reported at its line", .endsInTime)
struct MistakeLocationTests {
    private func expect(
        _ text: String,
        at line: Int,
        in result: ExitTest.Result?,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let place = "ChemActorsTests/MistakeLocationTests.swift:\(line)"
        #expect(
            output.contains("\(place): Fatal error: ChemActors: \(text)"),
            "\(output)",
            sourceLocation: sourceLocation
        )
    }

    @Test("A molecule of no definition")
    func propertyOutside() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SlowMolecule<Int>()
        }
        try expect("SlowMolecule<Int>() (", at: #line - 3, in: result)
    }

    private static let lineOfState = #line + 5

    private static func askForReaderLate() {
        var kept: StateMolecule<Int>?
        let next = Join.define("counter") { join in
            let count = join.state("count", 0)
            kept = count
            let next = join.slow("next")
            join.when(next, updating: count) { count, _ in count += 1 }
            return next
        }
        _ = kept?.reader
        next()
    }

    @Test("A reader that is asked for when the definition is there")
    func lateReader() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.askForReaderLate()
        }
        try expect("the reader of state 'counter.count' (", at: Self.lineOfState, in: result)
    }

    private static let lineOfReaction = #line + 5

    private static func changeReactionLate() {
        let (reaction, next) = Join.define("counter") { join in
            let next = join.slow("next")
            let reaction = join.when(next) { _ in }
            return (reaction, next)
        }
        reaction.mayCompete()
        next()
    }

    @Test("A reaction of which more is said when the definition is there")
    func lateReaction() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.changeReactionLate()
        }
        try expect("the reaction next (", at: Self.lineOfReaction, in: result)
    }

    @Test("A machine without patience")
    func patience() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ChemicalMachine.Configuration(patience: .zero)
        }
        try expect("the patience of a machine (", at: #line - 3, in: result)
    }

    @Test("A machine without workers")
    func workerLimit() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ChemicalMachine.Configuration(workerLimit: 0)
        }
        try expect("a machine (", at: #line - 3, in: result)
    }

    @Test("Numbers of a configuration that is changed later")
    func changedConfiguration() async throws {
        let workers = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var configuration = ChemicalMachine.Configuration()
            configuration.workerLimit = 0
        }
        let patience = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var configuration = ChemicalMachine.Configuration()
            configuration.patience = .zero
        }
        for (result, text) in [(workers, "at least 1, not 0"), (patience, "more than zero, not 0.0 seconds")] {
            let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(output.contains(text), "\(output)")
        }
    }
}
