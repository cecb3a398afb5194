import ChemActors
import ChemLibrary
import TestSupport
import Testing

@Suite("AsyncSemaphore", .endsInTime)
struct SemaphoreTests {
    @Test(arguments: [1, 2, 5])
    func asManyPermitsAsItHasAreGivenOut(_ permits: Int) async throws {
        let semaphore = AsyncSemaphore(permits: permits)
        for _ in 0..<permits { #expect(semaphore.tryAcquire()) }
        #expect(!semaphore.tryAcquire())
        semaphore.release()
        try await semaphore.acquire()
        await #expect(throws: CallError.self) { try await semaphore.acquire(within: .zero) }
    }

    @Test func withoutPermitsItIsASignalAndReleasingMoreThanAcquiredAddsPermits() async throws {
        let signal = AsyncSemaphore(permits: 0)
        #expect(!signal.tryAcquire())
        let waiter = Task { try await signal.acquire() }
        signal.release()
        try await waiter.value
        for _ in 0..<3 { signal.release() }
        for _ in 0..<3 { #expect(signal.tryAcquire()) }
        #expect(!signal.tryAcquire())
    }

    @Test func waitersAreServedInTheOrderInWhichTheyCame() async throws {
        try await withChemicalMachine { machine in
            let semaphore = AsyncSemaphore(permits: 0)
            let served = Locked<[Int]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await semaphore.acquire()
                        served.update { $0.append(number) }
                        semaphore.release()
                    }
                    // The next one comes when this one waits.
                    try await machine.waits(for: number + 1)
                }
                #expect(!semaphore.tryAcquire())
                semaphore.release()
                try await group.waitForAll()
            }
            #expect(served.value == Array(0..<20))
        }
    }

    @Test func thePermitIsReleasedHoweverTheBodyEnds() async throws {
        struct Broken: Error {}
        let semaphore = AsyncSemaphore(permits: 1)
        #expect(try await semaphore.withPermit { 7 } == 7)
        await #expect(throws: Broken.self) { try await semaphore.withPermit { throw Broken() } }
        let cancelled = Task {
            try await semaphore.withPermit {
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
        }
        #expect(await cancelled.result.wasCancelled)
        #expect(semaphore.tryAcquire())
    }

    @Test @MainActor func theBodyRunsInTheIsolationOfTheCaller() async throws {
        var count = 0
        try await AsyncSemaphore(permits: 1).withPermit {
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 1)
    }

    @Test func noPermitIsLostOrInventedInAStormOfCancellationsWith100Seeds() async {
        await with100Seeds { seed, dice in
            let permits = dice.roll(1...3)
            let semaphore = AsyncSemaphore(permits: permits)
            let inside = Locked((now: 0, most: 0))
            let jobs = (0..<16).map { _ in
                let kind = dice.roll(0...3)
                let pause = dice.roll(0...2)
                return { @concurrent @Sendable () async throws in
                    switch kind {
                    case 0: try await semaphore.acquire(within: .microseconds(200))
                    case 1: while !semaphore.tryAcquire() { try Task.checkCancellation(); await Task.yield() }
                    default: try await semaphore.acquire()
                    }
                    inside.update {
                        $0.now += 1; $0.most = max($0.most, $0.now)
                    }
                    await yield(pause)
                    inside.update { $0.now -= 1 }
                    semaphore.release()
                }
            }
            let results = await storm(jobs, dice: &dice)
            #expect(results.allSatisfy { $0.value != nil || $0.wasCancelled || $0.timedOut }, "seed \(seed)")
            #expect(inside.value.most <= permits, "seed \(seed)")
            var left = 0
            while semaphore.tryAcquire() { left += 1 }
            #expect(left == permits, "seed \(seed)")
        }
    }

    @Test func anAcquireThatIsAnsweredWhileItIsCancelledHasItsPermitOrLeavesItWith100Seeds() async {
        await with100Seeds { seed, dice in
            let semaphore = AsyncSemaphore(permits: 0)
            let waiter = Task.detached { try await semaphore.acquire() }
            await yield(dice.roll(0...3))
            let release = Task.detached { semaphore.release() }
            if dice.flip() { await Task.yield() }
            waiter.cancel()
            await release.value
            let gotIt = await waiter.result.value != nil
            #expect(semaphore.tryAcquire() != gotIt, "seed \(seed)")
        }
    }

    @Test func inAScopeThatEndsNobodyIsLeftWaiting() async throws {
        await #expect(throws: CallError.self) {
            try await withChemicalMachine { machine in
                let semaphore = AsyncSemaphore(permits: 0)
                async let waiter: Void = semaphore.acquire()
                try await machine.waits(for: 1)
                machine.deactivate()
                try await waiter
            }
        }
    }

    @Test func aNegativeNumberOfPermitsIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = AsyncSemaphore(permits: -1)
        }
        expectMessage(result, "a semaphore can't have -1 permits", "SemaphoreTests.swift")
    }
}
