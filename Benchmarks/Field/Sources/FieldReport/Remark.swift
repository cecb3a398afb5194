/// A comparison of two sides, with the reason for what comes out. The figures are those of the results; a reason that
/// assumes an order refuses results with another one.
struct Remark: Sendable {
    /// A language, by its fastest way or by a certain one.
    struct Side: Sendable {
        let language: Language
        let variant: String?

        init(_ language: Language, _ variant: String? = nil) {
            self.language = language
            self.variant = variant
        }
    }

    /// What the reason assumes.
    enum Assumption: Sendable {
        /// The first side is nowhere more than a tenth slower.
        case firstAhead
        /// The reason is true for either order.
        case nothing
    }

    let first: Side
    let second: Side
    let assumption: Assumption
    let reason: String

    static func ahead(_ first: Side, of second: Side, because reason: String) -> Remark {
        Remark(first: first, second: second, assumption: .firstAhead, reason: reason)
    }

    static func compare(_ first: Side, with second: Side, _ reason: String) -> Remark {
        Remark(first: first, second: second, assumption: .nothing, reason: reason)
    }

    /// Nil if a side did not take part.
    func sentence(for work: String, _ results: Results) throws -> String? {
        guard let one = try ratio(work, results, on: .one), let all = try ratio(work, results, on: .all) else {
            return nil
        }
        return "\(comparison(one, all)): \(reason)"
    }

    /// How many times as long the second side takes.
    private func ratio(_ work: String, _ results: Results, on cores: Cores) throws -> Double? {
        guard let first = median(of: first, work, results, on: cores),
            let second = median(of: second, work, results, on: cores)
        else { return nil }
        let ratio = second / first
        if assumption == .firstAhead, ratio < 1 / 1.1 {
            throw Contradiction(
                description: """
                    \(work): Catalogue.swift gives a reason why \(title(self.first)) is ahead of \(title(self.second)), \
                    but it takes \(first.nanoseconds) ns instead of \(second.nanoseconds) ns \
                    on \(cores == .one ? "one core" : "all cores"). Give another reason.
                    """
            )
        }
        return ratio
    }

    private func median(of side: Side, _ work: String, _ results: Results, on cores: Cores) -> Double? {
        guard let variant = side.variant else { return results.best(work, side.language, on: cores)?.median }
        return results.figures(of: work, side.language).first { $0.variant == variant }?.figures(on: cores).median
    }

    private func title(_ side: Side) -> String {
        side.variant.map { side.language == .chem ? "ChemActors (\($0))" : "\(side.language.title) (\($0))" }
            ?? side.language.title
    }

    private func comparison(_ one: Double, _ all: Double) -> String {
        let names = (title(first), title(second))
        switch (Order(one), Order(all)) {
        case (.level, .level): return "\(names.0) and \(names.1) are level"
        case (.ahead, .ahead):
            return "\(names.0) is \(one.factor) × as fast as \(names.1) on one core, \(all.factor) × on all"
        case (.behind, .behind):
            return "\(names.1) is \((1 / one).factor) × as fast as \(names.0) on one core, \((1 / all).factor) × on all"
        default: return "\(clause(one, names)) on one core, \(clause(all, names)) on all"
        }
    }

    private func clause(_ ratio: Double, _ names: (String, String)) -> String {
        switch Order(ratio) {
        case .ahead: "\(names.0) is \(ratio.factor) × as fast as \(names.1)"
        case .behind: "\(names.1) is \((1 / ratio).factor) × as fast as \(names.0)"
        case .level: "\(names.0) and \(names.1) are level"
        }
    }

    /// A difference of less than a tenth is none.
    private enum Order {
        case ahead, level, behind

        init(_ ratio: Double) { self = ratio >= 1.1 ? .ahead : ratio > 1 / 1.1 ? .level : .behind }
    }
}

/// The results say something else than a reason that was written for them.
package struct Contradiction: Error, CustomStringConvertible {
    package let description: String
}
