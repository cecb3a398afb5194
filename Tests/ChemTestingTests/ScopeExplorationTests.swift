import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization
import TestSupport
import Testing

@testable import Exploring

@Suite("Scopes and the recipes that are made of them, explored", .endsInTime)
struct ScopeExplorationTests {
    private struct Broken: Error {}

    /// Who begins after something has failed. Nothing of it is a place of interruption, so a failure and the end that
    /// it brings are one step.
    private final class Marks: Sendable {
        private let hasFailed = Atomic(false)
        private let number = Atomic(0)

        var late: Int { number.load(ordering: .relaxed) }

        func begin() {
            if hasFailed.load(ordering: .relaxed) { number.add(1, ordering: .relaxed) }
        }

        func failed() -> Broken {
            hasFailed.store(true, ordering: .relaxed)
            return Broken()
        }
    }

    @Test("All jobs run, no more than two at a time", .explored(.pct(150)))
    func runAll() async throws {
        let working = Trial.Count()
        let most = Trial.Log<Int>()
        let results = try await ChemLibrary.runAll(
            (0..<4).map { number in
                { @concurrent @Sendable in
                    most.add(working.enter())
                    await Task.yield()
                    working.add(-1)
                    return number
                }
            },
            atMost: 2
        )
        #expect(results == [0, 1, 2, 3])
        #expect(most.all.allSatisfy { $0 <= 2 })
    }

    @Test("After an error no job begins", .explored(.exhaustive()), arguments: [nil, 2] as [Int?])
    func runAllUntilError(limit: Int?) async throws {
        let marks = Marks()
        await #expect(throws: Broken.self) {
            try await ChemLibrary.runAll(0..<4, atMost: limit) { number in
                marks.begin()
                if number == 0 { throw marks.failed() }
            }
        }
        #expect(marks.late == 0)
    }

    @Test("After an error nothing is mapped or reduced", .explored(.random(300)), arguments: [nil, 2] as [Int?])
    func mapReduceUntilError(limit: Int?) async throws {
        let marks = Marks()
        await #expect(throws: Broken.self) {
            try await ChemLibrary.mapReduce(0..<6, mappers: limit) { number in
                marks.begin()
                return number
            } reduce: { one, other in
                marks.begin()
                if one + other > 4 { throw marks.failed() }
                return one + other
            }
        }
        #expect(marks.late == 0)
    }

    @Test("A reduction doesn't depend on the order in which its parts come", .explored(.random(150)))
    func mapReduce() async throws {
        let longest = try await ChemLibrary.mapReduce(
            ["a", "bcd", "ef", "g"],
            map: { $0.count },
            reduce: { max($0, $1) }
        )
        #expect(longest == 3)
    }

    @Test("The first result counts, and the others are cancelled", .explored(.random(150)))
    func firstResult() async throws {
        let cancelled = Trial.Count()
        let first = try await ChemLibrary.firstResult(of: [
            { @concurrent @Sendable in
                try await MachineClock().sleep(for: .seconds(2))
                return 2
            },
            { @concurrent @Sendable in
                try await MachineClock().sleep(for: .seconds(1))
                return 1
            },
            { @concurrent @Sendable in
                do { try await MachineClock().sleep(for: .seconds(3_600)) } catch {
                    cancelled.add()
                    throw error
                }
                return 3
            },
        ])
        #expect(first == 1)
        #expect(cancelled.value == 1)
    }

    @Test("The first error ends a scope, whenever it comes", .explored(.deviations(upTo: 2, limit: 400)))
    func errors() async throws {
        await #expect(throws: Broken.self) {
            try await withChemicalMachine(.init(reporter: { _ in })) { _ in
                let (work, never) = Join.define("worker") { join in
                    let (work, never) = (join.slow("work", of: Int.self), join.fast("never"))
                    join.when(work) { number in
                        await Task.yield()
                        if number == 1 { throw Broken() }
                    }
                    join.answer(never, with: join.slow("nothing")) { _, _ in }
                    return (work, never)
                }
                for number in 0..<3 { work(number) }
                try await never()
            }
        }
    }

    @Test("A lost update in a scope is found, and its token shows it again")
    func found() async throws {
        let body: @Sendable (ChemicalMachine) async throws -> Void = { _ in
            let sum = try await withChemicalMachine { _ in
                let (read, write) = Join.define("cell") { join in
                    let value = join.state("value", 0)
                    let (read, write) = (join.fast("read", returning: Int.self), join.fast("write", of: Int.self))
                    join.answer(read, reading: value) { value, _ in value }
                    join.answer(write, updating: value) { value, new in value = new }
                    return (read, write)
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 { group.addTask { try await write(try await read() + 1) } }
                    try await group.waitForAll()
                }
                return try await read()
            }
            if sum != 2 { throw Broken() }
        }
        for strategy in [Strategy.deviations(), .random(200), .exhaustive()] {
            let exploration = Exploration(strategy, body)
            let text = try #require(await exploration.explanation(of: try await exploration.outcome())?.text)
            let match = try #require(text.firstMatch(of: /chem1w?:[0-9a-f]{4}:[0-9.,]*/), "\(text)")
            #expect(try await Exploration(.replay(String(match.output)), body).outcome().hasFailed)
        }
    }
}
