/// What a definition does with the slow inputs of a reaction whose body throws.
///
/// ```swift
/// Join.define("uploads") { join in
///     join.failurePolicy = .retry(3, backOff: .milliseconds(100))
///     …
/// }
/// ```
///
/// Callers in the reaction get the error at once, or after the last attempt. What the body injected before it threw
/// stays injected. A body that throws `CancellationError` is not tried again, and its inputs are dropped. Every failure
/// that isn't tried again is reported; where a caller got the error, it is no mishap, so by default nothing is printed.
public struct FailurePolicy: Sendable {
    enum Kind: Sendable {
        case drop
        case retry(Int, Duration)
        case putBack(Duration, limit: Int?)
        case deactivate
    }

    let kind: Kind

    /// Reports the failure and drops the inputs. This is the default.
    public static let drop = FailurePolicy(kind: .drop)

    /// Reports the failure, drops the inputs, and deactivates the definition.
    public static let deactivate = FailurePolicy(kind: .deactivate)

    /// Runs the body again with the same inputs.
    ///
    /// A state that the reaction updates stays taken meanwhile. Each attempt begins with the state as the previous
    /// attempt left it.
    ///
    /// - Parameters:
    ///   - times: The largest number of attempts after the first one, at least 1.
    ///   - backOff: How long to wait before the first repetition. The wait doubles before each one after it. Not
    ///     negative.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the policy.
    public static func retry(
        _ times: Int,
        backOff: Duration = .zero,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FailurePolicy {
        let place = SourceLocation(fileID: fileID, line: line)
        guard times >= 1 else {
            fatalError(
                "ChemActors: a retry policy (\(place)) needs at least 1 repetition, not \(times)",
                file: fileID,
                line: line
            )
        }
        guard backOff >= .zero else {
            fatalError(
                "ChemActors: the back-off of a retry policy (\(place)) can't be negative: \(backOff)",
                file: fileID,
                line: line
            )
        }
        return FailurePolicy(kind: .retry(times, backOff))
    }

    /// Puts the slow inputs back into the soup, where they may react with others. Callers get the error at once.
    ///
    /// - Parameters:
    ///   - backOff: How long to wait before that. More than zero, since a reaction that always fails would keep a core
    ///     busy.
    ///   - limit: How often a reaction may put its inputs back, at least 1, before it drops those of each body that
    ///     throws: all inputs together, until the definition is activated anew. Nil for any number.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    /// - Returns: the policy.
    public static func putBack(
        after backOff: Duration,
        limit: Int? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> FailurePolicy {
        let place = SourceLocation(fileID: fileID, line: line)
        guard backOff > .zero else {
            fatalError(
                "ChemActors: putting back (\(place)) needs a back-off above zero, not \(backOff)",
                file: fileID,
                line: line
            )
        }
        if let limit, limit < 1 {
            fatalError(
                "ChemActors: putting back (\(place)) needs a limit of at least 1, not \(limit)",
                file: fileID,
                line: line
            )
        }
        return FailurePolicy(kind: .putBack(backOff, limit: limit))
    }

    /// Whether a call may be answered in the calling task. Not if its error has to wait for more attempts.
    var allowsInline: Bool { !retries }

    /// Whether a body that fails is run again.
    var retries: Bool {
        if case .retry = kind { true } else { false }
    }
}

extension Join.Builder {
    /// What happens to the slow inputs of a reaction whose body throws. The default is ``FailurePolicy/drop``.
    public var failurePolicy: FailurePolicy {
        get { join.policy }
        nonmutating set { join.policy = newValue }
    }
}
