import Foundation

/// A row for each work and a lane in it for each language: a hollow mark for one core, a filled one for all.
struct Plot {
    struct Theme: Sendable {
        let background: String
        let text: String
        let faint: String
        let line: String
        let colors: [Language: String]

        // Okabe and Ito's colours, which those tell apart who see fewer; the shapes differ as well.
        static let light = Theme(
            background: "#ffffff",
            text: "#1f2328",
            faint: "#59636e",
            line: "#d8dee4",
            colors: [.chem: "#c04a00", .swift: "#00795a", .go: "#0067a3", .erlang: "#9b4a7c"]
        )
        static let dark = Theme(
            background: "#0d1117",
            text: "#e6edf3",
            faint: "#9aa4af",
            line: "#2b323b",
            colors: [.chem: "#ff8c42", .swift: "#2fc9a0", .go: "#6cbcf2", .erlang: "#e79cc9"]
        )
    }

    private static let width = 800.0
    private static let left = 190.0
    private static let right = 690.0
    private static let lane = 15.0
    private static let gap = 12.0
    private static let top = 92.0

    private let results: Results
    private let theme: Theme
    private let languages: [Language]
    /// Powers of ten.
    private let range: ClosedRange<Int>

    init(_ results: Results, theme: Theme) {
        self.results = results
        self.theme = theme
        languages = Language.allCases.filter { results.versions[$0] != nil }
        let values = Catalogue.works.flatMap { work in
            Language.allCases.flatMap { language in
                Cores.allCases.compactMap { results.best(work.name, language, on: $0)?.median }
            }
        }
        let (least, greatest) = (values.min() ?? 1, values.max() ?? 10)
        let first = Int(log10(least).rounded(.down))
        range = first...Int(log10(greatest).rounded(.down)) + 1
    }

    var svg: String {
        var y = Self.top
        var rows: [String] = []
        for work in Catalogue.works {
            let present = languages.filter { results.best(work.name, $0, on: .all) != nil }
            let height = Double(present.count) * Self.lane
            rows.append(line(12, y - Self.gap / 2, Self.width - 12, y - Self.gap / 2))
            rows.append(text(work.title, 14, y + height / 2 + 4.5, size: 13.5))
            for (index, language) in present.enumerated() {
                rows.append(marks(work.name, language, y + (Double(index) + 0.5) * Self.lane))
            }
            y += height + Self.gap
        }
        let bottom = y - Self.gap / 2
        let height = bottom + 28
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(Self.width)) \(number(height))" \
            width="\(number(Self.width))" height="\(number(height))" \
            font-family="-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif">
            <rect width="100%" height="100%" rx="6" fill="\(theme.background)"/>
            \((legend + axis(to: bottom) + rows).joined(separator: "\n"))
            </svg>

            """
    }

    // MARK: Parts

    private var legend: [String] {
        var x = 14.0
        var parts: [String] = []
        for language in languages {
            parts.append(mark(language, x + 6, 22, isFilled: true))
            parts.append(text(language.title, x + 18, 26.5, size: 14, fill: theme.colors[language]))
            x += 50 + Double(language.title.count) * 7
        }
        let cores = results.environment.cores
        parts.append(
            text(
                "ns for each operation, less is better; hollow and first figure: one core, filled and second: \(cores) cores",
                14,
                50,
                size: 13,
                fill: theme.faint
            )
        )
        return parts
    }

    private func axis(to bottom: Double) -> [String] {
        range.flatMap { power -> [String] in
            let x = place(pow(10, Double(power)))
            let label = Self.label(power)
            return [
                line(x, Self.top - Self.gap / 2, x, bottom),
                text(label, x, Self.top - 13, size: 12, fill: theme.faint, anchor: "middle"),
                text(label, x, bottom + 17, size: 12, fill: theme.faint, anchor: "middle"),
            ]
        }
    }

    private static func label(_ power: Int) -> String {
        let (unit, rest) = power < 3 ? ("ns", power) : power < 6 ? ("µs", power - 3) : ("ms", power - 6)
        if rest < 0 { return "0.\(String(repeating: "0", count: -rest - 1))1 \(unit)" }
        return "1\(String(repeating: "0", count: rest)) \(unit)"
    }

    private func marks(_ work: String, _ language: Language, _ y: Double) -> String {
        guard let one = results.best(work, language, on: .one), let all = results.best(work, language, on: .all) else {
            return ""
        }
        let (x, end) = (place(one.median), place(all.median))
        let color = theme.colors[language]
        let label = "\(one.median.nanoseconds) / \(all.median.nanoseconds)"
        return [
            #"<line x1="\#(number(x))" y1="\#(number(y))" x2="\#(number(end))" y2="\#(number(y))" "#
                + #"stroke="\#(color ?? theme.text)" stroke-width="2" stroke-opacity="0.5"/>"#,
            mark(language, x, y, isFilled: false),
            mark(language, end, y, isFilled: true),
            text(label, max(x, end) + 10, y + 4, size: 12, fill: color),
        ].joined(separator: "\n")
    }

    /// A circle, a square, a diamond or a triangle.
    private func mark(_ language: Language, _ x: Double, _ y: Double, isFilled: Bool) -> String {
        let color = theme.colors[language] ?? theme.text
        let style =
            #"fill="\#(isFilled ? color : theme.background)" stroke="\#(color)" stroke-width="1.6""#
        func polygon(_ corners: [(Double, Double)]) -> String {
            let points = corners.map { "\(number(x + $0.0)),\(number(y + $0.1))" }.joined(separator: " ")
            return #"<polygon points="\#(points)" \#(style)/>"#
        }
        switch language {
        case .chem: return #"<circle cx="\#(number(x))" cy="\#(number(y))" r="4.6" \#(style)/>"#
        case .swift: return polygon([(-4, -4), (4, -4), (4, 4), (-4, 4)])
        case .go: return polygon([(0, -5.4), (5.4, 0), (0, 5.4), (-5.4, 0)])
        case .erlang: return polygon([(0, -5), (5, 4), (-5, 4)])
        }
    }

    private func place(_ nanoseconds: Double) -> Double {
        let share = (log10(nanoseconds) - Double(range.lowerBound)) / Double(range.count - 1)
        return Self.left + share * (Self.right - Self.left)
    }

    private func text(
        _ text: String,
        _ x: Double,
        _ y: Double,
        size: Double,
        fill: String? = nil,
        anchor: String = "start"
    ) -> String {
        #"<text x="\#(number(x))" y="\#(number(y))" font-size="\#(number(size))" fill="\#(fill ?? theme.text)" "#
            + #"text-anchor="\#(anchor)" paint-order="stroke" stroke="\#(theme.background)" stroke-width="3">"#
            + "\(text)</text>"
    }

    private func line(_ x: Double, _ y: Double, _ endX: Double, _ endY: Double) -> String {
        #"<line x1="\#(number(x))" y1="\#(number(y))" x2="\#(number(endX))" y2="\#(number(endY))" "#
            + #"stroke="\#(theme.line)"/>"#
    }

    private func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }
}
