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
            } else if !input.node.marks.contains(operation.position) {
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
                queue.pointee.append(value)
                if queue.pointee.count == 1 {
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
        clear: @escaping () -> Void
    ) {
        let node = operation.inputs[input].node.index
        zips[operation.id, default: []].append(FlowZip(node: node, pending: pending, close: close, clear: clear))
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

    // MARK: Outputs

    /// The emitter for the output `output` of `operation`.
    @inlinable
    package func emitter<Value>(_ operation: FlowOperator, _ output: Int, _ node: FlowNode<Value>) -> FlowEmitter<Value>
    {
        unowned(unsafe) let core = core
        let slot = node.slot.unsafelyUnwrapped
        if operation.isFeedback[output] {
            return FlowEmitter(
                FlowReceiver(of: Value.self) { value in
                    core.feedBack(FlowAction { withUnsafePointer(to: value) { slot.pointee.emit.run($0) } })
                }
            )
        }
        let wave = wave
        if node.settlePosition >= 0 {
            let position = node.settlePosition
            let order = operation.id
            let settled = settling(node)
            return FlowEmitter(
                FlowReceiver(of: Value.self) { value in
                    if order >= settled.pointee.order {
                        settled.pointee.value = value
                        settled.pointee.order = order
                    }
                    wave.pointee.mark(position)
                }
            )
        }
        build(node)
        let emit = node.emitter.unsafelyUnwrapped
        guard node.isOpen else { return FlowEmitter(emit) }
        return FlowEmitter(
            FlowReceiver { value in
                // A transaction has already sent to the node in this wave, so this value gets the next wave.
                if slot.pointee.stamp == wave.pointee.number {
                    let value = value.assumingMemoryBound(to: Value.self).pointee
                    core.feedBack(FlowAction { withUnsafePointer(to: value) { slot.pointee.emit.run($0) } })
                } else {
                    emit.run(value)
                }
            }
        )
    }

    /// The function that folds into the output `output` of `operation` when other operators write it in the same wave
    /// too.
    ///
    /// It folds in the operator's turn, into the value at that point. Nil if `operation` is the only one that writes
    /// the output.
    @inlinable
    func folder<Value>(_ operation: FlowOperator, _ output: Int, _ node: FlowNode<Value>) -> FlowFolder<Value>? {
        unowned(unsafe) let core = core
        let wave = wave
        let slot = node.slot.unsafelyUnwrapped
        if operation.isFeedback[output] {
            return { fold in
                core.feedBack(
                    FlowAction {
                        guard let before = slot.pointee.current, let value = fold(before) else { return }
                        withUnsafePointer(to: value) { slot.pointee.emit.run($0) }
                    }
                )
            }
        }
        guard node.settlePosition >= 0 else { return nil }
        let position = node.settlePosition
        let order = operation.id
        let settled = settling(node)
        return { fold in
            settled.pointee.folds.append((order, fold))
            wave.pointee.mark(position)
        }
    }

    /// A function that records a failure of `operation`, for all of its outputs.
    @usableFromInline
    package func failure(_ operation: FlowOperator) -> (any Error) -> Void {
        unowned(unsafe) let core = core
        let outputs = operation.outputs.map { $0.failing() }
        return { error in
            core.countFailure()
            for fail in outputs { fail(error) }
        }
    }

    @inlinable
    func settling<Value>(_ node: FlowNode<Value>) -> UnsafeMutablePointer<FlowSettling<Value>> {
        if let settled = node.settled { return settled }
        let settled = allocate(FlowSettling<Value>())
        let slot = node.slot.unsafelyUnwrapped
        node.settled = settled
        build(node)
        let emit = node.emitter.unsafelyUnwrapped
        core.setStep(node.settlePosition) {
            guard let value = settled.pointee.take(slot.pointee.current) else { return }
            withUnsafePointer(to: value) { emit.run($0) }
        }
        return settled
    }

    /// Makes what runs when `node` gets a value, unless it exists already.
    @inlinable
    func build<Value>(_ node: FlowNode<Value>) {
        guard node.emitter == nil else { return }
        let next = behind(node.marks, node.handlers + node.runs)
        guard node.isStore, let record = node.record else {
            node.emitter = next ?? FlowReceiver { _ in }
            return
        }
        let slot = node.slot.unsafelyUnwrapped
        let wave = wave
        let index = node.index
        let isLast = next == nil
        let behind = next ?? FlowReceiver { _ in }
        if node.keepsPrevious {
            node.emitter = FlowReceiver { value in
                if slot.pointee.stamp != wave.pointee.number {
                    slot.pointee.stamp = wave.pointee.number
                    slot.pointee.previous = slot.pointee.current
                }
                slot.pointee.current = value.assumingMemoryBound(to: Value.self).pointee
                wave.pointee.touch(index)
                if !isLast { behind.run(value) }
            }
        } else {
            node.emitter = FlowReceiver { value in
                slot.pointee.stamp = wave.pointee.number
                slot.pointee.current = value.assumingMemoryBound(to: Value.self).pointee
                wave.pointee.touch(index)
                if !isLast { behind.run(value) }
            }
        }
        if let isSame = node.isSame {
            let emit = node.emitter.unsafelyUnwrapped.run
            node.emitter = FlowReceiver { value in
                if !slot.pointee.passesCutoff, let current = slot.pointee.current,
                    isSame(current, value.assumingMemoryBound(to: Value.self).pointee)
                {
                    return
                }
                emit(value)
            }
        }
        core.stores[index].hasHistory = record.limit > 0
        core.stores[index].hasListeners = !node.outlets.isEmpty || !node.mainOutlets.isEmpty
        core.stores[index].commit = { time in
            slot.pointee.previous = nil
            record.commit(slot.pointee.current.unsafelyUnwrapped, at: time)
        }
        unowned(unsafe) let core = core
        core.stores[index].announce = {
            let value = slot.pointee.current.unsafelyUnwrapped
            withUnsafePointer(to: value) { value in
                for outlet in slot.pointee.outlets { outlet.run(value) }
            }
            if !slot.pointee.subscribers.isEmpty, !slot.pointee.isFinished {
                core.tell(slot.pointee.subscribers, value)
            }
        }
    }

    /// The receiver for the operators that take the values of `node`. Nil if there are none.
    @usableFromInline
    package func behind(_ marks: [Int], _ handlers: [FlowReceiver]) -> FlowReceiver? {
        let wave = wave
        let handlers = handlers.sorted { $0.id < $1.id }
        let handle: (UnsafeRawPointer) -> Void
        switch handlers.count {
        case 0:
            if marks.isEmpty { return nil }
            if marks.count == 1 {
                let mark = marks[0]
                return FlowReceiver { _ in wave.pointee.mark(mark) }
            }
            return FlowReceiver { _ in for mark in marks { wave.pointee.mark(mark) } }
        case 1: handle = handlers[0].run
        case 2:
            let (first, second) = (handlers[0].run, handlers[1].run)
            handle = { value in
                first(value)
                second(value)
            }
        default: handle = { value in for handler in handlers { handler.run(value) } }
        }
        if marks.isEmpty { return FlowReceiver(run: handle) }
        return FlowReceiver { value in
            for mark in marks { wave.pointee.mark(mark) }
            handle(value)
        }
    }
}
