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
    ///   - name: Its name in drawings.
    ///   - block: Inputs, a function, outputs; see ``DataOpBuilder``.
    /// - Returns: the description of the operator.
    public func op(_ name: String = "op", @DataOpBuilder _ block: () -> DataOp) -> DataOp { DataOp(name, block) }

    /// Puts the operators to work. Call it once, before anything is sent, read or subscribed to.
    ///
    /// The stores that operators name become one graph, whose chemistry is one join definition. A store that no
    /// operator names is a graph of its own. The graph lives as long as one of its stores, or the returned graph, is
    /// held.
    ///
    /// - Parameters:
    ///   - name: The mall's name in messages and drawings. By default the name of its type.
    ///   - runInitially: Whether the initial values count as updates. If so, the first wave runs as if the initial
    ///     values of all inputs, and of all other stores that no operator writes, were sent at once. By default no
    ///     operator runs before something is sent.
    ///   - mode: How operators are run. The observable behavior is the same.
    ///   - maxFeedback: How many waves of feedback there may be in a row before the next value from outside. Further
    ///     values are dropped and counted. Any number by default.
    ///   - history: How many values each store remembers, so that ``FlowGraph/restore(at:fileID:line:)`` can restore
    ///     them. None by default; a ``ValuesCache`` always remembers its own number.
    ///   - machine: The machine of its definition; by default that of the surrounding code.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the graph, which gives access to its statistics and its drawing, and controls it.
    @discardableResult
    public func open(
        _ name: String = "\(Self.self)",
        runInitially: Bool = false,
        mode: FlowGraph.Mode = .fused,
        maxFeedback: Int = .max,
        history: Int = 0,
        machine: ChemicalMachine? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FlowGraph {
        guard history >= 0 else {
            fatalError(
                "ChemLibrary: 'history' of mall '\(name)' has to be at least 0, not \(history)",
                file: fileID,
                line: line
            )
        }
        let ops = prepareDataOpsGraph()
        let options = FlowGraph.Options(
            name: name,
            mode: mode,
            maxFeedback: maxFeedback,
            machine: machine,
            history: history,
            fileID: fileID,
            line: line
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

    /// Several operators in one expression.
    public static func buildExpression(_ ops: [DataOp]) -> [DataOp] { ops }

    /// All operators.
    public static func buildBlock(_ ops: [DataOp]...) -> [DataOp] { ops.flatMap { $0 } }

    /// The operators of a loop.
    public static func buildArray(_ ops: [[DataOp]]) -> [DataOp] { ops.flatMap { $0 } }

    /// The operators of an `if`.
    public static func buildOptional(_ ops: [DataOp]?) -> [DataOp] { ops ?? [] }

    /// The operators of an `if`.
    public static func buildEither(first ops: [DataOp]) -> [DataOp] { ops }

    /// The operators of an `else`.
    public static func buildEither(second ops: [DataOp]) -> [DataOp] { ops }
}
