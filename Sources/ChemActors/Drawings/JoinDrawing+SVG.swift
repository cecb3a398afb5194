extension JoinDrawing {
    /// The drawing as a picture in [SVG](https://www.w3.org/TR/SVG2/), for pages that don't render Mermaid.
    ///
    /// It is complete in itself, dark where the reader's system is, and the same for equal drawings.
    ///
    /// - Complexity: O(n log n) for n molecules, reactions and arrows, and for the columns that arrows pass: quadratic
    ///   for a chain of reactions that all use one molecule.
    public var svg: String { VectorPicture(self).text }
}

/// A drawing with the places of its nodes and arrows, in units of a pixel.
private struct VectorPicture {
    private struct Box {
        var x = 0
        var y = 0
        var width = 0
        var height = 0
        /// How many arrows end at its left and at its right side, and how many of them are drawn.
        var ends = (left: 0, right: 0)
        var drawn = (left: 0, right: 0)

        mutating func count(_ side: Side) {
            switch side {
            case .left: ends.left += 1
            case .right: ends.right += 1
            }
        }
    }

    private enum Side { case left, right }

    private struct Arrow {
        let from: DrawingLayout.Node
        let to: DrawingLayout.Node
        /// What it leads through, both ends included.
        var way: [DrawingLayout.Node] = []
        var style = ""
        var text = ""
        var hasHead = true
        var hasTail = false
    }

    /// The advance of a character of the typeface, which is the same for all but wide ones.
    private static let advance = 7.25
    private static let wideAdvance = 12.5
    private static let columnGaps = 32...76
    /// What a picture should fit into: a column of text.
    private static let pageWidth = 640
    private static let rowGap = 22
    private static let margin = 14

    private let drawing: JoinDrawing
    private let layout: DrawingLayout
    private var boxes: [DrawingLayout.Node: Box] = [:]
    private var columnOf: [DrawingLayout.Node: Int] = [:]
    private var size = (width: 0, height: 0)
    private(set) var text = ""

    init(_ drawing: JoinDrawing) {
        self.drawing = drawing
        var arrows = Self.arrows(of: drawing)
        layout = DrawingLayout(drawing, arrows.map { DrawingLayout.Arrow(from: $0.from, to: $0.to) })
        for (index, way) in layout.ways.enumerated() { arrows[index].way = way }
        for (index, nodes) in layout.columns.enumerated() {
            for node in nodes { columnOf[node] = index }
        }
        for arrow in arrows {
            let sides = sides(of: arrow)
            boxes[arrow.from, default: Box()].count(sides.from)
            boxes[arrow.to, default: Box()].count(sides.to)
        }
        place()
        write(arrows)
    }

    private static func arrows(of drawing: JoinDrawing) -> [Arrow] {
        var result: [Arrow] = []
        for (index, reaction) in drawing.reactions.enumerated() {
            let node = DrawingLayout.Node.reaction(index)
            for (molecule, copies) in reaction.consumed {
                result.append(Arrow(from: .molecule(molecule), to: node, text: copies > 1 ? "\(copies)" : ""))
            }
            for state in reaction.updated { result.append(Arrow(from: .molecule(state), to: node, hasTail: true)) }
            for state in reaction.read {
                result.append(Arrow(from: .molecule(state), to: node, style: "dashed", hasHead: false))
            }
            if let answered = reaction.answered {
                result.append(Arrow(from: node, to: .molecule(answered), style: "dashed", text: "answer"))
            }
            for molecule in reaction.injected { result.append(Arrow(from: node, to: .molecule(molecule))) }
            for molecule in reaction.called {
                result.append(Arrow(from: node, to: .molecule(molecule), style: "bold", text: "call"))
            }
        }
        return result
    }

    private func sides(of arrow: Arrow) -> (from: Side, to: Side) {
        let isForward = columnOf[arrow.from, default: 0] < columnOf[arrow.to, default: 0]
        return isForward ? (.right, .left) : (.left, .right)
    }

    // MARK: Places

