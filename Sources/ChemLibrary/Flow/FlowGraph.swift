public import ChemActors

/// A sealed dataflow graph: one join definition that runs the waves of all its nodes and operators.
///
/// ```swift
/// let price = EventSource<Int>()
/// let total = Cell(initialValue: 0)
/// price --^ (total, { $0 * 2 })
/// price.send(21)
/// print(total.graph)          // the nodes and operators
/// ```
///
/// ## The model
///
/// Values enter at *open* nodes. Each value, or each transaction, is an event, and causes one **wave**. The chemistry
/// of every graph is the same:
///
/// ```text
/// event(e) & idle(core)    → run the wave; then idle(core), or waiting(core) while something suspends
/// done(r)  & waiting(core) → write the result of an asynchronous operator, go on with the wave
/// ```
///
/// A source with a capacity has a semaphore besides: `enter` and `place`, answered together. A value that has waited in
/// a place injects it again.
///
/// Exactly one of `idle` and `waiting` is in the soup, so waves never overlap, and nothing in a graph needs a lock.
/// From this follows:
///
/// - **Order.** All observers see the same order of waves. What one sender sends is processed in that order.
/// - **No glitches.** In one wave each operator runs at most once, after those whose results it takes.
/// - **Feedback.** Where a cycle leads back, the value is a wave of its own, after the present wave and before the next
///   event. Cycles run in a loop and not by recursion.
/// - **Sending never waits**, neither for a wave nor for another sender.
/// - Graphs are independent: one that is busy or blocked doesn't hold up another.
///
/// ## What is built on it
///
/// ``EventSource``, ``EventStream``, ``Cell`` and ``Outlet`` with their operators; the stores and operator blocks of
/// the Mall.
///
/// (For those who build another surface: a node is a `FlowNode` held by a `FlowHandle`, an operator a `FlowOperator`
/// added by `FlowWiring.add`; when the graph is sealed, its `compile` closure is called and asks the `FlowCompiler` for
/// its inputs and outputs: `onEach` for operators with one trigger, `onAny`, `reader` and `zipGate` for all others,
/// `emitter` for what they write, `failure` for errors. `FlowHandle` sends, reads, subscribes and finishes.
/// `FlowOperators.swift` has examples of all.)
public final class FlowGraph: Sendable {
    /// How operators are run. What can be observed is the same.
    public enum Mode: Sendable {
        /// One reaction a wave. Chains of operators are one closure.
        case fused
        /// One reaction an operator, as in a textbook. Slow; for comparison.
        case reference
    }

    package struct Options: Sendable {
        var name: String
        var mode: Mode
        var maxFeedback: Int
        var machine: ChemicalMachine?
        /// How many events those stores remember that otherwise remember none.
        var history: Int

        package init(
            name: String = "graph",
            mode: Mode = .fused,
            maxFeedback: Int = .max,
            machine: ChemicalMachine? = nil,
            history: Int = 0
        ) {
            self.name = name
            self.mode = mode
            self.maxFeedback = maxFeedback
            self.machine = machine
            self.history = history
        }
    }

    /// What the graph is called in messages and drawings.
    public let name: String
    /// The nodes and operators, for drawings.
    public let drawing: FlowDrawing

    private let event: SlowMolecule<FlowEvent>
    private let call: FastMolecule<FlowCall, Void>
    private let resumption: SlowMolecule<Void>
    /// How far each node is from the beginning, counted in operators.
    private let levels: [Int]
    /// The room of sources that have a capacity, by their numbers.
    private let rooms: [Int: FlowRoom]
    private let definition: Join
    private let statisticsBox: FlowStatisticsBox
    /// The definition that runs outlets on the main actor, if there are any.
    private let mainDefinition: Join?

    /// Wires a graph: everything that is made and connected in `wiring` belongs to it, and it is sealed at the closing
    /// brace.
    ///
    /// Graphs needn't be made explicitly: operators make one of what they connect, and the first send or
    /// subscription seals it; reading doesn't. This form is for
    /// options, and where it is to be visible what belongs together.
    ///
    /// ```swift
    /// let source = EventSource<Int>()
    /// let sum = Cell(initialValue: 0)
    /// let graph = FlowGraph("sum") { source --^ sum }
    /// ```
    ///
    /// - Parameters:
    ///   - name: What it is called in messages.
    ///   - mode: How operators are run.
    ///   - maxFeedback: How many values may be fed back in a row, before the next event from outside. What is beyond is
    ///     dropped, and counted by ``FlowStatistics/feedbackDropped``. Any number by default.
    ///   - machine: The machine to which its definition belongs; by default that of the surrounding code.
    ///   - wiring: Makes and connects nodes. What it sends seals the graph too early.
    public convenience init(
        _ name: String,
        mode: Mode = .fused,
        maxFeedback: Int = .max,
        machine: ChemicalMachine? = nil,
        wiring: () throws -> Void
    ) rethrows {
        guard maxFeedback >= 0 else {
            fatalError("ChemLibrary: 'maxFeedback' of graph '\(name)' has to be at least 0, not \(maxFeedback)")
        }
        try self.init(Options(name: name, mode: mode, maxFeedback: maxFeedback, machine: machine), wiring: wiring)
    }

