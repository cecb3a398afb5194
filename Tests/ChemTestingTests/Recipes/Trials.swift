import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization
import TestSupport

// Clients of what else there is.

extension Trial {
    // MARK: Meeting

    /// Those who meet get each other's values.
    static func exchanging(_ make: @escaping @Sendable () -> @Sendable (Int) async throws -> Int) -> Trial {
        Trial("four who exchange") {
            let exchange = make()
            let got = Cell<[Int: Int]>([:])
            try await together(0..<4) { value in
                let other = try await exchange(value)
                got.add { $0[value] = other }
            }
            let all = got.value
            for (value, other) in all { try insist(other != value && all[other] == value, "\(all)") }
        }
    }

    /// Nobody goes on before all have come.
    static func meeting(_ make: @escaping @Sendable () -> @Sendable () async throws -> Void) -> Trial {
        Trial("three who meet at a barrier") {
            let arrive = make()
            let arrived = [Count(), Count(), Count()]
            try await together(0..<3) { _ in
                for round in 0..<(Soak.isOn ? 3 : 2) {
                    arrived[round].add()
                    try await arrive()
                    try insist(arrived[round].value == 3, "somebody has left with \(arrived[round].value)")
                }
            }
        }
    }

    struct LatchModel: SequentialModel {
        enum Operation { case countDown, wait }
        var count: Int

        mutating func apply(_ operation: Operation) -> Bool? {
            switch operation {
            case .countDown: count -= 1
            case .wait where count > 0: return nil
            case .wait: break
            }
            return true
        }
    }

    typealias Gate = @Sendable (LatchModel.Operation) async throws -> Bool

    static func opening(of make: @escaping @Sendable () -> Gate) -> Trial {
        Trial(
            "a latch of four",
            as: LatchModel(count: 4),
            [
                [.countDown, .wait, .countDown], [.countDown, .countDown, .wait], [.countDown, .countDown, .countDown],
            ],
            of: make
        )
    }

    static func latch(_ count: Int) -> @Sendable () -> Gate {
        {
            let latch = Latch(count: count)
            return { operation in
                switch operation {
                case .countDown: latch.countDown()
                case .wait: try await latch.wait()
                }
                return true
            }
        }
    }

    // MARK: Pools

    /// Each resource serves one at a time.
    static func sharing(
        _ make: @escaping @Sendable () -> @Sendable (@Sendable (Int) async throws -> Void) async throws -> Void
    ) -> Trial {
        Trial("three who share two resources") {
            let use = make()
            let users = [Count(), Count()]
            try await together(0..<3) { _ in
                for _ in 0..<(Soak.isOn ? 2 : 1) {
                    try await use { resource in
                        try insist(users[resource].enter() == 1, "two use \(resource)")
                        await Task.yield()
                        users[resource].add(-1)
                    }
                }
            }
        }
    }

    /// No more than two work at a time, and all that is asked for is done.
    static func working(
        _ make:
            @escaping @Sendable () -> (
                submit: @Sendable (@escaping @concurrent @Sendable () async -> Void) -> Void,
                drain: @Sendable () async throws -> Void
            )
    ) -> Trial {
        Trial("two workers with four jobs") {
            let pool = make()
            let (working, done, most) = (Count(), Count(), Log<Int>())
            for _ in 0..<4 {
                pool.submit {
                    most.add(working.enter())
                    await Task.yield()
                    working.add(-1)
                    done.add()
                }
            }
            try await pool.drain()
            try insist(done.value == 4, "\(done.value) are done")
            try insist(most.all.allSatisfy { $0 <= 2 }, "\(most.all)")
        }
    }

    // MARK: Values

    struct PromiseModel: SequentialModel {
        enum Operation { case settle(Int), value }
        enum Result: Equatable { case settled(Bool), value(Int) }
        var value: Int?

        mutating func apply(_ operation: Operation) -> Result? {
            switch operation {
            case .settle(let new):
                defer { value = value ?? new }
                return .settled(value == nil)
            case .value: return value.map { .value($0) }
            }
        }
    }

    typealias Promised = @Sendable (PromiseModel.Operation) async throws -> PromiseModel.Result

    static func promising(of make: @escaping @Sendable () -> Promised) -> Trial {
        Trial(
            "a promise that two settle",
            as: PromiseModel(),
            [[.settle(1), .value, .value], [.value, .settle(2), .value], [.value, .value, .settle(3)]],
            of: make
        )
    }

    static let promise: @Sendable () -> Promised = {
        let promise = JoinPromise<Int>()
        return { operation in
            switch operation {
            case .settle(let value): return .settled(promise.fulfill(value))
            case .value: return .value(try await promise.future.value())
            }
        }
    }

    /// One fetch at a time, and who asks gets what was fetched since.
    static func fetching(
        _ what: String = "it",
        clients: Int = 3,
        rounds: Int = 2,
        _ make:
            @escaping @Sendable (@escaping @concurrent @Sendable () async throws -> Int) ->
            @Sendable () async throws
            -> Int
    ) -> Trial {
        Trial(
            "\(clients == 2 ? "two" : "three") who fetch \(what), \(["once", "twice", "three times"][rounds - 1])",
            isLarge: clients * rounds > 6
        ) {
            let (fetching, fetched) = (Count(), Count())
            // What is fetched counts the fetches.
            let history = History<RegisterModel>()
            let value = make {
                try await history.record(.add(1)) {
                    let others = fetching.enter()
                    await Task.yield()
                    fetching.add(-1)
                    try insist(others == 1, "two fetch at the same time")
                    return fetched.enter() - 1
                } + 1
            }
            try await together(0..<clients) { _ in
                for _ in 0..<rounds { try await history.record(.read) { try await value() } }
            }
            try insist(history, isExplainedBy: RegisterModel())
        }
    }

