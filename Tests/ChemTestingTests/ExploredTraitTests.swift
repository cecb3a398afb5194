import ChemActors
import ChemTesting
import Synchronization
import Testing

@Suite("The trait .explored", .timeLimit(.minutes(10)))
struct ExploredTraitTests {
    /// How often the test below has begun.
    private static let runs = Atomic(0)

    @Test("A test runs once for each schedule, and its definitions belong to that run", .explored(.random(50)))
    func runsOften() async throws {
        Self.runs.add(1, ordering: .relaxed)
        let (put, take) = Join.define("box") { join in
            let put = join.slow("put", of: Int.self)
            let take = join.fast("take", returning: Int.self)
            join.answer(take, with: put) { _, n in n }
            return (put, take)
        }
        let begin = ContinuousClock.now
        try await MachineClock().sleep(for: .seconds(3_600))
        #expect(begin.duration(to: .now) < .seconds(60))
        async let first = take()
        async let second = take()
        put(1)
        put(2)
        let sum = try await first + second
        #expect(sum == 3)
    }

    @Test("A sleep by the clock of the machine takes no time", .explored(.once), arguments: 1...3)
    func sleeps(hours: Int) async throws {
        let clock = MachineClock()
        let begin = clock.now
        try await clock.sleep(for: .seconds(3_600 * hours))
        #expect(begin.duration(to: clock.now) == .seconds(3_600 * hours))
    }
}
