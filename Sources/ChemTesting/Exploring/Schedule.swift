/// The choices of one run: at each step, which of several things that could happen did.
///
/// The first possibility is the canonical one: what has been ready for longest, the copy that came first. So a schedule
/// is known by the steps at which it deviates, and most that fail do so at one, two or three.
public struct Schedule: Hashable, Sendable, CustomStringConvertible {
    /// A step at which something else than the first possibility was chosen.
    struct Deviation: Hashable {
        let step: Int
        /// 1 for the second possibility.
        let choice: Int
    }

    /// In the order of the steps.
    let deviations: [Deviation]
    /// Made of the number of possibilities at each step: what tells this chemistry from another one. Nil for a schedule
    /// that hasn't run yet.
    let fingerprint: UInt16?
    /// Whether no step is interrupted. If one may be, each place at which it may is a step of the schedule.
    let hasWholeSteps: Bool

    init(_ deviations: [Deviation], hasWholeSteps: Bool = false, fingerprint: UInt16? = nil) {
        self.deviations = deviations
        self.hasWholeSteps = hasWholeSteps
        self.fingerprint = fingerprint
    }

    /// The schedule that a failure has printed, such as `chem1:7f3a:12.1,40.2`.
    ///
    /// - Throws: ``InvalidSchedule`` if `token` isn't one.
    public init(_ token: String) throws(InvalidSchedule) {
        var parts = token.split(separator: ":", omittingEmptySubsequences: false)
        // Without deviations, the colon at the end is easily taken for one of the sentence.
        if parts.count == 2 { parts.append("") }
        guard parts.count == 3, ["chem1", "chem1w"].contains(parts[0]), let fingerprint = UInt16(parts[1], radix: 16)
        else {
            throw InvalidSchedule(token: token)
        }
        var deviations: [Deviation] = []
        for part in parts[2].split(separator: ",", omittingEmptySubsequences: false) where !parts[2].isEmpty {
            let numbers = part.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.count == 2, let step = numbers[0], let choice = numbers[1], step >= 0, choice > 0,
                step > deviations.last?.step ?? -1
            else { throw InvalidSchedule(token: token) }
            deviations.append(Deviation(step: step, choice: choice))
        }
        self.init(deviations, hasWholeSteps: parts[0] == "chem1w", fingerprint: fingerprint)
    }

    /// What ``init(_:)`` reads.
    public var description: String {
        let digits = String(fingerprint ?? 0, radix: 16)
        let steps = deviations.map { "\($0.step).\($0.choice)" }.joined(separator: ",")
        return "chem1\(hasWholeSteps ? "w" : ""):\(String(repeating: "0", count: 4 - digits.count))\(digits):\(steps)"
    }
}

/// A text that should be a ``Schedule`` and isn't one.
public struct InvalidSchedule: Error, CustomStringConvertible {
    let token: String

    /// What is wrong.
    public var description: String {
        "'\(token)' is no schedule: one looks like 'chem1:7f3a:12.1,40.2', with steps in rising order"
    }
}
