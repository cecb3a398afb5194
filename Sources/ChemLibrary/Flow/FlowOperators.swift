// The operators of both surfaces, for nodes of any kind. Inlinable, so that the closures are specialized where the
// types are known.

extension FlowHandle {
    /// Its wirings: none for a constant, which belongs to no graph and may be used in any number of them.
    @inlinable var wirings: [FlowWiring] { node.isConstant ? [] : [wiring] }

    /// Writes `transform` of each value into `target`.
    @inlinable
    package func map<Target>(
        _ symbol: String,
        to target: FlowHandle<Target>,
        _ transform: @escaping @Sendable (Value) -> Target
    ) {
        let (source, target, wirings) = (node, target.node, wirings + target.wirings)
        FlowWiring.add(
            FlowOperator(symbol, inputs: [.init(source, .trigger)], outputs: [target]) { compiler, one in
                let emit = compiler.emitter(one, 0, target)
                compiler.onEach(one, source) { emit(transform($0)) }
            },
            wirings
        )
    }

    /// Writes each value into `target`.
    @inlinable
    package func pass(_ symbol: String, to target: FlowHandle<Value>) {
        let (source, target, wirings) = (node, target.node, wirings + target.wirings)
        FlowWiring.add(
            FlowOperator(symbol, inputs: [.init(source, .trigger)], outputs: [target]) { compiler, one in
                compiler.onEach(one, source, compiler.emitter(one, 0, target).handler)
            },
            wirings
        )
    }

    /// Writes the result of `transform` for each value into `target`, unless it is nil.
    @inlinable
    package func compactMap<Target>(
        _ symbol: String,
        to target: FlowHandle<Target>,
        _ transform: @escaping @Sendable (Value) -> Target?
    ) {
        let (source, target, wirings) = (node, target.node, wirings + target.wirings)
        FlowWiring.add(
            FlowOperator(symbol, inputs: [.init(source, .trigger)], outputs: [target]) { compiler, one in
                let emit = compiler.emitter(one, 0, target)
                compiler.onEach(one, source) { value in
                    if let result = transform(value) { emit(result) }
                }
            },
            wirings
        )
    }

    /// Writes the values for which `predicate` holds into `target`.
    @inlinable
    package func filter(
        _ symbol: String,
        to target: FlowHandle<Value>,
        _ predicate: @escaping @Sendable (Value) -> Bool
    ) {
        let (source, target, wirings) = (node, target.node, wirings + target.wirings)
        FlowWiring.add(
            FlowOperator(symbol, inputs: [.init(source, .trigger)], outputs: [target]) { compiler, one in
                let emit = compiler.emitter(one, 0, target)
                compiler.onEach(one, source) { value in
                    if predicate(value) { emit(value) }
                }
            },
            wirings
        )
    }

    /// Folds each value into the value that `target` had before the wave, if `predicate` holds for the two.
    ///
    /// If several operators write `target` in one wave, each folds into the result of those declared before it.
    @inlinable
    package func accumulate<Target>(
        _ symbol: String,
        to target: FlowHandle<Target>,
        _ fold: @escaping @Sendable (Target, Value) -> Target,
        where predicate: (@Sendable (Target, Value) -> Bool)? = nil
    ) {
        let (source, target, wirings) = (node, target.node, wirings + target.wirings)
        FlowWiring.add(
            FlowOperator(
                symbol,
                inputs: [.init(source, .trigger), .init(target, .previous)],
                outputs: [target]
            ) { compiler, one in
                if let folder = compiler.folder(one, 0, target) {
                    compiler.onEach(one, source) { value in
                        folder { before in
                            if let predicate, !predicate(before, value) { return nil }
                            return fold(before, value)
                        }
                    }
                    return
                }
                let emit = compiler.emitter(one, 0, target)
                let before = compiler.reader(one, 1, target)
                compiler.onEach(one, source) { value in
                    guard let before = before() else { return }
                    if let predicate, !predicate(before, value) { return }
                    emit(fold(before, value))
                }
            },
            wirings
        )
    }

