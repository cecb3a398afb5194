import ChemActors

/// Makes the core of a graph from its nodes and operators: orders them, finds feedback, and asks each operator for the
/// closures that run it.
///
/// The compiler goes from the end of the graph to its beginning, so that what follows an operator is ready before the
/// operator itself, and a chain becomes one closure that calls the next. The functions that operators call are
/// inlinable: in a module that knows their types they become specialized code.
///
/// An operator with one trigger and nothing to wait for runs at once, when its trigger gets a value. All others have a
/// *place* in the order of the wave, and run in their turn.
@usableFromInline
package final class FlowCompiler {
    @usableFromInline let core: FlowCore
    @usableFromInline let wave: UnsafeMutablePointer<FlowWave>

    /// Runs an outlet on the main actor.
    let perform: SlowMolecule<FlowMainAction>?

    init(core: FlowCore, perform: SlowMolecule<FlowMainAction>?) {
        self.core = core
        self.perform = perform
        wave = core.wave
    }

    /// Allocates memory for `value` that lives as long as the core.
    @usableFromInline
    package func allocate<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
        core.allocate(value)
    }

    // MARK: For operators with one trigger

    /// Runs `body` with each value of `node`, the trigger of `operation`.
    @inlinable
    func onEach<Value>(_ operation: FlowOperator, _ node: FlowNode<Value>, _ body: @escaping (Value) -> Void) {
        onEach(operation, node, FlowReceiver(of: Value.self, body))
    }

    /// Runs `handler` with the address of each value of `node`, the trigger of `operation`.
    @inlinable
    func onEach<Value>(_ operation: FlowOperator, _ node: FlowNode<Value>, _ handler: FlowReceiver) {
        if node.isConstant { return }
        let wave = wave
        let run = handler.run
        if operation.position < 0 {
            node.handlers.append(
                FlowReceiver(id: operation.id) { value in
                    wave.pointee.recomputations &+= 1
                    run(value)
                }
            )
            return
        }
        let position = operation.position
        let argument = allocate(Value?.none)
        node.handlers.append(
            FlowReceiver(id: operation.id, of: Value.self) { value in
                argument.pointee = value
                wave.pointee.mark(position)
            }
        )
        core.setStep(position) {
            guard let value = argument.pointee.take() else { return }
            wave.pointee.recomputations &+= 1
            withUnsafePointer(to: value) { run(UnsafeRawPointer($0)) }
        }
    }

    // MARK: For operators with any inputs

    /// Runs `body` when one of the triggers of `operation` gets a value, or when each of its zipped inputs has one.
    @usableFromInline
    package func onAny(_ operation: FlowOperator, _ body: @escaping () -> Void) {
        let wave = wave
        let run = {
            wave.pointee.recomputations &+= 1
            body()
        }
        for input in operation.inputs where input.kind == .trigger && !input.node.isConstant {
            if operation.position < 0 {
                input.node.runs.append(FlowReceiver(id: operation.id) { _ in run() })
            } else if input.node.marks.last != operation.position {
                // An operator that takes the node twice has just added its place.
                input.node.marks.append(operation.position)
            }
        }
        if operation.position >= 0 { core.setStep(operation.position, run: run) }
    }

    /// Runs work that may suspend when one of the triggers of `operation` gets a value, or each of its zipped inputs
    /// has one.
    ///
    /// `start` takes the arguments, in the wave. The function it returns runs outside the wave, which waits for it; the
    /// function which that one returns writes the results, in the wave again.
    @usableFromInline
    package func onAny(
        _ operation: FlowOperator,
        onMainActor: Bool,
        start: @escaping () -> (@Sendable () async -> @Sendable () -> Void)?
    ) {
        unowned(unsafe) let core = core
        let position = operation.position
        onAny(operation) {
            guard let work = start() else { return }
            core.start(FlowJob(position: position, isOnMainActor: onMainActor, run: work))
        }
    }

    /// A reader for an input of `operation`. It returns nil if there is no value yet; for a zipped input, it takes the
    /// next one.
    @inlinable
    package func reader<Value>(_ operation: FlowOperator, _ input: Int, _ node: FlowNode<Value>) -> FlowReader<Value> {
        switch operation.inputs[input].kind {
        case .zip:
            return FlowReader(.queue(queue(operation, input, node)))
        case .previous:
            if node.isConstant { return FlowReader(.current(slot(node))) }
            return FlowReader(.previous(node.slot.unsafelyUnwrapped, wave))
        case .trigger, .reads:
            return FlowReader(.current(node.slot.unsafelyUnwrapped))
        }
    }

    /// The memory of a store that `operation` reads, or a copy of the memory of a constant.
    @inlinable
    package func slot<Value>(_ node: FlowNode<Value>) -> UnsafeMutablePointer<FlowSlot<Value>> {
        node.isConstant ? allocate(FlowSlot(node.record?.value)) : node.slot.unsafelyUnwrapped
    }

    /// The queue of the zipped input `input`. `operation` runs when all of its zipped inputs have a value.
    @inlinable
    package func queue<Value>(
        _ operation: FlowOperator,
        _ input: Int,
        _ node: FlowNode<Value>
    ) -> UnsafeMutablePointer<FlowZipQueue<Value>> {
        let wave = wave
        let queue = allocate(FlowZipQueue<Value>(wave))
        let missing = zipCounter(operation)
        let position = operation.position
        node.handlers.append(
            FlowReceiver(id: operation.id, of: Value.self) { value in
                if queue.pointee.append(value) {
                    missing.pointee -= 1
                    if missing.pointee == 0 { wave.pointee.mark(position) }
                }
            }
        )
        noteZip(
            operation,
            input,
            pending: { queue.pointee.count },
            close: { queue.pointee.isClosed = true },
            stop: { queue.pointee.isOver = true },
            clear: { queue.pointee.removeAll() }
        )
        return queue
    }

    private(set) var zipCounters: [Int: UnsafeMutablePointer<Int>] = [:]
    /// The zipped inputs of each operator, by the operator's number.
    var zips: [Int: [FlowZip]] = [:]

    /// How many zipped inputs of `operation` have no value.
    @usableFromInline
    func zipCounter(_ operation: FlowOperator) -> UnsafeMutablePointer<Int> {
        if let counter = zipCounters[operation.id] { return counter }
        let counter = allocate(operation.inputs.count { $0.kind == .zip })
        zipCounters[operation.id] = counter
        return counter
    }

    @usableFromInline
    func noteZip(
        _ operation: FlowOperator,
        _ input: Int,
        pending: @escaping () -> Int,
        close: @escaping () -> Void,
        stop: @escaping () -> Void,
        clear: @escaping () -> Void
    ) {
        let node = operation.inputs[input].node.index
        zips[operation.id, default: []].append(
            FlowZip(node: node, pending: pending, close: close, stop: stop, clear: clear)
        )
    }

    /// Runs `action` in the wave that restores stores to another time, after they have got their values.
    @usableFromInline
    package func afterRestoring(_ action: @escaping () -> Void) { core.afterRestoring.append(action) }

    /// Whether all zipped inputs of `operation` have a value, and the function to call when one value has been taken
    /// from each.
    ///
    /// Call this after making the readers of these inputs.
    @usableFromInline
    package func zipGate(_ operation: FlowOperator) -> (isReady: () -> Bool, taken: () -> Void) {
        let missing = zipCounter(operation)
        let queues = zips[operation.id, default: []].map(\.pending)
        return ({ missing.pointee == 0 }, { missing.pointee = queues.count { $0() == 0 } })
    }
}
