/// How long something has taken, many times: how calls have waited, how bodies have run.
///
/// ```swift
/// for group in machine.census().groups {
///     if let wait = group.waits.quantile(0.99) {
///         print("\(group.name): all but a hundredth of calls waited ≤ \(wait)")
///     }
/// }
/// ```
///
/// It counts durations in classes, eight of them between a power of two of nanoseconds and the next one, from a
/// nanosecond to nine hours. So it takes little memory whatever it counts, and what it says of a quantile is never too
/// short, and too long by an eighth at most.
///
/// Source of the classes: Gil Tene's HdrHistogram, hdrhistogram.org.
public struct Latencies: Sendable, Hashable {
    /// The class of the first number in `counts`.
    private var first = 0
    private var counts: [Int] = []

    /// How many there are.
    public private(set) var count = 0

    /// Creates one that has counted nothing.
    public init() {}

    /// The duration that so large a part of all did not exceed.
    ///
    /// - Parameter fraction: The part, from 0 to 1: 0.5 gives the median, and 1 the longest of all. Other numbers are
    ///   brought into this range.
    /// - Returns: the duration, at most an eighth too long; nil if nothing was counted. Longer than nine hours
    ///   is not told from 9.77 hours.
    /// - Complexity: O(1): there are at most 344 classes.
    public func quantile(_ fraction: Double) -> Duration? {
        guard count > 0 else { return nil }
        // Written so that what isn't a number is zero.
        let part = fraction > 0 ? min(fraction, 1) : 0
        var left = max(1, Int((part * Double(count)).rounded(.up)))
        for (index, number) in counts.enumerated() {
            left -= number
            if left <= 0 { return .nanoseconds(Self.longest(ofClass: first + index)) }
        }
        return nil
    }

    /// What has been counted since then.
    ///
    /// - Parameter earlier: What this was some time ago.
    /// - Returns: the difference. What was not counted yet then, and isn't now, is left out.
    /// - Complexity: O(1).
    public func since(_ earlier: Latencies) -> Latencies {
        var result = Latencies()
        for (index, number) in counts.enumerated() {
            let before = earlier.number(ofClass: first + index)
            if number > before { result.add(toClass: first + index, number - before) }
        }
        return result
    }

    /// Adds what another one has counted.
    public static func += (sum: inout Latencies, other: Latencies) {
        if sum.count == 0 {
            sum = other
            return
        }
        for (index, number) in other.counts.enumerated() where number > 0 {
            sum.add(toClass: other.first + index, number)
        }
    }

    /// Counts a duration.
    mutating func add(nanoseconds: UInt64, times: Int = 1) { add(toClass: Self.class(of: nanoseconds), times) }

    private func number(ofClass index: Int) -> Int {
        counts.indices.contains(index - first) ? counts[index - first] : 0
    }

    private mutating func add(toClass index: Int, _ number: Int) {
        if counts.isEmpty {
            first = index
            counts = [0]
        } else if index < first {
            counts.insert(contentsOf: repeatElement(0, count: first - index), at: 0)
            first = index
        } else if index >= first + counts.count {
            counts.append(contentsOf: repeatElement(0, count: index - first - counts.count + 1))
        }
        counts[index - first] += number
        count += number
    }

    // MARK: Classes

    private static let last = 343

    /// Up to 7 ns, each has a class of its own. From there on, the class is told by the four highest bits.
    static func `class`(of nanoseconds: UInt64) -> Int {
        guard nanoseconds > 7 else { return Int(nanoseconds) }
        let exponent = 63 - nanoseconds.leadingZeroBitCount
        return min(last, (exponent - 2) * 8 + Int(nanoseconds >> (exponent - 3)) & 7)
    }

    /// The longest duration of a class, in nanoseconds.
    static func longest(ofClass index: Int) -> Int64 {
        guard index > 7 else { return Int64(index) }
        let exponent = index / 8 + 2
        return Int64(index % 8 + 9) << (exponent - 3) - 1
    }
}

/// How long calls have waited in a definition, and bodies have run.
struct OwnLatencies {
    var waits = Latencies()
    var bodies = Latencies()

    static func += (sum: inout OwnLatencies, other: OwnLatencies) {
        sum.waits += other.waits
        sum.bodies += other.bodies
    }
}

extension SoupEntry {
    /// A body has run for so long, which stands for so many.
    func countBody(nanoseconds: UInt64, times: Int = 1) {
        guard join.machine.dissolved.isOn else { return }
        state.latencies.bodies.add(nanoseconds: nanoseconds, times: times)
    }

    /// A reaction has taken a call that began to wait then, by `Pace`, or that hasn't.
    func countWait(since entered: UInt64) {
        guard entered != 0, join.machine.dissolved.isOn else { return }
        let now = Pace.now
        state.latencies.waits.add(nanoseconds: now > entered ? now - entered : 0)
    }
}
