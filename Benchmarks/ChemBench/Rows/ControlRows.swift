import ChemActors

/// What it costs to control and to ask a counter on which nothing is going on.
enum ControlRows {
    static let all = [
        Row("control/pause-resume", 500_000, quick: 100_000, against: "baseline/mutex-increment") { count in
            let counter = Counting.withMolecule()
            let start = ContinuousClock.now
            for _ in 0..<count {
                counter.definition.pause()
                counter.definition.resume()
            }
            let measurement = Measurement.since(start)
            try await checkPausing(counter)
            return measurement
        },
        Row("control/statistics", 100_000, quick: 20_000, against: "baseline/mutex-increment") { count in
            let counter = Counting.withMolecule()
            let increments = 100
            for _ in 0..<increments { counter.increment() }
            try await counter.definition.quiescence()

            var sum = 0
            let start = ContinuousClock.now
            for _ in 0..<count { sum += counter.definition.statistics.started }
            let measurement = Measurement.since(start)

            try expect("the sum of the started reactions", sum, is: increments * count)
            let statistics = counter.definition.statistics
            try expect("the increments consumed", statistics.molecules["increment"]?.consumed, is: increments)
            try expect("that the statistics are balanced", statistics.isBalanced, is: true)
            return measurement
        },
    ]

    /// Sees that a pause still holds up a counter that nobody has used yet, and that its end lets it go on.
    private static func checkPausing(_ counter: Counting) async throws {
        counter.definition.pause()
        counter.increment()
        try expect("the reactions during a pause", counter.definition.statistics.started, is: 0)
        counter.definition.resume()
        try await counter.definition.quiescence()
        try expect("the value of the counter", try await counter.value(), is: 1)
    }
}
