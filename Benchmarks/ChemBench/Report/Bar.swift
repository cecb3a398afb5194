import Foundation

/// A result as one line of a picture: its name, what it took, and its ratio on a logarithmic scale. What grows to the
/// left of the middle is faster than what it is compared with, what grows to the right is slower.
struct Bar: CustomStringConvertible {
    private let result: RowResult
    private let width: Int

    /// - Parameters:
    ///   - result: What to draw.
    ///   - width: How many columns names have.
    init(_ result: RowResult, width: Int) {
        self.result = result
        self.width = width
    }

    /// The columns on each side of the middle, and the ratio at which a side is full.
    private static let columns = 16
    private static let reach = 100.0

    /// What stands above the first line.
    static func title(width: Int) -> String {
        let left = "faster ".padded(to: columns, atStart: true)
        return String(repeating: " ", count: width + 17) + left + "│" + " slower, to 100 times; then the ratio"
    }

    var description: String {
        let name = result.row.name.padded(to: width, atStart: false)
        let time = "\(result.distribution.median.short) \(result.row.unit.rawValue)".padded(to: 14, atStart: true)
        guard let (other, ratio) = result.baseline else { return "\(name) \(time)" }
        return "\(name) \(time)  \(Self.bar(ratio)) \(ratio.ratioText) × \(other)"
    }

    static func bar(_ ratio: Double) -> String {
        // Of two rows that take nothing there is no ratio.
        guard !ratio.isNaN else { return String(repeating: " ", count: columns) + "│" }
        let share = min(abs(log(ratio)) / log(reach), 1)
        let length = Int((share * Double(columns)).rounded())
        let blocks = String(repeating: "█", count: length)
        let empty = String(repeating: " ", count: columns)
        return ratio < 1
            ? blocks.padded(to: columns, atStart: true) + "│" + empty
            : empty + "│" + blocks.padded(to: columns, atStart: false)
    }
}

extension String {
    fileprivate func padded(to width: Int, atStart: Bool) -> String {
        let space = String(repeating: " ", count: max(0, width - count))
        return atStart ? space + self : self + space
    }
}
