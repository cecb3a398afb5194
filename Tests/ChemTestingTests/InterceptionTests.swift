import ChemActors
import ChemTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Exploring

@Suite("What doesn't ask for an executor", .endsInTime)
struct InterceptionTests {
    /// What has happened, in its order.
    private final class Log: Sendable {
        private let entries = Mutex<[Int]>([])

        func add(_ entry: Int) { entries.withLock { $0.append(entry) } }

        var all: [Int] { entries.withLock { $0 } }
    }

    /// Runs `body` under many schedules, none of which may fail.
    private static func sound(
        _ strategy: Strategy = .random(50),
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
    ) async throws {
        let outcome = try await Exploration(strategy, body).outcome()
        let explanation = await Exploration(strategy, body).explanation(of: outcome)?.text
        #expect(explanation == nil)
    }

    @Test("Unstructured and detached tasks are steps of the run like others")
    func tasks() async throws {
        let orders = Mutex<Set<[Int]>>([])
        try await Self.sound(.random(200)) { _ in
            let order = Log()
            let tasks = [Task { order.add(1) }, Task.detached { order.add(2) }, Task { order.add(3) }]
            for task in tasks { await task.value }
            orders.withLock { _ = $0.insert(order.all) }
        }
        #expect(orders.withLock { $0.count } == 6, "all orders have come")
    }

    private actor Account {
        private var balance = 1
        private let rate: FastMolecule<Void, Int>

        init() {
            rate = Join.define("rate") { join in
                let rate = join.fast("rate", returning: Int.self)
                join.answer(rate) { _ in 2 }
                return rate
            }
        }

        /// Forgets that others may come in between.
        func grow() async throws {
            let before = balance
            balance = before * (try await rate())
        }

        /// The same, with a suspension that leaves the run if the caller has no executor.
        func growLate() async {
            let before = balance
            await Task.yield()
            balance = before * 2
        }

        /// As `growLate`, but it is away until somebody waits for it.
        func growLater(_ meeting: Meeting) async {
            let before = balance
            await Task.yield()
            meeting.come()
            balance = before * 2
        }

        var value: Int { balance }
    }

    /// One waits as a task, and another, on a thread of its own, for the one to wait.
    private final class Meeting: Sendable {
        private let waiter = Mutex<CheckedContinuation<Void, Never>?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func wait() async {
            await withCheckedContinuation { continuation in
                waiter.withLock { $0 = continuation }
                // This task's turn comes when the one that waits has suspended.
                Task { isThere.signal() }
            }
        }

        func come() {
            // If both were on one thread, the test would have to fail rather than hang.
            _ = isThere.wait(timeout: .now() + 60)
            waiter.withLock { $0.take() }?.resume()
        }
    }

    private struct Lost: Error {}

    private static func explanation(
        _ strategy: Strategy,
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
    ) async throws -> String {
        let exploration = Exploration(strategy, body)
        let outcome = try await exploration.outcome()
        return await exploration.explanation(of: outcome)?.text ?? ""
    }

    @Test("An actor that is entered in the middle of its method is found, whoever enters it")
    func actors() async throws {
        for strategy in [Strategy.random(100), .deviations(), .exhaustive()] {
            let unstructured = try await Self.explanation(strategy) { _ in
                let account = Account()
                let task = Task { try await account.grow() }
                try await account.grow()
                try await task.value
                if await account.value != 4 { throw Lost() }
            }
            #expect(unstructured.hasPrefix("it throws Lost"), "\(unstructured)")
            let structured = try await Self.explanation(strategy) { _ in
                let account = Account()
                async let other: Void = account.growLate()
                await account.growLate()
                await other
                if await account.value != 4 { throw Lost() }
            }
            #expect(structured.hasPrefix("it throws Lost"), "\(structured)")
        }
    }

    @Test("What leaves the run and comes back is noticed, also on the thread that has driven it")
    func escapes() async throws {
        // An actor's method that yields, or sleeps, for a task without an executor asks the global pool itself. What
        // has come back before anybody waits for it isn't noticed, so here it waits for that.
        let explanation = try await Self.explanation(.once) { _ in
            let (account, meeting) = (Account(), Meeting())
            let task = Task { await account.growLater(meeting) }
            await meeting.wait()
            await task.value
        }
        // If it doesn't come back in time, that is told.
        let isTold =
            explanation.contains("isn't under control") || explanation.hasPrefix("it waits for what can't come")
        #expect(isTold, "\(explanation)")
    }

