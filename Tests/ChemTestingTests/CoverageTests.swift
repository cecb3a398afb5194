import ChemActors
import ChemTesting
import Synchronization
import TestSupport
import Testing

@testable import Exploring

@Suite("What an exploration has covered", .endsInTime)
struct CoverageTests {
    /// So many tasks that each take a number.
    private static func callers(_ count: Int) -> @Sendable (ChemicalMachine) async throws -> Void {
        { machine in
            let next = machine.define("numbers") { join in
                let last = join.state("last", 0)
                let next = join.fast("next", returning: Int.self)
                join.answer(next, updating: last) { last, _ in
                    last += 1
                    return last
                }
                return next
            }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<count { group.addTask { try await next() } }
                let sum = try await group.reduce(0, +)
                #expect(sum == (count + 1) * count / 2)
            }
        }
    }

    @Test("An exhaustive search says how many there are")
    func all() async throws {
        let coverage = try await explore(.exhaustive(sharing: .molecules), Self.callers(3))
        #expect(coverage.areAll)
        #expect(coverage.runs == 6)
        #expect(coverage.different == 6)
        #expect("\(coverage)" == "6 schedules, which are all that matter")
    }

    @Test(
        "Of a sample, how many schedules were different",
        arguments: [Strategy.uniform(500), .pct(500), .random(500)]
    )
    func sample(strategy: Strategy) async throws {
        let few = try await explore(.exhaustive(sharing: .everything), Self.callers(1))
        let coverage = try await explore(strategy, Self.callers(1))
        #expect(coverage.runs == 500)
        #expect(!coverage.areAll)
        // At random, they may be the same with whole steps and with steps that might have been interrupted.
        #expect((1...2 * few.runs).contains(coverage.different))
        #expect("\(coverage)" == "500 schedules, \(coverage.different) of them different")

        let more = try await explore(strategy, Self.callers(4))
        #expect(more.different > 10 * coverage.different)
    }

    @Test("Whoever waits hears how many there were so far")
    func progress() async throws {
        var told: [Int] = []
        let exploration = Exploration(.random(100), Self.callers(2))
        let outcome = try await exploration.outcome(tellingEvery: .zero) { told.append($0) }
        #expect(!outcome.hasFailed)
        #expect(told == Array(1...100))

        told = []
        _ = try await exploration.outcome(tellingEvery: .seconds(3_600)) { told.append($0) }
        #expect(told.isEmpty)
    }

    @Test("A run that fails isn't said to be one of those that haven't")
    func progressOfAFailure() async throws {
        struct Bad: Error {}
        var told: [Int] = []
        let runs = Mutex(0)
        let exploration = Exploration(.random(100)) { _ in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 3 { throw Bad() }
        }
        let outcome = try await exploration.outcome(tellingEvery: .zero) { told.append($0) }
        #expect(outcome.hasFailed && outcome.coverage.runs == 3)
        #expect(told == [1, 2])
    }

    @Test("One schedule is one")
    func one() async throws {
        let coverage = try await explore(.once, Self.callers(2))
        #expect(coverage.runs == 1 && coverage.different == 1 && !coverage.areAll)
        #expect("\(coverage)" == "1 schedule")
    }

    @Test(
        "A search that fails has covered what came before, and is none of all",
        arguments: [Strategy.exhaustive(), .seeds(1...100)]
    )
    func failing(strategy: Strategy) async throws {
        struct Bad: Error {}
        var coverage: ScheduleCoverage?
        await withKnownIssue {
            coverage = try await explore(strategy) { machine in
                try await Self.callers(2)(machine)
                throw Bad()
            }
        }
        #expect(coverage?.runs == 1)
        #expect(coverage?.areAll == false)
    }

    @Test("A search of too many, and a strategy that is none, have not covered all")
    func cutShort() async throws {
        var coverage: ScheduleCoverage?
        await withKnownIssue {
            coverage = try await explore(.exhaustive(sharing: .everything, limit: 10), Self.callers(3))
        }
        #expect(coverage?.runs == 10)
        #expect(coverage?.areAll == false)
        await withKnownIssue { coverage = try await explore(.random(0), Self.callers(3)) }
        #expect(coverage?.runs == 0)
    }
}
