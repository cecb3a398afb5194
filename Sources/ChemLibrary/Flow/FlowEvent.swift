import ChemActors
import ChemBase
import Synchronization

/// What waits in the soup of a graph: the cause of a wave.
package enum FlowEvent: Sendable {
    /// One value for one node.
    case put(@Sendable () -> Void)
    /// Values for several nodes, all in one wave.
    case transaction([@Sendable () -> Void])
    /// A place in the queue that senders of one thread fill, one wave a value.
    case group(FlowGroup)
    /// One of the above, and somebody who waits until it is done.
    case awaited(FlowWaiter)
    /// Something else that has its place in the order: subscribing, finishing, restoring.
    case control(@Sendable (FlowCore) -> Void)
}

/// What a waiting sender sends.
struct FlowCall: Sendable {
    let event: FlowEvent
}

/// A sender that waits until its wave is done.
///
/// Whoever drops it, because the graph is cancelled, tells the sender so.
package final class FlowWaiter: Sendable {
    private let reply: Reply<FlowCall, Void>
    private let graph: String
    private let isAnswered = Atomic(false)

    init(_ reply: Reply<FlowCall, Void>, of graph: String) {
        self.reply = reply
        self.graph = graph
    }

    deinit { finish(CallError(.deactivated, molecule: "\(graph).call")) }

    var event: FlowEvent { reply.value.event }

    /// Whether nobody needs the wave any more.
    var isCancelled: Bool { reply.isCancelled }

    /// The wave is done, or there won't be one.
    func finish(_ error: (any Error)? = nil) {
        guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
        if let error { reply.fail(error) } else { reply() }
    }
}

/// An asynchronous operator that runs, for the tasks in which it does and those which it has started.
final class FlowRun: Sendable {
    @TaskLocal static var current: FlowRun?

    /// What stands for the graph: not its definition, which would hold itself by the reactions that make this.
    private let graph: FlowStatisticsBox
    private let hasEnded = Atomic(false)

    init(of graph: FlowStatisticsBox) { self.graph = graph }

    /// Runs `body` as a part of this.
    func run<Result>(_ body: () async -> Result) async -> Result {
        defer { hasEnded.store(true, ordering: .relaxed) }
        return await FlowRun.$current.withValue(self, operation: body)
    }

    /// Whether this task belongs to an operator of `graph` that hasn't ended: to wait for a wave would be to wait for
    /// itself.
    static func isInside(_ graph: FlowStatisticsBox) -> Bool {
        guard let current else { return false }
        return current.graph === graph && !current.hasEnded.load(ordering: .relaxed)
    }
}

/// The values of a transaction, until its closure has returned.
final class FlowTransaction: FlowScope, @unchecked Sendable {
    // Checked by hand: used by the thread that has entered it.
    let graph: FlowGraph
    private var puts: [(node: Int, put: @Sendable () -> Void)] = []
    private var places: [Int: Int] = [:]
    /// Ends that have their place behind the values.
    private(set) var ends: [FlowEvent] = []

    init(_ graph: FlowGraph) { self.graph = graph }

    /// Adds a value. A node gets one value a wave: the last one that is sent to it.
    func add(_ put: @escaping @Sendable () -> Void, to node: Int) {
        if let place = places[node] {
            puts[place].put = put
        } else {
            places[node] = puts.count
            puts.append((node, put))
        }
    }

    /// Adds the end of a source or of the graph.
    func add(end: FlowEvent) { ends.append(end) }

    var event: FlowEvent? {
        switch puts.count {
        case 0: nil
        case 1: .put(puts[0].put)
        default: .transaction(graph.fromTheEnd(puts))
        }
    }
}

/// One place in the queue of a graph, which nested sends of one thread fill: nothing comes between their values.
package final class FlowGroup: FlowScope, @unchecked Sendable {
    // Checked by hand: touched under `lock`; `graph` never changes.
    let graph: FlowGraph
    private let lock = Lock()
    private var events = FIFO<FlowEvent>()
    private var isOpen = true
    /// Whether the graph has taken everything and waits for more.
    private var isAwaited = false

    init(_ graph: FlowGraph) { self.graph = graph }

    /// What the graph finds in it.
    enum Next {
        case event(FlowEvent)
        /// Nothing now. The graph will be told when there is something, or when there won't be.
        case nothingYet
        case end
    }

    func add(_ event: FlowEvent) {
        lock.lock()
        events.append(event)
        let resumes = isAwaited
        isAwaited = false
        lock.unlock()
        if resumes { graph.resume() }
    }

    func close() {
        lock.lock()
        isOpen = false
        let resumes = isAwaited
        isAwaited = false
        lock.unlock()
        if resumes { graph.resume() }
    }

    func next() -> Next {
        lock.lock()
        defer { lock.unlock() }
        if let event = events.popFirst() { return .event(event) }
        if !isOpen { return .end }
        isAwaited = true
        return .nothingYet
    }
}
