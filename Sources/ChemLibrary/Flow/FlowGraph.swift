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
/// A source with a capacity also has a semaphore, the molecules `enter` and `place`, which are answered together. When
/// a value that has waited leaves its place, it injects `place` again.
///
/// Exactly one of `idle` and `waiting` is in the soup, so waves never overlap, and nothing in a graph needs a lock. It
/// follows:
///
/// - **Order.** All observers see the same order of waves. Values of one sender are processed in the order in which
///   they were sent.
/// - **No glitches.** In one wave each operator runs at most once, after the operators whose results it takes.
/// - **Feedback.** Where a cycle leads back, the value gets a wave of its own, after the present wave and before the
///   next event. Cycles run in a loop, not by recursion.
/// - **Sending never waits**, neither for a wave nor for another sender.
/// - Graphs are independent: one that is busy or blocked doesn't hold up another.
///
/// ## What is built on it
///
/// ``EventSource``, ``EventStream``, ``Cell`` and ``Outlet`` with their operators; the stores and operator blocks of
/// the Mall.
///
/// (To build another surface: a node is a `FlowNode` held by a `FlowHandle`, an operator a `FlowOperator` added by
/// `FlowWiring.add`. Sealing the graph calls the operator's `compile` closure, which asks the `FlowCompiler` for its
/// inputs and outputs: `onEach` for operators with one trigger, `onAny`, `reader` and `zipGate` for all others,
/// `emitter` for outputs, `failure` for errors. `FlowHandle` sends, reads, subscribes and finishes.
/// `FlowOperators.swift` has examples of all these.)
public final class FlowGraph: Sendable {
    /// How operators are run. The observable behavior is the same.
    public enum Mode: Sendable {
        /// One reaction per wave. Chains of operators are one closure.
        case fused
        /// One reaction per operator, as in a textbook. Slow; for comparison.
        case reference
    }

    package struct Options: Sendable {
        var name: String
        var mode: Mode
        var maxFeedback: Int
        var machine: ChemicalMachine?
        /// The code that has made the nodes, if nobody has made the graph explicitly.
        private(set) var surroundings: Surroundings?
        /// How many events a store remembers that would otherwise remember none.
        var history: Int
        /// Whether somebody has made the graph, and not the first send.
        private(set) var isExplicit = true
        let fileID: StaticString
        let line: UInt

        package init(
            name: String,
            mode: Mode = .fused,
            maxFeedback: Int = .max,
            machine: ChemicalMachine? = nil,
            history: Int = 0,
            fileID: StaticString,
            line: UInt
        ) {
            self.name = name
            self.mode = mode
            self.maxFeedback = maxFeedback
            self.machine = machine
            self.history = history
            (self.fileID, self.line) = (fileID, line)
        }

        /// The options of a graph that nobody has made explicitly: it is where the first of its nodes was made, and on
        /// the machine of the code there. The one that happens to send first may end soon, and isn't kept alive.
        init(of nodes: [AnyFlowNode]) {
            let first = nodes.first
            let surroundings = Surroundings.joined(nodes.compactMap(\.surroundings))
            self.init(
                name: "graph",
                machine: surroundings?.machine,
                fileID: first?.fileID ?? #fileID,
                line: first?.line ?? #line
            )
            isExplicit = false
            self.surroundings = surroundings
        }
    }

    /// The name of the graph in messages and drawings.
    public let name: String
    /// Where it was made: where its first node was, if nobody has made it explicitly.
    let place: (fileID: StaticString, line: UInt)
    /// Whether somebody has made it explicitly, as an open mall.
    let isExplicit: Bool
    /// The nodes and operators, for drawings.
    public let drawing: FlowDrawing

    let event: SlowMolecule<FlowEvent>
    let call: FastMolecule<FlowCall, Void>
    let resumption: SlowMolecule<Void>
    /// The distance of each node from the beginning, counted in operators.
    let levels: [Int]
    /// The rooms of the sources that have a capacity, by the numbers of their nodes.
    let rooms: [Int: FlowRoom]
    private let definition: Join
    let statisticsBox: FlowStatisticsBox
    /// The definition that runs outlets on the main actor, if there are any.
    private let mainDefinition: Join?

    /// Wires a graph: it gets everything that `wiring` makes and connects, and is sealed when `wiring` returns.
    ///
    /// Graphs needn't be made explicitly: operators put the nodes that they connect into one graph, and the first send
    /// or subscription seals it; reading doesn't. Use this form to set options, or to show what belongs together.
    ///
    /// ```swift
    /// let source = EventSource<Int>()
    /// let sum = Cell(initialValue: 0)
    /// let graph = FlowGraph("sum") { source --^ sum }
    /// ```
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - mode: How operators are run.
    ///   - maxFeedback: How many values may be fed back in a row, before the next event from outside. Further values
    ///     are dropped, and counted by ``FlowStatistics/feedbackDropped``. Any number by default.
    ///   - machine: The machine to which its definition belongs; by default that of the surrounding code.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    ///   - wiring: Makes and connects nodes. It must not send: that would seal the graph too early.
    public convenience init(
        _ name: String,
        mode: Mode = .fused,
        maxFeedback: Int = .max,
        machine: ChemicalMachine? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        wiring: () throws -> Void
    ) rethrows {
        guard maxFeedback >= 0 else {
            fatalError(
                "ChemLibrary: 'maxFeedback' of graph '\(name)' has to be at least 0, not \(maxFeedback)",
                file: fileID,
                line: line
            )
        }
        let options = Options(
            name: name,
            mode: mode,
            maxFeedback: maxFeedback,
            machine: machine,
            fileID: fileID,
            line: line
        )
        try self.init(options, wiring: wiring)
    }

