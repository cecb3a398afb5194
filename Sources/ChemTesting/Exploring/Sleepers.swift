import ChemActors
import ChemBase

/// The tasks of a run that sleep by a clock of Swift's.
final class Sleepers: Timetable, @unchecked Sendable {
    // Checked by hand: everything is touched under `lock`.
    private let lock = Lock()
    /// In the order of their times.
    private var sleepers: [(time: ContinuousClock.Instant, job: UnownedJob)] = []
    private unowned let control: Control

    init(of control: Control) {
        self.control = control
    }

    /// Adds one behind those of the same time.
    func add(_ job: UnownedJob, until time: ContinuousClock.Instant) {
        lock.withLock {
            let place = sleepers.firstIndex { $0.time > time } ?? sleepers.count
            sleepers.insert((time, job), at: place)
        }
    }

    var next: ContinuousClock.Instant? { lock.withLock { sleepers.first?.time } }

    func passDue() { pass(until: control.now) }

    /// Wakes all.
    func passAll() { pass(until: nil) }

    private func pass(until time: ContinuousClock.Instant?) {
        let due = lock.withLock {
            let count = time.map { time in sleepers.prefix { $0.time <= time }.count } ?? sleepers.count
            defer { sleepers.removeFirst(count) }
            return sleepers.prefix(count).map(\.job)
        }
        for job in due { control.enqueue(job) }
    }

    /// What somebody asked for whose sleep isn't over for `rest` by a clock that may have gone on for `delay` since:
    /// the roundest duration of those that it can have been. So a sleep takes as long in each run.
    static func asked(_ rest: Duration, delay: Duration) -> Duration {
        // Whoever sleeps for so short a time that this matters doesn't care.
        let latest = rest + min(delay, rest / 20)
        var unit = Duration.seconds(1_000_000)
        while unit > .nanoseconds(1) {
            let rounded = unit * Int64((rest / unit).rounded(.up))
            if rounded <= latest { return rounded }
            unit /= 10
        }
        return rest
    }
}
