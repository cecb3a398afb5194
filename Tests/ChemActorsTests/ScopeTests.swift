import ChemActors
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// Waiting in tests: for a condition that can be observed, and for something that must end.
enum Patience {
    struct TookTooLong: Error {}

    /// Polls until `condition` holds. False if it doesn't within eighteen minutes.
    static func until(_ condition: @Sendable () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(1_100)
        var polling = Polling()
        while !condition() {
            if ContinuousClock.now > deadline { return condition() }
            await polling.pause()
        }
        return true
    }

    /// What `operation` returns or throws, or `TookTooLong`: then it is cancelled and left behind.
    static func end<Value: Sendable>(
        within limit: Duration = .seconds(1_100),
        of operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (results, send) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        let task = Task {
            do { send.yield(.success(try await operation())) } catch { send.yield(.failure(error)) }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            send.finish()
        }
        defer {
            timer.cancel()
            task.cancel()
        }
        for await result in results { return try result.get() }
        throw TookTooLong()
    }
}

/// A list that any task may append to.
final class Record<Element: Sendable>: Sendable {
    private let list = Guarded<[Element]>([])
    var all: [Element] { list.now }
    var count: Int { list.withLock { $0.count } }
    func append(_ element: Element) { list.append(element) }
}

/// A number that any task may change, and the largest that it has been.
final class Tally: Sendable {
    private let state = Guarded((now: 0, most: 0))
    var value: Int { state.now.now }
    var most: Int { state.now.most }
    func add(_ difference: Int = 1) {
        state.withLock {
            $0.now += difference
            $0.most = max($0.most, $0.now)
        }
    }
}

/// Something that has happened, or not yet.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
    /// Blocks the thread until it is raised. Mostly asleep, so that the system gives the pool another thread.
    func block() { while !isRaised { usleep(100) } }
}

/// One thread for all jobs.
final class QueueExecutor: TaskExecutor {
    static let key = DispatchSpecificKey<Int>()
    private let queue: DispatchQueue
    init(number: Int = 1) {
        queue = DispatchQueue(label: "test")
        queue.setSpecific(key: Self.key, value: number)
    }
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

private enum Local { @TaskLocal static var value = 0 }

/// Small chemistries that several tests use.
enum Small {
    struct Flaw: Error, Equatable { var number = 0 }

    /// A definition that does nothing until both its molecules are there. The name keeps it alive.
    static func idle(_ name: String) -> SlowMolecule<Void> {
        Join.define(name) { join in
            let (a, b) = (join.slow("a"), join.slow("b"))
            join.when(a, b) { _, _ in b() }
            return a
        }
    }

    /// A fast molecule that waits until its partner comes, and the partner.
    static func meeting(_ name: String = "meeting") -> (call: FastMolecule<Void, Int>, partner: SlowMolecule<Int>, Join)
    {
        let (call, partner, definition) = Join.define(name) { join in
            let call = join.fast("call", returning: Int.self)
            let partner = join.slow("partner", of: Int.self)
            join.answer(call, with: partner) { _, n in n }
            return (call, partner, join.definition)
        }
        return (call, partner, definition)
    }

    /// Injects once into a definition whose asynchronous body is `body`.
    static func inBody(_ name: String = "body", _ body: @escaping @Sendable () async throws -> Void) {
        Join.define(name) { join in
            let go = join.slow("go")
            join.when(go) { _ in try await body() }
            go()
        }
    }

    static func codeOf(_ call: FastMolecule<Void, Int>) async -> CallError.Code? {
        do { _ = try await call() } catch { return (error as? CallError)?.code }
        return nil
    }
}

@Suite(.endsInTime)
struct ScopeTests {
    @Test func returnsItsValueOnceAllIsQuiet() async throws {
        let log = Record<Int>()
        let value = try await withChemicalMachine { _ in
            let go = Join.define("chain") { join in
                let go = join.slow("go", of: Int.self)
                join.when(go) { n in
                    await Task.yield()
                    log.append(n)
                    if n > 0 { go(n - 1) }
                }
                return go
            }
            go(50)
            return 7
        }
        #expect(value == 7)
        #expect(log.all == Array((0...50).reversed()))
    }

