import ChemBase

/// How much the thread that answers may use: a hundredth of a core, and a short burst for whoever has just come.
struct Budget {
    private static let share = 0.01
    private static let burst = 50_000_000.0
    /// More than that isn't paid back: an answer that has taken very long doesn't silence the rest for minutes.
    private static let mostDebt = 150_000_000.0

    /// What may be done.
    enum State {
        /// Whatever is asked for.
        case isLeft
        /// Only what wasn't asked for lately. What was is answered from memory.
        case isShort
        /// Nothing new.
        case isSpent
    }

    /// In nanoseconds. Less than zero if too much was spent.
    private var left = Self.burst
    private var looked: UInt64
    private var used: UInt64 = 0

    init(now: UInt64) { looked = now }

    /// What is left, at the time `now`, when the thread has used so much of a core since it began: for answers, but
    /// also for waiting, reading and sending.
    mutating func state(now: UInt64, used: UInt64) -> State {
        left = min(Self.burst, left + Double(now &- looked) * Self.share) - Double(used &- self.used)
        left = max(left, -Self.mostDebt)
        (looked, self.used) = (now, used)
        // Whoever looks at one thing after the other has as much again.
        return left >= 0 ? .isLeft : left >= -Self.burst ? .isShort : .isSpent
    }
}
