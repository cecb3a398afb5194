import ChemActors
import ChemLibrary
import Foundation
import TestSupport
import Testing

/// Corners of recipes: numbers without bounds, what bodies make, which error is the first.
@Suite("Corners of recipes", .endsInTime)
struct RecipeCornerTests {
    @Test("What has no bounds can be counted")
    func counted() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }, patience: nil))
        try await machine.asCurrent {
            let channel = JoinChannel<Int>(capacity: .max)
            let pool = WorkerPool(workers: .max)
            let limit = RateLimit(.max, per: .seconds(1))
            let resources = ResourcePool(atMost: .max) { 1 }
            let source = EventSource<Int>(capacity: .max)
            let sum = source.scan(0, +)
            let names = Join.define("many") { join in
                let many = join.slow("many")
                let go = join.slow("go")
                join.when(many, go) { _, _ in }
                return (many, go)
            }
            for _ in 0..<2 { names.0.inject(contentsOf: repeatElement((), count: .max / 2 + 1)) }
            #expect(channel.trySend(1))
            try await limit.acquire()
            try await source.sendAndWait(1)
            try await machine.quiescence()
            #expect(machine.census().definitions >= 5)
            extendLifetime((channel, pool, limit, resources, source, sum, names))
        }
    }

    @Test("What a body makes whose time is limited, or of which the first counts, is alive")
    func made() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }, patience: nil))
        try await machine.asCurrent {
            let gate = try await withTimeout(.seconds(600)) { AsyncSemaphore(permits: 1) }
            try await gate.acquire()
            let make: @concurrent @Sendable () async throws -> JoinChannel<Int> = { JoinChannel(capacity: 1) }
            let channel = try await firstResult(of: [make])
            #expect(channel.trySend(1))
            #expect(machine.snapshot().count == 2)
        }
    }

    private struct Failure: Error, Equatable { let job: Int }

    @Test("The first error is the first one")
    func first() async throws {
        let jobs: [@Sendable () throws -> Int] = (0..<3).map { job in { throw Failure(job: job) } }
        for seed in UInt64(0)..<100 {
            let configuration = ChemicalMachine.Configuration(seed: seed, workerLimit: 1)
            await #expect(throws: Failure(job: 0), "seed \(seed)") {
                _ = try await runAll(jobs, configuration: configuration)
            }
        }
    }

    @Test("A fetch has its time limit on a paused machine, too", arguments: [0, 20])
    func paused(milliseconds: Int) async throws {
        try await withChemicalMachine { machine in
            let flights = SingleFlight<Int, Int> { $0 }
            machine.pause()
            let error = await #expect(throws: CallError.self) {
                try await flights.value(for: 1, within: .milliseconds(milliseconds))
            }
            #expect(error?.code == .timedOut)
            machine.resume()
            let value = try await flights.value(for: 1)
            #expect(value == 1)
        }
    }

    @Test("Steps that were cancelled don't go on when their machine is cleared")
    func cleared() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }, patience: nil))
        let gate = Mailboxes.Gate()
        let ran = Locked([Int]())
        let steps = await machine.asCurrent {
            CancelableSteps(
                from: 0,
                steps: [
                    { value in
                        try? await gate.pass()
                        return value + 1
                    },
                    { value in
                        ran.update { $0.append(2) }
                        return value + 1
                    },
                ]
            )
        }
        let run = Task { try await steps.run() }
        try await gate.arrived()
        #expect(try await steps.cancel() == 1)
        machine.clear()
        gate.open()
        let outcome = try await run.value
        #expect(outcome.completed == 1 && ran.value.isEmpty)
        await #expect(throws: CallError.self) { _ = try await steps.cancel() }
    }

    @Test("Trying to acquire from a rate limit succeeds as long as permits are free, whoever else tries")
    func freePermits() async throws {
        let limit = RateLimit(1_000_000, per: .seconds(3600))
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var count = 0
                    for _ in 0..<2_000 where try await limit.tryAcquire() { count += 1 }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(taken == 16_000)
    }

    @Test("A priority queue gives its element while others put faster than it takes out", .blocksThreads)
    func busyQueue() async throws {
        let queue = PriorityQueue<Int, Int>()
        let (isOver, hasEnded) = (Locked(false), Gate())
        Thread.detachNewThread {
            var number = 0
            while !isOver.value {
                queue.put(number, priority: number)
                number += 1
            }
            hasEnded.open()
        }
        _ = try await queue.take()
        isOver.update { $0 = true }
        try await hasEnded.pass()
    }

    @Test("Names of molecules in a message, in an answer and in a stream keep their definition", arguments: 1...20)
    func names(round: Int) async throws {
        enum Order: Sendable { case report(SlowMolecule<Int>), name(ReplyTo<SlowMolecule<Int>?>) }
        let seen = Locked<[Int]>([])
        /// Nothing but the local name leads to the definition.
        func defineReporter(_ use: (SlowMolecule<Int>) -> Void) {
            Join.define("reporter") { join in
                let report = join.slow("report", of: Int.self)
                join.when(report) { number in seen.update { $0.append(number) } }
                use(report)
            }
        }
        let gate = Gate()
        let actor = MailboxActor(state: SlowMolecule<Int>?.none) { (kept, order: Order) in
            switch order {
            case .report(let report):
                try await gate.pass()
                report(1)
                kept = report
            case .name(let reply): reply(kept)
            }
        }.start()
        defineReporter { actor.tell(.report($0)) }
        let source = EventSource<(report: SlowMolecule<Int>, text: String)?>()
        let cell = source.cell(nil)
        defineReporter { source.send(($0, "")) }
        gate.open()
        let kept = try await actor.ask { .name($0) }
        kept?(2)
        cell.value?.report(3)
        try await eventually { seen.value.sorted() == [1, 2, 3] }
    }

    @Test("A machine that is paused in the middle of takes costs a priority queue nothing", .blocksThreads)
    func pausedTakes() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let queue = machine.making { PriorityQueue<Int, Int>() }
        let (isOver, hasEnded) = (Locked(false), Gate())
        Thread.detachNewThread {
            while !isOver.value {
                machine.pause()
                machine.resume()
            }
            hasEnded.open()
        }
        for round in 0..<10_000 {
            for number in 1...3 { queue.put(number, priority: number) }
            var taken: [Int] = []
            for _ in 0..<3 { taken.append(try await queue.take()) }
            #expect(taken.sorted() == [1, 2, 3], "round \(round): \(taken)")
        }
        isOver.update { $0 = true }
        try await hasEnded.pass()
        await #expect(throws: CallError.self) { try await queue.take(within: .zero) }
    }

    @Test("A priority that can't be compared comes last, and misplaces no other")
    func incomparable() async throws {
        let queue = PriorityQueue<Double, Int>()
        let priorities: [Double] = [5, .nan, 3, 9, .nan, 7]
        for (index, priority) in priorities.enumerated() { queue.put(index, priority: priority) }
        var taken: [Int] = []
        for _ in priorities { taken.append(try await queue.take()) }
        #expect(taken == [3, 5, 0, 2, 1, 4])
    }

    @Test("A key that doesn't equal itself gets what is fetched for it")
    func keyUnlikeItself() async throws {
        let flights = SingleFlight<Double, Int> { _ in 7 }
        for _ in 0..<3 { #expect(try await flights.value(for: .nan) == 7) }
    }

    @Test("What is set stays set when the definition of the promise has ended")
    func keptOutcome() async throws {
        let (set, failed, unset) = try await withChemicalMachine { _ in
            let (set, failed, unset) = (JoinPromise<Int>(), JoinPromise<Int>(), JoinPromise<Int>())
            set.fulfill(5)
            failed.fail(Failure(job: 1))
            return (set.future, failed.future, unset)
        }
        #expect(try set.outcome?.get() == 5)
        #expect(try await set.value() == 5)
        #expect(try await set.value(within: .zero) == 5)
        await #expect(throws: Failure(job: 1)) { try await failed.value() }
        #expect(unset.future.outcome == nil)
        await #expect(throws: CallError.self) { try await unset.future.value() }
        #expect(!unset.fulfill(1))
        #expect(unset.future.outcome == nil)
    }
}