    /// Combines each value with those that `cells` had before the wave, if `predicate` holds for all of them.
    @inlinable
    package func snapshot<each Read: Sendable, Target>(
        _ symbol: String,
        of cells: repeat FlowHandle<each Read>,
        to target: FlowHandle<Target>,
        _ combine: @escaping @Sendable (Value, repeat each Read) -> Target,
        where predicate: (@Sendable (Value, repeat each Read) -> Bool)?
    ) {
        let (source, target) = (node, target)
        var all = wirings + target.wirings
        var inputs = [FlowOperator.Input(source, .trigger)]
        for cell in repeat each cells {
            all += cell.wirings
            inputs.append(.init(cell.node, .previous))
        }
        let output = target.node
        let nodes: (repeat FlowNode<each Read>) = (repeat (each cells).node)
        FlowWiring.add(
            FlowOperator(symbol, inputs: inputs, outputs: [output]) { compiler, one in
                let emit = compiler.emitter(one, 0, output)
                var input = 0
                func reader<One>(_ node: FlowNode<One>) -> FlowReader<One> {
                    input += 1
                    return compiler.reader(one, input, node)
                }
                let readers: (repeat FlowReader<each Read>) = (repeat reader(each nodes))
                compiler.onEach(one, source) { value in
                    let values: (repeat each Read) = (repeat (each readers)().unsafelyUnwrapped)
                    if let predicate, !predicate(value, repeat each values) { return }
                    emit(combine(value, repeat each values))
                }
            },
            all
        )
    }

    /// Combines the values of `cells` whenever one of them has an event, and once for the initial value.
    @inlinable
    package static func lift<each Input: Sendable>(
        _ symbol: String,
        _ cells: repeat FlowHandle<each Input>,
        to target: FlowHandle<Value>,
        _ combine: @escaping @Sendable (repeat each Input) -> Value
    ) {
        var all = target.wirings
        var inputs: [FlowOperator.Input] = []
        for cell in repeat each cells {
            all += cell.wirings
            inputs.append(.init(cell.node, .trigger))
        }
        let output = target.node
        let nodes: (repeat FlowNode<each Input>) = (repeat (each cells).node)
        FlowWiring.add(
            FlowOperator(symbol, inputs: inputs, outputs: [output]) { compiler, one in
                let emit = compiler.emitter(one, 0, output)
                let slots: (repeat UnsafeMutablePointer<FlowSlot<each Input>>) = (repeat compiler.slot(each nodes))
                compiler.onAny(one) {
                    let values: (repeat each Input) = (repeat (each slots).pointee.current.unsafelyUnwrapped)
                    emit(combine(repeat each values))
                }
            },
            all
        ) { initials in
            let values: (repeat each Input) = (repeat initials.value(of: each nodes))
            initials.set(output, to: combine(repeat each values))
        }
    }

    /// ``lift`` for two cells: Swift 6.3 doesn't specialize closures over packs, so two cells have code of their own.
    @inlinable
    package static func lift<First, Second>(
        _ symbol: String,
        _ first: FlowHandle<First>,
        _ second: FlowHandle<Second>,
        to target: FlowHandle<Value>,
        _ combine: @escaping @Sendable (First, Second) -> Value
    ) {
        let (a, b, output) = (first.node, second.node, target.node)
        FlowWiring.add(
            FlowOperator(symbol, inputs: [.init(a, .trigger), .init(b, .trigger)], outputs: [output]) { compiler, one in
                let emit = compiler.emitter(one, 0, output)
                let (slotA, slotB) = (compiler.slot(a), compiler.slot(b))
                compiler.onAny(one) {
                    emit(combine(slotA.pointee.current.unsafelyUnwrapped, slotB.pointee.current.unsafelyUnwrapped))
                }
            },
            first.wirings + second.wirings + target.wirings
        ) { initials in
            initials.set(output, to: combine(initials.value(of: a), initials.value(of: b)))
        }
    }