    // MARK: What belongs to it

    @Test func definitionsMadeInsideBelongToIt() async throws {
        let kept = Record<SlowMolecule<Void>>()
        try await withChemicalMachine { machine in
            kept.append(Small.idle("closure"))
            await withTaskGroup { group in
                group.addTask { kept.append(Small.idle("child")) }
            }
            async let other = Task { Small.idle("unstructured") }.value
            kept.append(await other)
            Join.define("sync") { join in
                let go = join.slow("go")
                join.when(go) { _ in kept.append(Small.idle("in a synchronous body")) }
                go()
            }
            Small.inBody {
                kept.append(Small.idle("in an asynchronous body"))
                await Task.yield()
                kept.append(Small.idle("after a suspension"))
                async let child = Small.idle("in a child of a body")
                kept.append(await child)
            }
            kept.append(
                machine.define("explicit") { join in
                    let (a, b) = (join.slow("a"), join.slow("b"))
                    join.when(a, b) { _, _ in }
                    return a
                }
            )
            kept.append(await Task.detached { Small.idle("detached") }.value)
            kept.append(
                await Task.detached {
                    machine.define("placed") { join in
                        let (a, b) = (join.slow("a"), join.slow("b"))
                        join.when(a, b) { _, _ in }
                        return a
                    }
                }.value
            )
            #expect(await Patience.until { kept.count == 10 })
            let names = Set(machine.snapshot().map(\.definition))
            #expect(
                names.isSuperset(of: [
                    "closure", "child", "unstructured", "in a synchronous body", "in an asynchronous body",
                    "after a suspension",
                    "in a child of a body", "explicit", "placed",
                ])
            )
            #expect(!names.contains("detached"))
            #expect(machine.statistics.molecules["closure.a"] != nil)
        }
        #expect(kept.count == 10)
    }

    @Test func aScopeInAnAsynchronousBodyHasItsOwnDefinitions() async throws {
        let names = Record<[String]>()
        try await withChemicalMachine { _ in
            Small.inBody("outer") {
                try await withChemicalMachine { inner in
                    let a = Small.idle("inner")
                    names.append(inner.snapshot().map(\.definition))
                    a()
                }
            }
        }
        #expect(names.all == [["inner"]])
    }

    @Test func nestedScopesEndOneAfterTheOther() async throws {
        let log = Record<String>()
        try await withChemicalMachine { outer in
            let a = Small.idle("outer")
            try await withChemicalMachine { inner in
                let b = Small.idle("inner")
                #expect(inner.snapshot().map(\.definition) == ["inner"])
                #expect(outer.snapshot().map(\.definition) == ["outer"])
                Small.inBody {
                    await Task.yield()
                    log.append("inner")
                }
                b()
            }
            log.append("between")
            a()
            Small.inBody { log.append("outer") }
        }
        #expect(log.all == ["inner", "between", "outer"])
    }

    @Test func bodiesSeeTheTaskLocalsAndThePriorityOfTheEntry() async throws {
        let seen = Record<String>()
        try await Task.detached(priority: .high) {
            try await Local.$value.withValue(5) {
                try await withChemicalMachine { _ in
                    let (sync, async) = Join.define("locals") { join in
                        let (sync, async) = (join.slow("sync"), join.slow("async"))
                        join.when(sync) { _ in seen.append("sync \(Local.value) \(Task.currentPriority == .high)") }
                        join.when(async) { _ in
                            await Task.yield()
                            seen.append("async \(Local.value) \(Task.currentPriority == .high)")
                        }
                        return (sync, async)
                    }
                    await Task.detached(priority: .medium) {
                        sync()
                        async()
                    }.value
                }
            }
        }.value
        #expect(seen.all.sorted() == ["async 5 true", "sync 5 true"])
    }

