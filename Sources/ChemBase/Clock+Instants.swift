extension Clock where Duration == Swift.Duration {
    /// The instant that lies `duration` ahead, but at most 136 years ahead, since clocks can't represent all times.
    package func instant(after duration: Duration) -> Instant {
        now.advanced(by: min(duration, .longestWait))
    }
}
