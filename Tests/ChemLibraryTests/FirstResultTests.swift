import ChemActors
import ChemLibrary
import Dispatch
import Synchronization
import TestSupport
import Testing

/// The first result of many, and parallel or.
@Suite("First result", .endsInTime)
struct FirstResultTests {
    typealias Job = @concurrent @Sendable () async throws -> Int

    @Test func oneJobIsTheFirst() async throws {
        #expect(try await firstResult(of: { 7 }) == 7)
    }

    @Test func theOthersAreCancelledAndAwaited() async throws {
        let (inside, gate) = (Occupancy(), Gate())
        let slow: Job = {
            inside.enter()
            defer { inside.leave() }
            try await gate.pass()
            return 1
        }
        let quick: Job = {
            while inside.now < 10 { await Task.yield() }
            return 2
        }
        #expect(try await firstResult(of: Array(repeating: slow, count: 10) + [quick]) == 2)
        #expect(inside.now == 0 && inside.total == 10)
    }

    @Test func failedJobsDoNotCountUnlessAllFail() async throws {
        let failing: Job = { throw Mishap(number: 1) }
        let late: Job = {
            await yield(20)
            return 3
        }
        #expect(try await firstResult(of: [failing, failing, late, failing]) == 3)
        await #expect(throws: Mishap(number: 1)) { try await firstResult(of: [failing, failing]) }
    }

    /// Runs one job at a time.
    private final class Line: TaskExecutor {
        private let queue = DispatchQueue(label: "one at a time")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func ifAllFailTheErrorIsThatOfTheLast() async throws {
        for round in 1...50 {
            let failed = Mutex<[Int]>([])
            let jobs = (0..<10).map { number -> Job in
                {
                    failed.withLock { $0.append(number) }
                    throw Mishap(number: number)
                }
            }
            do {
                _ = try await firstResult(of: jobs, configuration: ChemicalMachine.Configuration(executor: Line()))
                Issue.record("it has a result")
            } catch let error as Mishap {
                #expect(error.number == failed.withLock { $0.last }, "round \(round)")
            }
        }
    }

    @Test func optionalResultsAreResults() async throws {
        let nothing: @concurrent @Sendable () async throws -> Int? = { nil }
        #expect(try await firstResult(of: [nothing]) == nil)
    }

    @Test func cancellationCancelsAllJobs() async throws {
        let (inside, gate) = (Occupancy(), Gate())
        let job: Job = {
            inside.enter()
            defer { inside.leave() }
            try await gate.pass()
            return 1
        }
        let task = Task { try await firstResult(of: [job, job, job]) }
        try await eventually { inside.now == 3 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(inside.now == 0)
    }

    @Test func parallelOrIsTrueIfOneConditionIsTrue() async throws {
        let gate = Gate()
        #expect(try await !parallelOr([]))
        #expect(try await !parallelOr([{ false }, { false }]))
        // One condition never ends by itself.
        let endless: @concurrent @Sendable () async throws -> Bool = {
            try await gate.pass()
            return false
        }
        #expect(try await parallelOr([endless, { true }, endless]))
    }

    @Test func anErrorOfAConditionCountsOnlyIfNoneIsTrue() async throws {
        let failing: @concurrent @Sendable () async throws -> Bool = { throw Mishap() }
        let late: @concurrent @Sendable () async throws -> Bool = {
            await yield(10)
            return true
        }
        #expect(try await parallelOr([failing, late]))
        await #expect(throws: Mishap.self) { try await parallelOr([failing, { false }]) }
    }

    @Test func parallelOrIsTrueExactlyIfAConditionIsIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let truths = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                Int.random(in: 0..<4, using: &random) == 0
            }
            let conditions = truths.enumerated().map { index, isTrue -> @concurrent @Sendable () async throws -> Bool in
                {
                    await yield((index + 1) * Int(seed) % 7)
                    return isTrue
                }
            }
            let isAny = try await parallelOr(conditions, configuration: .init(seed: seed))
            #expect(isAny == truths.contains(true), "seed \(seed)")
        }
    }

    @Test func exactlyOneOutcomeAndNobodyLeftIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            let inside = Occupancy()
            var random = SplitMix(seed: seed)
            let jobs = (0..<6).map { number -> Job in
                let (yields, fails) = (
                    Int.random(in: 0..<12, using: &random), Int.random(in: 0..<3, using: &random) == 0
                )
                return {
                    inside.enter()
                    defer { inside.leave() }
                    await yield(yields)
                    if fails { throw Mishap(number: number) }
                    return number
                }
            }
            let patience = Int.random(in: 0..<30, using: &random)
            let task = Task { try await firstResult(of: jobs, configuration: .init(seed: seed)) }
            await yield(patience)
            task.cancel()
            switch await task.result {
            case .success(let number): #expect((0..<6).contains(number), "seed \(seed)")
            case .failure(let error): #expect(error is CancellationError || error is Mishap, "seed \(seed)")
            }
            #expect(inside.now == 0, "seed \(seed)")
        }
    }

    @Test func noJobsAreRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let none: [@concurrent @Sendable () async throws -> Int] = []
            _ = try await firstResult(of: none)
        }
        #expect(text(result).contains("firstResult needs at least 1 job"))
        #expect(text(result).contains("FirstResultTests.swift"))
    }
}
