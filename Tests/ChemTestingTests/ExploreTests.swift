import ChemActors
import ChemTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Exploring

@Suite("Exploring schedules", .endsInTime)
struct ExploreTests {
    /// What `explore` reports, instead of failing this test.
    private func report(
        _ strategy: Strategy,
        timeMayPass: Bool = false,
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
    ) async throws -> String {
        let reports = Mutex<[String]>([])
        try await withKnownIssue(isIntermittent: true) {
            try await explore(strategy, timeMayPass: timeMayPass, body)
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined(separator: "\n")
            if text.contains("chem1") { reports.withLock { $0.append(text) } }
            return true
        }
        let all = reports.withLock { $0 }
        #expect(all.count <= 1, "one failure is reported once")
        return all.first ?? ""
    }

    private func token(in report: String) throws -> String {
        let match = try #require(report.firstMatch(of: /chem1w?:[0-9a-f]{4}:[0-9.,]*/), "\(report)")
        return String(match.output)
    }

    /// A value that callers read and write in two steps, which loses updates.
    @Sendable private static func lostUpdate(_ machine: ChemicalMachine) async throws {
        let (read, write) = machine.define("cell") { join in
            let value = join.state("value", 0)
            let read = join.fast("read", returning: Int.self)
            let write = join.fast("write", of: Int.self)
            join.answer(read, reading: value) { value, _ in value }
            join.answer(write, updating: value) { value, new in value = new }
            return (read, write)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { try await write(try await read() + 1) } }
            try await group.waitForAll()
        }
        let sum = try await read()
        #expect(sum == 2)
    }

    @Test("A lost update is found, with a schedule that shows it again, and no other does")
    func races() async throws {
        for strategy in [Strategy.deviations(), .random(200), .exhaustive()] {
            let report = try await report(strategy, Self.lostUpdate)
            #expect(report.hasPrefix("it records an issue"), "\(report)")
            #expect(report.contains("\n  Expectation failed: (sum → 1) == 2 (\(#fileID):"), "\(report)")
            #expect(report.contains("cell: write & value"), "\(report)")
            #expect(report.split(separator: "\n").count <= 15)
            let token = try token(in: report)
            #expect(token.filter { $0 == "." }.count <= 3, "\(token)")
            let again = try await self.report(try .replay(token), Self.lostUpdate)
            #expect(try self.token(in: again) == token)
        }
    }

    /// A cache that keeps a value which has been invalidated meanwhile.
    private static func staleValue(_ machine: ChemicalMachine) async throws {
        let (look, keep, drop) = machine.define("cache") { join in
            let value = join.state("value", Int?.none)
            let look = join.fast("look", returning: Int?.self)
            let (keep, drop) = (join.fast("keep", of: Int.self), join.fast("drop"))
            join.answer(look, reading: value) { value, _ in value }
            join.answer(keep, updating: value) { value, new in value = new }
            join.answer(drop, updating: value) { value, _ in value = nil }
            return (look, keep, drop)
        }
        let (ask, set) = machine.define("origin") { join in
            let value = join.state("value", 1)
            let (ask, set) = (join.fast("ask", returning: Int.self), join.fast("set", of: Int.self))
            join.answer(ask, reading: value) { value, _ in value }
            join.answer(set, updating: value) { value, new in value = new }
            return (ask, set)
        }
        @Sendable func get() async throws -> Int {
            if let hit = try await look() { return hit }
            let value = try await ask()
            try await keep(value)
            return value
        }
        async let first = get()
        try await set(2)
        try await drop()
        _ = try await first
        let second = try await get()
        #expect(second == 2)
    }

    @Test("What no three deviations show is found by the default, in each of its parts that follow")
    func mixed() async throws {
        let deviations = Exploration(.deviations(), allowing: .everything, Self.staleValue)
        #expect(try await !deviations.outcome().hasFailed)
        for strategy in [Strategy.mixed(), .random(1_000), .pct(1_000), .uniform(1_000)] {
            let report = try await report(strategy, Self.staleValue)
            #expect(report.contains("(second → 1) == 2"), "\(report)")
        }
        let runs = Mutex(0)
        let all = Exploration(.mixed(400), allowing: .everything) { _ in
            runs.withLock { $0 += 1 }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<6 { group.addTask { await Task.yield() } }
            }
        }
        #expect(try await !all.outcome().hasFailed)
        #expect(runs.withLock { $0 } == 400)
    }

    @Test("An issue counts, wherever a body runs", arguments: ["synchronous", "asynchronous", "suspended", "handler"])
    func issues(kind: String) async throws {
        let report = try await report(.random(3)) { machine in
            let (put, done, keep) = machine.define("cell") { join in
                let put = join.slow("put")
                let done = join.fast("done")
                let didPut = join.slow("did put")
                let keep = join.fast("keep")
                switch kind {
                case "synchronous":
                    join.when(put) { _ in
                        Issue.record("it is put")
                        didPut()
                    }
                case "asynchronous":
                    join.when(put) { _ async in
                        Issue.record("it is put")
                        didPut()
                    }
                default:
                    join.when(put) { _ async in
                        await Task.yield()
                        if kind == "suspended" { Issue.record("it is put") }
                        didPut()
                    }
                }
                join.answer(done, with: didPut) { _, _ in }
                join.when(keep) { reply in
                    reply.onCancel {
                        Issue.record("it is late")
                        reply()
                    }
                }
                return (put, done, keep)
            }
            put()
            try await done()
            if kind == "handler" { try? await keep(within: .seconds(1)) }
        }
        #expect(report.hasPrefix("it records an issue"), "\(report)")
    }

    @Test("What is sound passes under all schedules")
    func sound() async throws {
        let runs = Atomic(0)
        try await explore(.exhaustive()) { machine in
            runs.add(1, ordering: .relaxed)
            let (add, value, definition) = machine.define("counter") { join in
                let count = join.state("count", 0)
                let add = join.slow("add", of: Int.self)
                let value = join.fast("value", returning: Int.self)
                join.when(add, updating: count) { count, n in count += n }
                join.answer(value, reading: count) { count, _ in count }
                return (add, value, join.definition)
            }
            for n in 1...4 { add(n) }
            try await definition.quiescence()
            let sum = try await value()
            #expect(sum == 10)
        }
        #expect(runs.load(ordering: .relaxed) >= 24, "each order of four copies")
    }

    private struct Gate: JoinDefinition {
        let enter = FastMolecule<Void, Void>()
        let leave = SlowMolecule<Void>()
        private let free = SlowMolecule<Void>()

        func react(in join: inout Join.Builder) {
            join.answer(enter, with: free) { _, _ in }
            join.when(leave) { _ in free() }
            free()
        }
    }

    /// What is left then isn't left at the end of the run: that isn't reached.
    @Test("A run that is given up, since another one was the same, leaves nothing behind", arguments: [1, 2])
    func givenUp(sharing: Int) async throws {
        try await explore(sharing == 1 ? .exhaustive() : .exhaustive(sharing: .molecules)) { machine in
            let gate = machine.make(Gate())
            async let one: Void = {
                try await gate.enter()
                gate.leave()
            }()
            async let two: Void = {
                try await gate.enter()
                gate.leave()
            }()
            _ = try await (one, two)
        }
    }

    @Test("A counter without its first count waits for ever, and the report says for what")
    func missingMolecule() async throws {
        let report = try await report(.once) { machine in
            let (increment, value) = machine.define("counter") { join in
                let count = join.slow("count", of: Int.self)
                let increment = join.slow("increment")
                let value = join.fast("value", returning: Int.self)
                join.when(increment, count) { _, n in count(n + 1) }
                join.answer(value, with: count) { _, n in
                    count(n)
                    return n
                }
                return (increment, value)
            }
            increment()
            _ = try await value()
        }
        #expect(report.hasPrefix("it waits for what can't come"), "\(report)")
        #expect(report.contains("counter.value waits, called at"), "\(report)")
        #expect(report.contains(/value & count \(ChemTestingTests.ExploreTests.swift:\d+\) lacks count/), "\(report)")
        #expect(report.contains("nobody has injected 'count'"), "\(report)")
    }

    @Test("The report says for what a call waits in a scope, which has a machine of its own")
    func missingMoleculeInScope() async throws {
        let report = try await report(.once) { _ in
            try await withChemicalMachine { _ in
                let call = Join.define("pair") { join in
                    let (call, partner) = (join.fast("call"), join.slow("partner"))
                    join.answer(call, with: partner) { _, _ in }
                    return call
                }
                try await call()
            }
        }
        #expect(report.hasPrefix("it waits for what can't come"), "\(report)")
        #expect(report.contains("pair.call waits, called at"), "\(report)")
        #expect(report.contains(/call & partner \(\S+\) lacks partner/), "\(report)")
        #expect(report.contains("nobody has injected 'partner'"), "\(report)")
    }

    @Test("Philosophers who take one fork after the other starve under some schedule")
    func philosophers() async throws {
        @Sendable func dine(_ machine: ChemicalMachine) async throws {
            let (take, put) = machine.define("table") { join in
                let forks = (0..<3).map { join.slow("fork \($0)") }
                let take = (0..<3).map { join.fast("take \($0)") }
                for index in 0..<3 { join.answer(take[index], with: forks[index]) { _, _ in } }
                for fork in forks { fork() }
                return (take, forks)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for who in 0..<3 {
                    group.addTask {
                        try await take[who]()
                        try await take[(who + 1) % 3]()
                        put[who]()
                        put[(who + 1) % 3]()
                    }
                }
                try await group.waitForAll()
            }
        }
        for strategy in [Strategy.deviations(), .random(500), .exhaustive()] {
            let report = try await report(strategy, dine)
            #expect(report.hasPrefix("it waits for what can't come"), "\(report)")
            #expect(report.contains("lacks fork"), "\(report)")
        }
    }

    @Test("Time passes when there is nothing else to do, and exactly to the next deadline")
    func virtualTime() async throws {
        let start = ContinuousClock.now
        try await explore(.once) { machine in
            let (never, definition) = machine.define("wall") { join in
                let never = join.fast("never")
                let missing = join.slow("missing")
                join.answer(never, with: missing) { _, _ in }
                return (never, join.definition)
            }
            let clock = MachineClock(machine)
            let begin = clock.now
            async let nap: Void = clock.sleep(for: .seconds(1_800))
            do {
                try await never(within: .seconds(3_600))
                Issue.record("it was answered")
            } catch let error as CallError {
                #expect(error.code == .timedOut)
            }
            try await nap
            #expect(begin.duration(to: clock.now) == .seconds(3_600))
            _ = definition
        }
        #expect(start.duration(to: .now) < .seconds(1_800))
    }

    @Test("A failed reaction is tried again when its time has come")
    func retries() async throws {
        try await explore(.random(20)) { machine in
            let clock = MachineClock(machine)
            let begin = clock.now
            let (work, definition) = machine.define("office") { join in
                join.failurePolicy = .retry(3, backOff: .seconds(60))
                let work = join.slow("work")
                let tries = join.state("tries", 0)
                join.when(work, updating: tries) { tries, _ in
                    tries += 1
                    if tries < 3 { throw TryAgain() }
                }
                return (work, join.definition)
            }
            work()
            try await definition.quiescence()
            #expect(begin.duration(to: clock.now) == .seconds(180))  // the back-off doubles
        }
    }

    private struct TryAgain: Error {}

    @Test("A time-out that comes just before the answer is found if time may pass")
    func timeOuts() async throws {
        @Sendable func body(_ machine: ChemicalMachine) async throws {
            let (ask, give) = machine.define("bank") { join in
                let ask = join.fast("ask", returning: Int.self)
                let give = join.slow("give", of: Int.self)
                join.answer(ask, with: give) { _, n in n }
                return (ask, give)
            }
            async let answer = ask(within: .seconds(1))
            give(3)
            let number = try await answer
            #expect(number == 3)
        }
        try await explore(.exhaustive(), body)
        let report = try await report(.exhaustive(), timeMayPass: true, body)
        #expect(report.hasPrefix("it throws"), "\(report)")
    }

    @Test("A body that goes to the main actor fails, if only because nothing comes back in time")
    func escapes() async throws {
        let report = try await report(.once) { _ in await MainActor.run {} }
        let isTold = report.contains("isn't under control") || report.hasPrefix("it waits for what can't come")
        #expect(isTold, "\(report)")
    }

    private struct Mislaid: Error { let id = UUID() }

    @Test("An error that has another identifier in each run is the same failure, and is shortened")
    func identifiers() async throws {
        let report = try await report(.random(50)) { machine in
            let (put, get) = machine.define("cell") { join in
                let put = join.slow("put", of: Int.self)
                let get = join.fast("get", returning: Int.self)
                join.answer(get, with: put) { _, n in n }
                return (put, get)
            }
            for n in 0..<8 { put(n) }
            var all: [Int] = []
            for _ in 0..<8 { all.append(try await get()) }
            if all != all.sorted() { throw Mislaid() }
        }
        #expect(report.hasPrefix("it throws Mislaid") && !report.contains("outlives a run"), "\(report)")
        #expect(try token(in: report).filter { $0 == "," }.isEmpty, "one choice is enough: \(report)")
    }

    @Test("A run may need as many steps to end as it has taken")
    func manyWait() async throws {
        try await explore(.random(1), allowing: .waitingCalls) { machine in
            let (never, definition) = machine.define("wall") { join in
                let never = join.fast("never")
                let missing = join.slow("missing")
                join.answer(never, with: missing) { _, _ in }
                return (never, join.definition)
            }
            for _ in 0..<12_000 { Task { try await never() } }
            while definition.snapshot().waitingCalls.count < 12_000 { await Task.yield() }
        }
    }

    @Test("A failure that doesn't come again is said to have to do with what outlives the run")
    func whatOutlivesRuns() async throws {
        let isLater = Mutex(false)
        let report = try await report(.once) { _ in
            let wasLater = isLater.withLock { isLater in
                defer { isLater = true }
                return isLater
            }
            #expect(wasLater)
        }
        #expect(report.contains("\nit didn't fail so when it ran again: something outlives a run"), "\(report)")
    }

    @Test("A job that comes from another thread is noticed")
    func jobsFromElsewhere() {
        let control = Control(Script(.canonical), timeMayPass: false, keepsLog: false)
        #expect(!control.hasEscaped)
        Task(executorPreference: control) {}
        #expect(!control.hasEscaped)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            Task(executorPreference: control) {}
            done.signal()
        }
        done.wait()
        #expect(control.hasEscaped)
        control.drain(limit: 10)
    }

    @Test("A definition that is made by Join.define belongs to the run")
    func currentMachine() async throws {
        try await explore(.random(10)) { machine in
            let definition = Join.define("counter") { join in
                let add = join.slow("add")
                join.when(add) { _ in }
                add()
                return join.definition
            }
            try await definition.quiescence()
            #expect(machine.statistics.isBalanced)
        }
    }

    @Test("A test on the main actor explores as any other") @MainActor
    func onMainActor() async throws {
        let report = try await report(.deviations(), Self.lostUpdate)
        #expect(report.hasPrefix("it records an issue"), "\(report)")
        try await explore(.random(20)) { machine in
            try await MachineClock(machine).sleep(for: .seconds(3_600))
        }
    }

    @Test("Tokens that are none, or of another chemistry")
    func tokens() async throws {
        for wrong in [
            "", "chem1", "chem2:0000:", "chem1x:0000:", "chem1:zz:", "chem1:0000:1", "chem1:0000:3.1,2.1",
            "chem1:0000:1.0",
        ] {
            #expect(throws: InvalidSchedule.self) { try Schedule(wrong) }
        }
        for right in ["chem1:7f3a:12.1,40.2", "chem1w:7f3a:12.1", "chem1:0001:"] {
            #expect(try Schedule(right).description == right)
        }
        // As one would copy it from a line that goes on.
        #expect(try Schedule("chem1:0001") == Schedule("chem1:0001:"))
        let report = try await report(try .replay("chem1:1234:99.7"), { _ in })
        #expect(report.contains("another chemistry"), "\(report)")
    }
}
