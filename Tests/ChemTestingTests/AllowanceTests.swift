import ChemActors
import ChemTesting
import Synchronization
import Testing

@Suite("What a test leaves behind")
struct AllowanceTests {
    /// What a run reports without muting it.
    private static func report(
        _ strategy: Strategy = .deviations(),
        allowing allowance: Allowance = [],
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
    ) async throws -> String? {
        let exploration = Exploration(strategy, allowing: allowance, body)
        let outcome = try await exploration.outcome()
        return await exploration.explanation(of: outcome)?.text
    }

    private static func lines(_ report: String?) -> [String] {
        report?.split(separator: "\n").map(String.init) ?? []
    }

    @Test("The seed's counter without its first count is found, though nobody waits")
    func unconsumed() async throws {
        let body: @Sendable (ChemicalMachine) async throws -> Void = { machine in
            let increment = machine.define("counter") { join in
                let count = join.slow("count", of: Int.self)
                let increment = join.slow("increment")
                join.when(increment, count) { _, n in count(n + 1) }
                return increment
            }
            increment()
            increment()
        }
        let lines = Self.lines(try await Self.report(.once, body))
        #expect(lines.first?.hasPrefix("something is left at the end, under schedule 1: chem1w:") == true)
        #expect(
            lines.dropFirst() == [
                "2 of counter.increment are left, which nobody has consumed", "  increment & count lacks count",
            ]
        )
        #expect(try await Self.report(.once, allowing: .unconsumedMolecules, body) == nil)
        #expect(try await Self.report(.once, allowing: .waitingCalls, body) != nil)
    }

    @Test("What a definition injects itself may be left: at its beginning, in bodies, and in what they start")
    func ownMolecules() async throws {
        let report = try await Self.report { machine in
            let (turn, definition) = machine.define("switch") { join in
                let (on, off) = (join.slow("on"), join.slow("off"))
                let (turn, receipt, late) = (join.slow("turn"), join.slow("receipt"), join.slow("late"))
                let never = join.fast("never")
                join.when(turn, off) { _, _ in
                    on()
                    receipt()
                }
                join.when(turn, on) { _, _ in
                    await Task.yield()
                    off()
                    await withTaskGroup(of: Void.self) { $0.addTask { late() } }
                }
                join.answer(never, with: receipt, late) { _, _, _ in }
                off()
                return (turn, join.definition)
            }
            for _ in 0..<3 { turn() }
            try await definition.quiescence()
        }
        #expect(report == nil)
    }

    @Test("Bodies of others are others: what they inject has to be consumed")
    func bodiesOfOthers() async throws {
        let lines = Self.lines(
            try await Self.report { machine in
                let entry = machine.define("log") { join in
                    let (entry, page) = (join.slow("entry", of: String.self), join.slow("page"))
                    join.when(entry, page) { _, _ in }
                    return entry
                }
                let work = machine.define("worker") { join in
                    let work = join.slow("work")
                    join.when(work) { _ in entry("worked") }
                    return work
                }
                work()
            }
        )
        #expect(lines.contains("1 of log.entry is left, which nobody has consumed"))
    }

    @Test("A call that nothing ends is found, and one with a time limit isn't")
    func waitingCall() async throws {
        func body(within limit: Duration?) -> @Sendable (ChemicalMachine) async throws -> Void {
            { machine in
                let take = machine.define("box") { join in
                    let (put, take) = (join.slow("put"), join.fast("take"))
                    join.answer(take, with: put) { _, _ in }
                    return take
                }
                Task { if let limit { try await take(within: limit) } else { try await take() } }
            }
        }
        let lines = Self.lines(try await Self.report(.once, body(within: nil)))
        #expect(lines.first?.hasPrefix("something is left at the end") == true)
        #expect(
            lines.count == 3 && lines[1].hasPrefix("box.take waits, called at ChemTestingTests/AllowanceTests.swift:")
        )
        #expect(lines.last == "  take & put lacks put")
        #expect(try await Self.report(.once, allowing: .waitingCalls, body(within: nil)) == nil)
        #expect(try await Self.report(.once, body(within: .seconds(1))) == nil)
    }

    private struct Broken: Error {}

    @Test("An error that nobody gets fails the test, and one that a caller gets doesn't")
    func errors() async throws {
        let unheard: @Sendable (ChemicalMachine) async throws -> Void = { machine in
            let work = machine.define("worker") { join in
                let work = join.slow("work")
                join.when(work) { _ in throw Broken() }
                return work
            }
            work()
        }
        let report = try await Self.report(.once, unheard)
        #expect(
            report?.hasPrefix("nobody gets the error that the reaction worker: work (ChemTestingTests/AllowanceTests")
                == true
        )
        #expect(try await Self.report(.once, allowing: .mishaps, unheard) == nil)
        let heard = try await Self.report { machine in
            let work = machine.define("worker") { join in
                let work = join.fast("work")
                join.answer(work) { _ in throw Broken() }
                return work
            }
            await #expect(throws: Broken.self) { try await work() }
        }
        #expect(heard == nil)
    }

    @Test("A reply that is dropped fails the test, and one that comes twice")
    func replies() async throws {
        for count in [0, 2] {
            let report = try await Self.report { machine in
                let ask = machine.define("oracle") { join in
                    let ask = join.fast("ask")
                    join.when(ask) { call in for _ in 0..<count { call() } }
                    return ask
                }
                try? await ask()
            }
            #expect(
                report?.contains("'ask' \(count == 0 ? "ended without an answer" : "was answered a second time")")
                    == true
            )
        }
    }

    @Test("A definition that a variable holds beyond the test is named")
    func leak() async throws {
        final class Keeper: Sendable {
            let kept = Mutex<SlowMolecule<Void>?>(nil)
        }
        let keeper = Keeper()
        let body: @Sendable (ChemicalMachine) async throws -> Void = { machine in
            let put = machine.define("kept") { join in
                let put = join.slow("put")
                join.when(put) { _ in }
                return put
            }
            keeper.kept.withLock { $0 = put }
        }
        let lines = Self.lines(try await Self.report(.once, body))
        #expect(lines.first?.hasPrefix("somebody holds what has to be gone at the end") == true)
        #expect(lines.count == 2 && lines[1].hasPrefix("kept (ChemTestingTests/AllowanceTests.swift:"))
        #expect(try await Self.report(.once, allowing: .leakedDefinitions, body) == nil)
    }

    @Test("Everything may be allowed at once, also by a trait", .explored(allowing: .everything))
    func everything() async throws {
        let (put, take) = Join.define("box") { join in
            let (put, take, other) = (join.slow("put"), join.fast("take"), join.slow("other"))
            join.when(put, other) { _, _ in }
            join.answer(take, with: other) { _, _ in }
            return (put, take)
        }
        put()
        Task { try await take() }
    }
}
