import ChemActors
import ChemLibrary
import Foundation

/// What outlets have been given, in order. (ThreadSanitizer doesn't understand the `Mutex` of Linux.)
final class FlowProbe<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: `seen` is touched under `lock`.
    private let lock = NSLock()
    private var seen: [Value] = []

    func add(_ value: Value) { lock.withLock { seen.append(value) } }

    var values: [Value] { lock.withLock { seen } }
    var count: Int { lock.withLock { seen.count } }
}

extension Cell {
    /// Attaches an outlet that collects what the cell gets.
    func probe() -> FlowProbe<Value> {
        let probe = FlowProbe<Value>()
        self --< (Outlet(), { probe.add($0) })
        return probe
    }
}

/// A graph whose outlets may block: not on a thread of the pool, of which there may be only two.
func blockingGraph(_ name: String, _ wiring: () -> Void) -> FlowGraph {
    FlowGraph(
        name,
        machine: ChemicalMachine(ChemicalMachine.Configuration(executor: BlockingExecutor.shared)),
        wiring: wiring
    )
}

/// Runs what may block on a thread of its own.
func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread {
            body()
            continuation.resume()
        }.start()
    }
}

/// A door that a blocked thread waits at, until it is opened.
final class FlowDoor: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}

/// A gate at which tasks wait until it is opened, without a thread. It doesn't heed cancellation.
final class AsyncGate: Sendable {
    private let state = FlowCell<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.update { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.update { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension FlowValues {
    /// The next `count` values.
    func prefix(collecting count: Int) async -> [Element] {
        var result: [Element] = []
        var iterator = makeAsyncIterator()
        while result.count < count, let value = await iterator.next() { result.append(value) }
        return result
    }

    /// All values up to the end.
    func all() async -> [Element] {
        var result: [Element] = []
        for await value in self { result.append(value) }
        return result
    }
}

/// A value that several threads change.
final class FlowCell<Value: Sendable>: @unchecked Sendable {
    // Checked by hand: `value` is touched under `lock`.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    @discardableResult
    func update<Result>(_ change: (inout Value) -> Result) -> Result { lock.withLock { change(&value) } }
}

/// Waits until something that another thread lets go of is gone; after a minute it is a failure.
func waitUntilGone(_ isGone: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(1_100)
    while !isGone() {
        guard ContinuousClock.now < end else { throw NotGone() }
        await Task.yield()
    }
}

struct NotGone: Error {}

extension FlowTime {
    /// The last event before `time`.
    static func before(_ time: FlowTime) -> FlowTime { time.advanced(by: -1) }
}
