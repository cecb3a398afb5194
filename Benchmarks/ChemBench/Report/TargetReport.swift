/// What a row aims at.
struct Target: Sendable {
    enum Limit: Sendable {
        /// At most this many times the other row.
        case times(Double, String)
        /// At least this many times faster than the other row.
        case faster(Double, String)
        /// At most this much, in the unit of the row.
        case amount(Double)
        /// At most this much in the median, and at most that much ever, in the unit of the row.
        case latency(Double, worst: Double)
    }

    let name: String
    let limit: Limit
}

/// The targets, and whether this run reached them. A missed one never fails the program.
struct TargetReport: CustomStringConvertible {
    private let results: [String: RowResult]

    init(_ results: [RowResult]) {
        self.results = Dictionary(uniqueKeysWithValues: results.map { ($0.row.name, $0) })
    }

    var description: String {
        let lines = Catalogue.targets.compactMap(line)
        return lines.isEmpty ? "targets: none of these rows has one" : "targets\n" + lines.joined(separator: "\n")
    }

    private func line(_ target: Target) -> String? {
        guard let result = results[target.name] else { return nil }
        let wanted: String
        let measured: String
        let isReached: Bool
        switch target.limit {
        case .times(let limit, let other):
            guard let ratio = result.ratios[other] else { return nil }
            wanted = "≤ \(limit.ratioText) × \(other)"
            measured = ratio.ratioText
            isReached = ratio <= limit
        case .faster(let limit, let other):
            guard let ratio = result.ratios[other] else { return nil }
            wanted = "≥ \(limit.ratioText) times faster than \(other)"
            measured = (1 / ratio).ratioText
            isReached = 1 / ratio >= limit
        case .amount(let limit):
            wanted = "≤ \(limit.ratioText) \(result.row.unit.rawValue)"
            measured = result.distribution.median.ratioText
            isReached = result.distribution.median <= limit
        case .latency(let limit, let worst):
            let values = result.distribution
            wanted = "≤ \(limit.short), at worst \(worst.short) \(result.row.unit.rawValue)"
            measured = "\(values.median.short), \(values.greatest.short)"
            isReached = values.median <= limit && values.greatest <= worst
        }
        return "  \(isReached ? "reached" : "MISSED ")  \(target.name) \(wanted): \(measured)"
    }
}
