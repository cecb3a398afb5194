import ChemActors
import ChemLibrary
import ChemTesting

// Recipes that are functions, and those that pass values on: whatever the schedule, the same result.

extension Trial {
    private struct Refused: Error {}

    /// A body that others get ahead of.
    private static func later<Value: Sendable>(
        _ value: Value,
        _ running: Count? = nil,
        atMost limit: Int = .max
    ) -> @concurrent @Sendable () async throws -> Value {
        {
            if let running { try insist(running.enter() <= limit, "more than \(limit) run") }
            await Task.yield()
            running?.add(-1)
            return value
        }
    }

    private static func failing<Value>(_ type: Value.Type) -> @concurrent @Sendable () async throws -> Value {
        {
            await Task.yield()
            throw Refused()
        }
    }

    private static func dividing(_ numbers: [Int], isLarge: Bool = false) -> Trial {
        Trial("\(numbers.count) numbers, divided and conquered", isLarge: isLarge) {
            let sum = try await forkJoin(numbers) {
                $0.count > 1 ? [Array($0[..<($0.count / 2)]), Array($0[($0.count / 2)...])] : []
            } solve: {
                $0[0]
            } join: {
                $0.reduce(0, +)
            }
            try insist(sum == numbers.reduce(0, +), "\(sum)")
        }
    }

    static let functions: [Trial] = [
        Trial("all results, in their order, of three bodies of which two may run") {
            let running = Count()
            let results = try await runAll((0..<3).map { later($0, running, atMost: 2) }, atMost: 2)
            try insist(results == [0, 1, 2], "\(results)")
        },
        Trial("the error of one body ends all") {
            do {
                _ = try await runAll([later(1), failing(Int.self), later(3)])
                throw Broken("no error")
            } catch is Refused {}
        },
        Trial("what each of three bodies has come to") {
            let results = try await settleAll([later(1), failing(Int.self), later(3)])
            try insist((try? results[0].get()) == 1 && (try? results[2].get()) == 3, "\(results)")
            try insist((try? results[1].get()) == nil, "\(results)")
        },
        Trial("a sum, mapped by two and reduced by two") {
            let sum = try await mapReduce(1...4, mappers: 2, reducers: 2) { (n: Int) async throws -> Int in
                await Task.yield()
                return n * 10
            } reduce: { (a: Int, b: Int) async throws -> Int in
                await Task.yield()
                return a + b
            }
            try insist(sum == 100, "\(String(describing: sum))")
        },
        dividing([1, 2]), dividing([1, 2, 3, 4], isLarge: true),
        Trial("the first of three results, of which one fails") {
            let result = try await firstResult(of: later(1), later(2), failing(Int.self))
            try insist(result == 1 || result == 2, "\(result)")
        },
        Trial("one of three is true, and one fails to say") {
            let isTrue = try await parallelOr([later(false), later(true), failing(Bool.self)])
            try insist(isTrue)
        },
        Trial("in time") {
            let clock = MachineClock()
            let result = try await withTimeout(.seconds(2), clock: clock) {
                try await clock.sleep(for: .seconds(1))
                return 1
            }
            try insist(result == 1)
        },
        Trial("too late") {
            let clock = MachineClock()
            do {
                try await withTimeout(.seconds(1), clock: clock) { try await clock.sleep(for: .seconds(2)) }
                throw Broken("it was in time")
            } catch is TimedOut {}
        },
    ]

    /// Results come in the order of the values, one for each.
    static func flowing(
        _ make:
            @escaping @Sendable (@escaping @concurrent @Sendable (Int) async throws -> Int) -> (
                send: @Sendable (Int) async throws -> Void, finish: @Sendable () async throws -> Void,
                receive: @Sendable () async throws -> Int?
            )
    ) -> Trial {
        Trial("a pipeline of two stages, of which two bodies may run") {
            let running = Count()
            let pipeline = make { number in
                try insist(running.enter() <= 2, "more than two run")
                await Task.yield()
                running.add(-1)
                return number * 10
            }
            async let sent: Void = {
                for number in 1...3 { try await pipeline.send(number) }
                try await pipeline.finish()
            }()
            var results: [Int] = []
            while let result = try await pipeline.receive() { results.append(result) }
            try await sent
            try insist(results == [11, 21, 31], "\(results)")
        }
    }

    static let pipeline = { @Sendable (work: @escaping @concurrent @Sendable (Int) async throws -> Int) in
        let pipeline = Pipeline(atMost: 2, work).stage { $0 + 1 }.start(capacity: 1)
        return (
            send: { @Sendable (number: Int) in try await pipeline.send(number) },
            finish: { @Sendable in try await pipeline.finish() },
            receive: { @Sendable in try await pipeline.receive() }
        )
    }

    /// Only a value that no other follows in time passes, and at its time.
    static func settling(_ make: @escaping @Sendable (SlowMolecule<Int>) -> @Sendable (Int) -> Void) -> Trial {
        Trial("three senders, and a value that nobody disturbs") {
            let clock = MachineClock()
            let begin = clock.now
            let log = Log<(value: Int, after: Duration)>()
            let arrived = Join.define("arrived") { join in
                let arrived = join.slow("arrived", of: Int.self)
                join.when(arrived) { log.add(($0, begin.duration(to: clock.now))) }
                return arrived
            }
            let send = make(arrived)
            try await together(1...3) { number in
                send(number)
                await Task.yield()
                send(number * 10)
            }
            try await clock.sleep(for: .milliseconds(250))
            send(7)
            try await clock.sleep(for: .seconds(1))
            let all = log.all
            try insist(all.map(\.after) == [.milliseconds(100), .milliseconds(350)], "\(all)")
            try insist([10, 20, 30].contains(all[0].value) && all[1].value == 7, "\(all)")
        }
    }

    /// Every value passes, at least so far from the one before.
    static func throttling(_ make: @escaping @Sendable (SlowMolecule<Int>) -> @Sendable (Int) -> Void) -> Trial {
        Trial("three senders through a gate that opens ten times a second") {
            let clock = MachineClock()
            let begin = clock.now
            let log = Log<(value: Int, after: Duration)>()
            let arrived = Join.define("arrived") { join in
                let arrived = join.slow("arrived", of: Int.self)
                join.when(arrived) { log.add(($0, begin.duration(to: clock.now))) }
                return arrived
            }
            let send = make(arrived)
            try await together(1...3) { send($0) }
            try await clock.sleep(for: .seconds(1))
            let all = log.all
            try insist(Set(all.map(\.value)) == [1, 2, 3] && all.count == 3, "\(all)")
            try insist(all.map(\.after) == [.zero, .milliseconds(100), .milliseconds(200)], "\(all)")
        }
    }
}