    package convenience init(_ options: Options, wiring: () throws -> Void) rethrows {
        let place = FlowWiring(options)
        try FlowWiringScope(place).enter(wiring)
        let parts = place.beginSealing()
        self.init(sealing: parts.nodes, parts.operators, parts.options)
        place.endSealing(self)
        withExtendedLifetime(parts) {}
    }

    init(sealing nodes: [AnyFlowNode], _ operators: [FlowOperator], _ options: Options) {
        let statistics = FlowStatisticsBox()
        statisticsBox = statistics
        name = options.name
        if options.history > 0 { for node in nodes { node.remember(options.history) } }
        let ranks = FlowOrder.arrange(nodes, operators, isFused: options.mode == .fused)
        drawing = FlowDrawing(name: options.name, nodes, operators)

        var perform: SlowMolecule<FlowMainAction>?
        var mainDefinition: Join?
        if nodes.contains(where: \.hasMainOutlets) {
            let names = Self.makeMainOutlets(options)
            perform = names.0
            mainDefinition = names.1
        }
        self.mainDefinition = mainDefinition

        let core = FlowCore(
            steps: ranks.count,
            nodes: nodes.count,
            mode: options.mode,
            maxFeedback: options.maxFeedback,
            statistics: statistics
        )
        for (position, rank) in ranks.enumerated() { core.setStep(position, rank: rank) }
        core.ends.nodes = nodes.map { FlowEnds.Node(isOpen: $0.isOpen) }
        let compiler = FlowCompiler(core: core, perform: perform)
        for node in nodes { node.prepare(compiler) }
        for operation in operators.sorted(by: { ($0.rank, $0.id) > ($1.rank, $1.id) }) {
            operation.compile(compiler, operation)
        }
        for node in nodes { node.finish(compiler) }
        core.ends.set(
            operators.map { operation in
                FlowEnds.Operator(
                    triggers: operation.inputs.filter { $0.kind == .trigger && !$0.node.isConstant }.map(\.node.index),
                    zips: compiler.zips[operation.id] ?? [],
                    outputs: operation.outputs.map(\.index)
                )
            }
        )
        for (id, zips) in compiler.zips {
            let missing = compiler.zipCounters[id]!
            core.afterRestoring.append { [unowned(unsafe) core] in
                for zip in zips {
                    core.countDroppedByRestoring(zip.pending())
                    zip.clear()
                }
                missing.pointee = zips.count
            }
        }
        for node in nodes { node.forget() }
        levels = nodes.map(\.level)
        let bounded = nodes.filter { $0.capacity > 0 }
        let names = Self.define(core, bounded.map(\.capacity), options)
        (event, call, resumption, definition) = (names.event, names.call, names.resumption, names.definition)
        rooms = Dictionary(uniqueKeysWithValues: zip(bounded.map(\.index), names.rooms))
    }

    /// What a graph knows of its chemistry.
    private struct Names: Exportable {
        let event: SlowMolecule<FlowEvent>
        let call: FastMolecule<FlowCall, Void>
        let resumption: SlowMolecule<Void>
        let rooms: [FlowRoom]
        let definition: Join

        var exported: Names {
            Names(
                event: event.exported,
                call: call.exported,
                resumption: resumption.exported,
                rooms: rooms.exported,
                definition: definition
            )
        }
    }

