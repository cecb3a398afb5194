import ChemActors
import ChemTesting
import Synchronization
import TestSupport
import Testing

@testable import Exploring

/// How runs end whose bodies don't: they are given up, and the test goes on.
@Suite("The end of a run", .endsInTime)
struct EndTests {
    /// What a failing test reports.
    private static func report(
        _ strategy: Strategy = .once,
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
    ) async throws -> String {
        let exploration = Exploration(strategy, stepLimit: 20_000, body)
        let outcome = try await exploration.outcome()
        return await exploration.explanation(of: outcome)?.text ?? ""
    }

    @Test("Seeds beyond counting, and more changes of priority than there are steps, are explored one by one")
    func extremes() async throws {
        for strategy in [Strategy.pct(3, depth: .max), .random(3)] {
            #expect(try await Self.report(strategy) { _ in await Task.yield() } == "")
        }
        var plan = Plan(.seeds(Int.min...Int.max))
        #expect(plan.nextScript() != nil && plan.nextScript() != nil)
        var last = Plan(.seeds(Int.max...Int.max))
        #expect(last.nextScript() != nil && last.nextScript() == nil)
    }

    @Test("A run without end is reported after a few more of them, not after hundreds")
    func withoutEnd() async throws {
        let runs = Atomic(0)
        let report = try await Self.report(.random(50)) { machine in
            runs.add(1, ordering: .relaxed)
            let (a, b, c) = machine.define("lively") { join in
                let (a, b, c) = (join.slow("a"), join.slow("b"), join.slow("c"))
                join.when(a) { _ in }.mayCompete()
                join.when(a) { _ in
                    b()
                    c()
                }.mayCompete()
                join.when(b) { _ in b() }
                join.when(c) { _ in c() }
                return (a, b, c)
            }
            a()
            try await machine.quiescence()
            withExtendedLifetime((b, c)) {}
        }
        #expect(report.hasPrefix("it takes more than 20000 steps"), "\(report)")
        // Those before the first that fails, some that are tried to shorten it, and some for the report.
        #expect(runs.load(ordering: .relaxed) < 40, "\(runs.load(ordering: .relaxed))")
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private static func never(on machine: ChemicalMachine) -> FastMolecule<Void, Int> {
        machine.define("wall") { join in
            let never = join.fast("never", returning: Int.self)
            join.answer(never, with: join.slow("missing", of: Int.self)) { _, number in number }
            return never
        }
    }

    // MARK: Waiting for ever

    private final class Lost: Sendable {
        let all = Mutex<[CheckedContinuation<Void, Never>]>([])
    }

    @Test("A test with a trait that waits for what nothing resumes fails, and the program goes on", arguments: 1...3)
    func abandoned(round: Int) async throws {
        let location = try #require(Test.current)
        let lost = Lost()
        try await withKnownIssue {
            try await ExploredTrait.explored(.random(5)).provideScope(for: location, testCase: nil) {
                let begin = round
                await withCheckedContinuation { continuation in
                    lost.all.withLock { $0.append(continuation) }
                }
                #expect(begin == round)
            }
        } matching: { issue in
            issue.comments.contains { "\($0)".hasPrefix("it waits for what can't come") }
        }
        // Nobody runs those who are resumed now: their runs are over.
        for continuation in lost.all.withLock({ $0 }) { continuation.resume() }
    }

    @Test("So does one whose body goes on although its calls fail; and none runs on to its end")
    func swallowedErrors() async throws {
        let ended = Flag()
        let retrying = try await Self.report { machine in
            defer { ended.isSet.store(true, ordering: .relaxed) }
            let never = Self.never(on: machine)
            while true { do { _ = try await never() } catch {} }
        }
        #expect(retrying.hasPrefix("it waits for what can't come"), "\(retrying)")
        #expect(retrying.contains(") lacks missing\n    nobody has injected 'missing' ("), "\(retrying)")
        let hasEnded = ended.isSet.load(ordering: .relaxed)
        #expect(!hasEnded)
        let limited = try await Self.report { machine in
            let never = Self.never(on: machine)
            async let other = never()
            while true { if (try? await never(within: .seconds(1))) == 1 { break } }
            _ = try await other
        }
        #expect(limited.hasPrefix("it takes more than 20000 steps"), "\(limited)")
    }

    @Test(
        "Bodies and tasks that call and sleep in a loop, and heed no error, end with the run",
        arguments: [
            Strategy.random(20), .exhaustive(limit: 2_000), .exhaustive(sharing: .molecules, limit: 2_000),
        ]
    )
    func loops(strategy: Strategy) async throws {
        let exploration = Exploration(strategy, allowing: .everything, stepLimit: 20_000) { machine in
            let never = Self.never(on: machine)
            let done = Flag()
            let (begin, one, other) = machine.define("clock") { join in
                let (begin, tick) = (join.slow("begin"), join.slow("tick"))
                let (one, other) = (join.slow("one"), join.slow("other"))
                let clock = MachineClock(machine)
                join.when(begin) { _ in
                    while true {
                        try? await clock.sleep(for: .seconds(1))
                        tick()
                    }
                }
                join.when(tick) { _ in }
                join.when(one, other) { _, _ in done.isSet.store(true, ordering: .relaxed) }
                return (begin, one, other)
            }
            begin()
            _ = Task { while true { _ = try? await never() } }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    one()
                    while !done.isSet.load(ordering: .relaxed) { _ = try? await never(within: .seconds(1)) }
                }
                group.addTask {
                    other()
                    let clock = MachineClock(machine)
                    while !done.isSet.load(ordering: .relaxed) { try? await clock.sleep(for: .seconds(1)) }
                }
            }
        }
        #expect(try await !exploration.outcome().hasFailed)
    }

    @Test(
        "An exploration whose task is cancelled ends",
        arguments: [Strategy.random(1_000_000), .exhaustive(limit: 1_000_000)]
    )
    func cancelled(strategy: Strategy) async throws {
        for round in 0..<20 {
            let runs = Mutex(0)
            let exploring = Task {
                try await explore(strategy, allowing: .everything) { machine in
                    runs.withLock { $0 += 1 }
                    let never = Self.never(on: machine)
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<3 {
                            group.addTask {
                                for _ in 0..<5 { _ = try? await never(within: .seconds(1)) }
                                try? await MachineClock().sleep(for: .seconds(1))
                            }
                        }
                    }
                }
            }
            while runs.withLock({ $0 }) < round { await Task.yield() }
            exploring.cancel()
            await #expect(throws: CancellationError.self) { try await exploring.value }
        }
    }

    // MARK: Going on for ever

    @Test("What goes on after the test has returned is seen to its end")
    func afterTheTest() async throws {
        let last = Mutex(0)
        let chain: @Sendable (ChemicalMachine, Int) -> Void = { machine, count in
            let go = machine.define("chain") { join in
                let go = join.slow("go", of: Int.self)
                join.when(go) { n in if n < count { go(n + 1) } else { last.withLock { $0 = n } } }
                return go
            }
            go(1)
        }
        let finite = try await Self.report { chain($0, 5_000) }
        #expect(finite == "")
        #expect(last.withLock { $0 } == 5_000)
        let endless = try await Self.report { chain($0, .max) }
        #expect(endless.hasPrefix("it takes more than 20000 steps"), "\(endless)")
    }

    // MARK: Reports

    @Test("A task that sleeps by a machine's clock when the run is over goes on to its end")
    func sleepersByMachineClock() async throws {
        let began = Atomic(0)
        let ended = Atomic(0)
        let sleepers: [@Sendable () async throws -> Void] = [
            { try await MachineClock().sleep(for: .seconds(60)) }, { try await Task.sleep(for: .seconds(60)) },
        ]
        for sleeper in sleepers {
            let report = try await Self.report { machine in
                let put = machine.define("box") { join in
                    let put = join.slow("put")
                    join.when(put) { _ in }
                    return put
                }
                let remind = { @Sendable in
                    began.add(1, ordering: .relaxed)
                    try? await sleeper()
                    put()
                    ended.add(1, ordering: .relaxed)
                }
                Task { await remind() }
                await Task.yield()
            }
            #expect(report == "")
        }
        #expect(began.load(ordering: .relaxed) == 2)
        #expect(ended.load(ordering: .relaxed) == 2)
    }

    @Test("A call that was taken, and that nothing will answer, is left at the end; not so one with a time limit")
    func forgottenCalls() async throws {
        @Sendable func desk(on machine: ChemicalMachine) -> FastMolecule<Void, Int> {
            machine.define("desk") { join in
                let ask = join.fast("ask", returning: Int.self)
                let kept = join.slow("kept", of: Reply<Void, Int>.self)
                let never = join.slow("never")
                join.when(ask) { reply in kept(reply) }
                join.when(kept, never) { reply, _ in reply(1) }
                return ask
            }
        }
        let line = #line + 3
        let report = try await Self.report { machine in
            let ask = desk(on: machine)
            Task { _ = try? await ask() }
            await Task.yield()
        }
        #expect(report.hasPrefix("something is left at the end"), "\(report)")
        #expect(report.contains("desk.ask waits, called at ChemTestingTests/EndTests.swift:\(line)"), "\(report)")
        let limited = try await Self.report { machine in
            let ask = desk(on: machine)
            Task { _ = try? await ask(within: .seconds(5)) }
            await Task.yield()
        }
        #expect(limited == "")
        let allowed = Exploration(.once, allowing: .waitingCalls) { machine in
            let ask = desk(on: machine)
            Task { _ = try? await ask() }
            await Task.yield()
        }
        #expect(try await !allowed.outcome().hasFailed)
    }

    @Test("Where a task that belongs to no run is waited for, that is said")
    func anotherRun() async throws {
        let outside = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil))
        let never = Self.never(on: outside)
        let report = try await Self.report { _ in _ = try await never() }
        #expect(report.contains("a task waits for something that is no part of the run"), "\(report)")
        outside.deactivate()
    }

    @Test("A requirement that isn't met is reported as an issue, with its place")
    func requirements() async throws {
        let report = Mutex("")
        try await withKnownIssue {
            try await explore(.once) { _ in
                let sum = 1
                try #require(sum == 2)
            }
        } matching: { issue in
            report.withLock { $0 = issue.comments.first?.rawValue ?? "" }
            return true
        }
        let text = report.withLock { $0 }
        #expect(text.hasPrefix("it records an issue"), "\(text)")
        #expect(text.contains("Expectation failed") && text.contains("EndTests.swift"), "\(text)")
    }

    @Test("A call that was taken and not answered stands in the report, with its line and who has taken it")
    func takenCalls() async throws {
        let line = #line + 6
        let report = try await Self.report { machine in
            let ask = machine.define("desk") { join in
                let ask = join.fast("ask", returning: Int.self)
                let kept = join.slow("kept", of: Reply<Void, Int>.self)
                let never = join.slow("never")
                join.when(ask) { reply in kept(reply) }
                join.when(kept, never) { reply, _ in reply(1) }
                return ask
            }
            _ = try await ask()
        }
        let lines = report.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("desk.ask waits, called at ") }, "\(report)")
        let taker = "  ask (ChemTestingTests/EndTests.swift:\(line)) has taken it, and its body has ended: "
        #expect(lines.contains(taker + "somebody has the reply"), "\(report)")
        #expect(lines.contains { $0.hasSuffix(" lacks never") }, "\(report)")
    }

    @Test("Where time has passed stands among the reactions")
    func time() async throws {
        let report = try await Self.report { machine in
            let tick = machine.define("clock") { join in
                let tick = join.slow("tick")
                join.when(tick) { _ in }
                return tick
            }
            tick()
            try await MachineClock(machine).sleep(for: .seconds(90))
            tick()
            try await MachineClock(machine).sleep(for: .milliseconds(5))
            throw Late()
        }
        let lines = report.split(separator: "\n").dropFirst().map(String.init)
        #expect(
            lines == [
                "1. clock: tick", "   time passes, 90 seconds", "2. clock: tick", "   time passes, 5 milliseconds",
            ],
            "\(report)"
        )
    }

    private struct Late: Error {}

    @Test("A strategy that explores nothing fails the test at its line, and not the program")
    func flawedStrategies() async throws {
        let flawed: [Strategy] = [
            .random(0), .random(-5), .pct(0), .pct(1, depth: 0), .uniform(0), .deviations(upTo: -1),
            .deviations(limit: 0), .exhaustive(limit: 0),
        ]
        for strategy in flawed {
            try await withKnownIssue {
                try await ChemTesting.explore(strategy) { _ in Issue.record("it runs") }
            } matching: { issue in
                issue.comments.contains { "\($0)".hasPrefix("the strategy of this test explores nothing: it says ") }
            }
        }
    }

    @Test("A token of another chemistry is said to be one, also if the test fails")
    func foreignToken() async throws {
        let report = try await Self.report(try .replay("chem1:1234:")) { machine in
            _ = try await Self.never(on: machine)()
        }
        #expect(
            report.contains("\n'chem1:1234:' is of another chemistry: it has other choices at its steps"),
            "\(report)"
        )
    }
}
