public import Flow

/// An input of an operator block: a node, and how the operator depends on it.
@usableFromInline
struct Port<Value: Sendable>: Sendable {
    @usableFromInline let handle: FlowHandle<Value>
    @usableFromInline let kind: FlowOperator.Kind
    /// Its index among the block's inputs.
    @usableFromInline var index = 0

    @usableFromInline
    init(_ kind: FlowOperator.Kind, _ store: MallStore<Value>) {
        handle = store.handle
        self.kind = kind
    }

    /// An input that never changes.
    @inlinable
    init(_ constant: Value, fileID: StaticString, line: UInt) {
        handle = FlowHandle(
            FlowNode(.constant, initial: constant, isStore: true, isOpen: false, fileID: fileID, line: line)
        )
        kind = .reads
    }

    @usableFromInline var node: FlowNode<Value> { handle.node }

    /// This port, as the input `index` of a block.
    @usableFromInline
    func at(_ index: Int) -> Port {
        var port = self
        port.index = index
        return port
    }

    /// How the engine sees this input.
    @usableFromInline var input: DataOp.Input {
        DataOp.Input(
            input: FlowOperator.Input(node, kind),
            wiring: node.isConstant ? nil : handle.wiring,
            puttingInitial: { [handle] in handle.putInitial($0) }
        )
    }

    /// The reader for this input, once the graph is sealed.
    @inlinable
    func reader(_ compiler: FlowCompiler, _ operation: FlowOperator) -> PortReader<Value> {
        switch operation.inputs[index].kind {
        case .zip:
            let queue = compiler.queue(operation, index, node)
            let last = node.record.unsafelyUnwrapped.value.unsafelyUnwrapped
            let zipped = compiler.allocate(ZippedValues(queue, last: last))
            let slot = node.slot.unsafelyUnwrapped
            compiler.afterRestoring { zipped.pointee.last = slot.pointee.current.unsafelyUnwrapped }
            return PortReader(nil, zipped)
        case .previous: return PortReader(nil, previous: compiler.reader(operation, index, node))
        case .trigger, .reads: return PortReader(compiler.slot(node))
        }
    }
}

/// The values of a zipped input.
@usableFromInline
struct ZippedValues<Value: Sendable>: ~Copyable {
    @usableFromInline let queue: UnsafeMutablePointer<FlowZipQueue<Value>>
    /// The last delivered value, for runs caused by a trigger.
    @usableFromInline var last: Value

    @inlinable
    init(_ queue: UnsafeMutablePointer<FlowZipQueue<Value>>, last: Value) {
        self.queue = queue
        self.last = last
    }
}

/// Reads an input of an operator, in a wave.
@usableFromInline
struct PortReader<Value: Sendable> {
    /// Where the store keeps its value, if this input reads it.
    @usableFromInline let slot: UnsafeMutablePointer<FlowSlot<Value>>?
    /// The values of a zipped input.
    @usableFromInline let zipped: UnsafeMutablePointer<ZippedValues<Value>>?
    /// The value before the wave, for an input that comes after the operator.
    @usableFromInline let previous: FlowReader<Value>?

    @inlinable
    init(
        _ slot: UnsafeMutablePointer<FlowSlot<Value>>?,
        _ zipped: UnsafeMutablePointer<ZippedValues<Value>>? = nil,
        previous: FlowReader<Value>? = nil
    ) {
        self.slot = slot
        self.zipped = zipped
        self.previous = previous
    }

    /// The value. A zipped input gives its next value if the zip is complete, and its last one otherwise.
    @inlinable
    @inline(__always)
    func read(isComplete: Bool) -> Value {
        if let slot { return slot.pointee.current.unsafelyUnwrapped }
        guard let zipped else { return previous.unsafelyUnwrapped().unsafelyUnwrapped }
        if isComplete, let value = zipped.pointee.queue.pointee.popFirst() { zipped.pointee.last = value }
        return zipped.pointee.last
    }
}

/// The zipped inputs of an operator taken together.
@usableFromInline
struct ZipState {
    private let state: (isReady: () -> Bool, taken: () -> Void)?

    /// Call it when all readers of the operator exist.
    @usableFromInline
    init(_ compiler: FlowCompiler, _ operation: FlowOperator) {
        state = operation.inputs.contains { $0.kind == .zip } ? compiler.zipGate(operation) : nil
    }

    /// Whether each zipped input has a value to deliver.
    @usableFromInline var isComplete: Bool { state?.isReady() ?? false }

    /// Call it when each zipped input has delivered a value.
    @usableFromInline
    func taken() { state?.taken() }
}

/// An output of an operator block.
@usableFromInline
struct Target<Value: Sendable>: Sendable {
    /// The node to write, if there is one, and the wiring that keeps it alive.
    @usableFromInline let output: DataOp.Output?
    /// Makes the emitter for it, once the graph is sealed; the number is the index of the operator's output.
    @usableFromInline let writer: @Sendable (FlowCompiler, FlowOperator, Int) -> FlowEmitter<Value>

    @inlinable
    init(_ store: MallStore<Value>) {
        let node = store.handle.node
        output = DataOp.Output(node: node, wiring: store.handle.wiring)
        writer = { compiler, operation, index in compiler.emitter(operation, index, node) }
    }

    /// A target that drops its values.
    @inlinable
    init() {
        output = nil
        writer = { _, _, _ in FlowEmitter(FlowReceiver { _ in }) }
    }

    @inlinable
    init(
        _ output: DataOp.Output?,
        writer: @escaping @Sendable (FlowCompiler, FlowOperator, Int) -> FlowEmitter<Value>
    ) {
        self.output = output
        self.writer = writer
    }

    /// A target for values that are never nil.
    @inlinable
    func promoting<Wrapped>(_ type: Wrapped.Type) -> Target<Wrapped> where Value == Wrapped? {
        let writer = writer
        return Target<Wrapped>(output) { compiler, operation, index in
            let write = writer(compiler, operation, index)
            return FlowEmitter(FlowReceiver(of: Wrapped.self) { write($0) })
        }
    }

    /// A target for values that may be withheld.
    @inlinable
    func filtering() -> Target<PossibleResult<Value>> {
        let writer = writer
        return Target<PossibleResult<Value>>(output) { compiler, operation, index in
            let write = writer(compiler, operation, index)
            return FlowEmitter(
                FlowReceiver(of: PossibleResult<Value>.self) { if case .value(let value) = $0 { write(value) } }
            )
        }
    }
}
