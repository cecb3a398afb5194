import ChemActors
import ChemLibrary
import TestSupport
import Testing

private struct Broken: Error {}

@Suite("JoinPromise, single flight", .endsInTime)
struct OneTimeValueTests {
    @Test("A promise on a paused machine is set when that resumes, and nobody is told that he has set it")
    func paused() async throws {
        let machine = ChemicalMachine()
        let promise = machine.making { JoinPromise<Int>() }
        machine.pause()
        #expect(!promise.fulfill(1))
        #expect(promise.future.outcome == nil)
        machine.resume()
        #expect(try await promise.future.value() == 1)
        #expect(!promise.fulfill(2))
    }

    @Test func itIsSetOnceAndAwaitedByMany() async throws {
        let promise = JoinPromise<Int>()
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
        let promise = JoinPromise<Int>()
        let waiters = (0..<5).map { _ in Task { try await promise.future.value() } }
        #expect(promise.fail(Broken()))
        for waiter in waiters { await #expect(throws: Broken.self) { try await waiter.value } }
        await #expect(throws: Broken.self) { try await promise.future.value(within: .zero) }
    }

    @Test func whenThePromiseIsGoneNobodyWaits() async throws {
        var promise: JoinPromise<Int>? = JoinPromise()
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
            let promise = JoinPromise<Int>()
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
        let machine = ChemicalMachine()
        let refresh = machine.making {
            SharedRefresh<Int> {
                started.update { $0 += 1 }
                do { try await Task.sleep(for: .seconds(1_000)) } catch { cancelled.update { $0 += 1 }; throw error }
                return 1
            }
        }
        let callers = (0..<3).map { _ in Task { try await refresh.value() } }
        try await eventually { started.value == 1 }
        // All of them have joined.
        try await machine.waitUntilConsumed(3, of: "sharedRefresh.enter")
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

    @Test func whoComesAfterAnAbandonedFetchWaitsForItsEndAndSharesTheNext() async throws {
        try await withChemicalMachine { machine in
            let running = Occupancy()
            let mayEnd = Locked(false)
            let refresh = SharedRefresh<Int> {
                running.enter()
                defer { running.leave() }
                let number = running.total
                // The first one ignores its cancellation.
                while number == 1, !mayEnd.value { await Task.yield() }
                return number
            }
            let first = Task { try await refresh.value() }
            try await eventually { running.total == 1 }
            first.cancel()
            #expect(await first.result.wasCancelled)
            try await machine.waitUntilConsumed(1, of: "sharedRefresh.leave")

            // Somebody waits for the next one and leaves, so that nobody does; then five come.
            let fickle = Task { try await refresh.value() }
            // It has joined: before, it may wait for its turn to.
            try await machine.waitUntilConsumed(2, of: "sharedRefresh.enter")
            try await machine.waits(for: 1)
            fickle.cancel()
            #expect(await fickle.result.wasCancelled)
            let others = (0..<5).map { _ in Task { try await refresh.value() } }
            // All of them have joined.
            try await machine.waitUntilConsumed(7, of: "sharedRefresh.enter")
            try await machine.waits(for: 5)
            try await machine.waitUntilConsumed(2, of: "sharedRefresh.leave")
            await yield(50)
            #expect(running.total == 1)
            mayEnd.update { $0 = true }
            for other in others { #expect(try await other.value == 2) }
            #expect(running.total == 2 && running.peak == 1)
            #expect(try await refresh.value() == 3)
        }
    }

    @Test func anAbandonedFetchThatNobodyComesAfterIsForgotten() async throws {
        let machine = ChemicalMachine()
        let (started, gate) = (Occupancy(), Gate())
        let refresh = machine.making {
            SharedRefresh<Int> {
                started.enter()
                defer { started.leave() }
                if started.total == 1 { try await gate.pass() }
                return started.total
            }
        }
        let caller = Task { try await refresh.value() }
        try await eventually { started.total == 1 }
        caller.cancel()
        #expect(await caller.result.wasCancelled)
        try await eventually { started.now == 0 }
        #expect(try await refresh.value() == 2)
        gate.open()
    }

    @Test func whoIsNotCancelledGetsTheValueAndAtMostOneFetchOfAKeyRunsAtATimeWith100Seeds() async {
        await with100Seeds { seed, dice in
            let running = [Occupancy(), Occupancy()]
            let flights = SingleFlight<Int, Int> { key in
                running[key].enter()
                defer { running[key].leave() }
                // It doesn't look at its cancellation: when it is abandoned it goes on for a while.
                await yield(5)
                return key * 10
            }
            let jobs = (0..<24).map { number in
                let pause = dice.roll(0...12)
                return { @concurrent @Sendable () async throws -> Int in
                    await yield(pause)
                    return try await flights.value(for: number % 2)
                }
            }
            let results = await storm(jobs, dice: &dice, cancelling: 0.7)
            for (number, result) in results.enumerated() {
                #expect(result.value == number % 2 * 10 || result.wasCancelled, "seed \(seed)")
            }
            #expect(running.allSatisfy { $0.peak <= 1 }, "seed \(seed)")
            try await eventually { running.allSatisfy { $0.now == 0 } }
        }
    }
}
