import ChemActors
import ChemBase
import Synchronization

/// The cause of a wave, as it waits in the soup of a graph.
package enum FlowEvent: Sendable {
    /// One value for one node.
    case put(@Sendable () -> Void)
    /// Values for several nodes, all in one wave.
    case transaction([@Sendable () -> Void])
    /// A place in the queue that nested sends of one thread fill: each value gets a wave of its own.
    case group(FlowGroup)
    /// One of the above, with a sender that waits until it is done.
    case awaited(FlowWaiter)
    /// Something else that has its place in the order: subscribing, finishing, restoring.
    case control(@Sendable (FlowCore) -> Void)
}

/// The argument of a waiting sender's call.
struct FlowCall: Sendable {
    let event: FlowEvent
}

/// A sender that waits until its wave is done.
///
/// If it is dropped because the graph is cancelled, it tells the sender so.
package final class FlowWaiter: Sendable {
    private let reply: Reply<FlowCall, Void>
    private let graph: String
    private let isAnswered = Atomic(false)
    /// Whether its wave has begun, or there won't be one.
    private let isDecided = Atomic(false)

    init(_ reply: Reply<FlowCall, Void>, of graph: String) {
        self.reply = reply
        self.graph = graph
        // The graph may come to it late, or never if a consumer holds it up.
        reply.onCancel { [weak self] in
            if let self, decides() { finish(CancellationError()) }
        }
    }

    deinit { finish(CallError(.deactivated, molecule: "\(graph).call")) }

    var event: FlowEvent { reply.value.event }

    /// Whether the wave is to begin. If not, the sender has been told.
    func begins() -> Bool { decides() }

    private func decides() -> Bool { !isDecided.exchange(true, ordering: .acquiringAndReleasing) }

    /// Tells the sender that the wave is done, or that there won't be one.
    func finish(_ error: (any Error)? = nil) {
        guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
        if let error { reply.fail(error) } else { reply() }
    }
}

/// A running asynchronous operator, as seen by its own tasks and the tasks they start.
final class FlowRun: Sendable {
    @TaskLocal static var current: FlowRun?

    /// Stands for the graph. Not its definition, which would retain itself through the reactions that make this object.
    private let graph: FlowStatisticsBox
    private let hasEnded = Atomic(false)

    init(of graph: FlowStatisticsBox) { self.graph = graph }

    /// Runs `body` as a part of this run.
    func run<Result>(_ body: () async -> Result) async -> Result {
        defer { hasEnded.store(true, ordering: .relaxed) }
        return await FlowRun.$current.withValue(self, operation: body)
    }

    /// Whether this task belongs to an operator of `graph` that hasn't ended, so that waiting for a wave would be
    /// waiting for itself.
    static func isInside(_ graph: FlowStatisticsBox) -> Bool {
        guard let current else { return false }
        return current.graph === graph && !current.hasEnded.load(ordering: .relaxed)
    }
}

/// Collects the values of a transaction until its closure returns.
final class FlowTransaction: FlowScope, @unchecked Sendable {
    // Checked by hand: used by the thread that has entered it.
    let graph: FlowGraph
    private var puts: [(node: Int, put: @Sendable () -> Void)] = []
    private var places: [Int: Int] = [:]
    /// How many transactions are nested in this one, one in the other.
    private var depth = 0
    /// The values that others have replaced in nested transactions, and where, in this order. A nested transaction that
    /// throws puts back what has been added since it began. Empty if none is open.
    private var replaced: [(place: Int, put: @Sendable () -> Void)] = []
    /// The ends of sources or of the graph, which come after the values.
    private(set) var ends: [FlowEvent] = []

    init(_ graph: FlowGraph) { self.graph = graph }

    /// Adds a value. A node gets one value per wave: the last one sent to it.
    func add(_ put: @escaping @Sendable () -> Void, to node: Int) {
        if let place = places[node] {
            if depth > 0 { replaced.append((place, puts[place].put)) }
            puts[place].put = put
        } else {
            places[node] = puts.count
            puts.append((node, put))
        }
    }

    /// Adds the end of a source or of the graph.
    func add(end: FlowEvent) { ends.append(end) }

    /// Runs a transaction inside this one. If it throws, what it has added is taken out again.
    func nest<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = (replaced: replaced.count, puts: puts.count, ends: ends.count)
        depth += 1
        defer {
            depth -= 1
            if depth == 0 { replaced = [] }
        }
        do {
            return try body()
        } catch {
            for (place, put) in replaced[before.replaced...].reversed() where place < before.puts {
                puts[place].put = put
            }
            replaced.removeSubrange(before.replaced...)
            for added in puts[before.puts...] { places[added.node] = nil }
            puts.removeSubrange(before.puts...)
            ends.removeSubrange(before.ends...)
            throw error
        }
    }

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
    /// Whether the graph has taken all events and waits for more.
    private var isAwaited = false

    init(_ graph: FlowGraph) { self.graph = graph }

    /// What the graph finds in the group.
    enum Next {
        case event(FlowEvent)
        /// Nothing now. The group will tell the graph when there is an event, or when no more will come.
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
