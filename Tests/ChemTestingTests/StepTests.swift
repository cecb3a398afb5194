import ChemActors
import ChemTesting
import Synchronization
import TestSupport
import Testing

@testable import Exploring

/// What counts as one step.
@Suite("Steps", .endsInTime)
struct StepTests {
    /// What two tasks that write two lines each leave, line after line.
    private static func lines(on machine: ChemicalMachine, yields: Bool) async throws -> [String] {
        let (line, take) = machine.define("log") { join in
            let line = join.slow("line", of: String.self, order: .oldestFirst)
            let take = join.fast("take", returning: String.self)
            join.answer(take, with: line) { _, text in text }
            return (line, take)
        }
        await withTaskGroup(of: Void.self) { group in
            for name in ["a", "b"] {
                group.addTask {
                    line(name)
                    if yields { await Task.yield() }
                    line(name)
                }
            }
        }
        var lines: [String] = []
        for _ in 0..<4 { lines.append(try await take()) }
        return lines
    }

    @Test(
        "Nothing comes between two injections of a task, unless it suspends there",
        arguments: [Sharing.molecules, .tasks],
        [false, true]
    )
    func yielding(sharing: Sharing, yields: Bool) async throws {
        let seen = Mutex<Set<String>>([])
        let exploration = Exploration(.exhaustive(sharing: sharing)) { machine in
            let lines = try await Self.lines(on: machine, yields: yields)
            _ = seen.withLock { $0.insert(lines.joined()) }
        }
        let outcome = try await exploration.outcome()
        #expect(await exploration.explanation(of: outcome) == nil)
        let apart: Set = ["aabb", "bbaa"]
        #expect(seen.withLock { $0 } == (yields ? apart.union(["abab", "abba", "baab", "baba"]) : apart))
    }

    @Test("The current machine is that of the run", .explored(.random(3)))
    func current() async throws {
        let (increment, value) = Join.define("counter") { join in
            let increment = join.slow("increment")
            let count = join.state("count", 0)
            let value = join.fast("value", returning: Int.self)
            join.when(increment, updating: count) { count, _ in count += 1 }
            join.answer(value, reading: count) { count, _ in count }
            return (increment, value)
        }
        #expect(ChemicalMachine.current !== ChemicalMachine.shared)
        for _ in 0..<3 { increment() }
        try await ChemicalMachine.current.quiescence()
        let count = try await value()
        #expect(count == 3)
    }
}
