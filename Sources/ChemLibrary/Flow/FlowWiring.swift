import ChemActors
public import Synchronization

/// A graph that is being wired: nodes and operators that are connected so far.
///
/// Each node begins in a wiring of its own. Operators unite the wirings of their nodes. The first send or read *seals* it: the nodes
/// and operators become one join definition, and nothing can be added any more.
///
/// A handle keeps its wiring, the wiring keeps all nodes, and nodes know nothing of either: so a node in the middle needs nobody who holds it,
/// and a wiring that nobody holds is gone.
@usableFromInline
final class FlowWiring: @unchecked Sendable {
    // Checked by hand: everything is touched under `lock`.
    private static let lock = FlowLock()

    /// Where it was united into.
    private var parent: FlowWiring?
    private var nodes: [AnyFlowNode] = []
    private var operators: [FlowOperator] = []
    /// Computes the initial value of a store from those of others. Of use until the graph is sealed.
    private var initials: [(inputs: [Int], output: Int, update: () -> Void)] = []
    private var graph: FlowGraph?
    private var options: FlowGraph.Options?

    @usableFromInline
    init() {}

    init(_ options: FlowGraph.Options) { self.options = options }

    /// The wiring that this one has become part of. Under the lock.
    private var root: FlowWiring {
        var root = self
        while let parent = root.parent { root = parent }
        var each = self
        while let parent = each.parent, parent !== root {
            each.parent = root
            each = parent
        }
        return root
    }

    /// Takes a new node.
    @usableFromInline
    func add(_ node: AnyFlowNode) {
        let scope = FlowWiringScope.wiring
        FlowWiring.lock.withLock {
            nodes.append(node)
            guard let scope else { return }
            scope.root.checkOpen(node.label)
            scope.root.unite(with: self)
        }
    }

    /// Adds an operator between nodes of `wirings`, which become one.
    ///
    /// - Parameters:
    ///   - one: The operator.
    ///   - wirings: Those of its nodes; not of constants.
    ///   - initial: Computes the initial value of its output anew, if that depends on those of its inputs.
    @usableFromInline
    static func add(_ one: FlowOperator, _ wirings: [FlowWiring], initial: (() -> Void)? = nil) {
        let scope = FlowWiringScope.wiring
        lock.lock()
        var all = wirings.map(\.root)
        if let scope { all.append(scope.root) }
        guard let first = all.first else {
            lock.unlock()
            return
        }
        for wiring in all { wiring.checkOpen(one.symbol) }
        let root = all.reduce(first) { $0.unite(with: $1) }
        root.operators.append(one)
        if let initial, let output = one.outputs.first {
            root.initials.append((one.inputs.map(\.node.id), output.id, initial))
        }
        let initials = root.initials
        lock.unlock()
        guard let initial, let output = one.outputs.first else { return }
        // User code, so outside of the lock: this value, and those that depend on it. In a cycle each is computed once.
        initial()
        var changed = [output.id]
        var seen: Set<Int> = [output.id]
        while let next = changed.popLast() {
            for each in initials where each.inputs.contains(next) && seen.insert(each.output).inserted {
                each.update()
                changed.append(each.output)
            }
        }
    }

    /// Makes one graph of several wirings, although no operator connects them.
    @usableFromInline
    static func unite(_ wirings: [FlowWiring]) {
        lock.withLock {
            guard let first = wirings.first?.root else { return }
            for wiring in wirings {
                first.root.checkOpen("a graph")
                wiring.root.checkOpen("a graph")
                first.root.unite(with: wiring.root)
            }
        }
    }

    /// Under the lock.
    @discardableResult
    private func unite(with other: FlowWiring) -> FlowWiring {
        guard other !== self else { return self }
        let (large, small) =
            nodes.count + operators.count < other.nodes.count + other.operators.count
            ? (other, self) : (self, other)
        large.nodes += small.nodes
        large.operators += small.operators
        large.initials += small.initials
        if large.options == nil { large.options = small.options }
        small.nodes = []
        small.operators = []
        small.initials = []
        small.parent = large
        return large
    }

    /// Under the lock; stops the program if the graph is sealed.
    private func checkOpen(_ symbol: String) {
        guard let graph else { return }
        fatalError(
            "ChemLibrary: '\(symbol)' can't be wired: the graph '\(graph.name)' was sealed by its first send or read. "
                + "Wire everything before anything is sent or read. Its nodes: "
                + graph.drawing.nodes.map { "\($0.role) \($0.label)" }.joined(separator: ", ")
        )
    }

    /// What is to be sealed.
    struct Parts {
        let nodes: [AnyFlowNode]
        let operators: [FlowOperator]
        let options: FlowGraph.Options
        fileprivate let initials: [(inputs: [Int], output: Int, update: () -> Void)]
    }

    /// The graph, which is sealed now if it wasn't.
    @usableFromInline
    func seal() -> FlowGraph {
        FlowWiring.lock.lock()
        if let graph = root.graph {
            FlowWiring.lock.unlock()
            return graph
        }
        let parts = takeParts()
        let graph = FlowGraph(sealing: parts.nodes, parts.operators, parts.options)
        endSealing(graph)
        // Closures of users are released here, after the lock.
        withExtendedLifetime(parts) {}
        return graph
    }

    /// Enters the lock and takes everything out.
    func beginSealing() -> Parts {
        FlowWiring.lock.lock()
        root.checkOpen("a graph")
        return takeParts()
    }

