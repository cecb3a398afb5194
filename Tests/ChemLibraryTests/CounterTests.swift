import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// The counter, CocoaJoin's first example.
@Suite("JoinCounter")
struct CounterTests {
    @Test("Two increments make two", .endsInTime)
    func twoIncrements() async throws {
        let counter = JoinCounter()
        counter.increment()
        counter.increment()
        while try await counter.value() < 2 { await Task.yield() }
        #expect(try await counter.value() == 2)
    }

    @Test("A counter begins where it is told to")
    func initialValue() async throws {
        #expect(try await JoinCounter().value() == 0)
        #expect(try await JoinCounter(from: -3).value() == -3)
    }

    @Test(
        "8 tasks of 10,000 increments each make 80,000, and never a smaller value than before",
        .endsInTime
    )
    func manyTasks() async throws {
        let counter = JoinCounter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<10_000 { counter.increment() } } }
            group.addTask {
                var seen = 0
                while seen < 80_000 {
                    let value = try await counter.value()
                    #expect(value >= seen)
                    seen = value
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await counter.value() == 80_000)
    }

    @Test("Counters don't share their count", .endsInTime)
    func independent() async throws {
        let counters = (0..<100).map { JoinCounter(from: $0) }
        for counter in counters { counter.increment() }
        for (n, counter) in counters.enumerated() {
            while try await counter.value() != n + 1 { await Task.yield() }
        }
    }
}
