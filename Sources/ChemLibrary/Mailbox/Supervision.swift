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
    let now: @Sendable () -> Duration

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - count: How many restarts are allowed within `window`, at least 0.
    ///   - window: How long a restart counts.
    ///   - clock: The clock that measures `window`; in tests, one that you advance by hand.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init<C: Clock>(
        _ count: Int,
        within window: Duration,
        clock: C = ContinuousClock(),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) where C.Duration == Duration {
        demand(count >= 0, "a restart limit needs a count of at least 0, not \(count)", fileID, line)
        demand(window > .zero, "a restart limit needs a window above zero, not \(window)", fileID, line)
        self.count = count
        self.window = window
        let origin = clock.now
        now = { origin.duration(to: clock.now) }
    }
}

/// The restarts that still count.
struct RestartWindow {
    private var times: [Duration] = []

    /// Whether one more restart is allowed. If so, counts it from now on.
    mutating func allowsRestart(_ limit: RestartLimit) -> Bool {
        let now = limit.now()
        times.removeAll { now - $0 >= limit.window }
        guard times.count < limit.count else { return false }
        times.append(now)
        return true
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
