/// The fastest way, or the one that stands for all, in which a language does a work.
struct Best {
    let language: Language
    let variant: String
    let median: Double

    var title: String { language == .chem ? language.title : "\(language.title) (\(variant))" }
}

extension Results {
    func best(_ work: String, _ language: Language, on cores: Cores) -> Best? {
        let representative = Catalogue.works.first { $0.name == work }?.representatives[language]
        return figures(of: work, language).filter { representative == nil || $0.variant == representative }.map {
            Best(language: language, variant: $0.variant, median: $0.figures(on: cores).median)
        }.min { $0.median < $1.median }
    }

    /// Whose fastest way is the fastest of all.
    func leader(_ work: String, on cores: Cores) -> Best? {
        Language.allCases.compactMap { best(work, $0, on: cores) }.min { $0.median < $1.median }
    }
}

extension Double {
    /// Three digits, with separators: `4.62`, `58.3`, `1,024`.
    var nanoseconds: String {
        if self < 9.995 { return decimals(2) }
        if self < 99.95 { return decimals(1) }
        var digits = Array(String(Int(rounded())).reversed())
        for position in stride(from: 3, to: digits.count, by: 3).reversed() { digits.insert(",", at: position) }
        return String(digits.reversed())
    }

    /// `1.3`, `12`, `103`.
    var factor: String { self < 9.95 ? decimals(1) : "\(Int(rounded()))" }

    func decimals(_ count: Int) -> String {
        let scale = count == 1 ? 10 : 100
        let scaled = Int((self * Double(scale)).rounded())
        let rest = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: count - rest.count) + rest
    }
}
