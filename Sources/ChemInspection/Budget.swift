import ChemBase

/// How much time may go into answers: a hundredth of a core, and a short burst for whoever has just come.
struct Budget {
    private static let share = 0.01
    private static let burst = 50_000_000.0

    /// In nanoseconds. Less than zero if too much was spent.
    private var left = Self.burst
    private var looked: UInt64

    init(now: UInt64) { looked = now }

    /// Whether there is something left.
    mutating func isLeft(now: UInt64) -> Bool {
        left = min(Self.burst, left + Double(now &- looked) * Self.share)
        looked = now
        return left >= 0
    }

    mutating func spend(_ nanoseconds: UInt64) { left -= Double(nanoseconds) }
}
