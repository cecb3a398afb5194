import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Time-outs, throttle, debounce and rate limit, by a clock that the tests move.
@Suite("Time", .endsInTime)
struct TimeTests {
    /// A molecule that notes what it gets, and when.
    private struct Log<Value: Sendable>: Sendable {
        let put: SlowMolecule<Value>
        let entries: StateReader<[(value: Value, time: Duration)]>
        let definition: Join

        /// The time is that of the reaction, so a test has to await an entry before it moves the clock.
        init(_ clock: ManualClock) {
            (put, entries, definition) = Join.define("log") { join in
                let entries = join.state("entries", [(value: Value, time: Duration)]())
                let put = join.slow("put", of: Value.self, order: .oldestFirst)
                join.when(put, updating: entries) { $0.append(($1, clock.now.offset)) }
                return (put, entries.reader, join.definition)
            }
        }

        var values: [Value] { entries.value.map(\.value) }
        var times: [Duration] { entries.value.map(\.time) }
    }

    // MARK: Time-out

    @Test func aBodyThatEndsInTimeGivesItsResult() async throws {
        let clock = ManualClock()
        #expect(try await withTimeout(.seconds(1), clock: clock) { 7 } == 7)
        #expect(clock.sleeping == 0)
    }

    @Test func anErrorInTimeIsThrown() async throws {
        let clock = ManualClock()
        await #expect(throws: Mishap.self) { try await withTimeout(.seconds(1), clock: clock) { throw Mishap() } }
        #expect(clock.sleeping == 0)
    }

    @Test func aBodyThatTakesTooLongIsCancelledAndAwaited() async throws {
        let (clock, inside, gate) = (ManualClock(), Occupancy(), Gate())
        let task = Task {
            try await withTimeout(.seconds(1), clock: clock) {
                inside.enter()
                defer { inside.leave() }
                try await gate.pass()
            }
        }
        try await clock.waitForSleepers()
        try await eventually { inside.now == 1 }
        clock.advance(by: .milliseconds(999))
        await yield(20)
        #expect(inside.now == 1)
        clock.advance(by: .milliseconds(1))
        await #expect(throws: TimedOut.self) { try await task.value }
        #expect(inside.now == 0)
    }

