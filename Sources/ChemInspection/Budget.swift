import ChemBase

/// How much the thread that answers may use: a hundredth of a core, and a short burst for whoever has just come.
struct Budget {
    private static let share = 0.01
    private static let burst = 50_000_000.0

    /// In nanoseconds. Less than zero if too much was spent.
    private var left = Self.burst
    private var looked: UInt64
    private var used: UInt64 = 0

    init(now: UInt64) { looked = now }

    /// Whether there is something left, at the time `now`, when the thread has used so much of a core since it began:
    /// for answers, but also for waiting, reading and sending.
    mutating func isLeft(now: UInt64, used: UInt64) -> Bool {
        left = min(Self.burst, left + Double(now &- looked) * Self.share) - Double(used &- self.used)
        (looked, self.used) = (now, used)
        return left >= 0
    }
}
