/// The order of a graph: what leads back, and in which rank each operator stands.
///
/// Pure decisions about nodes and operators, made once when a graph is sealed.
enum FlowOrder {
    /// How many operators run inside each other at once before one of them waits for its turn: bounds the use of the stack.
    static let deepest = 40

    /// Numbers nodes and operators, cuts cycles, and gives each operator its rank and its place.
    ///
    /// - Returns: the number of places, and the rank of each.
    static func arrange(_ nodes: [AnyFlowNode], _ operators: [FlowOperator], isFused: Bool) -> [Int] {
        for (index, node) in nodes.enumerated() { node.index = index }
        for (index, one) in operators.enumerated() { one.index = index }
        cutCycles(nodes, operators)
        for one in operators {
            for (index, input) in one.inputs.enumerated() where !input.node.isConstant {
                input.node.uses.append((one, index))
                if input.kind == .previous { input.node.keepsPrevious = true }
            }
            for (index, output) in one.outputs.enumerated() where !one.isFeedback[index] {
                output.writes.append((one, index))
            }
        }
        rank(nodes, operators)
        return place(nodes, operators, isFused: isFused)
    }

    /// A way from node to node, through an operator.
    private struct Edge {
        let from: Int
        let to: Int
        let one: FlowOperator
        let input: Int
        let output: Int
    }

    /// Finds cycles, and cuts each at one edge: a reading becomes one of the value before the wave, a write a wave of its own.
    private static func cutCycles(_ nodes: [AnyFlowNode], _ operators: [FlowOperator]) {
        while let cycle = findCycle(nodes, operators) {
            if let edge = cycle.last(where: { $0.one.inputs[$0.input].kind == .reads }) {
                edge.one.inputs[edge.input].kind = .previous
                continue
            }
            // The closing edge; but of an operator with several triggers it would delay what comes from outside too.
            let closing = cycle[cycle.count - 1]
            let triggers = Set(
                closing.one.inputs.filter { $0.kind == .trigger || $0.kind == .zip }.map(\.node.index)
            )
            let edge = triggers.count > 1 && cycle.count > 1 ? cycle[cycle.count - 2] : closing
            edge.one.isFeedback[edge.output] = true
        }
    }

    private static func findCycle(_ nodes: [AnyFlowNode], _ operators: [FlowOperator]) -> [Edge]? {
        var edges = [[Edge]](repeating: [], count: nodes.count)
        var isWritten = [Bool](repeating: false, count: nodes.count)
        for one in operators {
            for (output, target) in one.outputs.enumerated() where !one.isFeedback[output] {
                isWritten[target.index] = true
                for (input, source) in one.inputs.enumerated() where !source.node.isConstant && source.kind != .previous
                {
                    edges[source.node.index].append(
                        Edge(from: source.node.index, to: target.index, one: one, input: input, output: output)
                    )
                }
            }
        }
        enum Color { case white, grey, black }
        var colors = [Color](repeating: .white, count: nodes.count)
        // From where values come first, so that what closes a cycle is what leads back.
        for root in nodes.indices.filter({ !isWritten[$0] || nodes[$0].isOpen }) + Array(nodes.indices) {
            guard colors[root] == .white else { continue }
            var path: [Edge] = []
            var stack: [(node: Int, next: Int)] = [(root, 0)]
            colors[root] = .grey
            while let (node, next) = stack.last {
                guard next < edges[node].count else {
                    colors[node] = .black
                    stack.removeLast()
                    if !path.isEmpty { path.removeLast() }
                    continue
                }
                stack[stack.count - 1].next += 1
                let edge = edges[node][next]
                switch colors[edge.to] {
                case .black: continue
                case .white:
                    colors[edge.to] = .grey
                    stack.append((edge.to, 0))
                    path.append(edge)
                case .grey:
                    let start = stack.firstIndex { $0.node == edge.to }!
                    return Array(path[start...]) + [edge]
                }
            }
        }
        return nil
    }

    /// The longest way from outside, counted in operators.
    private static func rank(_ nodes: [AnyFlowNode], _ operators: [FlowOperator]) {
        for node in nodes {
            node.level = 0
            node.remaining = node.writes.count
        }
        for one in operators {
            one.rank = 1
            one.remaining = one.inputs.count { !$0.node.isConstant && $0.kind != .previous }
        }
        var ready = nodes.filter { $0.remaining == 0 }
        func finish(_ one: FlowOperator) {
            for (index, output) in one.outputs.enumerated() where !one.isFeedback[index] {
                output.level = max(output.level, one.rank + (output.writes.count > 1 ? 1 : 0))
                output.remaining -= 1
                if output.remaining == 0 { ready.append(output) }
            }
        }
        for one in operators where one.remaining == 0 { finish(one) }
        var done = 0
        while done < ready.count {
            let node = ready[done]
            done += 1
            for (one, input) in node.uses where one.inputs[input].kind != .previous {
                one.rank = max(one.rank, node.level + 1)
                one.remaining -= 1
                if one.remaining == 0 { finish(one) }
            }
        }
        precondition(done == nodes.count, "the cycles of a graph are cut")
    }

    /// Gives each operator that doesn't run at once its place, by rank and then by declaration.
    private static func place(_ nodes: [AnyFlowNode], _ operators: [FlowOperator], isFused: Bool) -> [Int] {
        for node in nodes { node.depth = 0 }
        var placed: [(rank: Int, id: Int, set: (Int) -> Void)] = []
        for one in operators.sorted(by: { $0.rank > $1.rank }) {
            one.depth = 1
            for (index, output) in one.outputs.enumerated()
            where !one.isFeedback[index] && output.writes.count <= 1 {
                one.depth = max(one.depth, output.depth + 1)
            }
            if isFused, one.mayRunAtOnce, one.depth <= deepest {
                one.position = -1
                for input in one.inputs where input.kind == .trigger {
                    input.node.depth = max(input.node.depth, one.depth)
                }
            } else {
                placed.append((one.rank, one.id, { one.position = $0 }))
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
