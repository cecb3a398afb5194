/// An operator before its graph is sealed: what it takes, what it writes, and how it is compiled.
///
/// How to build a surface on the engine, step by step:
///
/// 1. A store of a surface has a
///    `FlowHandle(FlowNode(.store, initial: 9, isStore: true, isOpen: true, fileID: …, line: …))`: open nodes may be
///    sent to; stores keep their value (`initial: nil` for none yet; `limit:` for a history).
/// 2. `FlowWiring.add(FlowOperator(…), wirings of its handles)` adds an operator. `FlowWiring.unite` joins wirings that
///    no operator connects; `FlowGraph("name") { … }` takes everything that its closure makes or wires, and seals it at
///    the brace. Otherwise the first use of `handle.graph` or `send` seals; `value` doesn't.
/// 3. Sealing calls `compile` once. It must not run user code. It asks the compiler for what it needs and hands over a
///    closure, which later runs in waves. That closure must not capture handles, nodes or the operator, since they
///    retain the graph.
///
/// ```swift
/// // a>! b>? f ~>c
/// FlowWiring.add(
///     FlowOperator("f", inputs: [.init(a.node, .trigger), .init(b.node, .reads)], outputs: [c.node]) { compiler, one in
///         let (readA, readB) = (compiler.reader(one, 0, a.node), compiler.reader(one, 1, b.node))
///         let (write, fail) = (compiler.emitter(one, 0, c.node), compiler.failure(one))
///         compiler.onAny(one) {
///             do { write(try f(readA(), readB())) } catch { fail(error) }
///         }
///     },
///     [a.wiring, b.wiring, c.wiring]
/// )
/// ```
///
/// - Readers return nil if the store has no value yet. A `trigger` or `reads` reader gives the value *after* the
///   preceding operators of the wave, so reading the trigger's own node is always right. In a cycle, a `reads` becomes
///   a `previous` automatically.
/// - `zip` inputs: `reader` takes the next queued value. With zips only, the operator runs when each has one; then call
///   `taken` of `zipGate` (made after the readers). With triggers as well, check `isReady` first.
/// - Suspending operators: pass `isAsynchronous: true` and use `compiler.onAny(one, onMainActor:start:)`. The outer
///   closure reads the inputs in the wave, the function it returns may suspend as it likes, and the function which that
///   one returns writes the outputs, in the wave again.
/// - Several outputs: one emitter each, called one after the other in one run.
@usableFromInline
package final class FlowOperator: @unchecked Sendable {
    /// How an operator takes an input.
    @usableFromInline
    package enum Kind: String, Sendable {
        /// Each value runs the operator.
        case trigger
        /// Reads the value that the store has after the wave's earlier operators, when something else runs the
        /// operator.
        case reads
        /// Reads the value that the store had before the wave, when something else runs the operator.
        case previous
        /// Values queue up; the operator runs when each of its zipped inputs has one.
        case zip
    }

    @usableFromInline
    package struct Input {
        @usableFromInline package let node: AnyFlowNode
        @usableFromInline package var kind: Kind

        @inlinable
        package init(_ node: AnyFlowNode, _ kind: Kind) {
            self.node = node
            self.kind = kind
        }
    }

    /// Increases from operator to operator across the process, in the order of declaration.
    @usableFromInline package let id: Int
    /// The label in drawings: the operator, such as `>--`, or the name of a function.
    @usableFromInline let symbol: String
    @usableFromInline package var inputs: [Input]
    @usableFromInline package let outputs: [AnyFlowNode]
    /// Whether its function may suspend.
    @usableFromInline package let isAsynchronous: Bool
    @usableFromInline package let compile: (FlowCompiler, FlowOperator) -> Void

    // For the compiler.
    @usableFromInline package var index = -1
    @usableFromInline var rank = 0
    @usableFromInline var depth = 0
    @usableFromInline var remaining = 0
    /// Its place in the order of a wave, or -1 if it runs at once when its trigger gets a value.
    @usableFromInline var position = -1
    /// Which of the outputs lead back: a value written there gets a wave of its own.
    @usableFromInline var isFeedback: [Bool]

    /// - Parameters:
    ///   - symbol: The label in drawings.
    ///   - inputs: The nodes it takes.
    ///   - outputs: The nodes it writes.
    ///   - isAsynchronous: Whether its function may suspend.
    ///   - compile: Makes the closures that run it, when the graph is sealed; see `FlowCompiler`.
    @usableFromInline
    package init(
        _ symbol: String,
        inputs: [Input],
        outputs: [AnyFlowNode],
        isAsynchronous: Bool = false,
        compile: @escaping (FlowCompiler, FlowOperator) -> Void
    ) {
        id = FlowScope.nextNumber()
        self.symbol = symbol
        self.inputs = inputs.map { $0.node.isConstant && $0.kind != .zip ? Input($0.node, .previous) : $0 }
        self.outputs = outputs
        self.isAsynchronous = isAsynchronous
        self.compile = compile
        isFeedback = outputs.map { _ in false }
        for input in inputs where input.node.isConstant && input.kind == .zip {
            fatalError(
                "ChemLibrary: '\(symbol)' can't zip the constant \(input.node.label): a constant has no events"
            )
        }
        for output in outputs where output.isConstant {
            fatalError(
                "ChemLibrary: '\(symbol)' can't write into the constant \(output.label): a constant never changes"
            )
        }
    }

    /// Whether it may run at once when its only trigger gets a value, without waiting for its turn.
    var mayRunAtOnce: Bool {
        !isAsynchronous && inputs.filter { $0.kind == .trigger }.count == 1
            && inputs.allSatisfy { $0.kind == .trigger || $0.kind == .previous }
    }
}
