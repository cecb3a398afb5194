import ChemActors
import Exploring

/// Running a test under many schedules: what one of them costs.
enum ExploreRows {
    static let all = [
        Row("explore/sync", 50_000, quick: 10_000, against: "baseline/mutex-increment") { count in
            // 30 reactions, and two choices at each.
            try await measure(.random(count)) { machine in
                let (work, definition) = machine.define("work") { join in
                    let work = join.slow("work", of: Int.self)
                    join.when(work) { _ in }
                    return (work, join.definition)
                }
                for number in 0..<30 { work(number) }
                try await definition.quiescence()
            }
        },
        Row("explore/async", 10_000, quick: 2_000, against: "baseline/mutex-increment") { count in
            try await measure(.random(count)) { machine in
                let (work, definition) = machine.define("work") { join in
                    let work = join.slow("work", of: Int.self)
                    join.when(work) { _ in await Task.yield() }
                    return (work, join.definition)
                }
                for number in 0..<30 { work(number) }
                try await definition.quiescence()
            }
        },
        Row("explore/calls", 10_000, quick: 2_000, against: "baseline/mutex-increment") { count in
            try await measure(.random(count)) { machine in
                let next = machine.define("next") { join in
                    let next = join.fast("next", returning: Int.self)
                    let count = join.state("count", 0)
                    join.answer(next, updating: count) { count, _ in
                        count += 1
                        return count
                    }
                    return next
                }
                for _ in 0..<30 { _ = try await next() }
            }
        },
        // A test of a virtual hour: a call that nobody answers is given up after that time.
        Row("explore/hour", 10_000, quick: 1_000, against: "baseline/mutex-increment") { count in
            let start = ContinuousClock.now
            for _ in 0..<count {
                let outcome = try await Exploration(.once, hour).outcome()
                try expect("failures", outcome.hasFailed, is: false)
            }
            return Measurement.since(start)
        },
        // All that five philosophers who take one fork at a time can do: 31 schedules.
        Row("explore/philosophers", 200, quick: 20, against: "baseline/mutex-increment") { count in
            let start = ContinuousClock.now
            for _ in 0..<count {
                let outcome = try await Exploration(.exhaustive(), philosophers).outcome()
                try expect("schedules", outcome.runs, is: 31)
            }
            return Measurement.since(start)
        },
    ]

    private static func measure(
        _ strategy: Strategy,
        _ body: @escaping @Sendable (ChemicalMachine) async throws -> Void
    ) async throws -> Measurement {
        let start = ContinuousClock.now
        let outcome = try await Exploration(strategy, body).outcome()
        let measurement = Measurement.since(start)
        try expect("failures", outcome.hasFailed, is: false)
        return measurement
    }

    @Sendable private static func hour(_ machine: ChemicalMachine) async throws {
        let ask = machine.define("oracle") { join in
            let ask = join.fast("ask")
            join.answer(ask, with: join.slow("never")) { _, _ in }
            return ask
        }
        do {
            try await ask(within: .seconds(3_600))
        } catch let error as CallError where error.code == .timedOut {}
    }

    @Sendable private static func philosophers(_ machine: ChemicalMachine) async throws {
        let (fork, definition) = machine.define("table") { join in
            let hungry = (0..<5).map { join.slow("hungry\($0)") }
            let fork = (0..<5).map { join.slow("fork\($0)") }
            let waiting = (0..<5).map { join.slow("waiting\($0)") }
            let eating = (0..<5).map { join.slow("eating\($0)") }
            for i in 0..<5 {
                join.when(hungry[i], fork[i]) { _, _ in waiting[i]() }
                join.when(waiting[i], fork[(i + 1) % 5]) { _, _ in eating[i]() }
                join.when(eating[i]) { _ in
                    fork[i]()
                    fork[(i + 1) % 5]()
                }
                fork[i]()
                hungry[i]()
            }
            return (fork, join.definition)
        }
        try await definition.quiescence()
        withExtendedLifetime(fork) {}
    }
}