    @Test func aThousandDefinitions() async throws {
        let log = Record<Int>()
        try await withChemicalMachine { machine in
            var names: [SlowMolecule<Int>] = []
            for _ in 0..<1_000 {
                names.append(
                    Join.define("one") { join in
                        let go = join.slow("go", of: Int.self)
                        join.when(go) { log.append($0) }
                        return go
                    }
                )
            }
            #expect(machine.snapshot().count == 1_000)
            for round in 0..<5 { for (index, name) in names.enumerated() { name(round * 1_000 + index) } }
        }
        #expect(log.all.sorted() == Array(0..<5_000))
    }

    // MARK: The configuration

    @Test func bodiesInAScopeRunOnTheConfiguredExecutor() async throws {
        let seen = Record<Int?>()
        try await withChemicalMachine(.init(seed: 1, workerLimit: 1, executor: QueueExecutor(number: 3))) { _ in
            let (sync, async) = Join.define("where") { join in
                let (sync, async) = (join.slow("sync"), join.slow("async"))
                join.when(sync) { _ in seen.append(DispatchQueue.getSpecific(key: QueueExecutor.key)) }
                join.when(async) { _ in
                    await Task.yield()
                    seen.append(DispatchQueue.getSpecific(key: QueueExecutor.key))
                }
                return (sync, async)
            }
            sync()
            async()
        }
        #expect(seen.all == [3, 3])
    }

    // MARK: Other machines, and its end

    @Test func runServesUntilCancelled() async throws {
        let machine = ChemicalMachine()
        let log = Record<Int>()
        let (go, call) = machine.define("service") { join in
            let go = join.slow("go", of: Int.self)
            let (call, never) = (join.fast("call", returning: Int.self), join.slow("never"))
            join.when(go) { log.append($0) }
            join.answer(call, with: never) { _, _ in 0 }
            return (go, call)
        }
        let service = Task { try await machine.run() }
        go(1)
        try await machine.quiescence()
        #expect(log.all == [1])
        let caller = Task { await Small.codeOf(call) }
        #expect(await Patience.until { machine.statistics.waitingCalls == 1 })
        service.cancel()
        try await Patience.end { try await service.value }
        #expect(await caller.value == .deactivated)
        go(2)
        try await machine.quiescence()
        #expect(log.all == [1])
    }

    @Test func keptRepliesAreRevokedAtTheEnd() async throws {
        let kept = Record<Reply<Int, Int>>()
        // That they aren't answered is meant.
        let callers = try await withChemicalMachine(.silent) { _ in
            let ask = Join.define("keeper") { join in
                let ask = join.fast("ask", of: Int.self, returning: Int.self)
                join.when(ask) { kept.append($0) }
                return ask
            }
            let callers = (0..<100).map { n in Task { try await ask(n) } }
            #expect(await Patience.until { kept.count == 100 })
            return callers
        }
        var errors: Set<String> = []
        for caller in callers {
            let error = await #expect(throws: CallError.self) { try await Patience.end { try await caller.value } }
            if let error { errors.insert("\(error.code) \(error.molecule)") }
        }
        #expect(errors == ["revoked keeper.ask"])
    }

    @Test func definitionsThatHoldEachOtherGoWithTheScope() async throws {
        final class Payload: Sendable {
            let gone: Record<Void>
            init(_ gone: Record<Void>) { self.gone = gone }
            deinit { gone.append(()) }
        }
        let gone = Record<Void>()
        try await withChemicalMachine { machine in
            for _ in 0..<100 {
                let first = Payload(gone)
                let second = Payload(gone)
                let a = Join.define("a") { join in
                    let partner = join.slow("partner", of: SlowMolecule<Void>.self)
                    let never = join.slow("never")
                    join.when(partner, never) { p, _ in withExtendedLifetime(first) { p() } }
                    return partner
                }
                let b = Join.define("b") { join in
                    let (go, never) = (join.slow("go"), join.slow("never"))
                    join.when(go, never) { _, _ in withExtendedLifetime((second, a)) {} }
                    return go
                }
                a(b)
            }
            try await machine.quiescence()
            #expect(gone.count == 0)
            #expect(machine.snapshot().count == 200)
        }
        #expect(await Patience.until { gone.count == 200 })
    }

