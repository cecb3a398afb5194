import ChemBase

/// How often a failed actor begins anew: so many times within so much time, and then no more.
///
/// ```swift
/// options.restarts = RestartLimit(3, within: .seconds(1))
/// ```
///
/// With three restarts within a second, the fourth failure within a second ends the actor. With a limit of zero the
/// first failure does.
///
/// Source: "maximum restart intensity" of Erlang/OTP.
public struct RestartLimit: Sendable {
    /// How many restarts are allowed.
    public let count: Int
    /// Within what time.
    public let window: Duration
    let now: @Sendable () -> Duration

    /// A limit.
    ///
    /// - Parameters:
    ///   - count: How many restarts are allowed within `window`, at least 0.
    ///   - window: How long a restart counts.
    ///   - clock: The clock that measures it; in tests, one that you turn by hand.
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

    /// Whether one more restart is allowed. If so, it counts from now on.
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
    /// Who begins anew with an actor that has failed.
    public enum Strategy: Sendable {
        /// Only the actor itself.
        case oneForOne
        /// All actors of the group: none of them makes sense without the others.
        case oneForAll
        /// The actor itself and those that were started after it: later ones depend on earlier ones.
        case restForOne
    }

    /// Who begins anew with an actor that has failed.
    public var strategy: Strategy
    /// How often, for the whole group, before all of it is ended and the failure goes further up.
    public var limit: RestartLimit

    /// A supervision.
    ///
    /// - Parameters:
    ///   - strategy: Who begins anew with an actor that has failed; only itself by default.
    ///   - limit: How often, for the whole group; three times in a second by default.
    public init(_ strategy: Strategy = .oneForOne, limit: RestartLimit = RestartLimit(3, within: .seconds(1))) {
        self.strategy = strategy
        self.limit = limit
    }
}
