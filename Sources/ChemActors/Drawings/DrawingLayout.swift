/// Where the nodes of a drawing stand: in columns from left to right, so that most arrows lead to the right.
///
/// The order in which reactions can first happen gives the columns: a reaction stands behind what it needs, and what it
/// injects behind it, unless that has its place already. Then each column is sorted by where its neighbours stand, as
/// Sugiyama, Tagawa and Toda do it ("Methods for Visual Understanding of Hierarchical System Structures", 1981).
struct DrawingLayout {
    /// A molecule or a reaction, as a place in the drawing; or where an arrow passes a column.
    enum Node: Hashable {
        case molecule(Int)
        case reaction(Int)
        case bend(arrow: Int, column: Int)
    }

    /// From where to where an arrow leads.
    struct Arrow {
        let from: Node
        let to: Node
    }

    /// The nodes of each column, from top to bottom.
    private(set) var columns: [[Node]] = []
    /// For each arrow the nodes that it leads through, from its beginning to its end.
    private(set) var ways: [[Node]] = []

    init(_ drawing: JoinDrawing, _ arrows: [Arrow]) {
        let column = Self.columns(of: drawing)
        let nodes =
            drawing.molecules.indices.map { Node.molecule($0) } + drawing.reactions.indices.map { Node.reaction($0) }
        for node in nodes {
            let place = column[node, default: 0]
            while columns.count <= place { columns.append([]) }
            columns[place].append(node)
        }
        var neighbours: [Node: [Node]] = [:]
        for (index, arrow) in arrows.enumerated() {
            let (first, last) = (column[arrow.from, default: 0], column[arrow.to, default: 0])
            let passed =
                first < last
                ? Array(first + 1..<max(last, first + 1)) : Array((last + 1..<max(first, last + 1)).reversed())
            let bends = passed.map { Node.bend(arrow: index, column: $0) }
            for (place, bend) in zip(passed, bends) { columns[place].append(bend) }
            let way = [arrow.from] + bends + [arrow.to]
            for (one, other) in zip(way, way.dropFirst()) {
                neighbours[one, default: []].append(other)
                neighbours[other, default: []].append(one)
            }
            ways.append(way)
        }
        sort(neighbours)
    }

    /// In which column each molecule and each reaction stands.
    private static func columns(of drawing: JoinDrawing) -> [Node: Int] {
        var column: [Node: Int] = [:]
        // What comes from outside of the picture stands first: what no reaction injects, states, and calls.
        let injected = Set(drawing.reactions.flatMap { $0.injected + $0.called })
        for (index, molecule) in drawing.molecules.enumerated() {
            switch molecule.kind {
            case .state, .fast: column[.molecule(index)] = 0
            case .slow: if !injected.contains(index) { column[.molecule(index)] = 0 }
            case .foreign: break
            }
        }
        var left = Array(drawing.reactions.indices)
        while !left.isEmpty {
            // If each lacks something that another one makes, they go round in a circle: it is cut at the first.
            let next = left.firstIndex { drawing.inputs(of: $0).allSatisfy { column[.molecule($0)] != nil } } ?? 0
            let reaction = left.remove(at: next)
            var place = 0
            for input in drawing.inputs(of: reaction) {
                place = max(place, column[.molecule(input), default: 0])
                column[.molecule(input), default: 0] += 0
            }
            column[.reaction(reaction)] = place + 1
            for output in drawing.reactions[reaction].injected + drawing.reactions[reaction].called
            where column[.molecule(output)] == nil {
                column[.molecule(output)] = place + 2
            }
        }
        return column
    }

    /// Sorts each column by the mean height of its neighbours in the others, to the right and back, twice. Equals keep
    /// their order, so equal drawings look alike.
    private mutating func sort(_ neighbours: [Node: [Node]]) {
        var height: [Node: Double] = [:]
        func note(_ nodes: [Node]) {
            for (index, node) in nodes.enumerated() { height[node] = Double(index) - Double(nodes.count - 1) / 2 }
        }
        for nodes in columns { note(nodes) }
        let sweep = Array(columns.indices.dropFirst()) + columns.indices.reversed()
        for index in sweep + sweep {
            let keys = columns[index].enumerated().map { place, node in
                let heights = (neighbours[node] ?? []).compactMap { height[$0] }
                let own = height[node, default: 0]
                return (heights.isEmpty ? own : heights.reduce(0, +) / Double(heights.count), place, node)
            }
            columns[index] = keys.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
            note(columns[index])
        }
    }
}

extension JoinDrawing {
    /// The molecules that `reaction` consumes, updates or reads, each once.
    fileprivate func inputs(of reaction: Int) -> [Int] {
        let reaction = reactions[reaction]
        return reaction.consumed.map(\.molecule) + reaction.updated + reaction.read
    }
}
