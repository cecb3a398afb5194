/// What a run may leave behind when the body of its test has returned, and nothing more happens but by time.
///
/// ```swift
/// @Test(.explored(allowing: .unconsumedMolecules)) func theFirstOfThreeWins() async throws { … }
/// ```
public struct Allowance: OptionSet, Sendable {
    /// One bit for each.
    public let rawValue: UInt

    /// What the bits of `rawValue` say.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Errors that bodies throw and no caller gets, replies that are dropped or given twice, and injections into a
    /// definition that has dissolved.
    public static let mishaps = Allowance(rawValue: 1)
    /// Calls without a time limit that no reaction has answered.
    public static let waitingCalls = Allowance(rawValue: 2)
    /// Copies that nobody has consumed, of molecules that only others than their own definition inject. What a
    /// definition injects itself, at its beginning or in a reaction, may always be left.
    public static let unconsumedMolecules = Allowance(rawValue: 4)
    /// Definitions of which somebody still holds a name when all has ended: a global or static variable, or a cycle of
    /// references.
    public static let leakedDefinitions = Allowance(rawValue: 8)
    /// All of that.
    public static let everything: Allowance = [.mishaps, .waitingCalls, .unconsumedMolecules, .leakedDefinitions]
}
