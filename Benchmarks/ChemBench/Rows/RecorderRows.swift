import ChemActors

/// What it costs to write down what happens.
enum RecorderRows {
    static let all = [
        Row("recorder/flight", 1_000_000, quick: 200_000, against: "counter/inject") {
            try await CounterRows.measure(Counting.withMolecule(on: machine(.flight)), $0, from: 1)
        },
        Row("recorder/flight-state", 1_000_000, quick: 200_000, against: "counter/updating") {
            try await CounterRows.measure(Counting.withState(on: machine(.flight)), $0, from: 1)
        },
        Row("recorder/full", 500_000, quick: 100_000, against: "counter/updating") {
            try await CounterRows.measure(Counting.withState(on: machine(.full(limit: 1 << 22))), $0, from: 1)
        },
        Row("recorder/export", 1_000_000, quick: 200_000, against: "baseline/mutex-increment") { try await export($0) },
    ]

    private static func machine(_ recorder: EventRecorder) -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(recorder: recorder))
    }

    /// Makes a trace for Perfetto of so many events.
    private static func export(_ count: Int) async throws -> Measurement {
        let machine = machine(.full(limit: 1 << 22))
        let counter = Counting.withState(on: machine)
        // Injected, started, ended.
        for _ in 0..<count / 3 { counter.increment() }
        try await machine.quiescence()
        let recording = machine.recording()
        let start = ContinuousClock.now
        let trace = recording.perfetto
        let measurement = Measurement.since(start)
        try expect("a trace of at most 40 bytes an event", trace.count <= 40 * count, is: true)
        try expect("the number of events", recording.events.count, is: count / 3 * 3)
        return measurement
    }
}