    /// The chemistry of every graph.
    private static func define(_ core: FlowCore, _ capacities: [Int], _ options: Options) -> Names {
        func chemistry(_ join: inout Join.Builder) -> Names {
            let event = join.slow("event", of: FlowEvent.self, order: .oldestFirst)
            let idle = join.slow("idle", of: FlowCore.self)
            let waiting = join.slow("waiting", of: FlowCore.self)
            let resume = join.slow("resume")
            let start = join.slow("start", of: FlowJob.self)
            let startOnMain = join.slow("startOnMain", of: FlowJob.self)
            let done = join.slow("done", of: FlowDone.self)
            let call = join.fast("call", of: FlowCall.self, returning: Void.self, order: .oldestFirst)
            var steps: [SlowMolecule<Void>] = []
            if options.mode == .reference {
                steps = (0..<core.stepCount).map { join.slow("step \($0)") }
            }

            let goOn: @Sendable (FlowCore) -> Void = { [steps] core in
                switch core.proceed() {
                case .idle:
                    idle(core)
                case .suspended:
                    for job in core.takeJobs() { (job.isOnMainActor ? startOnMain : start)(job) }
                    waiting(core)
                case .again:
                    waiting(core)
                    resume()
                case .step(let position):
                    waiting(core)
                    steps[position]()
                }
            }
            join.when(event, idle) { event, core in
                core.begin(event)
                goOn(core)
            }
            join.when(done, waiting) { done, core in
                core.accept(done)
                if core.isWaitingForJobs { waiting(core) } else { goOn(core) }
            }
            join.when(resume, waiting) { _, core in goOn(core) }
            let statistics = core.statistics
            join.when(start) { job in
                let write = await FlowRun(of: statistics).run(job.run)
                done(FlowDone(position: job.position, write: write))
            }
            join.when(startOnMain, on: MainActor.self) { job in
                let write = await FlowRun(of: statistics).run(job.run)
                done(FlowDone(position: job.position, write: write))
            }
            let name = options.name
            join.when(call) { reply in event(.awaited(FlowWaiter(reply, of: name))) }
            for (position, step) in steps.enumerated() {
                join.when(step, waiting) { _, core in
                    core.step(position)
                    goOn(core)
                }
            }
            var rooms: [FlowRoom] = []
            for (number, capacity) in capacities.enumerated() {
                let place = join.slow("place \(number)")
                let enter = join.fast("enter \(number)", order: .oldestFirst)
                join.answer(enter, with: place) { _, _ in }
                place.inject(contentsOf: repeatElement((), count: capacity))
                rooms.append(FlowRoom(enter: enter, place: place))
            }
            idle(core)
            return Names(event: event, call: call, resumption: resume, rooms: rooms, definition: join.definition)
        }
        guard let machine = options.machine else { return Join.define(options.name, chemistry) }
        return machine.define(options.name, chemistry)
    }

    private static func makeMainOutlets(_ options: Options) -> (SlowMolecule<FlowMainAction>, Join) {
        func chemistry(_ join: inout Join.Builder) -> (SlowMolecule<FlowMainAction>, Join) {
            let perform = join.slow("perform", of: FlowMainAction.self, order: .oldestFirst)
            join.when(perform) { action in MainActor.assumeIsolated { action.run() } }
            return (perform, join.definition)
        }
        let name = "\(options.name).outlets"
        guard let machine = options.machine else { return Join.define(name, on: MainActor.self, chemistry) }
        return machine.define(name, on: MainActor.self, chemistry)
    }
}

/// What an outlet does on the main actor.
struct FlowMainAction: Sendable {
    let run: @MainActor @Sendable () -> Void
}

// MARK: Sending

extension FlowGraph {
    /// Puts a value into the queue, or into what this thread is collecting for this graph.
    @usableFromInline
    package func post(_ node: Int, _ put: @escaping @Sendable () -> Void) {
        var scope = FlowScope.current
        while let each = scope {
            if let transaction = each as? FlowTransaction, transaction.graph === self {
                return transaction.add(put, to: node)
            }
            if let group = each as? FlowGroup, group.graph === self { return group.add(.put(put)) }
            scope = each.outer
        }
        event(.put(put))
    }

    /// The values of one wave in the order in which they have to be put: nodes at the end of the graph first. So a node
    /// that is sent to and written in one wave has the sent value first, whether the operator that writes it runs at
    /// once or not.
    package func fromTheEnd(_ puts: [(node: Int, put: @Sendable () -> Void)]) -> [@Sendable () -> Void] {
        let places = puts.indices.sorted { (-levels[puts[$0].node], $0) < (-levels[puts[$1].node], $1) }
        return places.map { puts[$0].put }
    }

    /// Puts an end into the queue, behind everything that this thread has sent, or collected for one wave.
    func post(end: FlowEvent) {
        var scope = FlowScope.current
        while let each = scope {
            if let transaction = each as? FlowTransaction, transaction.graph === self {
                return transaction.add(end: end)
            }
            scope = each.outer
        }
        post(end)
    }

    /// Puts something that belongs to no node into the queue.
    package func post(_ event: FlowEvent) {
        var scope = FlowScope.current
        while let each = scope {
            if let group = each as? FlowGroup, group.graph === self { return group.add(event) }
            scope = each.outer
        }
        self.event(event)
    }

    /// Puts a value into the queue, runs `body`, and keeps what that sends right behind the value.
    @usableFromInline
    package func post(_ node: Int, _ put: @escaping @Sendable () -> Void, then body: () -> Void) {
        var scope = FlowScope.current
        while let each = scope {
            if (each as? FlowTransaction)?.graph === self || (each as? FlowGroup)?.graph === self {
                post(node, put)
                return body()
            }
            scope = each.outer
        }
        let group = FlowGroup(self)
        group.add(.put(put))
        event(.group(group))
        group.enter(body)
        group.close()
    }

