import ChemActors
import ChemLibrary
import Testing

private struct Broken: Error {}

@Suite("Promise, single flight", .timeLimit(.minutes(20)))
struct OneTimeValueTests {
    @Test func itIsSetOnceAndAwaitedByMany() async throws {
        let promise = Promise<Int>()
        #expect(promise.future.outcome == nil)
        await #expect(throws: CallError.self) { try await promise.future.value(within: .zero) }
        let waiters = (0..<10).map { _ in Task { try await promise.future.value() } }
        #expect(promise.fulfill(1))
        #expect(!promise.fulfill(2))
        #expect(!promise.fail(Broken()))
        for waiter in waiters { #expect(try await waiter.value == 1) }
        #expect(try await promise.future.value() == 1)
        #expect(try promise.future.outcome?.get() == 1)
    }

    @Test func anErrorGoesToAllWhoWaitAndToAllWhoCome() async throws {
        let promise = Promise<Int>()
        let waiters = (0..<5).map { _ in Task { try await promise.future.value() } }
        #expect(promise.fail(Broken()))
        for waiter in waiters { await #expect(throws: Broken.self) { try await waiter.value } }
        await #expect(throws: Broken.self) { try await promise.future.value(within: .zero) }
    }

    @Test func whenThePromiseIsGoneNobodyWaits() async throws {
        var promise: Promise<Int>? = Promise()
        let future = try #require(promise?.future)
        let copy = Locked(promise)
        let waiters = (0..<5).map { _ in Task { try await future.value() } }
        promise = nil
        #expect(future.outcome == nil)
        copy.update { $0 = nil }
        for waiter in waiters { await #expect(throws: PromiseBroken()) { try await waiter.value } }
    }

    @Test func exactlyOneOfManySettersWinsAndCancelledWaitersLeaveAloneWith100Seeds() async {
        await with100Seeds { seed, dice in
            let promise = Promise<Int>()
            let future = promise.future
            let jobs: [@concurrent @Sendable () async throws -> Int?] = (0..<16).map { n in
                if n % 4 == 0 { return { promise.fulfill(n) ? n : nil } }
                return { try await future.value() }
            }
            let results = await storm(jobs, dice: &dice)
            let winners = (0..<16).filter { $0 % 4 == 0 && results[$0].value ?? nil != nil }
            #expect(winners.count == 1, "seed \(seed)")
            for (index, result) in results.enumerated() where index % 4 != 0 {
                #expect(result.wasCancelled || result.value == winners.first, "seed \(seed)")
            }
        }
    }

    // MARK: Single flight

    @Test func manyCallersShareOneFetch() async throws {
        let fetches = Locked<[String: Int]>([:])
        let gate = Latch(count: 1)
        let flights = SingleFlight<String, String> { key in
            fetches.update { $0[key, default: 0] += 1 }
            try await gate.wait()
            return key.uppercased()
        }
        try await withChemicalMachine { machine in
            let callers = ["a", "b"].flatMap { key in
                (0..<10).map { _ in Task { try await flights.value(for: key) } }
            }
            try await eventually { fetches.value.count == 2 }
            gate.countDown()
            for (index, caller) in callers.enumerated() {
                #expect(try await caller.value == (index < 10 ? "A" : "B"))
            }
        }
        // A caller that came late may have started another one; nothing is remembered.
        let before = fetches.value["a"] ?? 0
        #expect(try await flights.value(for: "a") == "A")
        #expect(fetches.value["a"] == before + 1)
    }

    @Test func aCancelledCallerLeavesAloneAndTheLastOneCancelsTheFetch() async throws {
        let started = Locked(0)
        let cancelled = Locked(0)
        let refresh = SharedRefresh<Int> {
            started.update { $0 += 1 }
            do { try await Task.sleep(for: .seconds(1_000)) } catch { cancelled.update { $0 += 1 }; throw error }
            return 1
        }
        let callers = (0..<3).map { _ in Task { try await refresh.value() } }
        try await eventually { started.value == 1 }
        callers[0].cancel()
        #expect(await callers[0].result.wasCancelled)
        callers[1].cancel()
        #expect(await callers[1].result.wasCancelled)
        #expect(cancelled.value == 0)
        callers[2].cancel()
        #expect(await callers[2].result.wasCancelled)
        try await eventually { cancelled.value == started.value }
    }

    @Test func anErrorGoesToAllAndTheNextCallerTriesAnew() async throws {
        let attempts = Locked(0)
        let refresh = SharedRefresh<Int> {
            if attempts.update({
                $0 += 1; return $0
            }) == 1 {
                throw Broken()
            }
            return 5
        }
        await #expect(throws: Broken.self) { try await refresh.value() }
        #expect(try await refresh.value() == 5)
    }

    @Test func whoIsNotCancelledGetsTheValueAndOneFetchRunsAtATimeWith100Seeds() async {
        await with100Seeds { seed, dice in
            let running = Locked((now: 0, most: 0))
            let refresh = SharedRefresh<Int> {
                running.update {
                    $0.now += 1; $0.most = max($0.most, $0.now)
                }
                defer { running.update { $0.now -= 1 } }
                await yield(5)
                return 3
            }
            let jobs: [@concurrent @Sendable () async throws -> Int] = (0..<16).map { _ in { try await refresh.value() }
            }
            let results = await storm(jobs, dice: &dice)
            #expect(results.allSatisfy { $0.value == 3 || $0.wasCancelled }, "seed \(seed)")
            // An abandoned fetch that ignores its cancellation may end beside its successor.
            #expect(running.value.most >= 1 || results.allSatisfy(\.wasCancelled), "seed \(seed)")
            try await eventually { running.value.now == 0 }
        }
    }
}
