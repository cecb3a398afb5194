/// The lines that the command line prints about runs.
package enum Report {
    /// The names and what they are.
    package static func list(_ examples: [Example]) -> [String] {
        let width = examples.map(\.name.count).max() ?? 0
        return examples.map { $0.name.padded(to: width + 2) + $0.summary }
    }

    /// What one run has found out.
    package static func lines(of outcome: Outcome) -> [String] {
        ["\(outcome.example.name): \(outcome.example.summary)"] + outcome.checks.map { "  \($0)" }
            + ["  \(seconds(outcome.duration))"]
    }

    /// What many runs have found out, in a line each, and in one for all.
    package static func summary(of outcomes: [Outcome]) -> [String] {
        let width = outcomes.map(\.example.name.count).max() ?? 0
        var lines = outcomes.map { outcome in
            let failed = outcome.checks.count { !$0.holds }
            let verdict =
                failed == 0 ? "✓ \(outcome.checks.count) checked" : "✗ \(failed) of \(outcome.checks.count) failed"
            return outcome.example.name.padded(to: width + 2) + verdict.padded(to: 20) + seconds(outcome.duration)
        }
        let checks = outcomes.flatMap(\.checks)
        let failed = checks.count { !$0.holds }
        let total = outcomes.reduce(Duration.zero) { $0 + $1.duration }
        let verdict = failed == 0 ? "all hold" : "\(failed) FAILED"
        lines.append("\(outcomes.count) examples, \(checks.count) checks: \(verdict); \(seconds(total))")
        return lines
    }

    private static func seconds(_ duration: Duration) -> String {
        let hundredths = Int((duration / .milliseconds(10)).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) s"
    }
}

extension String {
    /// Followed by spaces up to `width` characters.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
