import ChemBase
import Dispatch

/// Something that has to happen at a certain time. Each kind is a subclass.
class Deadline: DeadlineHeapMember, @unchecked Sendable {
    // Checked by hand: everything is protected by the lock of the `Deadlines` it is added to. Before that, it belongs
    // to whoever makes it.

    /// When it has to happen.
    fileprivate(set) final var time: ContinuousClock.Instant
    /// Orders deadlines for the same time: the one that was made first comes first.
    final let ticket: UInt64
    /// Its index in the heap, or -1.
    final var place = -1
    /// Whether it was called off, which may happen before it is added.
    fileprivate final var isOff = false

    init(at time: ContinuousClock.Instant, ticket: UInt64) {
        self.time = time
        self.ticket = ticket
    }

    /// Does what is due at its time. Called outside of all locks, on the thread of the timer or on the machine's
    /// executor. No user code may run here, since other deadlines would wait for it.
    ///
    /// - Returns: how long to put it off, or nil.
    func pass() -> Duration? { fatalError("abstract") }

    /// The definition of whose values it may be the last to have some, such as the argument of a call. Their release
    /// may run code of a user.
    var home: Join? { nil }

    final func isBefore(_ other: Deadline) -> Bool {
        time == other.time ? ticket < other.ticket : time < other.time
    }
}

/// Everything that a machine has to do at a certain time: one heap, and a timer for the earliest, however many calls
/// and retries wait.
///
/// The timer has a thread of its own, so deadlines pass in time even while all threads of Swift's pool are busy. On a
/// machine with an executor, the executor decides when: nothing happens behind its back.
final class Deadlines: Sendable {
    private struct Pending {
        var heap = DeadlineHeap<Deadline>()
        var timer: (any DispatchSourceTimer)?
        /// Goes off at the same time by the clock on the wall, which goes on while the system sleeps.
        var wallTimer: (any DispatchSourceTimer)?
        /// When the timers go off.
        var alarm: ContinuousClock.Instant?
        /// Whether there has been a deadline.
        var isUsed = false
    }

    private let pending = Guarded(Pending())
    private let executor: (any TaskExecutor)?
    /// Has deadlines pass in place of the timer, if the machine is controlled.
    private let control: (any MachineControl)?
    /// Tells the time, in tests.
    private let clock: (@Sendable () -> ContinuousClock.Instant)?

    /// What is further away is waited for by the clock on the wall as well. A system that has slept is late by no more.
    private static let longWait = Duration.seconds(10)
    /// A timer that should have gone off so long ago is set anew: its clock has stood still. Not before, since that
    /// would put off one that is just about to.
    private static let lateness = Duration.seconds(1)

    /// Shared by all machines, since what is due takes only a few hundred nanoseconds. Tests ask whether something runs
    /// on it.
    static let queue = DispatchQueue(label: "ChemActors.Deadlines", qos: .userInteractive)

    init(
        on executor: (any TaskExecutor)?,
        _ control: (any MachineControl)? = nil,
        clock: (@Sendable () -> ContinuousClock.Instant)? = nil
    ) {
        self.executor = executor
        self.control = control
        self.clock = clock
    }

    /// The time.
    var now: ContinuousClock.Instant { control?.now ?? Interleaving.instant ?? clock?() ?? .now }

    deinit {
        pending.withLock { pending in
            pending.timer?.cancel()
            pending.wallTimer?.cancel()
        }
    }

    /// How many deadlines are pending.
    var count: Int { pending.withLock { $0.heap.count } }

    /// Has `deadline` pass when its time has come, unless it was called off before.
    ///
    /// - Complexity: O(log n).
    func add(_ deadline: Deadline) {
        guard insert(deadline) else { return }
        control?.watch(self)
        Interleaving.watch(self, next: { $0.next }, pass: { $0.passDue() })
    }

    /// - Returns: whether this is the first one.
    private func insert(_ deadline: Deadline) -> Bool {
        pending.withLock { pending in
            guard !deadline.isOff else { return false }
            pending.heap.insert(deadline)
            arm(&pending)
            defer { pending.isUsed = true }
            return !pending.isUsed
        }
    }

    /// Calls `deadline` off. It won't pass from now on, though it may be passing right now.
    ///
    /// - Complexity: O(log n).
    func remove(_ deadline: Deadline) {
        pending.withLock { pending in
            deadline.isOff = true
            guard deadline.place >= 0 else { return }
            pending.heap.remove(deadline)
            // The timer may go off in vain, at most once for each time it was set. Resetting it would cost each call as
            // much.
        }
    }

    /// Whether `deadline` was called off, if only after it passed.
    func isOff(_ deadline: Deadline) -> Bool {
        pending.withLock { _ in deadline.isOff }
    }

    // MARK: The timer

    /// Makes sure that the timer goes off in time.
    private func arm(_ pending: inout Pending) {
        guard control == nil, !Interleaving.isOn, let first = pending.heap.first else { return }
        let now = now
        let time = max(first.time, now)
        if let alarm = pending.alarm, alarm <= time, alarm > now - Self.lateness { return }
        pending.alarm = time
        let wait = min(time - now, .longestWait)
        let (seconds, attoseconds) = wait.components
        // Rounded up: a deadline never passes early.
        let nanoseconds = seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
        let interval = DispatchTimeInterval.nanoseconds(Int(clamping: nanoseconds))
        let timer = pending.timer ?? makeTimer()
        pending.timer = timer
        timer.schedule(deadline: .now() + interval, leeway: .nanoseconds(0))
        guard wait > Self.longWait else { return }
        let wallTimer = pending.wallTimer ?? makeTimer()
        pending.wallTimer = wallTimer
        wallTimer.schedule(wallDeadline: .now() + interval, leeway: .milliseconds(100))
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let new = DispatchSource.makeTimerSource(queue: Self.queue)
        new.setEventHandler { [weak self] in self?.goOff() }
        new.resume()
        return new
    }

    private func goOff() {
        if let executor {
            Task.detached(executorPreference: executor) { self.passDue() }
        } else {
            let left = passAllDue()
            guard !left.isEmpty else { return }
            // Whoever is the last to have the box, the task has what was in it.
            let values = Guarded<[Disposal.Values]?>(consume left)
            Task.detached { Disposal.release(values.withLock { $0.take() } ?? []) }
        }
    }

    func passDue() { Disposal.release(passAllDue()) }

    /// Has all deadlines that are due pass, in the order of their times.
    ///
    /// - Returns: what users' code may run for when it is released.
    private func passAllDue() -> [Disposal.Values] {
        Disposal.deferring {
            while let deadline = nextDue() {
                if let home = deadline.home { Disposal.leave(deadline, of: home) }
                if let delay = deadline.pass() { putOff(deadline, by: delay) }
            }
        }
    }

    /// Takes the next deadline whose time has come. If there is none, sets the timer for the next one.
    private func nextDue() -> Deadline? {
        pending.withLock { pending in
            if let first = pending.heap.first, first.time <= now {
                pending.heap.remove(first)
                return first
            }
            pending.alarm = nil
            arm(&pending)
            return nil
        }
    }

    private func putOff(_ deadline: Deadline, by delay: Duration) {
        pending.withLock { pending in
            guard !deadline.isOff else { return }
            deadline.time = now + delay
            pending.heap.insert(deadline)
            arm(&pending)
        }
    }
}

extension Deadlines: Timetable {
    var next: ContinuousClock.Instant? { pending.withLock { $0.heap.first?.time } }
}
