import ChemActors

/// Where pictures and progress are shown: in place on a terminal, line after line elsewhere, or nowhere.
///
///     draw(picture) & height → drawn over what was drawn before; height
package struct Screen: Sendable {
    /// How pictures are shown.
    package enum Style: Sendable {
        /// Each picture replaces the one before.
        case inPlace
        /// Pictures follow each other; progress isn't shown.
        case plain
        /// Nothing is shown.
        case silent
    }

    package let style: Style
    private let draw: SlowMolecule<Picture>

    private struct Picture: Sendable {
        let lines: [String]
        /// Whether the next one goes below.
        let stands: Bool
    }

    /// A screen that hands its output to `write`.
    package init(_ style: Style, write: @escaping @Sendable (String) -> Void) {
        self.style = style
        draw = Join.define("screen") { join in
            /// How many lines the next picture will replace.
            let height = join.state("height", 0)
            let draw = join.slow("draw", of: Picture.self, order: .oldestFirst)

            join.when(draw, updating: height) { height, picture in
                guard style != .silent else { return }
                write(Self.text(of: picture.lines, over: style == .inPlace ? height : 0))
                height = picture.stands ? 0 : picture.lines.count
            }
            return draw
        }
    }

    /// Shows a picture in place of the one before.
    package func show(_ lines: [String]) { draw(Picture(lines: lines, stands: false)) }

    /// Shows a picture in place of the one before, and lets it stand.
    package func leave(_ lines: [String]) { draw(Picture(lines: lines, stands: true)) }

    /// Shows how far a long computation has come, where pictures are shown in place.
    package func progress(_ what: String, _ done: Int, of all: Int) {
        guard style == .inPlace else { return }
        show([Self.progressLine(what, done, of: all)])
    }

    private init(style: Style, draw: SlowMolecule<Picture>) {
        self.style = style
        self.draw = draw
    }
}

extension Screen {
    /// What to write so that `lines` stand in place of the `height` lines above the cursor.
    package static func text(of lines: [String], over height: Int) -> String {
        guard height > 0 else { return lines.map { $0 + "\n" }.joined() }
        // Up, each line cleared to its end as it is written, then whatever is left of a taller picture.
        let drawn = lines.map { "\r\($0)\u{1B}[K\n" }.joined()
        return "\u{1B}[\(height)A" + drawn + (lines.count < height ? "\u{1B}[J" : "")
    }

    /// A bar of twenty cells, and a percentage.
    package static func progressLine(_ what: String, _ done: Int, of all: Int) -> String {
        let share = all > 0 ? min(max(done, 0), all) * 100 / all : 100
        let filled = share / 5
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 20 - filled)
        return "\(what) \(bar) \(share) %"
    }
}
