extension Duration {
    /// In nanoseconds, but at most 136 years of them.
    package var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .seconds(-(1 << 32))), .seconds(1 << 32)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
