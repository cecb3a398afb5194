import ChemBase
import Dispatch

/// Something that is to happen at a time. Each kind of it is a subclass.
class Deadline: DeadlineHeapMember, @unchecked Sendable {
    // Checked by hand: all of it belongs to the lock of the `Deadlines` it is added to; before that, to whoever makes
    // it.

    /// When it is to happen.
    fileprivate(set) final var time: ContinuousClock.Instant
    /// Of those for the same time, the one that was made first comes first.
    final let ticket: UInt64
    /// Where it stands in the heap, or -1.
    final var place = -1
    /// Whether it was called off. It may be, before it is added.
    fileprivate final var isOff = false

    init(at time: ContinuousClock.Instant, ticket: UInt64) {
        self.time = time
        self.ticket = ticket
    }

    /// Its time has come. Outside of all locks, on the thread of the timer or the machine's executor: no code of a
    /// user's may run here, since others' deadlines would wait for it.
    ///
    /// - Returns: for how long it wants to be put off, or nil.
    func pass() -> Duration? { fatalError("abstract") }

    final func isBefore(_ other: Deadline) -> Bool {
        time == other.time ? ticket < other.ticket : time < other.time
    }
}

/// All that a machine has to do at some time: one heap and one timer, however many calls and retries wait.
///
/// The timer has a thread of its own, so what is due happens in time while all threads of Swift's pool are busy. On a
/// machine with an executor, the executor decides when: nothing happens behind its back.
final class Deadlines: @unchecked Sendable {
    // Checked by hand: everything mutable is touched under `lock`.
    private let lock = Lock()
    private var heap = DeadlineHeap<Deadline>()
    private var timer: (any DispatchSourceTimer)?
    /// When the timer goes off.
    private var alarm: ContinuousClock.Instant?
    private let executor: (any TaskExecutor)?

    /// All machines share a thread: what is due takes some hundred nanoseconds.
    private static let queue = DispatchQueue(label: "ChemActors.Deadlines", qos: .userInteractive)

    /// Clocks can't tell all times: nobody waits for longer than this, which is 136 years.
    static let longest = Duration.seconds(1 << 32)

    init(on executor: (any TaskExecutor)?) {
        self.executor = executor
    }

    deinit {
        timer?.cancel()
    }

    /// How many deadlines are waited for.
    var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return heap.count
    }

    /// Has `deadline` pass when its time has come, unless it was called off before.
    ///
    /// - Complexity: O(log n).
    func add(_ deadline: Deadline) {
        lock.lock()
        defer { lock.unlock() }
        guard !deadline.isOff else { return }
        heap.insert(deadline)
        arm()
    }

    /// Calls `deadline` off: it doesn't pass any more, though it may be passing now.
    ///
    /// - Complexity: O(log n).
    func remove(_ deadline: Deadline) {
        lock.lock()
        defer { lock.unlock() }
        deadline.isOff = true
        guard deadline.place >= 0 else { return }
        heap.remove(deadline)
        // The timer goes off in vain, at most once for each time it was set: setting it back would cost each call as
        // much.
    }

    // MARK: The timer

    /// Sees to it that the timer goes off in time. Under the lock.
    private func arm() {
        guard let first = heap.first else { return }
        // An alarm that is over ought to have come: it is set again rather than relied upon.
        if let alarm, alarm <= first.time, alarm > .now { return }
        alarm = first.time
        let wait = min(max(.zero, first.time - .now), Self.longest)
        let (seconds, attoseconds) = wait.components
        // Rounded up: a deadline never passes early.
        let nanoseconds = seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
        let timer = self.timer ?? makeTimer()
        timer.schedule(deadline: .now() + .nanoseconds(Int(clamping: nanoseconds)), leeway: .nanoseconds(0))
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let new = DispatchSource.makeTimerSource(queue: Self.queue)
        new.setEventHandler { [weak self] in self?.goOff() }
        new.resume()
        timer = new
        return new
    }

    private func goOff() {
        if let executor {
            Task.detached(executorPreference: executor) { self.passDue() }
        } else {
            passDue()
        }
    }

    /// Has all deadlines pass whose time has come, in the order of their times.
    private func passDue() {
        Disposal.deferring {
            while let deadline = nextDue() {
                if let delay = deadline.pass() { putOff(deadline, by: delay) }
            }
        }
    }

    /// The next one whose time has come. If there is none, the timer is set for the one after.
    private func nextDue() -> Deadline? {
        lock.lock()
        defer { lock.unlock() }
        if let first = heap.first, first.time <= .now {
            heap.remove(first)
            return first
        }
        alarm = nil
        arm()
        return nil
    }

    private func putOff(_ deadline: Deadline, by delay: Duration) {
        lock.lock()
        defer { lock.unlock() }
        guard !deadline.isOff else { return }
        deadline.time = .now + delay
        heap.insert(deadline)
        arm()
    }
}
