import ChemBase

/// A point in time at which a wave of a graph took place.
///
/// Times of one graph increase strictly from wave to wave. All events of one wave have the same time. The clock starts
/// at the wall clock's time when the process begins, and never goes back. So a time can be stored and compared with
/// times of another process, as exactly as the wall clock is right.
///
/// ```swift
/// let before = FlowTime.now
/// source.send(1)
/// cell.valueAt(before)
/// ```
public struct FlowTime: Comparable, Hashable, Sendable, CustomStringConvertible {
    /// Nanoseconds since the beginning of 1970, UTC.
    public let nanoseconds: UInt64

    /// How far the wall clock was ahead of the monotonic clock when the process first asked.
    private static let offset: UInt64 = Platform.wallNanoseconds &- Platform.monotonicNanoseconds

    /// A time as nanoseconds since the beginning of 1970, UTC, such as one that was stored.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// The current time.
    public static var now: FlowTime { FlowTime(nanoseconds: offset &+ Platform.monotonicNanoseconds) }

    /// A time before all events.
    public static let distantPast = FlowTime(nanoseconds: 0)

    /// A time after all events.
    public static let distantFuture = FlowTime(nanoseconds: .max)

    /// Whether `one` is earlier than `other`.
    public static func < (one: FlowTime, other: FlowTime) -> Bool { one.nanoseconds < other.nanoseconds }

    /// The nanoseconds, as text.
    public var description: String { "\(nanoseconds) ns" }
}

extension FlowTime {
    /// The time that is `nanoseconds` later, or earlier if the number is negative.
    ///
    /// Times end at ``distantPast`` and ``distantFuture``.
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
    /// Decodes a time from its nanoseconds.
    public init(from decoder: any Decoder) throws {
        self.init(nanoseconds: try decoder.singleValueContainer().decode(UInt64.self))
    }

    /// Encodes the nanoseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}
