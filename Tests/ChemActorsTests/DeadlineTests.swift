import ChemActors
import Dispatch
import TestSupport
import Testing

/// What a machine does at some time: time-outs, back-offs, sleepers. All of it lies in one heap.
@Suite("Deadlines", .endsInTime)
struct DeadlineTests {
    /// A call that nobody answers.
    private func unanswered(
        _ machine: ChemicalMachine = ChemicalMachine()
    ) -> (ask: FastMolecule<Int, Int>, item: SlowMolecule<Int>) {
        let (ask, item) = machine.define("shop") { join in
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            let item = join.slow("item", of: Int.self)
            join.when(ask, item) { reply, n in reply(n + reply.value) }
            return (ask, item)
        }
        return (ask, item)
    }

    @Test("Calls that have been answered keep nothing until their time would have been up")
    func answeredCallsKeepNothing() async throws {
        let machine = ChemicalMachine()
        let (ask, item) = unanswered(machine)
        for n in 0..<1_000 {
            let call = Task { try await ask(n, within: .seconds(3600)) }
            item(1)
            #expect(try await call.value == n + 1)
        }
        #expect(machine.pendingDeadlines == 0)
    }

    @Test("Calls that were cancelled keep nothing either")
    func cancelledCallsKeepNothing() async throws {
        let machine = ChemicalMachine()
        let (ask, _) = unanswered(machine)
        let calls = (0..<1_000).map { n in Task { try await ask(n, within: .seconds(3600)) } }
        for call in calls { call.cancel() }
        for call in calls { #expect(await call.wasCancelled) }
        #expect(machine.pendingDeadlines == 0)
    }

    @Test(
        "A thousand calls time out in the order of their times, none of them early",
        arguments: 0..<5 as Range<UInt64>
    )
    func order(seed: UInt64) async throws {
        var generator = SplitMix(state: seed)
        let (ask, _) = unanswered()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for n in 0..<1_000 {
                let duration = Duration.microseconds(Int64(generator.next() % 50_000))
                group.addTask {
                    let begin = ContinuousClock.now
                    let code = await ControlProbe.code { _ = try await ask(n, within: duration) }
                    #expect(code == .timedOut, "seed \(seed)")
                    #expect(begin.duration(to: .now) >= duration, "seed \(seed)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A time-out says what the reactions that take the call have lacked")
    func explanation() async throws {
        let (buy, swap, item) = Join.define("shop") { join in
            let item = join.slow("item", of: String.self)
            let coin = join.slow("coin")
            let buy = join.fast("buy", of: Int.self, returning: String.self)
            let swap = join.fast("swap", of: String.self, returning: String.self)
            join.answer(buy, with: item, coin) { _, item, _ in item }
            join.answer(swap, with: item) { _, item in item }
            join.answer(swap, with: coin) { old, _ in old }
            return (buy, swap, item)
        }
        func error(_ call: () async throws -> String) async -> CallError? {
            do { _ = try await call() } catch let error as CallError { return error } catch {}
            return nil
        }
        let begin = "The call of 'shop.buy' timed out before a reaction answered it"
        let both = await error { try await buy(10, within: .milliseconds(1)) }
        #expect(both?.description == "\(begin): buy & item & coin lacks item, coin.")
        let either = await error { try await swap("pear", within: .milliseconds(1)) }
        #expect(either?.explanation == "swap & item lacks item; swap & coin lacks coin")
        item("apple")
        let one = await error { try await buy(10, within: .milliseconds(1)) }
        #expect(one?.explanation == "buy & item & coin lacks coin")
        // Whoever gives no time doesn't pay for words.
        let none = await error { try await buy(10, within: .zero) }
        #expect(none?.description == "\(begin).")
        #expect(one == none && none == CallError(.timedOut, molecule: "shop.buy"))
        #expect(Set([both, one, none]).count == 1)
    }

    @Test("A time-out says which partner the call itself has lacked, whatever others lack")
    func explanationOfGuards() async throws {
        let (put, take) = Join.define("shelf") { join in
            let put = join.slow("put", of: Int.self)
            let take = join.fast("take", of: Int.self, returning: Int.self)
            join.answer(take, with: put, matching: \.self, \.self) { _, item in item }
            return (put, take)
        }
        put(3)
        let error = await #expect(throws: CallError.self) { try await take(4, within: .milliseconds(1)) }
        #expect(error?.explanation == "take & put lacks put 4")
    }

    @Test("A time-out that covers the body says that a reaction has taken the call")
    func explanationOfBodies() async throws {
        let fetch = Join.define("fetch") { join in
            let fetch = join.fast("fetch", returning: Int.self)
            join.answer(fetch) { _ in
                try await Task.sleep(for: .seconds(600))
                return 1
            }
            return fetch
        }
        let error = await #expect(throws: CallError.self) {
            try await fetch(within: .milliseconds(1), coveringBody: true)
        }
        #expect(error?.explanation == "one has taken it and hasn't answered yet")
    }

    @Test(
        "A time-out comes while all workers are in long bodies and the reaction that could take the call is possible",
        .blocksThreads
    )
    func timeoutBesideLongBodies() async throws {
        let door = Door()
        let machine = ChemicalMachine(ChemicalMachine.Configuration(workerLimit: 1))
        let begun = Signal()
        let (block, ask, item) = machine.define("busy") { join in
            let block = join.slow("block")
            let ask = join.fast("ask", returning: Int.self)
            let item = join.slow("item", of: Int.self)
            join.when(block) { _ in
                begun.send()
                _ = door.wait()
            }
            join.when(ask, item) { reply, n in reply(n) }
            return (block, ask, item)
        }
        block()
        await begun.wait()
        item(1)
        // No worker can take it before the door opens, which it does only afterwards.
        #expect(await ControlProbe.code { _ = try await ask(within: .milliseconds(1)) } == .timedOut)
        door.open()
        #expect(try await ask() == 1)
    }

    @Test("A call that waits for nothing hears at once that another one was faster")
    func noTimeAndNoReaction() async throws {
        let (ask, item) = unanswered()
        var fastest = Duration.seconds(1)
        for _ in 0..<100 {
            let begin = ContinuousClock.now
            #expect(await ControlProbe.code { _ = try await ask(0, within: .zero) } == .timedOut)
            fastest = min(fastest, begin.duration(to: .now))
        }
        // Each would take a second if it waited for its right of way to end. One of them isn't held up by other tests.
        #expect(fastest < .milliseconds(500))
        withExtendedLifetime(item) {}
    }

    @Test(
        "The longest back-off that can be written waits, and doesn't stop the program",
        arguments: [FailurePolicy.retry(3, backOff: .seconds(Int64.max)), .putBack(after: .seconds(Int64.max))]
    )
    func endlessBackOff(policy: FailurePolicy) async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (job, definition) = machine.define("failing") { join in
            join.failurePolicy = policy
            let job = join.slow("job")
            join.when(job) { _ in throw ControlProbe.Failed() }
            return (job, join.definition)
        }
        job()
        try await ControlProbe.until("it waits") {
            definition.statistics.pendingRetries == 1 && machine.pendingDeadlines == 1
        }
        definition.clear()
        try await definition.quiescence()
        #expect(machine.pendingDeadlines == 0)
    }

    @Test("Whoever sleeps by the clock of a machine wakes when it is time, not before, and at once when cancelled")
    func sleeping() async throws {
        let machine = ChemicalMachine()
        let clock = MachineClock(machine)
        let begin = clock.now
        try await clock.sleep(for: .milliseconds(3))
        #expect(clock.now - begin >= .milliseconds(3))
        try await clock.sleep(until: begin)

        for round in 0..<200 {
            let sleeper = Task { try await clock.sleep(for: .seconds(3600)) }
            if round.isMultiple(of: 2) { await Task.yield() }
            sleeper.cancel()
            #expect(await sleeper.wasCancelled)
        }
        #expect(machine.pendingDeadlines == 0)
    }

    @Test("Sleepers of a machine with an executor are woken by that executor")
    func sleepingOnExecutor() async throws {
        let queue = DispatchQueue(label: "executor")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        final class Executor: TaskExecutor {
            let queue: DispatchQueue
            init(_ queue: DispatchQueue) { self.queue = queue }
            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
        }
        let machine = ChemicalMachine(.init(executor: Executor(queue), reporter: { _ in }))
        let places = Guarded<[Bool]>([])
        let (job, definition) = machine.define("failing") { join in
            join.failurePolicy = .retry(1, backOff: .milliseconds(1))
            let job = join.slow("job")
            join.when(job) { _ in
                places.append(DispatchQueue.getSpecific(key: key) ?? false)
                throw ControlProbe.Failed()
            }
            return (job, join.definition)
        }
        job()
        try await definition.quiescence()
        #expect(places.now == [true, true])
    }

    @Test("On one serial executor equal seeds give equal runs also where retries are due and scopes of calls end")
    func equalRuns() throws {
        func run(_ seed: UInt64) throws -> [String] {
            let executor = SeededExecutor(seed: seed)
            let log = Guarded<[String]>([])
            let machine = ChemicalMachine(
                ChemicalMachine.Configuration(
                    seed: seed,
                    executor: executor,
                    reporter: { log.append($0.description) },
                    patience: nil
                )
            )
            try executor.run {
                let (job, ask, end, definition) = machine.define("jobs") { join in
                    join.failurePolicy = .retry(2)
                    let job = join.slow("job", of: Int.self)
                    let ask = join.fast("ask", of: Int.self, returning: Int.self)
                    let end = join.slow("end")
                    join.when(job) { n in
                        log.append("job \(n)")
                        throw ControlProbe.Failed(number: n)
                    }
                    join.when(ask, end) { reply, _ in reply(0) }
                    return (job, ask, end, join.definition)
                }
                definition.pause()
                job.inject(contentsOf: 0..<30)
                definition.resume()
                await withTaskGroup(of: Void.self) { group in
                    for n in 0..<30 {
                        group.addTask {
                            do { _ = try await ask(n) } catch { log.append("\(n): \(error)") }
                        }
                        group.addTask {
                            try? await definition.quiescence()
                            log.append("quiet \(n)")
                        }
                    }
                    group.addTask {
                        try? await definition.quiescence()
                        definition.pause()
                        job.inject(contentsOf: 100..<130)
                        definition.clear()
                        definition.resume()
                    }
                    await group.waitForAll()
                }
                withExtendedLifetime(end) {}
            }
            return log.now
        }
        for seed in 0..<20 as Range<UInt64> {
            let first = try run(seed)
            #expect(first.count > 100)
            #expect(try run(seed) == first, "seed \(seed)")
        }
    }
}
