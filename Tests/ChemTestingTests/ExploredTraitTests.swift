import ChemActors
import ChemTesting
import Synchronization
import TestSupport
import Testing

@Suite("Traits of explored tests", .serialized, .endsInTime)
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
        #expect(begin.duration(to: .now) < .seconds(1_800))
        async let first = take()
        async let second = take()
        put(1)
        put(2)
        let sum = try await first + second
        #expect(sum == 3)
    }

    @Suite("A suite gives its trait to its tests", .chemistry(seed: 1...20))
    struct OfASuite {
        @Test func anHourTakesNoTime() async throws {
            let begin = ContinuousClock.now
            try await MachineClock().sleep(for: .seconds(3_600))
            #expect(begin.duration(to: .now) < .seconds(1_800))
        }
    }

    @Suite("A trait of a test takes the place of that of its suite", .chemistry(seed: 1...200), .serialized)
    struct WithItsOwn {
        private static let runs = Atomic(0)

        @Test(.replay("chem1w:1cd9:")) func onlyOnce() { Self.runs.add(1, ordering: .relaxed) }

        @Test(.explored(.once), .explored(.once), arguments: [1]) func stillOnce(_: Int) {
            Self.runs.add(1_000, ordering: .relaxed)
        }

        @Test(.explored(.once)) func onceEach() {
            // The other two have run, each once, if they came first.
            #expect([0, 1, 1_000, 1_001].contains(Self.runs.load(ordering: .relaxed)))
        }
    }

    @Test("What synchronous bodies and detached tasks make belongs to the run", .explored(.once))
    func detached() async throws {
        let (start, alarm) = Join.define("alarm") { join in
            let (start, ring, alarm) = (join.slow("start"), join.slow("ring"), join.fast("alarm"))
            join.when(start) { _ in
                Task {
                    try await MachineClock().sleep(for: .seconds(3_600))
                    ring()
                }
            }
            join.answer(alarm, with: ring) { _, _ in }
            return (start, alarm)
        }
        let begin = MachineClock().now
        start()
        try await alarm()
        #expect(begin.duration(to: MachineClock().now) == .seconds(3_600))
        let later = Task.detached {
            let never = Join.define("wall") { join in
                let never = join.fast("never")
                join.answer(never, with: join.slow("missing")) { _, _ in }
                return never
            }
            await #expect(throws: CallError.self) { try await never(within: .seconds(60)) }
            return MachineClock().now
        }
        #expect(await begin.duration(to: later.value) == .seconds(3_660))
    }

    /// The order in which the copies of a bag leave.
    private static func order() async throws -> [Int] {
        let (put, take) = Join.define("bag") { join in
            let put = join.slow("put", of: Int.self)
            let take = join.fast("take", returning: Int.self)
            join.answer(take, with: put) { _, n in n }
            return (put, take)
        }
        for n in 1...5 { put(n) }
        var order: [Int] = []
        for _ in 1...5 { order.append(try await take()) }
        return order
    }

    private static let orders = Mutex<[[Int]]>([])

    @Test("A seed decides everything, and each another thing", .chemistry(seed: 1...30), arguments: 1...2)
    func seeds(time: Int) async throws {
        let order = try await Self.order()
        Self.orders.withLock { orders in
            orders.append(order)
            guard orders.count == 60 else { return }
            #expect(Array(orders.prefix(30)) == Array(orders.suffix(30)))
            #expect(Set(orders.prefix(30)).count > 20)
        }
    }

    @Test("What only warns is no failure", .explored(.random(5)))
    func warnings() { Issue.record("just a warning", severity: .warning) }

    @Test("A token says what happens", .replay("chem1:d317:0.4"))
    func replays() async throws {
        let order = try await Self.order()
        #expect(order == [5, 1, 4, 3, 2])
    }

    @Test("A sleep by the clock of the machine takes no time", .explored(.once), arguments: 1...3)
    func sleeps(hours: Int) async throws {
        let clock = MachineClock()
        let begin = clock.now
        try await clock.sleep(for: .seconds(3_600 * hours))
        #expect(begin.duration(to: clock.now) == .seconds(3_600 * hours))
    }
}
