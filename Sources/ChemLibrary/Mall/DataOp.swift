public import Flow

/// One `op` block: inputs by their kind of dependency, a function, outputs.
///
/// It is only a description. The operators that ``Mall/prepareDataOpsGraph()`` returns start to work when the mall
/// opens.
public struct DataOp: Sendable {
    @usableFromInline
    struct Input: @unchecked Sendable {
        // Checked by hand: never changes; the node behind it is touched once, when the graph is sealed.
        let input: FlowOperator.Input
        let wiring: FlowWiring?
        /// Makes the event that puts the initial value into the node, as if it had been sent.
        let puttingInitial: (FlowGraph) -> @Sendable () -> Void
    }

    @usableFromInline
    struct Output: Sendable {
        let node: AnyFlowNode
        let wiring: FlowWiring

        @usableFromInline
        init(node: AnyFlowNode, wiring: FlowWiring) {
            self.node = node
            self.wiring = wiring
        }
    }

    let inputs: [Input]
    let outputs: [Output]
    let isAsynchronous: Bool
    let compile: @Sendable (FlowCompiler, FlowOperator) -> Void
    var name = "op"

    /// Describes an operator.
    ///
    /// - Parameters:
    ///   - name: Its name in drawings.
    ///   - block: Inputs, a function, outputs; see ``DataOpBuilder``.
    public init(_ name: String = "op", @DataOpBuilder _ block: () -> DataOp) {
        self = block()
        self.name = name
    }

    @usableFromInline
    init(
        inputs: [Input],
        outputs: [Output],
        isAsynchronous: Bool,
        compile: @escaping @Sendable (FlowCompiler, FlowOperator) -> Void
    ) {
        self.inputs = inputs
        self.outputs = outputs
        self.isAsynchronous = isAsynchronous
        self.compile = compile
    }

    /// The nodes whose values make it run, each with the event that puts in its initial value.
    var starters: [(node: AnyFlowNode, put: (FlowGraph) -> @Sendable () -> Void)] {
        inputs.filter { $0.input.kind == .trigger || $0.input.kind == .zip }.map { ($0.input.node, $0.puttingInitial) }
    }

    /// Makes it part of the graph that is being wired.
    func wire() {
        let operation = FlowOperator(
            name,
            inputs: inputs.map(\.input),
            outputs: outputs.map(\.node),
            isAsynchronous: isAsynchronous,
            compile: compile
        )
        FlowWiring.add(operation, inputs.compactMap(\.wiring) + outputs.map(\.wiring))
    }
}

/// The inputs of a block, at least one of which makes the operator run.
public struct DataOpInputs<each Value: Sendable>: Sendable {
    @usableFromInline let ports: (repeat Port<each Value>)
    @usableFromInline let inputs: [DataOp.Input]

    @usableFromInline
    init(_ ports: (repeat Port<each Value>), _ inputs: [DataOp.Input]) {
        self.ports = ports
        self.inputs = inputs
    }
}

/// The inputs of a block so far, none of which makes the operator run yet.
public struct DataOpReads<each Value: Sendable>: Sendable {
    @usableFromInline let ports: (repeat Port<each Value>)
    @usableFromInline let inputs: [DataOp.Input]

    @usableFromInline
    init(_ ports: (repeat Port<each Value>), _ inputs: [DataOp.Input]) {
        self.ports = ports
        self.inputs = inputs
    }
}

/// The inputs and the function that takes them, before the outputs.
public struct DataOpFunction<Result: Sendable>: Sendable {
    @usableFromInline let inputs: [DataOp.Input]
    @usableFromInline let isAsynchronous: Bool
    /// Makes the operator run the function, and write its results.
    @usableFromInline let compile: @Sendable (FlowCompiler, FlowOperator, _ write: FlowEmitter<Result>) -> Void

    @usableFromInline
    init(
        _ inputs: [DataOp.Input],
        isAsynchronous: Bool,
        compile: @escaping @Sendable (FlowCompiler, FlowOperator, _ write: FlowEmitter<Result>) -> Void
    ) {
        self.inputs = inputs
        self.isAsynchronous = isAsynchronous
        self.compile = compile
    }

    /// The operator that writes its result with the emitter that `writer` makes.
    @inlinable
    func writing(
        to outputs: [DataOp.Output],
        _ writer: @escaping @Sendable (FlowCompiler, FlowOperator) -> FlowEmitter<Result>
    ) -> DataOp {
        let compile = compile
        return DataOp(inputs: inputs, outputs: outputs, isAsynchronous: isAsynchronous) { compiler, one in
            compile(compiler, one, writer(compiler, one))
        }
    }

    /// The operator that writes its result to `target`, after `change` has transformed it.
    @inlinable
    func writing<Value>(
        to target: Target<Value>,
        _ change: @escaping @Sendable (Result) -> PossibleResult<Value>
    ) -> DataOp {
        writing(to: target.outputs) { compiler, one in
            let write = target.writer(compiler, one, 0)
            return FlowEmitter(
                FlowReceiver(of: Result.self) { if case .value(let value) = change($0) { write(value) } }
            )
        }
    }
}

extension Target {
    @usableFromInline var outputs: [DataOp.Output] { output.map { [$0] } ?? [] }
}

/// The inputs and the function, until all results of the function have an output.
///
/// The generic arguments are the results that still need one. The targets of the others are kept without their type.
public struct DataOpOutputs<each Missing: Sendable>: Sendable {
    @usableFromInline let targets: [any Sendable]
    @usableFromInline let finish: @Sendable ([any Sendable]) -> DataOp

    @usableFromInline
    init(_ targets: [any Sendable], _ finish: @escaping @Sendable ([any Sendable]) -> DataOp) {
        self.targets = targets
        self.finish = finish
    }
}

/// A function that returns two Booleans, and one Boolean output: a filter, unless another output follows.
public struct DataOpFilterOrPair: Sendable {
    let function: DataOpFunction<(Bool, Bool)>
    let first: Target<Bool>
}
