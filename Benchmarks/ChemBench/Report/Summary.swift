/// What a run says, in a sentence.
struct Summary: CustomStringConvertible {
    private let ratios: [(name: String, ratio: Double)]

    /// Only what is compared with others that do the same counts: not one row of ours with another one, and not with
    /// what serves as a measure.
    init(_ results: [RowResult]) {
        let ours = Set(results.filter { $0.baseline != nil }.map(\.row.name))
        ratios = results.compactMap { result in
            guard let (other, ratio) = result.baseline, !ours.contains(other), other != Catalogue.measure else {
                return nil
            }
            return (result.row.name, ratio)
        }
    }

    var description: String {
        let (faster, slower) = (ratios.filter { $0.ratio < 1 }, ratios.filter { $0.ratio >= 1 })
        var parts: [String] = []
        if let best = faster.min(by: { $0.ratio < $1.ratio }) {
            parts.append(
                "\(faster.count) of \(ratios.count) rows faster, \(best.name) \((1 / best.ratio).ratioText) times"
            )
        }
        if let worst = slower.max(by: { $0.ratio < $1.ratio }) {
            parts.append("\(slower.count) of \(ratios.count) slower, \(worst.name) \(worst.ratio.ratioText) times")
        }
        let comparison =
            parts.isEmpty
            ? "Nothing here is compared with anything else"
            : "Beside what does the same otherwise: " + parts.joined(separator: "; ")
        return "\(comparison). Every result was right."
    }
}