    private mutating func place() {
        var tallest = 0
        var heights: [Int] = []
        var widths: [Int] = []
        for nodes in layout.columns {
            var width = 0
            var height = 0
            for node in nodes {
                var box = boxes[node] ?? Box()
                if case .bend = node {
                    box.height = 2
                } else {
                    box.width = Int(Self.width(of: label(of: node))) + 28
                    box.height = max(30, 12 * max(box.ends.left, box.ends.right) + 10)
                }
                width = max(width, box.width)
                height += box.height + Self.rowGap
                boxes[node] = box
            }
            widths.append(width)
            heights.append(height - Self.rowGap)
            tallest = max(tallest, height - Self.rowGap)
        }
        // Many columns move together, as far as that stays readable.
        let room = Self.pageWidth - widths.reduce(2 * Self.margin, +)
        let gap = min(max(room / max(1, widths.count - 1), Self.columnGaps.lowerBound), Self.columnGaps.upperBound)
        var x = Self.margin
        for (nodes, width) in zip(layout.columns, widths) {
            for node in nodes {
                // What passes a column passes all of it, so that it cuts no corners.
                if case .bend = node { boxes[node]?.width = width }
                let own = boxes[node]?.width ?? 0
                boxes[node]?.x = x + (width - own) / 2
            }
            x += width + gap
        }
        for (index, nodes) in layout.columns.enumerated() {
            var y = Self.margin + (tallest - heights[index]) / 2
            for node in nodes {
                boxes[node]?.y = y
                y += (boxes[node]?.height ?? 0) + Self.rowGap
            }
        }
        size = (max(x - gap, Self.margin) + Self.margin, tallest + 2 * Self.margin)
    }

    /// Where the next arrow ends at that side of `node`.
    private mutating func port(_ node: DrawingLayout.Node, _ side: Side) -> (x: Int, y: Int) {
        guard var box = boxes[node] else { return (0, 0) }
        defer { boxes[node] = box }
        switch side {
        case .left:
            box.drawn.left += 1
            return (box.x, box.y + box.height * box.drawn.left / (box.ends.left + 1))
        case .right:
            box.drawn.right += 1
            return (box.x + box.width, box.y + box.height * box.drawn.right / (box.ends.right + 1))
        }
    }

    private func label(of node: DrawingLayout.Node) -> String {
        switch node {
        case .molecule(let index): drawing.label(of: drawing.molecules[index])
        case .reaction(let index): drawing.label(ofReaction: index)
        case .bend: ""
        }
    }

    private static func width(of label: String) -> Double {
        label.reduce(0) { $0 + ($1.unicodeScalars.contains(where: \.isWide) ? wideAdvance : advance) }
    }

    // MARK: Text

