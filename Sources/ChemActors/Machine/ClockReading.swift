import ChemBase

/// One moment by two clocks, for times that were written down by `Pace`.
///
/// A list is made with one reading, so that the order of its times is that in which they were written down. The
/// distance of the two clocks isn't always the same: one of them stands still while the system sleeps.
struct ClockReading {
    let instant = ContinuousClock.now
    private let pace = Pace.now

    /// When that was. What hasn't been written down is now.
    func instant(at moment: UInt64) -> ContinuousClock.Instant {
        moment == 0 ? instant : instant - .nanoseconds(Int64(clamping: pace) - Int64(clamping: moment))
    }
}
