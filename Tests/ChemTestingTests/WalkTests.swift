import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization
import TestSupport
import Testing

@testable import Exploring

@Suite("Schedules that random choices hardly ever find", .endsInTime)
struct WalkTests {
    private struct Last: Error {}

    /// Fails if the one step of one comes after the forty of the other.
    private static func patience(_ machine: ChemicalMachine) async throws {
        let done = Mutex(0)
        let (put, many) = machine.define("many") { join in
            let put = join.slow("put")
            join.when(put) { _ in done.withLock { $0 += 1 } }
            for _ in 0..<40 { put() }
            return (put, join.definition)
        }
        let ask = machine.define("one") { join in
            let ask = join.fast("ask", returning: Int.self)
            join.answer(ask) { _ in done.withLock { $0 } }
            return ask
        }
        let seen = try await ask()
        try await many.quiescence()
        withExtendedLifetime(put) {}
        if seen == 40 { throw Last() }
    }

    /// How many runs it takes.
    private static func runs(_ strategy: Strategy) async throws -> Int? {
        let outcome = try await Exploration(strategy, patience).outcome()
        return outcome.hasFailed ? outcome.runs : nil
    }

    @Test("Priorities find who is slow for long in a few runs, and weights in some dozens")
    func slowness() async throws {
        #expect(try await Self.runs(.random(2_000)) == nil)
        for seed in UInt64(1)...10 {
            let byPriority = try await Self.runs(.pct(depth: 1, seed: seed))
            #expect(byPriority.map { $0 <= 30 } == true, "seed \(seed): \(String(describing: byPriority))")
            let byWeight = try await Self.runs(.uniform(seed: seed))
            #expect(byWeight.map { $0 <= 600 } == true, "seed \(seed): \(String(describing: byWeight))")
        }
    }

    /// Three tasks of three calls each; fails if one's second call comes after the others' last, and before its own
    /// third there is another one.
    @Test("A change of mind finds what no fixed order of priorities shows")
    func depth() async throws {
        let body: @Sendable (ChemicalMachine) async throws -> Void = { machine in
            let (read, write) = machine.define("cell") { join in
                let value = join.state("value", 0)
                let (read, write) = (join.fast("read", returning: Int.self), join.fast("write", of: Int.self))
                join.answer(read, reading: value) { value, _ in value }
                join.answer(write, updating: value) { value, new in value = new }
                return (read, write)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { for _ in 0..<5 { try await write(try await read() + 1) } } }
                try await group.waitForAll()
            }
            // Ten, unless one has overwritten all that the other had done.
            if try await read() <= 5 { throw Last() }
        }
        func runs(_ strategy: Strategy) async throws -> Int? {
            let outcome = try await Exploration(strategy, body).outcome()
            return outcome.hasFailed ? outcome.runs : nil
        }
        let found = try #require(try await runs(.pct(5_000, depth: 3)))
        #expect(found <= 2_000)
        #expect(try await runs(.pct(5_000, depth: 3)) == found, "equal seeds give equal schedules")
    }

    @Test("All orders are about as likely", arguments: [3, 6])
    func uniformity(count: Int) async throws {
        let ends = Mutex<[String: Int]>([:])
        let total = 4_000
        let outcome = try await Exploration(.uniform(total)) { machine in
            let order = Mutex("")
            let definitions = [("a", count), ("b", 2)].map { name, count in
                machine.define(name) { join in
                    let put = join.slow("put")
                    join.when(put) { _ in order.withLock { $0 += name } }
                    for _ in 0..<count { put() }
                    return (put, join.definition)
                }
            }
            for definition in definitions { try await definition.1.quiescence() }
            ends.withLock { $0[order.withLock { $0 }, default: 0] += 1 }
        }.outcome()
        #expect(!outcome.hasFailed)
        let counts = ends.withLock { $0 }
        let orders = (count + 1) * (count + 2) / 2
        #expect(counts.count == orders)
        // Were the choices at random, the rarest would come 2 ^ (count + 1) times less often than the most frequent.
        let mean = Double(total) / Double(orders)
        for (order, times) in counts {
            #expect(Double(times) > mean / 2 && Double(times) < mean * 2, "\(order): \(times)")
        }
    }

    @Test("What is found has a token that shows it again")
    func tokens() async throws {
        for strategy in [Strategy.pct(depth: 1), .uniform()] {
            let exploration = Exploration(strategy, Self.patience)
            let text = try #require(await exploration.explanation(of: try await exploration.outcome())?.text)
            let match = try #require(text.firstMatch(of: /chem1w?:[0-9a-f]{4}:[0-9.,]*/), "\(text)")
            let again = try await Exploration(.replay(String(match.output)), Self.patience).outcome()
            #expect(again.hasFailed)
        }
    }

    @Test("Who waits in a loop that yields lets others have their turn", arguments: [Strategy.pct(100), .uniform(100)])
    func yielding(_ strategy: Strategy) async throws {
        try await explore(strategy) { machine in
            let (set, isSet) = machine.define("flag") { join in
                let set = join.slow("set")
                let flag = join.state("flag", false)
                join.when(set, updating: flag) { flag, _ in flag = true }
                return (set, flag.reader)
            }
            async let setting: Void = {
                await Task.yield()
                set()
            }()
            while !isSet.value { await Task.yield() }
            await setting
        }
    }

    @Test("The token of a search in which time may pass is of the same chemistry when it is replayed")
    func tokenOfASearchInTime() async throws {
        struct Lost: Error {}
        let body: @Sendable (ChemicalMachine) async throws -> Void = { _ in
            let probe = SlowProbe<Int>()
            let debounce = Debounce(for: .milliseconds(20), to: probe.molecule)
            async let sending: Void = {
                debounce.send(1)
                try? await MachineClock().sleep(for: .milliseconds(19))
                debounce.send(2)
            }()
            await sending
            try await MachineClock().sleep(for: .milliseconds(100))
            if probe.values.count == 2 { throw Lost() }
        }
        let search = Exploration(
            .exhaustive(limit: 5_000),
            timeMayPass: true,
            allowing: .everything,
            body
        )
        let text = try #require(await search.explanation(of: try await search.outcome())?.text)
        let match = try #require(text.firstMatch(of: /chem1w?:[0-9a-f]{4}:[0-9.,]*/), "\(text)")
        let replay = try Strategy.replay(String(match.output))
        let again = try await Exploration(replay, timeMayPass: true, allowing: .everything, body)
            .outcome()
        #expect(again.hasFailed)
        #expect(again.stale == nil, "\(text)")
    }

    @Test("A failure is drawn as a sequence of messages and reactions")
    func diagram() async throws {
        let exploration = Exploration(.once) { machine in
            let log = machine.define("log: #1") { join in
                let entry = join.slow("entry", of: String.self)
                join.when(entry) { _ in throw Last() }
                return entry
            }
            let ask = machine.define("oracle") { join in
                let ask = join.fast("ask")
                join.answer(ask) { _ in
                    log("asked")
                    await Task.yield()
                    log("answered")
                }
                return ask
            }
            try await ask()
        }
        let explanation = try #require(await exploration.explanation(of: try await exploration.outcome()))
        #expect(
            explanation.diagram == """
                sequenceDiagram
                    participant test
                    participant d0 as oracle
                    participant d1 as log#58; #35;1
                    test->>d0: ask
                    Note over d0: ask
                    d0->>d1: entry
                    Note over d1: entry
                    d0->>d1: entry
                    Note over d1: entry
                """
        )
    }
}
