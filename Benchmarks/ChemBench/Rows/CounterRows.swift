import ChemActors

/// Increments injected into a counter, until all of them are counted.
enum CounterRows {
    static let all = [
        Row(
            "counter/inject",
            1_000_000,
            quick: 200_000,
            against: "baseline/mutex-increment",
            and: ["baseline/asyncstream"]
        ) { try await measure(Counting.withMolecule(), $0, from: 1) },
        Row(
            "counter/updating",
            1_000_000,
            quick: 200_000,
            against: "baseline/mutex-increment",
            and: ["counter/inject"]
        ) { try await measure(Counting.withState(), $0, from: 1) },
        Row("counter/contended-2", 1_000_000, quick: 200_000, against: "counter/inject") {
            try await measure(Counting.withMolecule(), $0, from: 2)
        },
        Row("counter/contended-8", 1_000_000, quick: 200_000, against: "counter/inject") {
            try await measure(Counting.withMolecule(), $0, from: 8)
        },
    ]

    static func measure(_ counter: Counting, _ count: Int, from tasks: Int) async throws -> Measurement {
        let share = count / tasks
        let start = ContinuousClock.now
        if tasks == 1 {
            inject(share, into: counter.increment)
        } else {
            await withDiscardingTaskGroup { group in
                for _ in 0..<tasks { group.addTask { inject(share, into: counter.increment) } }
            }
        }
        try await counter.definition.quiescence()
        let measurement = Measurement.since(start)

        try expect("the value of the counter", try await counter.value(), is: share * tasks)
        return measurement
    }

    private static func inject(_ count: Int, into increment: SlowMolecule<Void>) {
        for _ in 0..<count { increment() }
    }
}

/// A counter, and the handle of its definition, with which one can await that all is counted.
struct Counting {
    let increment: SlowMolecule<Void>
    let value: FastMolecule<Void, Int>
    let definition: Join

    /// As in ChemLibrary: the count is a molecule, and each reaction injects the next one.
    ///
    /// Without a machine, it is made where `Join.define` makes definitions.
    static func withMolecule(from initial: Int = 0, on machine: ChemicalMachine? = nil) -> Counting {
        Counting(on: machine) { join in
            let count = join.slow("count", of: Int.self)
            let increment = join.slow("increment")
            let value = join.fast("value", returning: Int.self)

            join.when(increment, count) { _, n in count(n + 1) }
            join.answer(value, with: count) { _, n in
                count(n)
                return n
            }

            count(initial)
            return (increment, value, join.definition)
        }
    }

    /// The count is a state, changed where it lies.
    ///
    /// Without a machine, it is made where `Join.define` makes definitions.
    static func withState(on machine: ChemicalMachine? = nil) -> Counting {
        Counting(on: machine) { join in
            let count = join.state("count", 0)
            let increment = join.slow("increment")
            let value = join.fast("value", returning: Int.self)

            join.when(increment, updating: count) { n, _ in n += 1 }
            join.answer(value, reading: count) { n, _ in n }

            return (increment, value, join.definition)
        }
    }

    private init(
        on machine: ChemicalMachine?,
        _ chemistry: (inout Join.Builder) -> (SlowMolecule<Void>, FastMolecule<Void, Int>, Join)
    ) {
        (increment, value, definition) =
            if let machine { machine.define("counter", chemistry) } else { Join.define("counter", chemistry) }
    }

    init(increment: SlowMolecule<Void>, value: FastMolecule<Void, Int>, definition: Join) {
        self.increment = increment
        self.value = value
        self.definition = definition
    }
}
