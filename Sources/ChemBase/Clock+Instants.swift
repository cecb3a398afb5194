extension Clock where Duration == Swift.Duration {
    /// The instant that lies `duration` ahead; 136 years ahead if it is more than that, since clocks can't tell all
    /// times.
    package func instant(after duration: Duration) -> Instant {
        now.advanced(by: min(duration, .seconds(1 << 32)))
    }
}
