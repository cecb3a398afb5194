/// The nodes and operators of a graph, to be printed or drawn.
///
/// ```swift
/// print(cell.graph.drawing.mermaid)   // for Markdown
/// print(cell.graph.drawing.dot)       // for Graphviz
/// ```
///
/// Two graphs that are wired alike have equal drawings if their nodes were made on the same lines.
public struct FlowDrawing: Hashable, Sendable, CustomStringConvertible {
    /// A node.
    public struct Node: Hashable, Sendable {
        /// The role of the node: `source`, `stream`, `cell`, `store`.
        public let role: String
        /// The type of its values, and where it was made.
        public let label: String
    }

    /// How an operator takes a node.
    public struct Input: Hashable, Sendable {
        /// The number of the node in ``FlowDrawing/nodes``; nil for a constant.
        public let node: Int?
        /// `trigger`, `reads`, `previous` or `zip`.
        public let kind: String
    }

    /// How an operator writes a node.
    public struct Output: Hashable, Sendable {
        /// The number of the node in ``FlowDrawing/nodes``.
        public let node: Int
        /// Whether this is feedback: the value leads back, and gets a wave of its own.
        public let isFeedback: Bool
    }

    /// An operator.
    public struct Operator: Hashable, Sendable {
        /// The operator, such as `>--`, or the name of a function.
        public let symbol: String
        /// The nodes it takes.
        public let inputs: [Input]
        /// The nodes it writes.
        public let outputs: [Output]
    }

    /// The name of the graph.
    public let name: String
    /// The nodes, in the order in which they were made.
    public let nodes: [Node]
    /// The operators, in the order in which they were declared.
    public let operators: [Operator]

    init(name: String, _ nodes: [AnyFlowNode], _ operators: [FlowOperator]) {
        self.name = name
        self.nodes = nodes.map { Node(role: $0.role.rawValue, label: $0.label) }
        self.operators = operators.map { operation in
            Operator(
                symbol: operation.symbol,
                inputs: operation.inputs.map {
                    Input(node: $0.node.isConstant ? nil : $0.node.index, kind: $0.kind.rawValue)
                },
                outputs: operation.outputs.enumerated().map {
                    Output(node: $1.index, isFeedback: operation.isFeedback[$0])
                }
            )
        }
    }

    /// The nodes to which values are fed back, by their labels.
    var fedBack: [String] {
        Set(operators.flatMap(\.outputs).filter(\.isFeedback).map(\.node)).sorted().map { nodes[$0].label }
    }

    /// A line for each node and operator.
    public var description: String {
        var lines = ["graph \(name)"]
        for (index, node) in nodes.enumerated() { lines.append("  n\(index): \(node.role) \(node.label)") }
        for operation in operators {
            let inputs = operation.inputs.map { input in
                (input.node.map { "n\($0)" } ?? "constant") + (input.kind == "trigger" ? "" : " (\(input.kind))")
            }
            let outputs = operation.outputs.map { "n\($0.node)" + ($0.isFeedback ? " (next wave)" : "") }
            lines.append("  \(inputs.joined(separator: ", ")) \(operation.symbol) \(outputs.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }

    /// Mermaid source: operators are boxes, sources hexagons, nodes that keep a value rounded boxes.
    ///
    /// Dotted lines are reads, thick ones feedback.
    public var mermaid: String {
        var lines = ["flowchart TD"]
        for (index, node) in nodes.enumerated() {
            let text = "\"\(node.role) \(Self.mermaid(node.label))\""
            switch node.role {
            case "source": lines.append("    n\(index){{\(text)}}")
            case "stream": lines.append("    n\(index)[/\(text)/]")
            default: lines.append("    n\(index)(\(text))")
            }
        }
        for (index, operation) in operators.enumerated() {
            lines.append("    o\(index)[\"\(Self.mermaid(operation.symbol))\"]")
            for input in operation.inputs {
                guard let node = input.node else { continue }
                switch input.kind {
                case "trigger": lines.append("    n\(node) --> o\(index)")
                case "zip": lines.append("    n\(node) -- zip --> o\(index)")
                default: lines.append("    n\(node) -. \(input.kind) .-> o\(index)")
                }
            }
            for output in operation.outputs {
                lines.append("    o\(index) \(output.isFeedback ? "== next wave ==>" : "-->") n\(output.node)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Graphviz source, drawn in the same way as ``mermaid``.
    public var dot: String {
        var lines = ["digraph \"\(Self.quoted(name))\" {"]
        for (index, node) in nodes.enumerated() {
            let shape = ["source": "hexagon", "stream": "parallelogram"][node.role] ?? "ellipse"
            lines.append("    n\(index) [shape=\(shape), label=\"\(node.role) \(Self.quoted(node.label))\"];")
        }
        for (index, operation) in operators.enumerated() {
            lines.append("    o\(index) [shape=box, label=\"\(Self.quoted(operation.symbol))\"];")
            for input in operation.inputs {
                guard let node = input.node else { continue }
                let style =
                    ["trigger": "", "zip": " [label=zip]"][input.kind] ?? " [style=dotted, label=\(input.kind)]"
                lines.append("    n\(node) -> o\(index)\(style);")
            }
            for output in operation.outputs {
                lines.append(
                    "    o\(index) -> n\(output.node)\(output.isFeedback ? " [style=bold, label=\"next wave\"]" : "");"
                )
            }
        }
        lines.append("}")
        return lines.joined(separator: "\n")
    }

    /// Mermaid reads angle brackets as HTML, and has its own way to escape characters.
    private static func mermaid(_ text: String) -> String {
        text.map { ["\"": "#quot;", "<": "#lt;", ">": "#gt;"][$0] ?? String($0) }.joined()
    }

    private static func quoted(_ text: String) -> String {
        text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
