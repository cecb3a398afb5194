/// What was measured of one row.
struct RowResult: Sendable {
    let row: Row
    /// How many operations each sample had.
    let operations: Int
    let distribution: Distribution
    /// The median ratio to each row that it was measured in turn with.
    let ratios: [String: Double]

    init(row: Row, operations: Int, samples: [Double], ratios: [String: Double]) {
        self.row = row
        self.operations = operations
        distribution = Distribution(samples)
        self.ratios = ratios
    }

    /// The baseline that it was measured with, and the ratio to it.
    var baseline: (name: String, ratio: Double)? {
        guard let name = row.baseline, let ratio = ratios[name] else { return nil }
        return (name, ratio)
    }
}

/// Samples, in order of size. There is at least one.
struct Distribution: Sendable {
    private let sorted: [Double]

    init(_ samples: [Double]) {
        precondition(!samples.isEmpty, "a distribution of nothing")
        sorted = samples.sorted()
    }

    var count: Int { sorted.count }
    var least: Double { sorted[0] }
    var greatest: Double { sorted[sorted.count - 1] }

    /// The middle sample, or the mean of the two in the middle.
    var median: Double { (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 }

    /// The smallest sample that at least `percent` of the samples don't exceed.
    func percentile(_ percent: Int) -> Double {
        sorted[max(0, (count * percent + 99) / 100 - 1)]
    }
}
