public import ChemActors
public import Flow

/// Stores, and operators that keep them up to date.
///
/// ```swift
/// struct Thermometer: Mall {
///     let celsius = MallInput(0.0)
///     private let kelvin = MallStore(273.15)
///     let text = MallOutput("")
///
///     func prepareDataOpsGraph() -> [DataOp] {
///         op {
///             celsius>!
///             toKelvin
///             ~>kelvin
///         }
///         op {
///             kelvin>!
///             describe
///             ~>text
///         }
///     }
/// }
///
/// let thermometer = Thermometer()
/// thermometer.open()
/// ```
public protocol Mall {
    /// Lists the operators. Called once, when the mall opens.
    @DataOpsBuilder func prepareDataOpsGraph() -> [DataOp]
}

extension Mall {
    /// Describes an operator, in ``prepareDataOpsGraph()``.
    ///
    /// - Parameters:
    ///   - name: What it is called in drawings.
    ///   - block: Inputs, a function, outputs; see ``DataOpBuilder``.
    /// - Returns: what the operator is described with next: its function and its output.
    public func op(_ name: String = "op", @DataOpBuilder _ block: () -> DataOp) -> DataOp { DataOp(name, block) }

    /// Puts the operators to work. To be called once, before anything is sent, read or subscribed to.
    ///
    /// The stores that operators name become one graph, whose chemistry is one join definition. A store that no
    /// operator names is a graph of its own. The graph lives as long as somebody holds one of its stores, or what is
    /// returned here.
    ///
    /// - Parameters:
    ///   - name: What the mall is called in messages and drawings. By default the name of its type.
    ///   - runInitially: Whether the initial values count as updates: then the first wave is as if the initial value of
    ///     each input, and of each other store that no operator writes, were sent at once. By default no operator runs
    ///     before something is sent.
    ///   - mode: How operators are run. What can be observed is the same.
    ///   - maxFeedback: How many waves of feedback there may be in a row before the next value from outside; what is
    ///     beyond is dropped and counted. Any number by default.
    ///   - history: How many values each store remembers, so that ``FlowGraph/restore(at:)`` can give them back. None
    ///     by default; a ``ValuesCache`` always remembers its own number.
    ///   - machine: The machine of its definition; by default that of the surrounding code.
    /// - Returns: the graph: its statistics, its drawing, and control of it.
    @discardableResult
    public func open(
        _ name: String = "\(Self.self)",
        runInitially: Bool = false,
        mode: FlowGraph.Mode = .fused,
        maxFeedback: Int = .max,
        history: Int = 0,
        machine: ChemicalMachine? = nil
    ) -> FlowGraph {
        guard history >= 0 else {
            fatalError("ChemLibrary: 'history' of mall '\(name)' has to be at least 0, not \(history)")
        }
        let ops = prepareDataOpsGraph()
        let options = FlowGraph.Options(
            name: name,
            mode: mode,
            maxFeedback: maxFeedback,
            machine: machine,
            history: history
        )
        let graph = FlowGraph(options) { for op in ops { op.wire() } }
        guard runInitially else { return graph }
        var seen = Set(ops.flatMap(\.outputs).map(\.node).filter { $0.role != .source }.map(\.id))
        let starters = ops.flatMap(\.starters).filter { seen.insert($0.node.id).inserted }
        graph.post(.transaction(graph.fromTheEnd(starters.map { (node: $0.node.index, put: $0.put(graph)) })))
        return graph
    }
}

/// Lists the operators of a mall; loops and conditions are allowed.
@resultBuilder
public enum DataOpsBuilder: Sendable {
    /// One operator.
    public static func buildExpression(_ op: DataOp) -> [DataOp] { [op] }

    /// Several operators, made by something else.
    public static func buildExpression(_ ops: [DataOp]) -> [DataOp] { ops }

    /// All operators.
    public static func buildBlock(_ ops: [DataOp]...) -> [DataOp] { ops.flatMap { $0 } }

    /// Those of a loop.
    public static func buildArray(_ ops: [[DataOp]]) -> [DataOp] { ops.flatMap { $0 } }

    /// Those of an `if`.
    public static func buildOptional(_ ops: [DataOp]?) -> [DataOp] { ops ?? [] }

    /// Those of an `if`.
    public static func buildEither(first ops: [DataOp]) -> [DataOp] { ops }

    /// Those of an `else`.
    public static func buildEither(second ops: [DataOp]) -> [DataOp] { ops }
}
