import ChemActors

// What runs when an operator has a result, or a node gets a value.

extension FlowCompiler {
    /// The emitter for the output `output` of `operation`.
    @inlinable
    package func emitter<Value>(_ operation: FlowOperator, _ output: Int, _ node: FlowNode<Value>) -> FlowEmitter<Value>
    {
        unowned(unsafe) let core = core
        let slot = node.slot.unsafelyUnwrapped
        let (level, order) = (node.level, operation.id)
        if operation.isFeedback[output] {
            return FlowEmitter(
                FlowReceiver(of: Value.self) { value in
                    core.feedBack(level, order) { withUnsafePointer(to: value) { slot.pointee.emit.run($0) } }
                }
            )
        }
        let wave = wave
        if node.settlePosition >= 0 {
            let position = node.settlePosition
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
                    core.feedBack(level, order, isDelay: true) {
                        withUnsafePointer(to: value) { slot.pointee.emit.run($0) }
                    }
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
        let (level, order) = (node.level, operation.id)
        if operation.isFeedback[output] {
            return { fold in
                core.feedBack(level, order) {
                    guard let before = slot.pointee.current, let value = fold(before) else { return }
                    withUnsafePointer(to: value) { slot.pointee.emit.run($0) }
                }
            }
        }
        guard node.settlePosition >= 0 else { return nil }
        let position = node.settlePosition
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
        let outputs = operation.outputs.indices.map { output in
            let node = operation.outputs[output]
            if operation.isFeedback[output] || node.settlePosition < 0 { return node.failing(core) }
            let (position, order) = (node.settlePosition, operation.id)
            let (wave, failed) = (wave, failed(node))
            return { error in
                if order >= failed.pointee.order { failed.pointee = FlowFailed(order: order, error: error) }
                wave.pointee.mark(position)
            }
        }
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
        unowned(unsafe) let core = core
        let (wave, level, isOpen) = (wave, node.level, node.isOpen)
        let (failed, fail) = (failed(node), node.failing(core))
        core.setStep(node.settlePosition) {
            let order = settled.pointee.lastOrder
            // The operator listed last counts, whether it has a value or has failed.
            let error = failed.pointee.take(after: order)
            guard let value = settled.pointee.take(slot.pointee.current) else {
                if let error { fail(error) }
                return
            }
            // A transaction may have sent to it in this wave.
            if isOpen, slot.pointee.stamp == wave.pointee.number {
                core.feedBack(level, order, isDelay: true) {
                    withUnsafePointer(to: value) { emit.run($0) }
                    if let error { fail(error) }
                }
            } else {
                withUnsafePointer(to: value) { emit.run($0) }
                if let error { fail(error) }
            }
        }
        return settled
    }

    /// Where operators that fail note that for `node`, which several write.
    @usableFromInline
    func failed(_ node: AnyFlowNode) -> UnsafeMutablePointer<FlowFailed> {
        if let failed = node.failed { return failed }
        let failed = allocate(FlowFailed())
        node.failed = failed
        return failed
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
        node.emitter = storing(node, next)
        if let isSame = node.isSame { node.emitter = cutting(node, isSame) }
        core.stores[node.index].hasHistory = record.limit > 0
        core.stores[node.index].hasListeners = !node.outlets.isEmpty || !node.mainOutlets.isEmpty
        buildCommit(node, record)
    }

    /// Stores the value, and hands it on.
    @inlinable
    func storing<Value>(_ node: FlowNode<Value>, _ next: FlowReceiver?) -> FlowReceiver {
        let slot = node.slot.unsafelyUnwrapped
        let wave = wave
        let index = node.index
        let isLast = next == nil
        let behind = next ?? FlowReceiver { _ in }
        guard node.keepsPrevious else {
            return FlowReceiver { value in
                slot.pointee.stamp = wave.pointee.number
                slot.pointee.current = value.assumingMemoryBound(to: Value.self).pointee
                wave.pointee.touch(index)
                if !isLast { behind.run(value) }
            }
        }
        return FlowReceiver { value in
            if slot.pointee.stamp != wave.pointee.number {
                slot.pointee.stamp = wave.pointee.number
                slot.pointee.previous = slot.pointee.current
            }
            slot.pointee.current = value.assumingMemoryBound(to: Value.self).pointee
            wave.pointee.touch(index)
            if !isLast { behind.run(value) }
        }
    }

    /// Drops a value that the cutoff finds to be the same as the present one.
    @inlinable
    func cutting<Value>(_ node: FlowNode<Value>, _ isSame: @escaping (Value, Value) -> Bool) -> FlowReceiver {
        let slot = node.slot.unsafelyUnwrapped
        let emit = node.emitter.unsafelyUnwrapped.run
        let record = node.record
        return FlowReceiver { value in
            if !slot.pointee.passesCutoff, let current = slot.pointee.current,
                isSame(current, value.assumingMemoryBound(to: Value.self).pointee)
            {
                record?.recover()
                return
            }
            emit(value)
        }
    }

    /// Makes what runs at the end of a wave in which a store has got a value.
    @inlinable
    func buildCommit<Value>(_ node: FlowNode<Value>, _ record: FlowRecord<Value>) {
        let slot = node.slot.unsafelyUnwrapped
        let index = node.index
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
