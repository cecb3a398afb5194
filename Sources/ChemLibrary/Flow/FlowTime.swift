import ChemBase

/// A point in time at which a wave of a graph took place.
///
/// Times of one graph increase strictly from wave to wave. All events of one wave have the same time. The clock is that
/// of the wall when the process begins, and never goes back from there: so a time can be kept beyond the process, and
/// compared with times of another one as exactly as the wall's clock is right.
///
/// ```swift
/// let before = FlowTime.now
/// source.send(1)
/// cell.valueAt(before)
/// ```
public struct FlowTime: Comparable, Hashable, Sendable, CustomStringConvertible {
    /// Nanoseconds since the beginning of 1970, UTC.
    public let nanoseconds: UInt64

    /// How far the clock of the wall was ahead of that which never goes back, when the process first asked.
    private static let offset: UInt64 = Platform.wallNanoseconds &- Platform.monotonicNanoseconds

    /// The time so many nanoseconds after the beginning of 1970, UTC: one that was kept.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// The time at which it is asked for.
    public static var now: FlowTime { FlowTime(nanoseconds: offset &+ Platform.monotonicNanoseconds) }

    /// Before all events.
    public static let distantPast = FlowTime(nanoseconds: 0)

    /// After all events.
    public static let distantFuture = FlowTime(nanoseconds: .max)

    /// Whether `one` is earlier than `other`.
    public static func < (one: FlowTime, other: FlowTime) -> Bool { one.nanoseconds < other.nanoseconds }

    /// The nanoseconds, as text.
    public var description: String { "\(nanoseconds) ns" }
}

extension FlowTime {
    /// The time so many nanoseconds later, or earlier if it is negative. Times end at ``distantPast`` and
    /// ``distantFuture``.
    public func advanced(by nanoseconds: Int) -> FlowTime {
        let size = UInt64(nanoseconds.magnitude)
        if nanoseconds < 0 {
            return FlowTime(nanoseconds: self.nanoseconds > size ? self.nanoseconds - size : 0)
        }
        let (sum, isOverflow) = self.nanoseconds.addingReportingOverflow(size)
        return FlowTime(nanoseconds: isOverflow ? .max : sum)
    }
}

extension FlowTime: Codable {
    /// The time that was encoded as its nanoseconds.
    public init(from decoder: any Decoder) throws {
        self.init(nanoseconds: try decoder.singleValueContainer().decode(UInt64.self))
    }

    /// Encodes the nanoseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}
