extension Duration {
    /// The longest wait, which is 136 years. Clocks can't represent all times.
    package static var longestWait: Duration { .seconds(1 << 32) }

    /// In nanoseconds, but at most 136 years of them.
    package var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .zero - .longestWait), .longestWait).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
