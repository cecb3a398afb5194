import ChemActors
import ChemTesting
import Synchronization
import TestSupport
import Testing

@testable import Exploring

/// What can come in the middle of a step.
@Suite("Steps", .endsInTime)
struct StepTests {
    /// The outcomes of a test that has several.
    private static func outcomes(
        _ strategy: Strategy,
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> String
    ) async throws -> (Set<String>, runs: Int) {
        let seen = Mutex<Set<String>>([])
        let exploration = Exploration(strategy, allowing: .unconsumedMolecules) { machine in
            let outcome = try await body(machine)
            _ = seen.withLock { $0.insert(outcome) }
        }
        let outcome = try await exploration.outcome()
        let explanation = await exploration.explanation(of: outcome)
        #expect(explanation == nil, "\(explanation?.text ?? "")")
        return (seen.withLock { $0 }, outcome.runs)
    }

    private static let everyStrategy: [Strategy] = [
        .exhaustive(sharing: .molecules), .exhaustive(sharing: .tasks), .exhaustive(sharing: .everything),
        .deviations(), .random(10_000), .pct(1_000), .uniform(1_000), .seeds(1...heavy(10_000, debug: 2_000)),
    ]

    /// Without the one that leaves nothing out, where that takes long.
    private static let fastStrategies = everyStrategy.filter {
        if case .exhaustive(.everything, _) = $0.kind { false } else { true }
    }

    /// A log, and how to read its four lines.
    private static func log(
        on machine: ChemicalMachine
    ) -> (line: SlowMolecule<String>, lines: @Sendable () async throws -> String) {
        let (line, take) = machine.define("log") { join in
            let line = join.slow("line", of: String.self, order: .oldestFirst)
            let take = join.fast("take", returning: String.self)
            join.answer(take, with: line) { _, text in text }
            return (line, take)
        }
        return (
            line,
            {
                var lines = ""
                for _ in 0..<4 { lines += try await take() }
                return lines
            }
        )
    }

    private static let orders: Set = ["aabb", "bbaa", "abab", "abba", "baab", "baba"]

