import Dispatch

/// A point in time at which a wave of a graph took place, on the clock of this process.
///
/// Times of one graph increase strictly from wave to wave. All events of one wave have the same time.
///
/// ```swift
/// let before = FlowTime.now
/// source.send(1)
/// cell.valueAt(before)
/// ```
public struct FlowTime: Comparable, Hashable, Sendable, CustomStringConvertible {
    /// Nanoseconds of a clock that never goes back; where it starts is of no meaning.
    public let nanoseconds: UInt64

    @usableFromInline
    init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// The time at which it is asked for.
    public static var now: FlowTime { FlowTime(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

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
    /// The time so many nanoseconds later, or earlier if it is negative. Times end at ``distantPast`` and ``distantFuture``.
    public func advanced(by nanoseconds: Int) -> FlowTime {
        let size = UInt64(nanoseconds.magnitude)
        if nanoseconds < 0 {
            return FlowTime(nanoseconds: self.nanoseconds > size ? self.nanoseconds - size : 0)
        }
        let (sum, isOverflow) = self.nanoseconds.addingReportingOverflow(size)
        return FlowTime(nanoseconds: isOverflow ? .max : sum)
    }
}
