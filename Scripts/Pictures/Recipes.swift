import ChemActors
import ChemLibrary

/// The recipes of the library, each used until all of its reactions have happened that can: what bodies inject is
/// learned from what happens.
enum Recipes {
    static func draw() async throws -> [String: String] {
        var pictures = Album()
        try await addJobs(to: &pictures)
        try await addLocks(to: &pictures)
        try await addValues(to: &pictures)
        try await addChannels(to: &pictures)
        try await addTime(to: &pictures)
        try await addMailboxes(to: &pictures)
        try await addMall(to: &pictures)
        return pictures.all
    }

    // MARK: Jobs

    private static func addJobs(to pictures: inout Album) async throws {
        try await pictures.add("counter") { _ in
            let counter = JoinCounter()
            counter.increment()
            _ = try await counter.value()
        }
        try await pictures.add("runAll") { lookout in
            struct Failure: Error {}
            let jobs: [@concurrent @Sendable () async throws -> Int] = [
                { throw Failure() },
                {
                    lookout.look()
                    // The last one to end: only then is it certain which reaction sees the end.
                    await lookout.wait(forConsumed: 1, of: "runAll.failed")
                    return 1
                },
            ]
            _ = try await settleAll(jobs, atMost: 1, configuration: Album.configuration)
        }
        try await pictures.add("mapReduce") { lookout in
            _ = try await mapReduce(
                1...3,
                configuration: Album.configuration,
                map: { number in
                    lookout.look()
                    return number
                },
                reduce: +
            )
        }
        try await pictures.add("firstResult") { lookout in
            struct Failure: Error {}
            let jobs: [@concurrent @Sendable () async throws -> Int] = [
                { throw Failure() },
                {
                    lookout.look()
                    await lookout.wait(forConsumed: 1, of: "firstResult.ended")
                    return 1
                },
            ]
            _ = try await firstResult(of: jobs, configuration: Album.configuration)
        }
        try await pictures.add("forkJoin") { lookout in
            _ = try await forkJoin(
                1...4,
                configuration: Album.configuration,
                split: { $0.count == 1 ? [] : [$0.lowerBound...$0.lowerBound, $0.lowerBound + 1...$0.upperBound] },
                solve: { part in
                    lookout.look()
                    return part.count
                },
                join: { $0.reduce(0, +) }
            )
        }
        try await pictures.add("pipeline") { _ in
            let pipeline = Pipeline { (number: Int) in number }.start()
            async let sending: Void = {
                try await pipeline.send(1)
                try await pipeline.finish()
            }()
            while try await pipeline.receive() != nil {}
            try await sending
        }
        try await pictures.add("switch") { lookout in
            let show = screen()
            let lock = Switch(isOn: true)
            lock.request(show, 1)
            try await lookout.machine.quiescence()
            _ = try await lock.inject(show, 2)
            _ = try await lock.isOn()
            try await lock.off()
            try await lock.on()
        }
        try await pictures.add("steps") { _ in
            let computation = CancelableSteps(from: 1, steps: [{ $0 + 1 }])
            _ = try await computation.run()
            _ = try await computation.run()
            _ = try await computation.cancel()
        }
    }

    private static func screen() -> SlowMolecule<Int> {
        Join.define("screen") { join in
            let show = join.slow("show", of: Int.self)
            join.when(show) { _ in }
            return show
        }
    }

    // MARK: Locks and meetings

    private static func addLocks(to pictures: inout Album) async throws {
        try await pictures.add("semaphore") { _ in try await AsyncSemaphore(permits: 2).withPermit {} }
        try await pictures.add("mutex") { _ in try await AsyncMutex(0).withLock { $0 += 1 } }
        try await pictures.add("readWriteLock") { _ in
            let lock = ReadWriteLock()
            try await lock.withReadLock { try await lock.withReadLock {} }
            try await lock.withWriteLock {}
        }
        try await pictures.add("barrier") { _ in
            let barrier = Barrier(parties: 3)
            async let one: Void = barrier.arrive()
            async let two: Void = barrier.arrive()
            try await barrier.arrive()
            _ = try await (one, two)
        }
        try await pictures.add("latch") { _ in
            let latch = Latch(count: 1)
            latch.countDown()
            try await latch.wait()
        }
        try await pictures.add("condition") { _ in
            let condition = Condition(0)
            async let waited = condition.wait { $0 == 1 }
            try await condition.update { $0 = 1 }
            _ = try await waited
        }
        try await pictures.add("exchanger") { _ in
            let exchanger = Exchanger<Int>()
            async let one = exchanger.exchange(1)
            _ = try await (exchanger.exchange(2), one)
        }
        try await pictures.add("workerPool") { _ in
            let pool = WorkerPool(workers: 2)
            pool.submit {}
            try await pool.perform {}
            try await pool.drain()
        }
        try await pictures.add("resourcePool") { _ in
            try await ResourcePool(atMost: 2) { 0 }.withResource { _ in }
        }
    }