    /// ``zip`` for two streams, with code of its own.
    @inlinable
    package static func zip<First, Second>(
        _ symbol: String,
        _ first: FlowHandle<First>,
        _ second: FlowHandle<Second>,
        to target: FlowHandle<Value>,
        _ combine: @escaping @Sendable (First, Second) -> Value
    ) {
        let (a, b, output) = (first.node, second.node, target.node)
        FlowWiring.add(
            FlowOperator(symbol, inputs: [.init(a, .zip), .init(b, .zip)], outputs: [output]) { compiler, one in
                let emit = compiler.emitter(one, 0, output)
                let (queueA, queueB) = (compiler.queue(one, 0, a), compiler.queue(one, 1, b))
                let missing = compiler.zipCounter(one)
                compiler.onAny(one) {
                    guard let valueA = queueA.pointee.popFirst(), let valueB = queueB.pointee.popFirst() else { return }
                    missing.pointee = (queueA.pointee.isEmpty ? 1 : 0) + (queueB.pointee.isEmpty ? 1 : 0)
                    emit(combine(valueA, valueB))
                }
            },
            first.wirings + second.wirings + target.wirings
        )
    }

    /// Combines the first values of `streams`, then their second ones, and so on.
    @inlinable
    package static func zip<each Input: Sendable>(
        _ symbol: String,
        _ streams: repeat FlowHandle<each Input>,
        to target: FlowHandle<Value>,
        _ combine: @escaping @Sendable (repeat each Input) -> Value
    ) {
        var all = target.wirings
        var inputs: [FlowOperator.Input] = []
        for stream in repeat each streams {
            all += stream.wirings
            inputs.append(.init(stream.node, .zip))
        }
        let output = target.node
        let nodes: (repeat FlowNode<each Input>) = (repeat (each streams).node)
        FlowWiring.add(
            FlowOperator(symbol, inputs: inputs, outputs: [output]) { compiler, one in
                let emit = compiler.emitter(one, 0, output)
                var input = -1
                func queue<One>(_ node: FlowNode<One>) -> UnsafeMutablePointer<FlowZipQueue<One>> {
                    input += 1
                    return compiler.queue(one, input, node)
                }
                let queues: (repeat UnsafeMutablePointer<FlowZipQueue<each Input>>) = (repeat queue(each nodes))
                let taken = compiler.zipGate(one).taken
                compiler.onAny(one) {
                    let values: (repeat each Input) = (repeat (each queues).pointee.popFirst().unsafelyUnwrapped)
                    taken()
                    emit(combine(repeat each values))
                }
            },
            all
        )
    }

    /// Makes the store ignore a value if `isSame` holds for the current value and the new one.
    @usableFromInline
    package func cutOff(_ isSame: @escaping @Sendable (Value, Value) -> Bool) {
        if node.isConstant { return }
        // What was there is a closure of a user, and released behind the lock.
        var before: (@Sendable (Value, Value) -> Bool)?
        wiring.extend("cutoff") {
            before = node.isSame
            node.isSame = isSame
        }
        withExtendedLifetime(before) {}
    }

    /// Calls `outlet` after each wave that has given the store an event.
    @inlinable
    package func output(_ symbol: String, _ outlet: @escaping @Sendable (Value) -> Void) {
        if node.isConstant { return }
        let id = FlowScope.nextNumber()
        wiring.extend(symbol) { node.outlets.append(FlowReceiver(id: id, of: Value.self, outlet)) }
    }

    /// Calls `outlet` on the main actor after each wave that has given the store an event.
    @usableFromInline
    package func outputOnMainActor(_ symbol: String, _ outlet: @escaping @MainActor @Sendable (Value) -> Void) {
        if node.isConstant { return }
        let id = FlowScope.nextNumber()
        wiring.extend(symbol) { node.mainOutlets.append((id, outlet)) }
    }
}