    package convenience init(_ options: Options, wiring: () throws -> Void) rethrows {
        let place = FlowWiring(options)
        try FlowWiringScope(place).enter(wiring)
        let parts = place.beginSealing()
        self.init(sealing: parts.nodes, parts.operators, parts.options)
        place.endSealing(self)
        withExtendedLifetime(parts) {}
    }

    /// Makes the graph, under the lock of the wiring. It has to be started.
    init(sealing nodes: [AnyFlowNode], _ operators: [FlowOperator], _ options: Options) {
        let statistics = FlowStatisticsBox()
        statisticsBox = statistics
        name = options.name
        place = (options.fileID, options.line)
        isExplicit = options.isExplicit
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
        core.fedBack = drawing.fedBack.joined(separator: ", ")
        core.ends.nodes = nodes.map { FlowEnds.Node(isOpen: $0.isOpen) }
        Self.compile(nodes, operators, FlowCompiler(core: core, perform: perform))
        for node in nodes { node.forget() }
        levels = nodes.map(\.level)
        let bounded = nodes.filter { $0.capacity > 0 }
        let names = Self.define(core, bounded.map(\.capacity), options)
        (event, call, resumption, definition) = (names.event, names.call, names.resumption, names.definition)
        rooms = Dictionary(uniqueKeysWithValues: zip(bounded.map(\.index), names.rooms))
    }
}

extension FlowGraph {
    /// Makes what runs in a wave, and tells the core of ends and zips.
    private static func compile(_ nodes: [AnyFlowNode], _ operators: [FlowOperator], _ compiler: FlowCompiler) {
        let core = compiler.core
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
    }
}

/// A call of an outlet on the main actor.
struct FlowMainAction: Sendable {
    let run: @MainActor @Sendable () -> Void
}

// MARK: Watching and ending

extension FlowGraph {
    /// Starts it, under the lock of the wiring, unless its machine has ended.
    func startIfLiving() {
        mainDefinition?.startIfLiving()
        definition.startIfLiving()
    }

    /// Starts it after the lock, if it isn't started yet: what it is made of is released here.
    func start() {
        mainDefinition?.start()
        definition.start()
    }

    /// The statistics of the graph, as of the end of a wave. Never waits.
    public var statistics: FlowStatistics {
        tellOfLook()
        return statisticsBox.now
    }

    /// Tells a control of the machine, if there is one, that what happens now depends on what the waves have left.
    func tellOfLook() { definition.tell(of: .looks) }

    /// Reports that what is sent goes nowhere.
    func reportLeadingNowhere() {
        definition.reportLeadingNowhere(place.fileID, place.line)
    }

    /// Waits until everything that was sent has been processed, and outlets on the main actor have run.
    ///
    /// - Throws: `CancellationError` if the task is cancelled, and `QuiescenceError` if called from inside the graph.
    nonisolated(nonsending) public func quiescence() async throws {
        var waves = -1
        if FlowScope.isAnyOpen {
            try await definition.quiescence()
            // While a thread is inside of `send(_:callback:)`, what others send waits for it, and the graph does
            // nothing. A wave behind all that tells of its end. A graph that is cancelled is quiet.
            do { try await wait(for: .control { _ in }, #fileID, #line) } catch is CallError {}
        }
        repeat {
            waves = statistics.waves
            try await definition.quiescence()
            if let mainDefinition {
                try await mainDefinition.quiescence()
                try await definition.quiescence()
            }
        } while statistics.waves != waves && mainDefinition != nil
    }

    /// Ends the graph: no more values will come, and sequences of values end after giving the values that were sent
    /// before.
    ///
    /// Takes its place in the order of sends: values sent after it are ignored, and counted.
    public func finish() { post(end: .control { $0.ends.finishAll() }) }

    /// Stops the graph, and returns when it has stopped: no outlet runs any more, and sequences of values end.
    ///
    /// Events that wait to be processed are dropped, asynchronous operators are cancelled, and waiting senders get a
    /// `CallError` that says `deactivated`. Values can still be read; values sent from now on are ignored. Must not be
    /// awaited inside an operator or outlet of the graph itself.
    nonisolated(nonsending) public func cancel() async {
        definition.deactivate()
        mainDefinition?.deactivate()
        // Uncancellable: a task that is cancelled meanwhile must still learn that the graph has stopped.
        let waiting = [definition, mainDefinition].compactMap { $0 }
        await Task.detached { for join in waiting { try? await join.quiescence() } }.value
    }
}

extension FlowGraph: CustomStringConvertible {
    /// Its nodes and operators, one per line.
    public var description: String { drawing.description }
}