    #if os(Linux)
        @Test("Sleeping by a clock of Swift's takes no time, and ends in the order of the times")
        func sleeps() async throws {
            let begin = ContinuousClock.now
            try await Self.sound(.random(20)) { machine in
                let clock = MachineClock(machine)
                let begin = clock.now
                let order = Log()
                let durations: [Duration] = [
                    .seconds(3_600), .seconds(250), .seconds(15), .seconds(3_000), .seconds(400),
                ]
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, duration) in durations.enumerated() {
                        group.addTask {
                            switch index {
                            case 0: try await Task.sleep(for: duration)
                            case 1: try await ContinuousClock().sleep(until: .now + duration)
                            case 2: try await Task { try await Task.sleep(for: duration) }.value
                            case 3: try await SuspendingClock().sleep(until: .now + duration)
                            default: try await Task.sleep(nanoseconds: 400_000_000_000)
                            }
                            // Exactly so long, unless the thread lost its core for a while as the sleep began.
                            let slept = begin.duration(to: clock.now)
                            #expect(slept >= duration * 0.95 && slept <= duration * 1.05)
                            order.add(index)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(order.all == [2, 1, 4, 3, 0])
            }
            // Twenty times an hour. What real time it takes is what other tests take of the machine.
            #expect(begin.duration(to: .now) < .seconds(600))
        }

        @Test("The body of an answer sleeps by the clock of the run, whether its caller has waited or not")
        func sleepsInAnswers() async throws {
            try await Self.sound(.exhaustive(sharing: .tasks)) { machine in
                let next = machine.define("next") { join in
                    let next = join.fast("next", returning: Int.self)
                    let number = join.slow("number", of: Int.self)
                    join.answer(next, with: number) { _, number in
                        try await Task.sleep(for: .seconds(10))
                        try await Task.sleep(for: .seconds(5))
                        return number
                    }
                    number(1)
                    number(2)
                    return next
                }
                let clock = MachineClock(machine)
                let begin = clock.now
                let sum = try await next() + next()
                #expect(sum == 3)
                #expect(begin.duration(to: clock.now) == .seconds(30))
            }
        }

        @Test("A sleep that is cancelled ends at once, and takes none of the time of others")
        func cancelledSleeps() async throws {
            try await Self.sound { machine in
                let begin = MachineClock(machine).now
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { try? await Task.sleep(for: .seconds(1_000)) }
                    group.addTask { try? await Task.sleep(for: .seconds(10)) }
                    group.cancelAll()
                }
                try await Task.sleep(for: .seconds(5))
                #expect(begin.duration(to: MachineClock(machine).now) == .seconds(5))
            }
        }
    #endif

    @Test("Tasks that sleep when the test is over end with it")
    func leftOver() async throws {
        let ends = Log()
        try await Self.sound(.once) { _ in
            for _ in 0..<3 {
                Task {
                    try? await Task.sleep(for: .seconds(3_600))
                    ends.add(1)
                }
            }
        }
        #expect(ends.all.count == 3)
    }

    @Test("The durations that were asked for are found again")
    func durations() {
        for asked in [Duration.seconds(5), .milliseconds(250), .microseconds(1_500), .seconds(3_599.5)] {
            for (rest, delay) in [(0, 300), (300, 300), (800, 20_000), (20_000, 20_000), (900, 9_000_000)] {
                let rest = asked - .nanoseconds(rest)
                #expect(Sleepers.asked(rest, delay: .nanoseconds(delay)) == asked)
            }
        }
        // The thread has lost its core, and what is left is not so round by chance.
        #expect(Sleepers.asked(.seconds(4.9998), delay: .milliseconds(9)) == .seconds(5))
        #expect(Sleepers.asked(.zero, delay: .seconds(1)) == .zero)
        #expect(Sleepers.asked(.nanoseconds(7), delay: .zero) == .nanoseconds(7))
    }

    @Test("Other tests on other threads aren't touched")
    func others() async throws {
        async let exploration: Void = Self.sound(.random(200)) { machine in
            let (work, definition) = machine.define("work") { join in
                let work = join.slow("work")
                join.when(work) { _ in await Task.yield() }
                return (work, join.definition)
            }
            for _ in 0..<20 { Task { work() } }
            for _ in 0..<20 { await Task.yield() }
            try await definition.quiescence()
        }
        for _ in 0..<2_000 {
            let sum = await Task { await Task { 1 }.value + 1 }.value
            #expect(sum == 2)
        }
        try await exploration
    }
}
