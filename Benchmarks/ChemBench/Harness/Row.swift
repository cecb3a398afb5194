/// Something that is measured: work, and what it is compared with.
struct Row: Sendable {
    /// Does `count` operations, checks what came out, and says what was measured.
    typealias Work = @concurrent @Sendable (_ count: Int) async throws -> Measurement

    let name: String
    let unit: Unit
    /// How many operations one sample has with `--full`, and how many without.
    let operations: (full: Int, quick: Int)
    /// The row that the printed ratio refers to.
    let baseline: String?
    /// Further rows measured in the same turn, because a target refers to them.
    let companions: [String]
    let work: Work

    enum Unit: String, Codable, Sendable {
        case nanoseconds = "ns", bytes
    }

    init(
        _ name: String,
        _ operations: Int,
        quick: Int,
        unit: Unit = .nanoseconds,
        against baseline: String? = nil,
        and companions: [String] = [],
        work: @escaping Work
    ) {
        self.name = name
        self.unit = unit
        self.operations = (operations, quick)
        self.baseline = baseline
        self.companions = companions
        self.work = work
    }

    /// The rows that it is measured with, the baseline first.
    var partners: [String] { (baseline.map { [$0] } ?? []) + companions }

    func count(isQuick: Bool) -> Int { isQuick ? operations.quick : operations.full }
}

/// What one sample gave: nanoseconds or bytes, for all of its operations together.
struct Measurement: Sendable {
    let total: Double
    /// What each operation took, where that matters more than their mean. Then each counts as a sample.
    let latencies: [Double]

    init(total: Double) {
        self.total = total
        latencies = []
    }

    /// Each operation for itself.
    init(latencies: [Duration]) {
        self.latencies = latencies.map(\.nanoseconds)
        total = Distribution(self.latencies).median * Double(latencies.count)
    }

    /// The time that has passed since `start`.
    static func since(_ start: ContinuousClock.Instant) -> Measurement {
        Measurement(total: start.duration(to: .now).nanoseconds)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    }
}