    // MARK: Others

    typealias Flag = @Sendable (FlagModel.Operation) async throws -> Bool

    struct FlagModel: SequentialModel {
        enum Operation { case on, off, isOn }
        var isOn = false

        mutating func apply(_ operation: Operation) -> Bool? {
            switch operation {
            case .on: isOn = true
            case .off: isOn = false
            case .isOn: break
            }
            return isOn
        }
    }

    static func switching(of make: @escaping @Sendable () -> Flag) -> Trial {
        Trial(
            "a switch",
            as: FlagModel(),
            [[.on, .isOn, .off], [.isOn, .on, .isOn], [.off, .isOn, .on]],
            of: make
        )
    }

    static let toggle: @Sendable () -> Flag = {
        let toggle = Switch(isOn: false)
        return { operation in
            switch operation {
            case .on:
                try await toggle.on()
                return true
            case .off:
                try await toggle.off()
                return false
            case .isOn: return try await toggle.isOn()
            }
        }
    }

    /// Nothing that is requested after the switch is off slips through.
    static func refusing(
        _ make:
            @escaping @Sendable () -> (
                off: @Sendable () async throws -> Void, request: @Sendable (SlowMolecule<Void>) -> Void
            )
    ) -> Trial {
        Trial("requests of a switch that goes off") {
            let toggle = make()
            let isOff = Cell(false)
            let shown = SlowProbe<Void>()
            let late = SlowProbe<Void>()
            try await together(0..<2) { client in
                if client == 0 {
                    try await toggle.off()
                    isOff.change { $0 = true }
                } else {
                    for _ in 0..<2 {
                        toggle.request(isOff.value ? late.molecule : shown.molecule)
                        await Task.yield()
                    }
                }
            }
            try await MachineClock().sleep(for: .seconds(1))
            try insist(late.values.isEmpty, "a request has slipped through")
        }
    }

    /// All subscribers see one order, in which each publisher's values keep theirs.
    static func publishing(
        _ make:
            @escaping @Sendable () -> (
                publish: @Sendable (Int) -> Void, subscribe: @Sendable () -> @Sendable () async throws -> Int?,
                finish: @Sendable () -> Void
            )
    ) -> Trial {
        Trial("two subscribers of two publishers") {
            let topic = make()
            let subscriptions = [topic.subscribe(), topic.subscribe()]
            let seen = [Log<Int>(), Log<Int>()]
            try await together(0..<4) { client in
                if client < 2 {
                    while let value = try await subscriptions[client]() { seen[client].add(value) }
                } else {
                    for number in 0..<2 { topic.publish(client * 10 + number) }
                    if client == 3 { topic.finish() }
                }
            }
            try insist(seen[0].all == seen[1].all, "\(seen[0].all) and \(seen[1].all)")
            for client in 2..<4 {
                let own = seen[0].all.filter { $0 / 10 == client }
                try insist(own == own.sorted(), "\(own)")
            }
            try insist(seen[0].all.count { $0 / 10 == 3 } == 2, "\(seen[0].all)")
        }
    }

    enum Counting { case increment, value }

    /// The count never goes back, and nothing is lost.
    static func counting(
        _ make: @escaping @Sendable () -> (increment: @Sendable () -> Void, value: @Sendable () async throws -> Int)
    ) -> Trial {
        Trial("three who count") {
            let counter = make()
            let programs: [[Counting]] = [
                [.increment, .value, .increment], [.increment, .increment, .value], [.value, .increment, .value],
            ]
            try await together(programs) { program in
                var last = 0
                for operation in program {
                    guard operation == .value else {
                        counter.increment()
                        continue
                    }
                    let value = try await counter.value()
                    try insist(value >= last, "\(value) after \(last)")
                    last = value
                }
            }
            // Injected molecules may still be on their way, but they come.
            for _ in 0..<10 where try await counter.value() < 5 { try await MachineClock().sleep(for: .seconds(1)) }
            try insist(try await counter.value() == 5)
        }
    }

    /// No more than two in any second.
    static func limiting(_ make: @escaping @Sendable () -> @Sendable () async throws -> Void) -> Trial {
        Trial("three who take two permits a second") {
            let rounds = Soak.isOn ? 4 : 2
            let acquire = make()
            let clock = MachineClock()
            let times = Log<ContinuousClock.Instant>()
            try await together(0..<3) { _ in
                for _ in 0..<rounds {
                    try await acquire()
                    times.add(clock.now)
                }
            }
            let sorted = times.all.sorted()
            for (early, late) in zip(sorted, sorted.dropFirst(2)) {
                try insist(early.duration(to: late) >= .seconds(1), "three in \(early.duration(to: late))")
            }
            let whole = sorted[0].duration(to: sorted[3 * rounds - 1])
            try insist(whole == .seconds((3 * rounds - 1) / 2), "it takes \(whole)")
        }
    }

    /// Whoever cancels is told exactly how many steps ran.
    static func stepping(
        _ make:
            @escaping @Sendable ([@concurrent @Sendable (Int) async throws -> Int]) -> (
                run: @Sendable () async throws -> Int, cancel: @Sendable () async throws -> Int
            )
    ) -> Trial {
        Trial("steps that are cancelled") {
            let ran = Count()
            let steps = make(
                Array(
                    repeating: { @concurrent @Sendable value in
                        ran.add()
                        await Task.yield()
                        return value + 1
                    },
                    count: 3
                )
            )
            async let completed = steps.run()
            await Task.yield()
            let told = try await steps.cancel()
            let total = try await completed
            try insist(told == total && ran.value == total, "told \(told), completed \(total), ran \(ran.value)")
        }
    }
}
