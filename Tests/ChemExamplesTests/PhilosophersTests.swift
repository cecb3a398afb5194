import ChemActors
import TestSupport
import Testing

@testable import ChemExamples

/// The dining philosophers start, stop and start again, and it is exactly so.
@Suite("Dining philosophers", .endsInTime)
struct PhilosophersTests {
    private func machine(seed: UInt64) -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(seed: seed))
    }

    private func dinner(
        on machine: ChemicalMachine,
        philosophers: Int = 5,
        goal: Int = 2,
        show: @escaping @MainActor @Sendable (Change) -> Void = { _ in }
    ) -> Dinner {
        machine.define("tests") { _ in
            Dinner(philosophers: philosophers, atLeast: goal, pace: .none, show: show)
        }
    }

    private func tables(_ machine: ChemicalMachine) -> [String] {
        machine.snapshot().filter { $0.definition == "table" }.map(\.phase.rawValue)
    }

    @Test func fiveOfThemHaveTheReactionsOfDinPhil5() async throws {
        let dinner = dinner(on: machine(seed: 7))
        let seating = try await dinner.start()
        // Those of a bounded molecule itself aside.
        let reactions = seating.definition.snapshot().reactions.map(\.inputs).filter { !$0.contains("state.inject") }
        let places = [("A", "EA", "AB"), ("B", "AB", "BC"), ("C", "BC", "CD"), ("D", "CD", "DE"), ("E", "DE", "EA")]
        for (name, left, right) in places {
            #expect(reactions.count { $0 == ["thinking\(name)"] } == 1)
            #expect(reactions.count { $0 == ["hungry\(name)", "fork\(left)", "fork\(right)"] } == 1)
        }
        #expect(reactions.count { $0 == ["state", "screen"] } == 1)
        #expect(reactions.count == 11)
        try await dinner.stop()
    }

    @Test func afterAStopNothingRunsAndNothingStartsAgainUnder100Seeds() async throws {
        for seed in 0..<100 as Range<UInt64> {
            let machine = machine(seed: seed)
            let dinner = dinner(on: machine)
            let seating = try await dinner.start()
            try await seating.witness.completed()
            try await dinner.stop()
            let stopped = seating.definition.statistics
            #expect(stopped.running == 0, "seed \(seed)")
            #expect(stopped.isBalanced, "seed \(seed)")
            try await machine.quiescence()
            #expect(seating.definition.statistics.started == stopped.started, "seed \(seed)")
            let ledger = try await seating.witness.account()
            for check in ledger.checks { #expect(check.holds, "seed \(seed): \(check.statement)") }
            #expect(ledger.isOver, "seed \(seed)")
        }
    }

    @Test func oneDefinitionLivesAfterEachOf20Restarts() async throws {
        let machine = machine(seed: 1)
        let dinner = dinner(on: machine)
        #expect(tables(machine).isEmpty)
        let end = ContinuousClock.now + .seconds(600)
        for round in 1...20 {
            let seating = try await dinner.start()
            // The table before is gone as soon as its last worker has left it.
            while tables(machine).count > 1 {
                try #require(ContinuousClock.now < end, "round \(round)")
                await Task.yield()
            }
            #expect(tables(machine) == ["running"], "round \(round)")
            try await seating.witness.completed()
            try await dinner.stop()
            #expect(!tables(machine).contains("running"), "round \(round)")
        }
    }

    @Test func aRestartIsAFreshDinner() async throws {
        let machine = machine(seed: 2)
        let dinner = dinner(on: machine, goal: 50)
        let first = try await dinner.start()
        try await first.witness.completed()
        try await dinner.stop()
        try await machine.quiescence()
        let before = try await first.witness.account().meals

        let second = try await dinner.start()
        #expect(first.definition !== second.definition)
        try await second.witness.completed()
        try await dinner.stop()
        try await machine.quiescence()
        #expect(try await first.witness.account().meals == before)
        #expect(try await second.witness.account().meals.allSatisfy { $0 >= 50 })
    }

    @Test func aStartWaitsWhileADinnerIsOnAndAStopWhileNoneIs() async throws {
        let dinner = dinner(on: machine(seed: 3))
        await #expect { try await dinner.stop(within: .zero) } throws: { ($0 as? CallError)?.code == .timedOut }
        let seating = try await dinner.start()
        await #expect { try await dinner.start(within: .zero) } throws: { ($0 as? CallError)?.code == .timedOut }
        try await seating.witness.completed()
        try await dinner.stop()
        await #expect { try await dinner.stop(within: .zero) } throws: { ($0 as? CallError)?.code == .timedOut }
    }

    @Test func startsAndStopsOfManyTasksComeInTurnsUnder20Seeds() async throws {
        for seed in 0..<20 as Range<UInt64> {
            let machine = machine(seed: seed)
            let dinner = dinner(on: machine)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        _ = try await dinner.start()
                        #expect(tables(machine).count { $0 == "running" } <= 1, "seed \(seed)")
                    }
                    group.addTask {
                        try await dinner.stop()
                        #expect(tables(machine).count { $0 == "running" } <= 1, "seed \(seed)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(!tables(machine).contains("running"), "seed \(seed)")
        }
    }

    @Test func aCancelledStartLeavesTheTableToTheNextOne() async throws {
        let machine = machine(seed: 4)
        let dinner = dinner(on: machine)
        _ = try await dinner.start()
        for _ in 0..<50 {
            let waiting = Task { try await dinner.start() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try await dinner.stop()
        #expect(!tables(machine).contains("running"))
        _ = try await dinner.start()
        #expect(tables(machine).contains("running"))
        try await dinner.stop()
    }

    @Test(arguments: [2, 3, 4, 7, 30])
    func anyNumberOfThemDines(count: Int) async throws {
        let machine = machine(seed: 5)
        let dinner = dinner(on: machine, philosophers: count)
        let seating = try await dinner.start()
        try await seating.witness.completed()
        try await dinner.stop()
        try await machine.quiescence()
        for check in try await seating.witness.account().checks { #expect(check.holds, "\(check.statement)") }
    }

    @Test func theStateIsShownOnTheMainActorAndEachActivityIsSeen() async throws {
        let shown = Shared<[Change]>([])
        let machine = machine(seed: 6)
        let dinner = dinner(on: machine, goal: 5) { change in
            MainActor.preconditionIsolated()
            shown.update { $0.append(change) }
        }
        let seating = try await dinner.start()
        try await seating.witness.completed()
        // The main actor may lag behind, and what it hasn't shown is dropped by the stop. So wait until it has shown
        // something of everybody.
        func hasShown(_ seat: Int, in all: [Change]) -> Bool {
            all.contains { $0.seat == seat && $0.activity == .eats }
        }
        while true {
            let all = shown.value
            if (0..<5).allSatisfy({ hasShown($0, in: all) }) { break }
            await Task.yield()
        }
        try await dinner.stop()
        let all = shown.value
        for seat in 0..<5 {
            for activity in [Change.Activity.thinks, .isHungry, .eats] {
                #expect(all.contains { $0.seat == seat && $0.activity == activity })
            }
        }
        try await machine.quiescence()
        #expect(shown.value.count == all.count)
    }
}
