/// A work, done in one way.
package struct Row: Codable, Sendable {
    package var work: String
    package var language: Language
    package var variant: String
    /// Of one repetition.
    package var operations: Int
    package var oneCore: Figures
    package var allCores: Figures

    package init(
        work: String,
        language: Language,
        variant: String,
        operations: Int,
        oneCore: Figures,
        allCores: Figures
    ) {
        self.work = work
        self.language = language
        self.variant = variant
        self.operations = operations
        self.oneCore = oneCore
        self.allCores = allCores
    }

    func figures(on cores: Cores) -> Figures { cores == .one ? oneCore : allCores }
}

/// On how many cores something ran.
package enum Cores: CaseIterable, Sendable {
    case one, all
}

/// Nanoseconds for each operation.
package struct Figures: Codable, Sendable {
    package var minimum: Double
    package var median: Double

    /// There is at least one sample.
    package init(_ samples: [Double]) {
        let sorted = samples.sorted()
        minimum = sorted[0]
        let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        self.median = (median * 100).rounded() / 100
    }

    var makeSense: Bool { minimum.isFinite && median.isFinite && minimum > 0 && minimum <= median }
}
