/// The results as aligned columns.
struct Table: CustomStringConvertible {
    private let lines: [[String]]

    init(_ results: [RowResult]) {
        let title = ["", "operations", "samples", "min", "p50", "p90", "p99", "max", "", "ratio", "to"]
        lines = [title] + results.map(Self.line)
    }

    private static func line(_ result: RowResult) -> [String] {
        let values = result.distribution
        let numbers = [values.least, values.median, values.percentile(90), values.percentile(99), values.greatest]
        return [result.row.name, result.operations.grouped, String(values.count)]
            + numbers.map(\.short)
            + [result.row.unit.rawValue, result.baseline?.ratio.ratioText ?? "", result.baseline?.name ?? ""]
    }

    var description: String {
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let leading: Set<Int> = [0, 8, 10]
        return lines.map { line in
            var text = ""
            for (column, cell) in line.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                text += leading.contains(column) ? cell + space : space + cell
                text += column == 7 ? " " : "  "
            }
            while text.last == " " { text.removeLast() }
            return text
        }
        .joined(separator: "\n")
    }
}

extension Int {
    /// With a comma between each three digits.
    var grouped: String {
        var digits = Array(String(self))
        var index = digits.count - 3
        while index > (self < 0 ? 1 : 0) {
            digits.insert(",", at: index)
            index -= 3
        }
        return String(digits)
    }
}

extension Double {
    /// With one decimal below 100, with none above.
    var short: String {
        guard isFinite, magnitude < 100 else { return isFinite ? Int(rounded()).grouped : String(self) }
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// With three digits that count.
    var ratioText: String {
        guard isFinite, magnitude < 10 else { return short }
        let hundredths = Int((self * 100).rounded())
        let rest = hundredths % 100
        return hundredths == 0 ? "<0.01" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