    @usableFromInline
    nonisolated(nonsending) func postAndWait(_ put: @escaping @Sendable () -> Void) async throws {
        try await wait(for: .put(put))
    }

    /// Puts something into the queue, and waits until it is done.
    nonisolated(nonsending) func wait(for event: FlowEvent) async throws {
        if FlowRun.isInside(statisticsBox) {
            throw FlowError(
                .waitsForItself,
                "an operator of graph '\(name)' waits for a wave, which waits for the operator"
            )
        }
        try await call(FlowCall(event: event))
    }

    /// Takes one of the places of the source `node`, as soon as there is one for this caller.
    @usableFromInline
    nonisolated(nonsending) func takePlace(_ node: Int) async throws -> FlowPlace {
        guard let room = rooms[node] else {
            try Task.checkCancellation()
            return FlowPlace(nil)
        }
        try await room.enter()
        return FlowPlace(room.place)
    }

    /// Takes one of the places of the source `node`, if there is one and nobody waits for it.
    @usableFromInline
    func tryToTakePlace(_ node: Int) -> FlowPlace? {
        guard let room = rooms[node] else { return FlowPlace(nil) }
        return (try? room.enter.tryCall()) != nil ? FlowPlace(room.place) : nil
    }

    /// Tells the waiting core to go on.
    func resume() { resumption() }

    /// Sends several values that all belong to one wave: they are simultaneous.
    ///
    /// ```swift
    /// graph.transaction {
    ///     width.send(3)
    ///     height.send(4)
    /// }   // an operator that takes both runs once
    /// ```
    ///
    /// Collects what `body` sends into this graph on this thread; what it sends elsewhere goes there as usual. A source
    /// that is sent to more than once has the last value; one that is finished is finished behind the wave. Inside of
    /// another transaction of this graph it is a part of that.
    ///
    /// - Parameter body: Sends. It must not wait for the graph.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws. Then nothing is sent.
    public func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
        var scope = FlowScope.current
        while let each = scope {
            if (each as? FlowTransaction)?.graph === self { return try body() }
            scope = each.outer
        }
        let transaction = FlowTransaction(self)
        let result = try transaction.enter(body)
        if let event = transaction.event { post(event) }
        for end in transaction.ends { post(end) }
        return result
    }

    /// Sends several values that all belong to one wave, and waits until it is done.
    ///
    /// - Parameter body: Sends. It must not wait for the graph.
    /// - Throws: what `body` throws, and then nothing is sent; else as `sendAndWait` of an ``EventSource``.
    nonisolated(nonsending) public func transactionAndWait(_ body: () throws -> Void) async throws {
        let transaction = FlowTransaction(self)
        try transaction.enter(body)
        do {
            if let event = transaction.event { try await wait(for: event) }
        } catch let error as FlowError {
            for end in transaction.ends { post(end) }
            throw error
        }
        for end in transaction.ends { post(end) }
    }
}

// MARK: Watching and ending

extension FlowGraph {
    /// What the graph has done so far, as of the end of a wave. Never waits.
    public var statistics: FlowStatistics { statisticsBox.now }

    /// Waits until everything that was sent is processed, and outlets on the main actor have run.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, and `QuiescenceError` from inside of the graph.
    nonisolated(nonsending) public func quiescence() async throws {
        var waves = -1
        repeat {
            waves = statistics.waves
            try await definition.quiescence()
            if let mainDefinition {
                try await mainDefinition.quiescence()
                try await definition.quiescence()
            }
        } while statistics.waves != waves && mainDefinition != nil
    }

    /// Says that no more values will come: sequences of values end when they have given what was sent before.
    ///
    /// Has its place in the order of sends: what is sent after it is ignored, and counted.
    public func finish() { post(end: .control { $0.ends.finishAll() }) }

    /// Stops the graph, and returns when it has stopped: no outlet runs any more, and sequences of values end.
    ///
    /// What waits to be processed is dropped, asynchronous operators are cancelled, and senders that wait get a
    /// `CallError` that says `deactivated`. Values can still be read; what is sent from now on is ignored. Must not be
    /// awaited inside of an operator or outlet of the graph itself.
    nonisolated(nonsending) public func cancel() async {
        definition.deactivate()
        mainDefinition?.deactivate()
        // Uncancellable: whoever is cancelled meanwhile must still know that it is over.
        let waiting = [definition, mainDefinition].compactMap { $0 }
        await Task.detached { for join in waiting { try? await join.quiescence() } }.value
    }
}

extension FlowGraph: CustomStringConvertible {
    /// Its nodes and operators, a line each.
    public var description: String { drawing.description }
}
