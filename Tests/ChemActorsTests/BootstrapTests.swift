import ChemActors
import Foundation
import TestSupport
import Testing

/// How the shared machine is told how to run. Each in a process of its own, since there is only one.
@Suite(.endsInTime)
struct BootstrapTests {
    struct Flaw: Error {}

    @Test func theSharedMachineRunsAsItIsTold() async {
        await #expect(processExitsWith: .exitCode(3)) {
            ChemicalMachine.bootstrap(
                ChemicalMachine.Configuration(
                    seed: 17,
                    reporter: { event in if case .failedReaction = event.kind { exit(3) } },
                    patience: nil,
                    recorder: .flight
                )
            )
            let fail = Join.define("failing") { join in
                let fail = join.slow("fail")
                join.when(fail) { _ in throw Flaw() }
                return fail
            }
            guard ChemicalMachine.shared.configuration.seed == 17 else { exit(4) }
            fail()
            try await ChemicalMachine.shared.quiescence()
            exit(5)
        }
    }

    @Test func afterwardsItIsTooLate() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = ChemicalMachine.shared.census()
                ChemicalMachine.bootstrap(ChemicalMachine.Configuration(), fileID: "App/Server.swift", line: 12)
            }
        )
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("App/Server.swift:12: Fatal error: ChemActors: bootstrap comes too late: the shared"))
        #expect(text.contains("machine is in use already (App/Server.swift:12)"))
    }

    @Test func twiceIsOnceTooOften() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                ChemicalMachine.bootstrap(ChemicalMachine.Configuration(), fileID: "App/Server.swift", line: 12)
                ChemicalMachine.bootstrap(ChemicalMachine.Configuration(), fileID: "App/Server.swift", line: 13)
            }
        )
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(
            text.contains(
                "App/Server.swift:13: Fatal error: ChemActors: bootstrap is called a second time, after App/Server.swift:12"
            )
        )
    }
}
