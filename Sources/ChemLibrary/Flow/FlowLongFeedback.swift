/// For how long values have been fed back, one after the other. That may be a cycle without end.
struct FlowLongFeedback {
    /// In how many waves they had been when somebody first looked, and when that was.
    private var begin: (count: Int, time: ContinuousClock.Instant)?
    private var isReported = false

    /// The values that were fed back have come to an end.
    mutating func restart() { begin = nil }

    /// There have been `count` waves of feedback since the last value from outside.
    ///
    /// - Returns: how many, if that has gone on for longer than `patience`, for the first time.
    mutating func look(_ count: Int, _ patience: Duration) -> Int? {
        guard !isReported, count > 0 else { return nil }
        guard let begin, begin.count < count else {
            begin = (count, .now)
            return nil
        }
        guard begin.time.duration(to: .now) > patience else { return nil }
        isReported = true
        return count
    }
}