    @Test func whoDefinesOnAnEndedScopeIsNotLeftWaiting() async throws {
        let machine = try await withChemicalMachine { $0 }
        let (call, partner) = machine.define("late") { join in
            let (call, partner) = (join.fast("call", returning: Int.self), join.slow("partner", of: Int.self))
            join.answer(call, with: partner) { _, n in
                await Task.yield()
                return n
            }
            return (call, partner)
        }
        partner(1)
        do {
            #expect(try await Patience.end { try await call() } == 1)
        } catch is CallError {
            // As good: nothing runs there any more, and the caller is told.
        }
    }

    @Test func whoDefinesWhileTheScopeEndsIsNotLeftWaiting() async throws {
        let late = Record<(call: FastMolecule<Void, Int>, partner: SlowMolecule<Int>, Join)>()
        let machine = Record<ChemicalMachine>()
        let configuration = ChemicalMachine.Configuration(reporter: { _ in
            // The scope is dropping what is left in it: too late for it to see a new definition.
            guard late.count == 0, let machine = machine.all.first else { return }
            let made = machine.define("late") { join in
                let (call, partner) = (join.fast("call", returning: Int.self), join.slow("partner", of: Int.self))
                join.when(call, partner) { reply, n in reply(n) }
                return (call, partner, join.definition)
            }
            late.append((made.0, made.1, made.2))
        })
        let kept = try await withChemicalMachine(configuration) {
            machine.append($0)
            let (call, partner, _) = Small.meeting()
            partner(1)
            return call
        }
        let (call, partner, definition) = try #require(late.all.first)
        partner(1)
        let error = await #expect(throws: CallError.self) {
            try await Patience.end { try await call() }
        }
        #expect(error?.code == .deactivated)
        try await Patience.end { try await definition.quiescence() }
        withExtendedLifetime(kept) {}
    }

    @Test func aRetryLeavesNoTraceOnItsThread() async {
        // In a process of its own: a trace would lead others, on the same thread, to a definition that is gone.
        await #expect(processExitsWith: .success) {
            let executor = QueueExecutor()
            let machine = ChemicalMachine(.init(executor: executor, reporter: { _ in }))
            let attempts = Record<Void>()
            let go = machine.define("flaky") { join in
                join.failurePolicy = .retry(1, backOff: .milliseconds(1))
                let go = join.slow("go")
                join.when(go) { _ in
                    attempts.append(())
                    if attempts.count == 1 { throw Small.Flaw() }
                }
                return go
            }
            go()
            try await machine.quiescence()
            guard attempts.count == 2 else { fatalError("\(attempts.count) attempts") }
            let name = await Task.detached(executorPreference: executor) { Small.idle("elsewhere") }.value
            let names = machine.snapshot().map(\.definition)
            guard names == ["flaky"] else { fatalError("\(names) on the machine of the retry") }
            withExtendedLifetime((go, name)) {}
        }
    }

    @Test(.blocksThreads) func quietComesEvenIfADefinitionIsAbandoned() async throws {
        let machine = ChemicalMachine()
        let waiting = Flag()
        let waiter = Task {
            try await Patience.end {
                #expect(await Patience.until { !machine.snapshot().isEmpty })
                waiting.raise()
                try await machine.quiescence()
            }
        }
        await Task.detached {
            _ = #expect(throws: Small.Flaw.self) {
                try machine.define("abandoned") { join in
                    let a = join.slow("a")
                    join.when(a) { _ in }
                    waiting.block()
                    // The waiter is between two lines of code now; give it a thousand times what it needs.
                    let deadline = ContinuousClock.now + .milliseconds(200)
                    while ContinuousClock.now < deadline {}
                    throw Small.Flaw()
                }
            }
        }.value
        try await waiter.value
    }
}
