/// One thing that a run has found out about itself: what was looked at, and whether it was as it must be.
package struct Check: Sendable, Equatable, CustomStringConvertible {
    /// What was looked at, and what was found.
    package let statement: String
    /// Whether it was as it must be.
    package let holds: Bool

    package init(_ statement: String, holds: Bool) {
        self.statement = statement
        self.holds = holds
    }

    /// That `found` is `expected`.
    package init<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) {
        holds = found == expected
        statement = holds ? "\(what): \(found)" : "\(what): \(found), expected \(expected)"
    }

    /// That `found` is `limit` or more.
    package init<Value: Comparable>(_ what: String, _ found: Value, isAtLeast limit: Value) {
        holds = found >= limit
        statement = "\(what): \(found), at least \(limit)"
    }

    package var description: String { (holds ? "✓ " : "✗ ") + statement }
}

/// Something that must hold at every moment of a run, and has been looked at again and again.
///
/// One that has never been looked at doesn't hold: a check that can't fail says nothing.
struct Invariant: Sendable {
    let statement: String
    private(set) var looks = 0
    private(set) var violations = 0
    private var firstViolation: String?

    init(_ statement: String) {
        self.statement = statement
    }

    /// Looks once: `violation` says what is wrong, and is nil if nothing is.
    mutating func look(_ violation: String?) {
        looks += 1
        guard let violation else { return }
        violations += 1
        if firstViolation == nil { firstViolation = violation }
    }

    var check: Check {
        if looks == 0 { return Check("\(statement): nobody has looked", holds: false) }
        guard let firstViolation else { return Check("\(statement) (\(looks) looks)", holds: true) }
        return Check(
            "\(statement): violated in \(violations) of \(looks) looks, first: \(firstViolation)",
            holds: false
        )
    }
}
