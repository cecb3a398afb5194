/// A work, done in one way.
package struct Work: Sendable {
    /// Does about `count` operations.
    package typealias Run = @concurrent @Sendable (_ count: Int) async throws -> Outcome

    let name: String
    let variant: String
    /// How many operations a repetition has, unless somebody asks for another number.
    let size: Int
    let run: Run

    package init(_ name: String, _ variant: String, _ size: Int, run: @escaping Run) {
        self.name = name
        self.variant = variant
        self.size = size
        self.run = run
    }
}

/// What one repetition did.
package struct Outcome: Sendable {
    let operations: Int
    let time: Duration
    /// What was checked, and what it was.
    let checked: String

    /// Throws unless `found` is what it has to be.
    package init(_ operations: Int, _ time: Duration, _ what: String, _ found: Int, wanted: Int) throws {
        guard found == wanted else { throw WrongResult(description: "\(what): \(found) instead of \(wanted)") }
        self.operations = operations
        self.time = time
        checked = "\(what): \(found)"
    }

    var nanosecondsEach: Double { time / .nanoseconds(operations) }
}

struct WrongResult: Error, CustomStringConvertible {
    let description: String
}

extension ContinuousClock.Instant {
    /// The time since then.
    package var elapsed: Duration { duration(to: .now) }
}

/// The sum of all numbers below `count`.
package func triangle(_ count: Int) -> Int { count * (count - 1) / 2 }

/// The sum of the squares of `1...count`.
package func sumOfSquares(_ count: Int) -> Int { count * (count + 1) * (2 * count + 1) / 6 }

/// Uses `value` in a way that the optimizer can't see through.
@inline(never)
@_optimize(none)
package func blackHole(_ value: Int) {}