    // MARK: Values

    private static func addValues(to pictures: inout Album) async throws {
        try await pictures.add("promise") { lookout in
            let promise = JoinPromise<Int>()
            async let waiting = promise.future.value()
            try await lookout.waitForCaller()
            promise.fulfill(1)
            _ = try await waiting
            let late = JoinPromise<Int>()
            for number in 2...3 { try await lookout.whilePaused { late.fulfill(number) } }
        }
        // The promise of a fetch is gone with whoever lets go of it last, and that says so once more: now and then the
        // reaction, and now and then the task.
        try await pictures.add("singleFlight", showsForeign: false) { _ in
            _ = try await SingleFlight<Int, Int> { $0 }.value(for: 1)
        }
    }

    // MARK: Channels

    private static func addChannels(to pictures: inout Album) async throws {
        try await pictures.add("channel") { lookout in
            let channel = JoinChannel<Int>(capacity: 2)
            try await channel.send(1)
            _ = try await channel.receive()
            channel.close()
            _ = try await channel.receive()
            let other = JoinChannel<Int>(capacity: 2)
            for _ in 1...2 { try await lookout.whilePaused { other.close() } }
        }
        try await pictures.add("priorityQueue") { _ in
            let queue = PriorityQueue<Int, Int>()
            queue.put(1, priority: 1)
            queue.put(2, priority: 2)
            _ = try await queue.take()
            _ = try await queue.take()
        }
        for name in ["topic", "subscription"] {
            try await pictures.add(name) { _ in
                let topic = Topic<Int>()
                let subscription = topic.subscribe()
                topic.publish(1)
                topic.finish()
                while try await subscription.next() != nil {}
            }
        }
    }

    // MARK: Time

    private static func addTime(to pictures: inout Album) async throws {
        try await pictures.add("timeout") { lookout in
            do {
                try await withTimeout(.milliseconds(1), configuration: Album.configuration) {
                    lookout.look()
                    // The body ends as well, too late.
                    await lookout.wait(forConsumed: 1, of: "timeout.outcome")
                }
            } catch is TimedOut {}
        }
        try await pictures.add("throttle") { _ in
            let throttle = Throttle(every: .milliseconds(1), to: screen())
            for number in 1...2 { throttle.send(number) }
        }
        try await pictures.add("debounce") { lookout in
            let clock = JumpingClock()
            let debounce = Debounce(for: .seconds(1), clock: clock, to: screen())
            // The sleep that the first one has begun ends too early for the second one.
            let send = debounce.send
            clock.inTheFirstSleep {
                send(2)
                await lookout.wait(forConsumed: 2, of: "debounce.send")
            }
            debounce.send(1)
        }
        try await pictures.add("rateLimit") { _ in try await RateLimit(1, per: .milliseconds(1)).acquire() }
    }

    // MARK: Mailboxes

    private static func addMailboxes(to pictures: inout Album) async throws {
        try await pictures.add("mailbox") { _ in
            let actor = MailboxActor(state: 0, options: MailboxOptions(name: "mailbox")) { (sum, n: Int) in
                await Task.yield()
                sum += n
            }
            actor.tell(1)
            actor.start()
            actor.stop(.drain)
            try await actor.termination()
        }
        try await pictures.add("supervisor") { _ in
            let supervisor = Supervisor(Supervision())
            supervisor.supervise(MailboxActor(state: 0) { (sum, n: Int) in sum += n })
            supervisor.cancel()
            try await supervisor.termination()
        }
    }

    // MARK: Malls

    private struct Weather: Mall {
        let celsius = MallInput(0.0)
        let fahrenheit = MallOutput(32.0)

        func prepareDataOpsGraph() -> [DataOp] {
            op {
                celsius>!
                compute { (celsius: Double) async in celsius * 9 / 5 + 32 }
                ~>fahrenheit
            }
        }
    }

    private static func addMall(to pictures: inout Album) async throws {
        try await pictures.add("weather") { _ in
            let weather = Weather()
            weather.open("weather")
            try await weather.celsius.sendAndWait(20)
        }
    }
}