    private mutating func write(_ arrows: [Arrow]) {
        let name = drawing.definition.forXML
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" class="chemistry" role="img" aria-label="The chemistry of \(name)" \
            width="\(size.width)" height="\(size.height)" viewBox="0 0 \(size.width) \(size.height)">
            """,
            Self.style,
        ]
        // Arrows that come last from a node end lowest: in the order of the other ends, they cross least.
        let sorted = arrows.enumerated().sorted {
            (height(of: $0.element), $0.offset) < (height(of: $1.element), $1.offset)
        }
        for (_, arrow) in sorted { lines.append(path(of: arrow)) }
        for nodes in layout.columns {
            lines += nodes.map { shape(of: $0) }.filter { !$0.isEmpty }
        }
        lines.append("</svg>")
        text = lines.joined(separator: "\n")
    }

    /// How low an arrow stands on the whole.
    private func height(of arrow: Arrow) -> Int {
        arrow.way.reduce(0) { $0 + (boxes[$1].map { $0.y + $0.height / 2 } ?? 0) } / max(1, arrow.way.count)
    }

    private mutating func path(of arrow: Arrow) -> String {
        let sides = sides(of: arrow)
        let begin = port(arrow.from, sides.from)
        let end = port(arrow.to, sides.to)
        // Out of the side, and into the other one, at a right angle. Heads are drawn by hand, since an `id` of a marker
        // would collide where several pictures stand in one page.
        let sign = sides.from == .right ? 1 : -1
        let stop = (x: arrow.hasHead ? end.x - 7 * sign : end.x, y: end.y)
        var here = (x: arrow.hasTail ? begin.x + 7 * sign : begin.x, y: begin.y)
        var line = "M\(here.x) \(here.y)"
        func curve(to next: (x: Int, y: Int)) {
            let reach = max(24, abs(next.x - here.x) / 2) * sign
            line += "C\(here.x + reach) \(here.y) \(next.x - reach) \(next.y) \(next.x) \(next.y)"
            here = next
        }
        let bends = arrow.way.dropFirst().dropLast().compactMap { boxes[$0] }
        for bend in bends {
            let sides = sign > 0 ? (bend.x, bend.x + bend.width) : (bend.x + bend.width, bend.x)
            curve(to: (sides.0, bend.y + 1))
            here.x = sides.1
            line += "H\(here.x)"
        }
        curve(to: stop)
        var result = "<path class=\"arrow \(arrow.style)\" d=\"\(line)\"/>"
        if arrow.hasHead { result += Self.head(at: end, sign) }
        if arrow.hasTail { result += Self.head(at: begin, -sign) }
        if !arrow.text.isEmpty {
            let near = bends.first.map { (x: sign > 0 ? $0.x : $0.x + $0.width, y: $0.y) } ?? end
            let middle = (x: (begin.x + near.x) / 2, y: (begin.y + near.y) / 2 - 4)
            result += "<text class=\"note\" x=\"\(middle.x)\" y=\"\(middle.y)\">\(arrow.text)</text>"
        }
        return result
    }

    private static func head(at point: (x: Int, y: Int), _ sign: Int) -> String {
        let back = point.x - 8 * sign
        return "<path class=\"head\" d=\"M\(point.x) \(point.y)L\(back) \(point.y - 4)V\(point.y + 4)Z\"/>"
    }

    private func shape(of node: DrawingLayout.Node) -> String {
        guard let box = boxes[node] else { return "" }
        func rectangle(_ name: String, radius: Int, inset: Int = 0) -> String {
            "<rect class=\"\(name)\" x=\"\(box.x + inset)\" y=\"\(box.y + inset)\" width=\"\(box.width - 2 * inset)\" "
                + "height=\"\(box.height - 2 * inset)\" rx=\"\(radius)\"/>"
        }
        let shape: String
        switch node {
        case .bend: return ""
        case .reaction(let index):
            shape = rectangle(isRunning(index) ? "reaction running" : "reaction", radius: 2)
        case .molecule(let index):
            switch drawing.molecules[index].kind {
            case .slow: shape = rectangle("molecule", radius: 15)
            case .fast: shape = rectangle("molecule", radius: 6) + rectangle("frame", radius: 4, inset: 3)
            case .foreign: shape = rectangle("foreign", radius: 6)
            case .state: shape = drum(box)
            }
        }
        let (x, y) = (box.x + box.width / 2, box.y + box.height / 2 + 4)
        return "<g>\(shape)<text x=\"\(x)\" y=\"\(y)\">\(label(of: node).forXML)</text></g>"
    }

    private func drum(_ box: Box) -> String {
        let (right, bottom) = (box.x + box.width, box.y + box.height)
        let arc = "A\(box.width / 2) 5 0 0"
        return "<path class=\"molecule\" d=\"M\(box.x) \(box.y + 3)\(arc) 1 \(right) \(box.y + 3)V\(bottom - 3)"
            + "\(arc) 1 \(box.x) \(bottom - 3)Z\"/>"
            + "<path class=\"frame\" d=\"M\(box.x) \(box.y + 3)\(arc) 0 \(right) \(box.y + 3)\"/>"
    }

    private func isRunning(_ reaction: Int) -> Bool { drawing.showsCounts && drawing.reactions[reaction].running > 0 }

    private static let style = """
        <style>
        .chemistry { --ink: #1f2933; --paper: #ffffff; --molecule: #e3f0fb; --reaction: #fdf1d8; --busy: #f8c95c; --line: #7b8794; }
        @media (prefers-color-scheme: dark) { .chemistry { --ink: #e6ebf0; --paper: #16191d; --molecule: #1d3a55; --reaction: #4a3b17; --busy: #8a6410; --line: #8d99a6; } }
        .chemistry { background: var(--paper); }
        .chemistry text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; text-anchor: middle; fill: var(--ink); }
        .chemistry .note { font-size: 10px; fill: var(--ink); stroke: var(--paper); stroke-width: 3px; paint-order: stroke; }
        .chemistry .molecule { fill: var(--molecule); stroke: var(--line); }
        .chemistry .foreign { fill: none; stroke: var(--line); stroke-dasharray: 3 3; }
        .chemistry .frame { fill: none; stroke: var(--line); }
        .chemistry .reaction { fill: var(--reaction); stroke: var(--line); }
        .chemistry .running { fill: var(--busy); }
        .chemistry .arrow { fill: none; stroke: var(--line); stroke-width: 1.3px; }
        .chemistry .dashed { stroke-dasharray: 4 3; }
        .chemistry .bold { stroke-width: 2.6px; }
        .chemistry .head { fill: var(--line); }
        </style>
        """
}

extension String {
    /// The text as XML shows it. Characters that XML can't hold are left out.
    fileprivate var forXML: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\r", "\t": result += " "
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether it is drawn wider than a letter: ideographs, syllables of Hangul and Kana, and emoji.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }
}
