/// A run beside an earlier one.
///
/// Ratios are compared, not times: they carry over from one machine to another. Bytes are compared as they are.
struct Comparison: CustomStringConvertible {
    struct Change {
        let name: String
        let before: Double
        let now: Double
        let isWorse: Bool
    }

    private let changes: [Change]
    private let tolerance: Double
    private let isLikeForLike: Bool

    init(of record: Record, with earlier: Record, tolerance: Double) {
        self.tolerance = tolerance
        isLikeForLike = record.environment.isQuick == earlier.environment.isQuick
        let earlierResults = Dictionary(earlier.results.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        changes = record.results.compactMap { entry in
            guard let old = earlierResults[entry.name], old.baseline == entry.baseline, let before = old.comparable,
                let now = entry.comparable
            else { return nil }
            return Change(name: entry.name, before: before, now: now, isWorse: now > before * tolerance)
        }
    }

    var worse: [Change] { changes.filter(\.isWorse) }

    var description: String {
        let percent = Int(((tolerance - 1) * 100).rounded())
        var lines = [
            "compared with the earlier run: \(changes.count) rows, \(worse.count) worse by more than \(percent) %"
        ]
        if !isLikeForLike { lines.append("  beware: only one of the two runs was quick") }
        lines += worse.map { "  worse  \($0.name): \($0.before.ratioText) → \($0.now.ratioText)" }
        return lines.joined(separator: "\n")
    }
}

extension Record.Entry {
    /// What can be compared between runs: the ratio, or the bytes.
    fileprivate var comparable: Double? { unit == .bytes ? p50 : ratio }
}
