import ChemActors
import ChemLibrary

/// Definitions that live for a moment.
enum DefinitionRows {
    static let all = [
        Row("define/counter", 20_000, quick: 5_000, against: "baseline/task-per-message") { count in
            let start = ContinuousClock.now
            var sum = 0
            for _ in 0..<count {
                let counter = JoinCounter(from: 7)
                counter.increment()
                // 7 or 8: the call may react before the increment does.
                sum += try await counter.value()
            }
            let measurement = Measurement.since(start)
            try expect("that each value is 7 or 8", (7 * count...8 * count).contains(sum), is: true)
            return measurement
        }
    ]
}
