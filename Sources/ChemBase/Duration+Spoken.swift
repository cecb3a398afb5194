extension Duration {
    /// As people say it: `2.1 seconds`, `340 milliseconds`. For times that are not less than zero.
    package var spoken: String {
        let (seconds, attoseconds) = components
        if seconds >= 10 { return "\(seconds) seconds" }
        if seconds >= 1 { return "\(seconds).\(attoseconds / 100_000_000_000_000_000) seconds" }
        switch attoseconds / 1_000_000_000_000_000 {
        case 0: return "less than a millisecond"
        case 1: return "1 millisecond"
        case let milliseconds: return "\(milliseconds) milliseconds"
        }
    }
}
