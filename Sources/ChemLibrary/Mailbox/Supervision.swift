import ChemActors
import ChemBase

/// How often a failed actor is restarted: at most `count` times within `window`.
///
/// ```swift
/// options.restarts = RestartLimit(3, within: .seconds(1))
/// ```
///
/// With three restarts within a second, the fourth failure within a second ends the actor. With a limit of zero, the
/// first failure ends it.
///
/// Source: "maximum restart intensity" of Erlang/OTP.
public struct RestartLimit: Sendable {
    /// How many restarts are allowed.
    public let count: Int
    /// The time within which they are allowed.
    public let window: Duration
    /// The time by a clock of its own, if it has one.
    let now: (@Sendable () -> Duration)?

    /// Creates a limit, whose window is measured by the clock of the actor's machine.
    ///
    /// - Parameters:
    ///   - count: How many restarts are allowed within `window`, at least 0.
    ///   - window: How long a restart counts.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(_ count: Int, within window: Duration, fileID: StaticString = #fileID, line: UInt = #line) {
        self.init(count, window, nil, fileID, line)
    }

    /// Creates a limit, whose window is measured by a clock of your own.
    ///
    /// - Parameters:
    ///   - count: How many restarts are allowed within `window`, at least 0.
    ///   - window: How long a restart counts.
    ///   - clock: The clock that measures `window`, such as one that a test advances by hand.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init<C: Clock>(
        _ count: Int,
        within window: Duration,
        clock: C,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where C.Duration == Duration {
        let origin = clock.now
        self.init(count, window, { origin.duration(to: clock.now) }, fileID, line)
    }

    private init(
        _ count: Int,
        _ window: Duration,
        _ now: (@Sendable () -> Duration)?,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        demand(count >= 0, "a restart limit needs a count of at least 0, not \(count)", fileID, line)
        demand(window > .zero, "a restart limit needs a window above zero, not \(window)", fileID, line)
        self.count = count
        self.window = window
        self.now = now
    }
}

/// The restarts that still count.
struct RestartWindow {
    private var times = FIFO<Duration>()
    /// When the first failure was, by the clock of the machine.
    private var origin: ContinuousClock.Instant?

    /// Whether one more restart is allowed. If so, counts it from now on.
    ///
    /// - Parameters:
    ///   - limit: How many are allowed.
    ///   - clock: The clock of the machine, for a limit that has none of its own.
    /// - Returns: whether it is.
    mutating func allowsRestart(_ limit: RestartLimit, _ clock: MachineClock) -> Bool {
        let now = limit.now?() ?? elapsed(clock)
        while let first = times.first, now - first >= limit.window { _ = times.popFirst() }
        guard times.count < limit.count else { return false }
        times.append(now)
        return true
    }

    private mutating func elapsed(_ clock: MachineClock) -> Duration {
        let now = clock.now
        let first = origin ?? now
        origin = first
        return first.duration(to: now)
    }
}

/// What happens to a group of actors when one of them fails.
///
/// Source: the supervisors of Erlang/OTP.
public struct Supervision: Sendable {
    /// Which actors are restarted when one has failed.
    public enum Strategy: Sendable {
        /// Only the failed actor.
        case oneForOne
        /// All actors of the group. Use it where none makes sense without the others.
        case oneForAll
        /// The failed actor and those started after it. Use it where later actors depend on earlier ones.
        case restForOne
    }

    /// Which actors are restarted when one has failed.
    public var strategy: Strategy
    /// How often the group may restart actors before the whole group ends and the failure goes further up.
    public var limit: RestartLimit

    /// Creates a supervision.
    ///
    /// - Parameters:
    ///   - strategy: Which actors are restarted when one has failed; only the failed actor by default.
    ///   - limit: How often the group may restart actors in total; three times within a second by default.
    public init(_ strategy: Strategy = .oneForOne, limit: RestartLimit = RestartLimit(3, within: .seconds(1))) {
        self.strategy = strategy
        self.limit = limit
    }
}
