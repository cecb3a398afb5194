import ChemActors
import ChemTesting
import Synchronization
import Testing

@Suite("Runs of many steps, and steps of many choices")
struct LargeRunTests {
    @Test("A step may be interrupted at any number of places")
    func manyPlaces() async throws {
        try await explore(.random(60)) { _ in
            let add = Join.define("sum") { join in
                let add = join.slow("add", of: Int.self)
                join.when(add) { _ in }
                return add
            }
            for n in 0..<500 { add(n) }
        }
    }

    @Test("A search of all schedules says that a run has no end", arguments: [Sharing.tasks, .molecules])
    func withoutEnd(sharing: Sharing) async throws {
        let exploration = Exploration(.exhaustive(sharing: sharing)) { machine in
            let a = machine.define("lively") { join in
                let (a, b) = (join.slow("a"), join.slow("b"))
                join.when(a) { _ in b() }
                join.when(b) { _ in a() }
                return a
            }
            a()
        }
        let outcome = try await exploration.outcome()
        let text = await exploration.explanation(of: outcome)?.text ?? ""
        #expect(text.hasPrefix("it takes more than 20000 steps, the most that a search of all schedules compares"))
    }

    private final class Orders: Sendable {
        private let seen = Mutex<Set<[Int]>>([])
        var count: Int { seen.withLock { $0.count } }
        func add(_ order: [Int]) { seen.withLock { _ = $0.insert(order) } }
    }

    /// A reaction that takes `count` of as many copies, which differ.
    private static func poll(_ count: Int, _ orders: Orders = Orders()) -> Exploration {
        Exploration(.exhaustive(limit: 5_040)) { machine in
            let vote = machine.define("poll") { join in
                let vote = join.slow("vote", of: Int.self)
                join.when(join.copies(count, of: vote)) { orders.add($0) }
                return vote
            }
            for n in 0..<count { vote(n) }
        }
    }

    @Test("Copies are taken in all orders", arguments: [(2, 2), (4, 24), (5, 120)])
    func allOrders(count: Int, orders: Int) async throws {
        let seen = Orders()
        let outcome = try await Self.poll(count, seen).outcome()
        #expect(outcome.coverage.areAll)
        #expect(outcome.runs == orders)
        #expect(seen.count == orders)
    }

    @Test("If there are more orders than schedules are wanted, none is written down", arguments: [8, 20])
    func tooManyOrders(count: Int) async throws {
        let outcome = try await Self.poll(count).outcome()
        #expect(outcome.exceededLimit == 5_040)
        #expect(outcome.runs == 1)
        #expect(!outcome.coverage.areAll)
    }

    @Test("A history that is older than the run says nothing of the order of its steps")
    func oldHistory() async throws {
        struct Echo: SequentialModel {
            mutating func apply(_ operation: Int) -> Int? { operation }
        }
        let history = History<Echo>()
        let length = Mutex(40)
        let exploration = Exploration(.exhaustive(sharing: .molecules)) { machine in
            // Each run is shorter than the one before.
            let count = length.withLock { length in
                defer { length -= 10 }
                return max(length, 1)
            }
            let (echo, note) = machine.define("hall") { join in
                let echo = join.fast("echo", of: Int.self, returning: Int.self)
                let note = join.slow("note", of: Int.self)
                join.answer(echo) { $0 }
                join.when(note) { _ in }
                return (echo, note)
            }
            note(1)
            for n in 0..<count { try await history.record(n) { try await echo(n) } }
            expectLinearizable(history, from: Echo())
        }
        // It does something else in its second run, which has looked at what is left of the first.
        #expect(try await exploration.outcome().runs > 1)
    }
}
