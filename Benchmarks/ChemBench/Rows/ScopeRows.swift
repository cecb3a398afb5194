import ChemActors

/// Scopes with a machine of their own.
enum ScopeRows {
    static let all = [
        Row("scope/empty", 2_000, quick: 500, against: "baseline/taskgroup-child") { count in
            var entered = 0
            let start = ContinuousClock.now
            for _ in 0..<count {
                try await withChemicalMachine { _ in entered += 1 }
            }
            let measurement = Measurement.since(start)
            try expect("the scopes entered", entered, is: count)
            return measurement
        },
        // As in `counter/inject`, the time is that of the increments alone: entry and end of the scope are left out.
        Row("scope/counter", 100_000, quick: 100_000, against: "counter/inject") { count in
            try await withChemicalMachine { machine in
                let counter = Counting.withMolecule()
                try expect("the definitions in the scope", machine.snapshot().map(\.definition), is: ["counter"])
                return try await CounterRows.measure(counter, count, from: 1)
            }
        },
    ]
}
