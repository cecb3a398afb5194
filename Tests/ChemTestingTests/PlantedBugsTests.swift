import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization
import TestSupport
import Testing

@testable import Exploring

/// Mistakes that people make, each in a few lines. Each passes in most runs.
@Suite("Planted bugs", .endsInTime)
struct PlantedBugsTests {
    struct Bug: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let body: @Sendable () async throws -> Void

        init(_ description: String, _ body: @escaping @Sendable () async throws -> Void) {
            testDescription = description
            self.body = body
        }
    }

    /// What a test throws when it sees the bug.
    private struct Seen: Error {}

    private static func insist(_ condition: Bool) throws {
        if !condition { throw Seen() }
    }

    /// A cell that is read and written by calls.
    private static func cell(_ value: Int = 0) -> (read: FastMolecule<Void, Int>, write: FastMolecule<Int, Void>) {
        let (read, write) = Join.define("cell") { join in
            let content = join.state("content", value)
            let read = join.fast("read", returning: Int.self)
            let write = join.fast("write", of: Int.self)
            join.answer(read, reading: content) { content, _ in content }
            join.answer(write, updating: content) { content, new in content = new }
            return (read, write)
        }
        return (read, write)
    }

    /// Runs `count` tasks.
    private static func together(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count { group.addTask { try await body(index) } }
            try await group.waitForAll()
        }
    }

    static let bugs: [Bug] = [
        Bug("the first molecule is forgotten") {
            let (increment, value) = Join.define("counter") { join in
                let count = join.slow("count", of: Int.self)
                let increment = join.slow("increment")
                let value = join.fast("value", returning: Int.self)
                join.when(increment, count) { _, n in count(n + 1) }
                join.answer(value, with: count) { _, n in n }
                return (increment, value)
            }
            increment()
            _ = try await value()
        },
        Bug("a molecule isn't put back by one of two paths") {
            let (use, token) = Join.define("resource") { join in
                let token = join.slow("token")
                let use = join.fast("use", of: Int.self)
                join.answer(use, with: token) { number, _ in if number != 1 { token() } }
                return (use, token)
            }
            token()
            async let first: Void = use(1)
            try await use(0)
            try await first
        },
        Bug("an update is lost between a read and a write") {
            let cell = PlantedBugsTests.cell()
            try await together(2) { _ in try await cell.write(try await cell.read() + 1) }
            try insist(try await cell.read() == 2)
        },
        Bug("philosophers take one fork after the other") {
            let forks = (0..<3).map { _ in AsyncSemaphore(permits: 1) }
            try await together(3) { index in
                try await forks[index].withPermit {
                    try await forks[(index + 1) % 3].withPermit {}
                }
            }
        },
        Bug("a wake-up is lost between the look and the wait") {
            let isReady = PlantedBugsTests.cell()
            let (wait, sleep, wake) = Join.define("condition") { join in
                let wait = join.fast("wait")
                let wake = join.fast("wake")
                let waiting = join.state("waiting", 0)
                let go = join.slow("go")
                let sleep = join.fast("sleep")
                join.answer(sleep, with: go) { _, _ in }
                join.answer(wait, updating: waiting) { waiting, _ in waiting += 1 }
                // Wakes one that waits, and nobody if none does.
                join.answer(wake, updating: waiting) { waiting, _ in
                    if waiting > 0 {
                        waiting -= 1
                        go()
                    }
                }
                return (wait, sleep, wake)
            }
            async let waiter: Void = {
                if try await isReady.read() == 0 {
                    try await wait()
                    try await sleep()
                }
            }()
            try await isReady.write(1)
            try await wake()
            try await waiter
        },
        Bug("a permit is lost by a task that is cancelled after it got it") {
            let semaphore = AsyncSemaphore(permits: 1)
            let task = Task {
                try await semaphore.acquire()
                try Task.checkCancellation()
                semaphore.release()
            }
            await Task.yield()
            task.cancel()
            _ = await task.result
            try await semaphore.withPermit {}
        },
        Bug("a permit is given back after a time-out that didn't get it") {
            let semaphore = AsyncSemaphore(permits: 1)
            let inside = Atomic(0)
            let most = Atomic(0)
            try await together(3) { index in
                if index == 0 { try? await semaphore.acquire(within: .zero) } else { try await semaphore.acquire() }
                most.max(inside.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                await Task.yield()
                inside.subtract(1, ordering: .relaxed)
                semaphore.release()
            }
            try insist(most.load(ordering: .relaxed) == 1)
        },
        Bug("a value that has changed and changed back looks as if it hadn't") {
            let cell = PlantedBugsTests.cell(1)
            async let other: Void = {
                try await cell.write(2)
                try await cell.write(1)
            }()
            let before = try await cell.read()
            let changed = try await cell.read() == 2
            let after = try await cell.read()
            try await other
            try insist(!(before == after && changed))
        },
        Bug("a writer comes in between the last reader's look and its leave") {
            let readers = PlantedBugsTests.cell()
            let isWriting = Atomic(false)
            try await together(2) { index in
                if index == 0 {
                    try await readers.write(try await readers.read() + 1)
                    try insist(!isWriting.load(ordering: .relaxed))
                    await Task.yield()
                    try await readers.write(0)
                } else if try await readers.read() == 0 {
                    isWriting.store(true, ordering: .relaxed)
                    await Task.yield()
                    isWriting.store(false, ordering: .relaxed)
                }
            }
        },
        Bug("copies of a bag are expected in their order") {
            let (put, take) = Join.define("bag") { join in
                let put = join.slow("put", of: Int.self)
                let take = join.fast("take", returning: Int.self)
                join.answer(take, with: put) { _, n in n }
                return (put, take)
            }
            put(1)
            put(2)
            try insist(try await take() == 1)
        },
        Bug("who looks whether there is something finds it gone when it takes it") {
            let (put, take, bag) = Join.define("bag") { join in
                let put = join.slow("put")
                let take = join.fast("take")
                join.answer(take, with: put) { _, _ in }
                return (put, take, join.definition)
            }
            put()
            try await together(2) { _ in
                if bag.snapshot().molecules["put"] == 1 { try await take() }
            }
        },
        Bug("a cache computes what is being computed") {
            let cached = PlantedBugsTests.cell()
            let computations = Atomic(0)
            try await together(2) { _ in
                if try await cached.read() == 0 {
                    computations.add(1, ordering: .relaxed)
                    try await cached.write(42)
                }
            }
            try insist(computations.load(ordering: .relaxed) == 1)
        },
        Bug("tasks are expected to begin in their order") {
            let (put, all) = Join.define("log") { join in
                let put = join.fast("put", of: Int.self)
                let all = join.fast("all", returning: [Int].self)
                let log = join.state("log", [Int]())
                join.answer(put, updating: log) { log, n in log.append(n) }
                join.answer(all, reading: log) { log, _ in log }
                return (put, all)
            }
            let tasks = [Task { try await put(1) }, Task { try await put(2) }]
            for task in tasks { try await task.value }
            try insist(try await all() == [1, 2])
        },
        Bug("an actor is entered in the middle of its method") {
            let account = Account()
            try await together(2) { _ in await account.double() }
            try insist(await account.balance == 4)
        },
        Bug("the fast one of a barrier takes the place of a slow one in the next round") {
            let arrive = Join.define("barrier") { join in
                let arrive = join.fast("arrive", returning: Int.self)
                let count = join.state("count", 0)
                join.answer(arrive, updating: count) { count, _ in
                    count += 1
                    return (count - 1) / 2
                }
                return arrive
            }
            try await together(2) { _ in
                for round in 0..<2 { try insist(try await arrive() == round) }
            }
        },
        Bug("the answer comes in the moment of the time-out, and is thrown away") {
            let (give, take) = Join.define("box") { join in
                let give = join.slow("give", of: Int.self)
                let take = join.fast("take", returning: Int.self)
                join.answer(take, with: give) { _, n in n }
                return (give, take)
            }
            async let late: Int = withTimeout(.seconds(1)) { try await take() }
            try await MachineClock().sleep(for: .seconds(1))
            give(1)
            if (try? await late) == nil { try insist(try await take(within: .seconds(1)) == 1) } else { throw Seen() }
        },
    ]

    private actor Account {
        private(set) var balance = 1

        func double() async {
            let before = balance
            await Task.yield()
            balance = before * 2
        }
    }

    @Test(
        "Each is found within a hundred schedules, with three deviations at most, and told in fifteen lines",
        arguments: bugs
    )
    func found(bug: Bug) async throws {
        let exploration = Exploration(.deviations(), timeMayPass: false) { _ in try await bug.body() }
        let outcome = try await exploration.outcome()
        let report = try #require(await exploration.explanation(of: outcome)?.text, "after \(outcome.runs) schedules")
        #expect(outcome.runs <= 100)
        let token = try #require(report.firstMatch(of: /chem1w?:[0-9a-f]{4}:([0-9.,]*)/))
        #expect(token.1.count(where: { $0 == "." }) <= 3)
        #expect(report.split(separator: "\n").count <= 15)
    }
}