    private func takeParts() -> Parts {
        let root = root
        defer {
            root.nodes = []
            root.operators = []
            root.initials = []
        }
        return Parts(
            nodes: root.nodes.sorted { $0.id < $1.id },
            operators: root.operators.sorted { $0.id < $1.id },
            options: root.options ?? FlowGraph.Options(),
            initials: root.initials
        )
    }

    /// Notes the graph and leaves the lock.
    func endSealing(_ graph: FlowGraph) {
        root.graph = graph
        FlowWiring.lock.unlock()
    }

    /// Adds something to a node, under the lock. Stops the program if the graph is sealed.
    @usableFromInline
    func extend(_ symbol: String, _ change: () -> Void) {
        FlowWiring.lock.lock()
        root.checkOpen(symbol)
        change()
        FlowWiring.lock.unlock()
    }
}

/// What users' types hold of a node: the node, and what keeps its graph alive.
@usableFromInline
final class FlowHandle<Value: Sendable>: Sendable {
    @usableFromInline let node: FlowNode<Value>
    @usableFromInline let wiring: FlowWiring
    /// The graph once it is sealed, retained, or 0. (`AtomicLazyReference` isn't specialized, and would take half the time of a send.)
    @usableFromInline let sealed = Atomic<UInt>(0)

    @usableFromInline
    init(_ node: FlowNode<Value>) {
        self.node = node
        wiring = FlowWiring()
        if !node.isConstant { wiring.add(node) }
    }

    deinit {
        if let pointer = UnsafeRawPointer(bitPattern: sealed.load(ordering: .acquiring)) {
            Unmanaged<FlowGraph>.fromOpaque(pointer).release()
        }
    }

    /// The graph, which is sealed by asking for it.
    @inlinable
    var graph: FlowGraph {
        guard let pointer = UnsafeRawPointer(bitPattern: sealed.load(ordering: .acquiring)) else { return seal() }
        return Unmanaged<FlowGraph>.fromOpaque(pointer).takeUnretainedValue()
    }

    @usableFromInline
    @inline(never)
    func seal() -> FlowGraph {
        let graph = Unmanaged.passRetained(wiring.seal())
        let (isFirst, _) = sealed.compareExchange(
            expected: 0,
            desired: UInt(bitPattern: graph.toOpaque()),
            ordering: .acquiringAndReleasing
        )
        // Sealing twice gives the same graph.
        return isFirst ? graph.takeUnretainedValue() : graph.takeRetainedValue()
    }

    /// Sends `value` into the graph. Never waits.
    @inlinable
    func send(_ value: Value) {
        let graph = graph
        graph.post(node.index, put(value, graph))
    }

    /// Sends `value`, then runs `body`; what that sends into the same graph comes right behind, with nothing between.
    @inlinable
    func send(_ value: Value, _ body: () -> Void) {
        let graph = graph
        graph.post(node.index, put(value, graph), then: body)
    }

    /// Sends `value` as soon as fewer values of this node wait than it has room for. Doesn't wait for the wave.
    @inlinable
    nonisolated(nonsending) func sendWhenRoom(_ value: Value) async throws {
        let graph = graph
        let place = try await graph.takePlace(node.index)
        graph.post(node.index, put(value, graph, leaving: place))
    }

    /// Sends `value` if fewer values of this node wait than it has room for. Returns whether it was sent.
    @inlinable
    func sendIfRoom(_ value: Value) -> Bool {
        let graph = graph
        guard let place = graph.tryToTakePlace(node.index) else { return false }
        graph.post(node.index, put(value, graph, leaving: place))
        return true
    }

    /// The event that puts `value` into the node, and leaves the place where it has waited.
    @inlinable
    func put(_ value: Value, _ graph: FlowGraph, leaving place: FlowPlace) -> @Sendable () -> Void {
        let put = put(value, graph)
        return {
            place.leave()
            put()
        }
    }

    /// The event that puts the initial value into the node as if it had been sent, and as if it were another one.
    func putInitial(_ graph: FlowGraph) -> @Sendable () -> Void {
        let put = put(node.record!.value!, graph)
        // Checked by hand: only used by the reaction that has the core, to which the memory belongs.
        nonisolated(unsafe) let slot = node.slot!
        return {
            slot.pointee.passesCutoff = true
            put()
            slot.pointee.passesCutoff = false
        }
    }

    /// Sends `value` and waits until its wave is done, and the waves of what that feeds back.
    @inlinable
    nonisolated(nonsending) func sendAndWait(_ value: Value) async throws {
        let graph = graph
        try await graph.postAndWait(put(value, graph))
    }

    /// The event that puts `value` into the node.
    @inlinable
    func put(_ value: Value, _ graph: FlowGraph) -> @Sendable () -> Void {
        // Checked by hand: only used by the reaction that has the core, to which the memory belongs.
        nonisolated(unsafe) let slot = node.slot.unsafelyUnwrapped
        return {
            if slot.pointee.isFinished { return slot.pointee.ignore() }
            withUnsafePointer(to: value) { slot.pointee.emit.run(UnsafeRawPointer($0)) }
        }
    }

    /// The last committed value.
    @usableFromInline var value: Value? {
        if !node.isConstant { _ = graph }
        return node.record?.value
    }

    /// Says that no more values will come from outside.
    @usableFromInline
    func finish() {
        let graph = graph
        let index = node.index
        graph.post(end: .control { $0.finish(index) })
    }
}