    @Test("A body that never suspends hears that its time is up", .endsInTime, .blocksThreads)
    func busyBody() async throws {
        await #expect(throws: TimedOut.self) {
            try await withTimeout(.milliseconds(20)) { () async in while !Task.isCancelled {} }
        }
    }

    @Test func cancellingTheTaskCancelsTheBodyAndTheTimer() async throws {
        let (clock, inside, gate) = (ManualClock(), Occupancy(), Gate())
        let task = Task {
            try await withTimeout(.seconds(1), clock: clock) {
                inside.enter()
                defer { inside.leave() }
                try await gate.pass()
            }
        }
        try await clock.waitForSleepers()
        try await eventually { inside.now == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(inside.now == 0 && clock.sleeping == 0)
    }

    @Test func timeOutsMeetTheirBodiesIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let (clock, inside) = (ManualClock(), Occupancy())
            let (work, patience) = (Int.random(in: 0..<15, using: &random), Int.random(in: 0..<15, using: &random))
            let cancels = Bool.random(using: &random)
            let task = Task {
                try await withTimeout(.seconds(1), clock: clock, configuration: .init(seed: seed)) {
                    inside.enter()
                    defer { inside.leave() }
                    await yield(work)
                    return work
                }
            }
            await yield(patience)
            if cancels { task.cancel() }
            clock.advance(by: .seconds(1))
            switch await task.result {
            case .success(let value): #expect(value == work, "seed \(seed)")
            case .failure(let error):
                #expect(error is TimedOut || (cancels && error is CancellationError), "seed \(seed)")
            }
            #expect(inside.now == 0 && clock.sleeping == 0, "seed \(seed)")
        }
    }

    @Test func theContinuousClockIsTheDefault() async throws {
        #expect(try await withTimeout(.seconds(600)) { 1 } == 1)
        let gate = Gate()
        await #expect(throws: TimedOut.self) { try await withTimeout(.milliseconds(1)) { try await gate.pass() } }
        gate.open()
    }

    @Test func aTimeThatNoClockCanTellIsNoLimit() async throws {
        let far = Duration.seconds(Int64.max)
        let value = try await withTimeout(far) {
            await yield(100)
            return 1
        }
        #expect(value == 1)
        let clock = ManualClock()
        let log = Log<Int>(clock)
        let machine = ChemicalMachine()
        let throttle = machine.making { Throttle(every: far, to: log.put) }
        let debounce = machine.making { Debounce(for: far, to: log.put) }
        let limit = machine.making { RateLimit(1, per: far) }
        for number in 1...3 { throttle.send(number) }
        debounce.send(4)
        try await limit.acquire()
        #expect(try await !limit.tryAcquire())
        try await eventually { log.values == [1] }
        // What sleeps ends with the machine.
        machine.deactivate()
        try await machine.quiescence()
        #expect(log.values == [1])
    }

    // MARK: Throttle

    @Test func tenRequestsPassAtLeast20MillisecondsApart() async throws {
        let clock = ManualClock()
        let log = Log<Int>(clock)
        let throttle = Throttle(every: .milliseconds(20), clock: clock, to: log.put)
        for number in 0..<10 { throttle.send(number) }
        for passed in 1...10 {
            try await eventually { log.values.count == passed && clock.sleeping == 1 }
            // Not a moment earlier:
            clock.advance(by: .milliseconds(19))
            await yield(5)
            #expect(log.values.count == passed)
            clock.advance(by: .milliseconds(1))
        }
        try await eventually { clock.sleeping == 0 }
        #expect(log.values == Array(0..<10))
        for (earlier, later) in zip(log.times, log.times.dropFirst()) {
            #expect(later - earlier >= .milliseconds(20))
        }
    }

    @Test func valuesOnTheirOwnPassAtOnce() async throws {
        let clock = ManualClock()
        for policy in [Throttle<Int>.Policy.all, .latest, .first] {
            let log = Log<Int>(clock)
            let machine = ChemicalMachine()
            let throttle = machine.making {
                Throttle(every: .milliseconds(20), keeping: policy, clock: clock, to: log.put)
            }
            for number in 1...5 {
                throttle.send(number)
                try await eventually { log.values.count == number && clock.sleeping == 1 }
                clock.advance(by: .milliseconds(20))
                // The gate opens in a reaction: whoever sends right now may still find it closed.
                try await machine.quiescence()
            }
            #expect(log.values == Array(1...5))
        }
    }

    @Test func onlyTheLatestOfThoseThatWaitPasses() async throws {
        let clock = ManualClock()
        let log = Log<Int>(clock)
        let machine = ChemicalMachine()
        let throttle = machine.making {
            Throttle(every: .milliseconds(20), keeping: .latest, clock: clock, to: log.put)
        }
        throttle.send(0)
        try await eventually { log.values == [0] && clock.sleeping == 1 }
        for number in 1...9 { throttle.send(number) }
        try await machine.waitUntilConsumed(10, of: "throttle.send")
        clock.advance(by: .milliseconds(20))
        try await eventually { log.values.count == 2 && clock.sleeping == 1 }
        #expect(log.values == [0, 9])
        clock.advance(by: .milliseconds(20))
        try await eventually { clock.sleeping == 0 }
        #expect(log.values == [0, 9])
    }

    @Test("The first of several values passes at once, whatever is kept of the others")
    func theFirstPassesAtOnce() async throws {
        for seed in UInt64(0)..<100 {
            for policy in [Throttle<Int>.Policy.all, .latest, .first] {
                let clock = ManualClock()
                let log = Log<Int>(clock)
                let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: seed))
                let throttle = machine.making {
                    Throttle(every: .milliseconds(20), keeping: policy, clock: clock, to: log.put)
                }
                for number in 1...3 { throttle.send(number) }
                try await machine.waitUntilConsumed(policy == .all ? 1 : 3, of: "throttle.send")
                try await eventually { clock.sleeping == 1 }
                try await log.definition.quiescence()
                #expect(log.values == [1], "seed \(seed), \(policy)")
                clock.advance(by: .milliseconds(20))
                if policy != .first {
                    try await eventually { log.values.count == 2 }
                    #expect(log.values[1] == (policy == .all ? 2 : 3), "seed \(seed), \(policy)")
                }
            }
        }
    }

    @Test func onlyTheFirstPasses() async throws {
        let clock = ManualClock()
        let log = Log<Int>(clock)
        let machine = ChemicalMachine()
        let throttle = machine.making {
            Throttle(every: .milliseconds(20), keeping: .first, clock: clock, to: log.put)
        }
        for number in 0..<10 { throttle.send(number) }
        try await machine.waitUntilConsumed(10, of: "throttle.send")
        try await eventually { log.values == [0] && clock.sleeping == 1 }
        clock.advance(by: .milliseconds(20))
        try await eventually { clock.sleeping == 0 }
        #expect(log.values == [0])
    }

    @Test func valuesThatWaitOutliveTheThrottle() async throws {
        let clock = ManualClock()
        let log = Log<Int>(clock)
        do {
            let throttle = Throttle(every: .milliseconds(20), clock: clock, to: log.put)
            for number in 0..<3 { throttle.send(number) }
        }
        for passed in 1...3 {
            try await eventually { log.values.count == passed && clock.sleeping == 1 }
            clock.advance(by: .milliseconds(20))
        }
        #expect(log.values == [0, 1, 2])
    }

    @Test func eachPolicyOfAThrottleKeepsItsPromiseIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let clock = ManualClock()
            let log = Log<Int>(clock)
            let policy = [Throttle<Int>.Policy.all, .latest, .first][Int(seed % 3)]
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: seed))
            let throttle = machine.making {
                Throttle(every: .milliseconds(20), keeping: policy, clock: clock, to: log.put)
            }
            // What has passed until now has passed at least 20 ms apart, however late it is noted.
            let hasPassedTooMuch: @Sendable () -> Bool = {
                let passed = log.values.count
                return passed > 1 + Int(clock.now.offset / .milliseconds(20))
            }
            for number in 0..<8 {
                throttle.send(number)
                await yield(Int.random(in: 0..<4, using: &random))
                clock.advance(by: .milliseconds(Int.random(in: 0...15, using: &random)))
                #expect(!hasPassedTooMuch(), "seed \(seed)")
            }
            let ticker = Task {
                while !Task.isCancelled {
                    clock.advance(by: .milliseconds(5))
                    await Task.yield()
                    #expect(!hasPassedTooMuch(), "seed \(seed)")
                }
            }
            try await machine.quiescence()
            ticker.cancel()
            await ticker.value
            try await log.definition.quiescence()
            let passed = log.values
            #expect(clock.sleeping == 0, "seed \(seed)")
            switch policy {
            case .all: #expect(passed == Array(0..<8), "seed \(seed)")
            case .latest:
                #expect(
                    passed.first == 0 && passed.last == 7 && passed == Set(passed).sorted(),
                    "seed \(seed)"
                )
            case .first: #expect(passed.first == 0 && passed == Set(passed).sorted(), "seed \(seed)")
            }
        }
    }

    // MARK: Debounce

    @Test func onlyAValueThatIsLeftAlonePasses() async throws {
        let clock = ManualClock()
        let log = Log<Int>(clock)
        let machine = ChemicalMachine()
        let debounce = machine.making { Debounce(for: .milliseconds(300), clock: clock, to: log.put) }
        for number in 0..<5 {
            debounce.send(number)
            try await machine.waitUntilDebounced(number + 1)
            // The sleeper of the value before has found that its time isn't over, and sleeps on until 100 ms later.
            try await eventually { clock.sleeping == 1 }
            if number == 4 { break }
            clock.advance(by: .milliseconds(200))
        }
        // The last value was sent after 800 ms.
        while clock.now.offset < .milliseconds(1_100) {
            #expect(log.values.isEmpty)
            try await eventually { clock.sleeping == 1 }
            clock.advance(by: .milliseconds(50))
        }
        try await eventually { log.values == [4] }
        #expect(log.times == [.milliseconds(1_100)])
        #expect(clock.sleeping == 0)
        debounce.send(9)
        try await eventually { clock.sleeping == 1 }
        clock.advance(by: .milliseconds(300))
        try await eventually { log.values == [4, 9] }
    }

    @Test func exactlyThoseThatAreLeftAlonePassIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let clock = ManualClock()
            let log = Log<Int>(clock)
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: seed))
            let debounce = machine.making { Debounce(for: .milliseconds(300), clock: clock, to: log.put) }
            var expected: [Int] = []
            for number in 0..<8 {
                debounce.send(number)
                try await machine.waitUntilDebounced(number + 1)
                try await eventually { clock.sleeping == 1 }
                let pause = Int.random(in: 1...6, using: &random) * 75
                clock.advance(by: .milliseconds(pause))
                if pause >= 300 { expected.append(number) }
                let count = expected.count
                // Either it has passed, or somebody sleeps on until its time comes.
                try await eventually { log.values.count == count && clock.sleeping == (pause >= 300 ? 0 : 1) }
            }
            clock.advance(by: .milliseconds(300))
            if expected.last != 7 { expected.append(7) }
            let all = expected
            try await eventually { log.values == all }
            try await machine.quiescence()
            #expect(log.values == all, "seed \(seed)")
        }
    }

    // MARK: Rate limit

    @Test func neverMoreThan3WithinAnySecond() async throws {
        let clock = ManualClock()
        let limit = RateLimit(3, per: .seconds(1), clock: clock)
        let times = Locked<[Duration]>([])
        let tasks = (0..<12).map { _ in
            Task {
                try await limit.acquire()
                times.update { $0.append(clock.now.offset) }
            }
        }
        for round in 1...4 {
            try await eventually { times.value.count == 3 * round && clock.sleeping == 1 }
            clock.advance(by: .milliseconds(999))
            await yield(5)
            #expect(times.value.count == 3 * round)
            clock.advance(by: .milliseconds(1))
        }
        for task in tasks { try await task.value }
        for (first, fourth) in zip(times.value, times.value.dropFirst(3)) { #expect(fourth - first >= .seconds(1)) }
    }

    @Test func tryingTakesAPermitOnlyIfThereIsOne() async throws {
        let clock = ManualClock()
        let limit = RateLimit(2, per: .seconds(1), clock: clock)
        #expect(try await limit.tryAcquire())
        #expect(try await limit.tryAcquire())
        #expect(try await !limit.tryAcquire())
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        try await limit.acquire()
    }

    @Test("Trying finds the permits that are due, though nobody has waited for them", arguments: 1...50)
    func tryingFindsWhatIsDue(round: Int) async throws {
        let clock = ManualClock()
        let limit = RateLimit(3, per: .seconds(1), clock: clock)
        try await limit.acquire()
        try await limit.acquire()
        clock.advance(by: .seconds(2))
        for _ in 0..<3 { #expect(try await limit.tryAcquire()) }
        #expect(try await !limit.tryAcquire())
        // There is one sleeper, who gives back what is due when it wakes up.
        clock.advance(by: .milliseconds(500))
        #expect(try await !limit.tryAcquire())
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(500))
        for _ in 0..<3 { try await limit.acquire() }
    }

    @Test func whoWaitsForAPermitIsServedOldestFirst() async throws {
        let clock = ManualClock()
        let machine = ChemicalMachine()
        let limit = machine.making { RateLimit(1, per: .seconds(1), clock: clock) }
        let order = Locked<[Int]>([])
        try await limit.acquire()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<10 {
            tasks.append(
                Task {
                    try await limit.acquire()
                    order.update { $0.append(number) }
                }
            )
            try await machine.waits(for: number + 1)
        }
        for passed in 1...10 {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            try await eventually { order.value.count == passed }
        }
        for task in tasks { try await task.value }
        #expect(order.value == Array(0..<10))
    }

    @Test func aCancelledCallTakesNoPermitIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let clock = ManualClock()
            let limit = RateLimit(2, per: .seconds(1), clock: clock)
            let tasks = (0..<8).map { _ in Task { try await limit.acquire() } }
            await yield(Int.random(in: 0..<20, using: &random))
            for task in tasks where Bool.random(using: &random) { task.cancel() }
            let ticker = Task {
                while !Task.isCancelled {
                    if clock.sleeping == 1 { clock.advance(by: .seconds(1)) }
                    await Task.yield()
                }
            }
            // Each that was not cancelled gets its permit, two a second.
            for task in tasks { _ = await task.result }
            ticker.cancel()
            await ticker.value
            // Then both come back, and no more than both.
            try await eventually {
                clock.advance(by: .seconds(1))
                return clock.sleeping == 0
            }
            try await eventually { try await limit.tryAcquire() }
            try await eventually { try await limit.tryAcquire() }
            #expect(try await !limit.tryAcquire(), "seed \(seed)")
        }
    }

    @Test("A time that is up already is one, and the body doesn't run", arguments: [Duration.zero, .seconds(-1)])
    func noTimeLeft(_ duration: Duration) async {
        await #expect(throws: TimedOut.self) {
            try await withTimeout(duration) { Issue.record("it runs") }
        }
    }

    // MARK: Bad input

    @Test func durationsOfZeroAreRefused() async throws {
        let throttle = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let put = Join.define { join in
                let put = join.slow("put", of: Int.self)
                join.when(put) { _ in }
                return put
            }
            _ = Throttle(every: .zero, to: put)
        }
        #expect(text(throttle).contains("a throttle needs an interval above zero"))
        let debounce = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let put = Join.define { join in
                let put = join.slow("put", of: Int.self)
                join.when(put) { _ in }
                return put
            }
            _ = Debounce(for: .seconds(-1), to: put)
        }
        #expect(text(debounce).contains("a debounce needs an interval above zero"))
    }

    @Test("Permits that are out need no tasks, unless all are; and come back one by one")
    func permitsThatAreOut() async throws {
        let clock = ManualClock()
        let limit = RateLimit(1_000, per: .seconds(1_000), clock: clock)
        for _ in 1..<1_000 {
            try await limit.acquire()
            clock.advance(by: .seconds(1))
        }
        #expect(clock.sleeping == 0)
        try await limit.acquire()
        #expect(try await !limit.tryAcquire())
        try await clock.waitForSleepers()
        // One of each second, and each acquired one is out for a thousand.
        for _ in 0..<10 {
            clock.advance(by: .seconds(1))
            try await limit.acquire()
            #expect(try await !limit.tryAcquire())
            try await clock.waitForSleepers()
        }
        clock.advance(by: .seconds(300))
        for _ in 0..<300 { try await limit.acquire() }
        #expect(try await !limit.tryAcquire())
    }

    @Test("A limit of which permits are left holds up no scope")
    func limitInAScope() async throws {
        try await withChemicalMachine { _ in
            let limit = RateLimit(2, per: .seconds(1_000_000))
            try await limit.acquire()
        }
    }

    @Test func badRatesAreRefused() async throws {
        let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = RateLimit(0, per: .seconds(1))
        }
        #expect(text(count).contains("a rate limit needs a count of at least 1, not 0"))
        let period = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = RateLimit(1, per: .zero)
        }
        #expect(text(period).contains("a rate limit needs a period above zero"))
    }
}

extension ChemicalMachine {
    /// Waits until its debounce has got `count` values, and knows when each may pass: no body runs but the sleeper's.
    fileprivate func waitUntilDebounced(_ count: Int) async throws {
        try await eventually {
            let statistics = self.statistics
            let isBeforeSleep = ["sleep", "awake"].contains {
                (statistics.molecules["debounce.\($0)"]?.present ?? 0) > 0
            }
            return statistics.molecules["debounce.send"]?.consumed == count && statistics.running == 1 && !isBeforeSleep
        }
    }
}
