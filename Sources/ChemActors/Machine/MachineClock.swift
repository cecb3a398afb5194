import ChemBase

/// The clock of a machine. A task that sleeps by it waits in the machine's one heap of deadlines, without another task
/// or a timer of its own.
///
/// ```swift
/// try await MachineClock().sleep(for: .milliseconds(20))
/// ```
///
/// It tells the same time as `ContinuousClock`, except in the runs of `ChemTesting`, whose time jumps. Everything in a
/// machine that waits for a time uses it: `within:` of calls, back-offs of failed reactions, and the recipes of
/// ChemLibrary unless they are given another clock.
///
/// A sleeper is resumed in time even while all threads of Swift's pool are busy. It then goes on as soon as its
/// executor lets it.
public struct MachineClock: Clock {
    /// An instant of the continuous clock.
    public typealias Instant = ContinuousClock.Instant

    let machine: ChemicalMachine

    /// Creates the clock of `machine`.
    public init(_ machine: ChemicalMachine) {
        self.machine = machine
    }

    /// Creates the clock of the machine on which `Join.define` would make a definition here: the machine of the
    /// enclosing scope or body, or the shared one.
    public init() {
        self.init(Join.currentMachine)
    }

    /// The current time.
    public var now: Instant { machine.deadlines.now }

    /// The smallest difference between two instants.
    public var minimumResolution: Duration { ContinuousClock().minimumResolution }

    /// Waits until `deadline`, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - deadline: When to wake.
    ///   - tolerance: Not used. The machine wakes the task at the requested time.
    /// - Throws: `CancellationError` if the task is cancelled.
    /// - Complexity: O(log n), where n is the number of pending deadlines on this machine.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleeper = Sleeper(until: min(deadline, now + .longestWait), ticket: machine.nextTicket())
        machine.control?.touchesCancellation(.asks)
        defer {
            machine.control?.touchesCancellation(.asks)
            machine.deadlines.remove(sleeper)
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if sleeper.begin(continuation) { machine.deadlines.add(sleeper) }
            }
        } onCancel: {
            machine.control?.touchesCancellation(.cancels)
            if machine.control?.forsakes() != true {
                Interleaving.whole { sleeper.end(throwing: CancellationError()) }
            }
        }
    }
}

extension Join {
    /// The clock of its machine.
    nonisolated package var clock: MachineClock { MachineClock(machine) }
}

extension Clock where Self == MachineClock {
    /// The clock of the machine on which `Join.define` would make a definition here.
    public static var machine: MachineClock { MachineClock() }
}

/// A task that sleeps by the clock of a machine.
private final class Sleeper: Deadline, @unchecked Sendable {
    // Checked by hand: it has no more that changes than a `Deadline` has.
    private enum State {
        case new
        case asleep(CheckedContinuation<Void, any Error>)
        case ended((any Error)?)
    }

    private let state = Guarded(State.new)

    init(until time: ContinuousClock.Instant, ticket: UInt64) {
        super.init(at: time, ticket: ticket)
    }

    /// Begins to sleep. Returns false if the sleeper was cancelled before that. In that case `continuation` has been
    /// resumed.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let before = state.withLock { state in
            defer { if case .new = state { state = .asleep(continuation) } }
            return state
        }
        guard case .ended(let error) = before else { return true }
        Self.resume(continuation, error)
        return false
    }

    func end(throwing error: (any Error)?) {
        let before = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(error) } }
            return state
        }
        if case .asleep(let continuation) = before { Self.resume(continuation, error) }
    }

    private static func resume(_ continuation: CheckedContinuation<Void, any Error>, _ error: (any Error)?) {
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }

    override func pass() -> Duration? {
        end(throwing: nil)
        return nil
    }
}
