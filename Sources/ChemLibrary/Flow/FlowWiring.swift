import ChemActors
import ChemBase

/// A graph that is being wired: the nodes and operators connected so far.
///
/// Each node begins in a wiring of its own. Operators unite the wirings of their nodes. The first send or subscription
/// *seals* the wiring: its nodes and operators become one join definition, and nothing can be added any more. Reading a
/// value seals nothing.
///
/// Initial values that depend on others are computed when they are first read, at the latest when the wiring is sealed.
/// Each is computed after those it depends on, so the order of wiring doesn't matter, and only once, unless more is
/// wired after it was read.
///
/// A handle retains its wiring, the wiring retains all nodes, and nodes retain neither. So a node in the middle lives
/// without a handle of its own, and a wiring without any handle is released.
@usableFromInline
package final class FlowWiring: @unchecked Sendable {
    // Checked by hand: everything is touched under `lock`.
    private static let lock = Lock()

    /// The wiring into which this one was united.
    private var parent: FlowWiring?
    private var nodes: [AnyFlowNode] = []
    private var operators: [FlowOperator] = []
    /// How initial values are computed, by the numbers of the stores. Used until the graph is sealed.
    private var initials: [Int: FlowInitial] = [:]
    /// The stores whose initial values depend on a store's, by its number.
    private var dependents: [Int: [Int]] = [:]
    /// Increases with every change to the wiring.
    private var version = 0
    private var graph: FlowGraph?
    private var options: FlowGraph.Options?

    @usableFromInline
    package init() {}

    init(_ options: FlowGraph.Options) { self.options = options }

    /// The wiring that this one has become a part of. Under the lock.
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
    package func add(_ node: AnyFlowNode) {
        let scope = FlowWiringScope.wiring
        FlowWiring.lock.withLock {
            nodes.append(node)
            guard let scope else { return }
            scope.root.checkOpen(node.label)
            scope.root.unite(with: self)
        }
    }

    /// Adds an operator between nodes of `wirings`, which become one wiring.
    ///
    /// - Parameters:
    ///   - operation: The operator.
    ///   - wirings: The wirings of its nodes, except constants.
    ///   - initial: Computes the initial value of its output, if it depends on the initial values of its inputs.
    @usableFromInline
    package static func add(
        _ operation: FlowOperator,
        _ wirings: [FlowWiring],
        initial: ((FlowInitials) -> Void)? = nil
    ) {
        let scope = FlowWiringScope.wiring
        ChemicalMachine.tell(ofShared: SharedNumber.wiring, .right)
        lock.lock()
        var all = wirings.map(\.root)
        if let scope { all.append(scope.root) }
        guard let first = all.first else {
            lock.unlock()
            return
        }
        for wiring in all { wiring.checkOpen(operation.symbol) }
        let root = all.reduce(first) { $0.unite(with: $1) }
        root.operators.append(operation)
        root.version += 1
        let replaced = initial.flatMap { root.add($0, of: operation) }
        lock.unlock()
        withExtendedLifetime(replaced) {}  // closures of users are released here, after the lock
    }

    // MARK: Initial values

    /// Adds the computation of an initial value, under the lock. Returns the computation that it replaces.
    private func add(_ evaluate: @escaping (FlowInitials) -> Void, of operation: FlowOperator) -> FlowInitial? {
        let output = operation.outputs[0].id
        let old = initials[output]
        if let old, old.order > operation.id { return nil }
        if operation.outputs[0].hasEvents { return nil }  // it goes on where another one has ended
        let inputs = operation.inputs.filter { !$0.node.isConstant }.map(\.node.id)
        initials[output] = FlowInitial(inputs: inputs, output: output, order: operation.id, evaluate: evaluate)
        for input in inputs { dependents[input, default: []].append(output) }
        if old?.isDue == true { return old }
        var changed = [output]
        while let next = changed.popLast() {
            for each in dependents[next, default: []] where initials[each]?.isDue == false {
                initials[each]?.isDue = true
                changed.append(each)
            }
        }
        return old
    }

    /// The initial values to compute for the store `node`, or for all, each after those it depends on. Under the lock.
    private func dueInitials(of node: Int?) -> [FlowInitial] {
        func due(_ node: Int) -> FlowInitial? {
            guard let initial = initials[node], initial.isDue else { return nil }
            return initial
        }
        var result: [FlowInitial] = []
        var seen: Set<Int> = []
        // An explicit stack instead of recursion, since chains may be of any length.
        var path: [(initial: FlowInitial, next: Int)] = []
        for root in node.map({ [$0] }) ?? initials.keys.sorted() {
            guard let initial = due(root), seen.insert(root).inserted else { continue }
            path.append((initial, 0))
            while let (initial, next) = path.last {
                guard next < initial.inputs.count else {
                    result.append(initial)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                if let input = due(initial.inputs[next]), seen.insert(input.output).inserted {
                    path.append((input, 0))
                }
            }
        }
        return result
    }

    /// Enters the lock once the initial value of `node`, or of all stores, is computed.
    ///
    /// No thread waits for another here: two threads that need the same value both compute it.
    private func lockWithInitials(of node: Int? = nil) {
        while true {
            FlowWiring.lock.lock()
            let root = root
            let due = root.graph == nil ? root.dueInitials(of: node) : []
            if due.isEmpty { return }
            let version = root.version
            FlowWiring.lock.unlock()
            let initials = FlowInitials(Set(due.map(\.output)))
            for initial in due { initial.evaluate(initials) }
            FlowWiring.lock.lock()
            if root.parent == nil, root.version == version, root.graph == nil {
                initials.commit()
                for initial in due { root.initials[initial.output]?.isDue = false }
            }
            FlowWiring.lock.unlock()
            withExtendedLifetime((due, initials)) {}  // user's values and closures are released here, after the lock
        }
    }

    /// Computes the initial value of `node` if necessary. Returns the graph, if it is sealed.
    @usableFromInline
    func prepareReading(_ node: Int) -> FlowGraph? {
        ChemicalMachine.tell(ofShared: SharedNumber.wiring, .left)
        lockWithInitials(of: node)
        defer { FlowWiring.lock.unlock() }
        return root.graph
    }

    /// Makes one graph of several wirings even though no operator connects them.
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

    /// Unites two wirings, under the lock.
    @discardableResult
    private func unite(with other: FlowWiring) -> FlowWiring {
        guard other !== self else { return self }
        let (large, small) =
            nodes.count + operators.count < other.nodes.count + other.operators.count
            ? (other, self) : (self, other)
        large.nodes += small.nodes
        large.operators += small.operators
        large.initials.merge(small.initials) { first, _ in first }
        large.dependents.merge(small.dependents) { first, _ in first }
        large.version += 1
        if large.options == nil { large.options = small.options }
        small.nodes = []
        small.operators = []
        small.initials = [:]
        small.dependents = [:]
        small.parent = large
        return large
    }

    /// Stops the program if the graph is sealed. Under the lock.
    private func checkOpen(_ symbol: String) {
        guard let graph else { return }
        let cause =
            graph.isExplicit
            ? "is complete: a mall is opened once, and what 'FlowGraph(…) { … }' wires is all of a graph. Its nodes: "
            : "was sealed by its first send or subscription. Wire everything before anything is sent; a mall does that "
                + "in open(). Its nodes: "
        fatalError(
            "ChemLibrary: '\(symbol)' can't be wired: the graph '\(graph.name)', made here, \(cause)"
                + graph.drawing.nodes.map { "\($0.role) \($0.label)" }.joined(separator: ", "),
            file: graph.place.fileID,
            line: graph.place.line
        )
    }

    /// The parts of a graph to be sealed.
    struct Parts {
        let nodes: [AnyFlowNode]
        let operators: [FlowOperator]
        let options: FlowGraph.Options
        /// Which the nodes forget when they are sealed.
        fileprivate let surroundings: [Surroundings]
        fileprivate let initials: [Int: FlowInitial]

        /// Whether they are an input of a mall alone, which nobody can read: who asks for its graph sends.
        fileprivate var leadNowhere: Bool {
            operators.isEmpty && nodes.count == 1 && nodes[0].role == .source && nodes[0].isStore
        }
    }

    /// The graph. Seals it if necessary.
    @usableFromInline
    func seal() -> FlowGraph {
        ChemicalMachine.tell(ofShared: SharedNumber.wiring, .both)
        lockWithInitials()
        if let graph = root.graph {
            FlowWiring.lock.unlock()
            return graph
        }
        let parts = takeParts()
        let graph = FlowGraph(sealing: parts.nodes, parts.operators, parts.options)
        endSealing(graph)
        // User closures are released here, after the lock, and the reporter is called.
        withExtendedLifetime(parts) {}
        if parts.leadNowhere { graph.reportLeadingNowhere() }
        return graph
    }

    /// Enters the lock and takes all parts out.
    func beginSealing() -> Parts {
        ChemicalMachine.tell(ofShared: SharedNumber.wiring, .both)
        lockWithInitials()
        root.checkOpen("a graph")
        return takeParts()
    }

    private func takeParts() -> Parts {
        let root = root
        defer {
            root.nodes = []
            root.operators = []
            root.initials = [:]
            root.dependents = [:]
        }
        let nodes = root.nodes.sorted { $0.id < $1.id }
        return Parts(
            nodes: nodes,
            operators: root.operators.sorted { $0.id < $1.id },
            options: root.options ?? FlowGraph.Options(of: nodes),
            surroundings: nodes.compactMap(\.surroundings),
            initials: root.initials
        )
    }

    /// Stores the graph, leaves the lock, and starts the graph.
    func endSealing(_ graph: FlowGraph) {
        root.graph = graph
        graph.startIfLiving()
        FlowWiring.lock.unlock()
        graph.start()
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
