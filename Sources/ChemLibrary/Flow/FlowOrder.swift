/// The order of a graph: where it has feedback, and which rank each operator has.
///
/// Pure decisions about nodes and operators, made once when a graph is sealed.
enum FlowOrder {
    /// How many operators may run nested at once before one of them waits for its turn: limits the use of the stack.
    static let deepest = 40

    /// Numbers nodes and operators, cuts cycles, and gives each operator its rank and its place.
    ///
    /// - Returns: the rank of each place; their count is the number of places.
    static func arrange(_ nodes: [AnyFlowNode], _ operators: [FlowOperator], isFused: Bool) -> [Int] {
        for (index, node) in nodes.enumerated() { node.index = index }
        for (index, operation) in operators.enumerated() { operation.index = index }
        cutCycles(nodes, operators)
        for operation in operators {
            for (index, input) in operation.inputs.enumerated() where !input.node.isConstant {
                input.node.uses.append((operation, index))
                if input.kind == .previous { input.node.keepsPrevious = true }
            }
            for (index, output) in operation.outputs.enumerated() where !operation.isFeedback[index] {
                output.writes.append((operation, index))
            }
        }
        rank(nodes, operators)
        return place(nodes, operators, isFused: isFused)
    }

    /// A path from node to node, through an operator.
    private struct Edge {
        let from: Int
        let to: Int
        let operation: FlowOperator
        let input: Int
        let output: Int

        /// Whether it leads to another wave.
        var isCut: Bool { operation.isFeedback[output] || operation.inputs[input].kind == .previous }
    }

    /// Finds cycles, and cuts each at one edge: a read then takes the value before the wave, a write gets its own wave.
    ///
    /// - Complexity: linear in the size of the graph and of the cycles that are found.
    private static func cutCycles(_ nodes: [AnyFlowNode], _ operators: [FlowOperator]) {
        var search = CycleSearch(nodes, operators)
        // Start where values come from, so that the edge that closes a cycle is the one that leads back.
        for root in search.sources + Array(nodes.indices) { search.run(from: root) }
    }

    /// Goes through a graph depth first. Wherever it comes back to where it is coming from, it cuts that cycle, goes
    /// back to before the cut, and goes on: what it has left for good leads to no cycle any more.
    private struct CycleSearch {
        private enum Color { case white, grey, black }

        private var edges: [[Edge]]
        private var colors: [Color]
        /// The nodes on the way, each with the edge to follow next.
        private var stack: [(node: Int, next: Int)] = []
        /// The edges between them.
        private var path: [Edge] = []
        /// Where a node is in the stack.
        private var places: [Int]
        /// The nodes to which values come from nowhere else.
        let sources: [Int]

        init(_ nodes: [AnyFlowNode], _ operators: [FlowOperator]) {
            edges = Array(repeating: [], count: nodes.count)
            colors = Array(repeating: .white, count: nodes.count)
            places = Array(repeating: 0, count: nodes.count)
            var isWritten = [Bool](repeating: false, count: nodes.count)
            for operation in operators {
                for (output, target) in operation.outputs.enumerated() where !operation.isFeedback[output] {
                    isWritten[target.index] = true
                    for (input, source) in operation.inputs.enumerated()
                    where !source.node.isConstant && source.kind != .previous {
                        let from = source.node.index
                        edges[from].append(
                            Edge(from: from, to: target.index, operation: operation, input: input, output: output)
                        )
                    }
                }
            }
            sources = nodes.indices.filter { !isWritten[$0] || nodes[$0].isOpen }
        }

        mutating func run(from root: Int) {
            guard colors[root] == .white else { return }
            push(root)
            while let (node, next) = stack.last {
                guard next < edges[node].count else {
                    pop(.black)
                    continue
                }
                stack[stack.count - 1].next += 1
                let edge = edges[node][next]
                if edge.isCut { continue }
                switch colors[edge.to] {
                case .black: continue
                case .white:
                    path.append(edge)
                    push(edge.to)
                case .grey:
                    let start = places[edge.to]
                    FlowOrder.cut(Array(path[start...]) + [edge])
                    // The cut may have taken the edge that leads into the cycle, too.
                    goBack(toBeforeCutsSince: max(start - 1, 0))
                }
            }
        }

