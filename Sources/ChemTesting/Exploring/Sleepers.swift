import ChemActors
import ChemBase

/// The tasks of a run that sleep by a clock of Swift's.
final class Sleepers: Timetable, @unchecked Sendable {
    // Checked by hand: everything is touched under `lock`.
    private let lock = Lock()
    /// In the order of their times.
    private var sleepers: [(time: ContinuousClock.Instant, job: Control.Item)] = []
    private unowned let control: Control

    init(of control: Control) {
        self.control = control
    }

    /// Adds one behind those of the same time.
    func add(_ job: Control.Item, until time: ContinuousClock.Instant) {
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
        for job in due { control.add(job) }
    }

    /// What somebody asked for whose sleep isn't over for `rest` by a clock that may have gone on for `delay` since:
    /// the roundest duration of those that it can have been. So a sleep takes as long in each run.
    ///
    /// Nearly always the clock has gone on for microseconds only. If nothing round is as near as that, or something
    /// far rounder is near enough, the thread has lost its core in between.
    static func asked(_ rest: Duration, delay: Duration) -> Duration {
        // For ever.
        guard rest < .longestWait else { return .longestWait }
        let near = min(delay, rest / 20, .microseconds(50))
        let close = roundest(from: rest, to: rest + near)
        let wide = roundest(from: rest, to: rest + min(delay, rest / 20))
        return close.unit >= near && wide.unit < close.unit * 1_000 ? close.duration : wide.duration
    }

    /// The roundest duration in a range, and what it is a multiple of.
    private static func roundest(from first: Duration, to last: Duration) -> (duration: Duration, unit: Duration) {
        var unit = Duration.seconds(1_000_000)
        while unit > .nanoseconds(1) {
            let rounded = unit * Int64((first / unit).rounded(.up))
            if rounded <= last { return (rounded, unit) }
            unit /= 10
        }
        return (first, unit)
    }
}