    @Test("Lines of two tasks come in every order", arguments: everyStrategy)
    func tasks(strategy: Strategy) async throws {
        let (seen, runs) = try await Self.outcomes(strategy) { machine in
            let (line, lines) = Self.log(on: machine)
            await withTaskGroup(of: Void.self) { group in
                for name in ["a", "b"] {
                    group.addTask {
                        line(name)
                        line(name)
                    }
                }
            }
            return try await lines()
        }
        #expect(seen == Self.orders)
        if case .exhaustive(.molecules, _) = strategy.kind { #expect(runs <= 12) }
    }

    @Test("Lines of the synchronous bodies of two definitions come in every order", arguments: fastStrategies)
    func bodies(strategy: Strategy) async throws {
        let (seen, runs) = try await Self.outcomes(strategy) { machine in
            let (line, lines) = Self.log(on: machine)
            for name in ["a", "b"] {
                machine.define(name) { join in
                    let go = join.slow("go")
                    join.when(go) { _ in
                        line(name)
                        line(name)
                    }
                    go()
                }
            }
            return try await lines()
        }
        #expect(seen == Self.orders)
        if case .exhaustive(.molecules, _) = strategy.kind { #expect(runs <= 12) }
    }

    @Test("Bodies of one definition may run at the same time, as long ones do", arguments: fastStrategies)
    func bodiesOfOne(strategy: Strategy) async throws {
        let (seen, runs) = try await Self.outcomes(strategy) { machine in
            let (line, lines) = Self.log(on: machine)
            machine.define("writer") { join in
                let go = join.slow("go", of: String.self)
                join.when(go) { name in
                    line(name)
                    line(name)
                }
                go("a")
                go("b")
            }
            return try await lines()
        }
        #expect(seen == Self.orders)
        if case .exhaustive(.molecules, _) = strategy.kind { #expect(runs <= 12) }
    }

    @Test("A task that has been made may be faster than who has made it", arguments: everyStrategy)
    func attempts(strategy: Strategy) async throws {
        let (seen, _) = try await Self.outcomes(strategy) { machine in
            let (put, take, sum, definition) = machine.define("box") { join in
                let put = join.slow("put", of: Int.self)
                let take = join.fast("take", returning: Int.self)
                let sum = join.state("sum", 0)
                join.answer(take, with: put, updating: sum) { sum, _, number in
                    sum += number
                    return number
                }
                return (put, take, sum.reader, join.definition)
            }
            let task = Task { put(1) }
            let taken = try take.tryCall()
            let left = definition.statistics.molecules["put"]?.present ?? -1
            let value = sum.value
            await task.value
            return "\(taken ?? 0) \(left) \(value)"
        }
        #expect(seen == ["0 0 0", "0 1 0", "1 0 1"])
    }

    @Test("Whoever waits for quiet may be faster than who has still to inject", arguments: everyStrategy)
    func quiet(strategy: Strategy) async throws {
        let (seen, _) = try await Self.outcomes(strategy) { machine in
            let (put, sum, definition) = machine.define("sum") { join in
                let put = join.slow("put", of: Int.self)
                let sum = join.state("sum", 0)
                join.when(put, updating: sum) { sum, number in sum += number }
                return (put, sum.reader, join.definition)
            }
            let task = Task {
                put(1)
                put(2)
            }
            try await definition.quiescence()
            let value = sum.value
            await task.value
            return "\(value)"
        }
        #expect(seen == ["0", "1", "2", "3"])
    }

    @Test("A call may come later than what its task has injected before it", arguments: everyStrategy)
    func calls(strategy: Strategy) async throws {
        let (seen, _) = try await Self.outcomes(strategy) { machine in
            let (put, take) = machine.define("box") { join in
                let put = join.slow("put", of: String.self, order: .oldestFirst)
                let take = join.fast("take", returning: String.self)
                join.answer(take, with: put) { _, name in name }
                return (put, take)
            }
            async let one: String = {
                put("a")
                return try await take()
            }()
            async let other: String = {
                put("b")
                return try await take()
            }()
            return try await one + other
        }
        #expect(seen == ["ab", "ba"])
    }

    /// Where something arrives.
    private static func target(
        on machine: ChemicalMachine
    ) -> (arrived: SlowMolecule<Void>, hasArrived: FastMolecule<Void, Void>) {
        machine.define("target") { join in
            let arrived = join.slow("arrived")
            let hasArrived = join.fast("hasArrived")
            join.answer(hasArrived, with: arrived) { _, _ in }
            return (arrived, hasArrived)
        }
    }

    @Test("What a body has taken is gone before it injects elsewhere", arguments: everyStrategy)
    func taken(strategy: Strategy) async throws {
        let (seen, _) = try await Self.outcomes(strategy) { machine in
            let (arrived, hasArrived) = Self.target(on: machine)
            let (left, isThere) = machine.define("source") { join in
                let traveller = join.slow("traveller")
                let go = join.slow("go")
                let isThere = join.fast("isThere")
                join.when(traveller, go) { _, _ in arrived() }
                join.answer(isThere, with: traveller) { _, _ in }
                traveller()
                return (go, isThere)
            }
            left()
            let there = try isThere.tryCall() != nil
            let here = try hasArrived.tryCall() != nil
            if !there, !here { try await hasArrived() }
            return "\(there) \(here)"
        }
        #expect(seen == ["true false", "false false", "false true"])
    }

    /// A body that has a state and puts something elsewhere by `put`, and how often it has run.
    private static func source(
        on machine: ChemicalMachine,
        _ put: @escaping @Sendable () -> Void
    ) -> (go: SlowMolecule<Void>, count: FastMolecule<Void, Int>) {
        machine.define("source") { join in
            let go = join.slow("go")
            let count = join.fast("count", returning: Int.self)
            let sum = join.state("sum", 0)
            join.when(go, updating: sum) { sum, _ in
                sum += 1
                put()
            }
            join.answer(count, reading: sum) { sum, _ in sum }
            return (go, count)
        }
    }

    @Test("What a body has injected elsewhere is there before its state comes back", arguments: everyStrategy)
    func end(strategy: Strategy) async throws {
        let (seen, _) = try await Self.outcomes(strategy) { machine in
            let (arrived, hasArrived) = Self.target(on: machine)
            let (go, count) = Self.source(on: machine) { arrived() }
            go()
            try await hasArrived()
            return "\(try count.tryCall() ?? -1)"
        }
        #expect(seen == ["-1", "1"])
    }

    @Test("So is what it has put where there is room for one", arguments: everyStrategy)
    func endAfterBounded(strategy: Strategy) async throws {
        let (seen, _) = try await Self.outcomes(strategy) { machine in
            let (arrived, hasArrived) = machine.define("target") { join in
                let arrived = join.bounded("arrived", of: Int.self, capacity: 1)
                let hasArrived = join.fast("hasArrived", returning: Int.self)
                join.answer(hasArrived, with: arrived) { _, number in number }
                return (arrived, hasArrived)
            }
            let (go, count) = Self.source(on: machine) { _ = arrived.tryInject(1) }
            go()
            let number = try await hasArrived()
            return "\(number) \(try count.tryCall() ?? -1)"
        }
        #expect(seen == ["1 -1", "1 1"])
    }

    @Test("An interrupted body and task see their own task and values", .explored(.exhaustive()))
    func context() async throws {
        let (note, check, definition) = Join.define("place") { join in
            let note = join.slow("note", of: Int.self)
            let check = join.slow("check")
            let number = join.state("number", 0)
            join.when(note, updating: number) { number, new in number = new }
            join.when(check, number.value) { _, _ in #expect(StepValue.current == 0) }
            return (note, check, join.definition)
        }
        let machine = ChemicalMachine.current
        await withTaskGroup(of: Void.self) { group in
            for value in 1...2 {
                group.addTask {
                    StepValue.$current.withValue(value) {
                        note(value)
                        #expect(StepValue.current == value && ChemicalMachine.current === machine)
                        check()
                        #expect(StepValue.current == value && ChemicalMachine.current === machine)
                    }
                }
            }
        }
        try await definition.quiescence()
    }

    @Test("Whoever is interrupted in a handler of cancellation holds up the cancelled task", arguments: everyStrategy)
    func handlers(strategy: Strategy) async throws {
        let (seen, _) = try await Self.outcomes(strategy) { machine in
            let (note, take) = machine.define("log") { join in
                let note = join.slow("note", of: String.self, order: .oldestFirst)
                let take = join.fast("take", returning: String.self)
                join.answer(take, with: note) { _, text in text }
                return (note, take)
            }
            let clock = MachineClock()
            let task = Task {
                await withTaskCancellationHandler {
                    try? await clock.sleep(for: .seconds(1))
                } onCancel: {
                    note("a")
                    note("b")
                }
                note("c")
            }
            let other = Task { note("d") }
            await Task.yield()
            task.cancel()
            var notes = ""
            for _ in 0..<4 { notes += try await take() }
            await task.value
            await other.value
            return notes
        }
        // The handler comes before what the task does after it. If the task hasn't begun, it comes in the task.
        #expect(seen == ["abcd", "abdc", "adbc", "dabc"])
    }

    @Test("A step that waits for a lock which an interrupted one holds fails the test, and doesn't hang")
    func locks() async throws {
        let counter = LockedCounter()
        var exploration = Exploration(.deviations(), allowing: .everything) { machine in
            let (put, sum) = machine.define("sum") { join in
                let put = join.slow("put", of: Int.self)
                let sum = join.state("sum", 0)
                join.when(put, updating: sum) { sum, number in sum += number }
                return (put, sum.reader)
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        counter.number.withLock { number in
                            put(number)
                            put(number)
                        }
                    }
                }
            }
            _ = sum.value
        }
        exploration.lockPatience = 0.2
        let outcome = try await exploration.outcome()
        let report = await exploration.explanation(of: outcome)?.text
        #expect(report?.hasPrefix("a step waits for a lock that another one holds") == true, "\(report ?? "nothing")")
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

private final class LockedCounter: Sendable {
    let number = Mutex(0)
}

private enum StepValue {
    @TaskLocal static var current = 0
}