        private mutating func push(_ node: Int) {
            colors[node] = .grey
            places[node] = stack.count
            stack.append((node, 0))
        }

        private mutating func pop(_ color: Color) {
            colors[stack.removeLast().node] = color
            if !path.isEmpty { path.removeLast() }
        }

        private mutating func goBack(toBeforeCutsSince start: Int) {
            guard let place = path[start...].firstIndex(where: \.isCut) else { return }
            while path.count > place { pop(.white) }
        }
    }

    private static func cut(_ cycle: [Edge]) {
        if let edge = cycle.last(where: { $0.operation.inputs[$0.input].kind == .reads }) {
            edge.operation.inputs[edge.input].kind = .previous
            return
        }
        // Cut the closing edge, unless its operator has several triggers: that would delay values from outside too.
        let closing = cycle[cycle.count - 1]
        let triggers = Set(
            closing.operation.inputs.filter { $0.kind == .trigger || $0.kind == .zip }.map(\.node.index)
        )
        let edge = triggers.count > 1 && cycle.count > 1 ? cycle[cycle.count - 2] : closing
        edge.operation.isFeedback[edge.output] = true
    }

    /// Gives each operator its rank: the length of the longest path from outside, counted in operators.
    private static func rank(_ nodes: [AnyFlowNode], _ operators: [FlowOperator]) {
        for node in nodes {
            node.level = 0
            node.remaining = node.writes.count
        }
        for operation in operators {
            operation.rank = 1
            operation.remaining = operation.inputs.count { !$0.node.isConstant && $0.kind != .previous }
        }
        var ready = nodes.filter { $0.remaining == 0 }
        func finish(_ operation: FlowOperator) {
            for (index, output) in operation.outputs.enumerated() where !operation.isFeedback[index] {
                output.level = max(output.level, operation.rank + (output.writes.count > 1 ? 1 : 0))
                output.remaining -= 1
                if output.remaining == 0 { ready.append(output) }
            }
        }
        for operation in operators where operation.remaining == 0 { finish(operation) }
        var done = 0
        while done < ready.count {
            let node = ready[done]
            done += 1
            for (operation, input) in node.uses where operation.inputs[input].kind != .previous {
                operation.rank = max(operation.rank, node.level + 1)
                operation.remaining -= 1
                if operation.remaining == 0 { finish(operation) }
            }
        }
        guard done == nodes.count else { fatalError("ChemLibrary: a graph has a cycle that was not cut") }
    }

    /// Gives each operator that doesn't run at once its place, by rank and then by declaration.
    private static func place(_ nodes: [AnyFlowNode], _ operators: [FlowOperator], isFused: Bool) -> [Int] {
        for node in nodes { node.depth = 0 }
        var placed: [(rank: Int, id: Int, set: (Int) -> Void)] = []
        for operation in operators.sorted(by: { $0.rank > $1.rank }) {
            operation.depth = 1
            for (index, output) in operation.outputs.enumerated()
            where !operation.isFeedback[index] && output.writes.count <= 1 {
                operation.depth = max(operation.depth, output.depth + 1)
            }
            if isFused, operation.mayRunAtOnce, operation.depth <= deepest {
                operation.position = -1
                for input in operation.inputs where input.kind == .trigger {
                    input.node.depth = max(input.node.depth, operation.depth)
                }
            } else {
                placed.append((operation.rank, operation.id, { operation.position = $0 }))
            }
        }
        for node in nodes where node.writes.count > 1 {
            placed.append((node.level, node.id, { node.settlePosition = $0 }))
        }
        placed.sort { ($0.rank, $0.id) < ($1.rank, $1.id) }
        for (position, each) in placed.enumerated() { each.set(position) }
        return placed.map(\.rank)
    }
}
