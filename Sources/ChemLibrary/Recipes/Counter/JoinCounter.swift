public import ChemActors

/// An asynchronous counter: any code injects increments, and asks for the value.
///
/// ```swift
/// let counter = JoinCounter()
/// counter.increment()
/// counter.increment()
/// print(try await counter.value())    // 0, 1 or 2: reactions start in any order
/// ```
///
/// The counter itself is a molecule that never leaves its definition: no other code can inject a second one or lose the
/// first.
///
/// For mere counting, an `Atomic<Int>` is faster. Prefer this when increments are events of a larger chemistry.
///
/// Source: CocoaJoin, Example 1.
public struct JoinCounter: Exportable {
    /// Adds one. Never suspends.
    public let increment: SlowMolecule<Void>
    /// The counter's value at the moment when a reaction answers.
    public let value: FastMolecule<Void, Int>

    /// A counter that starts at `initial`.
    ///
    /// - Parameters:
    ///   - initial: The value that it starts with.
    ///   - name: What the counter is called in messages.
    ///   - fileID: The file, for messages.
    ///   - line: The line, for messages.
    public init(
        from initial: Int = 0,
        name: String = "counter",
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        (increment, value) = Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let count = join.slow("count", of: Int.self)
            let increment = join.slow("increment")
            let value = join.fast("value", returning: Int.self)

            join.when(increment, count) { _, n in count(n + 1) }
            join.answer(value, with: count) { _, n in
                count(n)
                return n
            }

            count(initial)
            return (increment, value)
        }
    }

    private init(increment: SlowMolecule<Void>, value: FastMolecule<Void, Int>) {
        self.increment = increment
        self.value = value
    }

    /// The same counter, kept alive by this value.
    public var exported: JoinCounter { JoinCounter(increment: increment.exported, value: value.exported) }
}
