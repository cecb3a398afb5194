package import ChemActors

/// What an example is run with: how large, by which choices, and in front of whom.
package struct Stage: Sendable {
    /// How much an example does.
    package enum Size: Sendable {
        /// What the problem asks for.
        case full
        /// As little as still shows it, for tests.
        case small
    }

    package var size: Size
    /// The seed of all random choices.
    package var seed: UInt64
    /// Whether somebody watches: then moving pictures take their time.
    package var isWatched: Bool
    /// How long to watch what has no end.
    package var seconds: Double
    /// How many philosophers dine, at least 2.
    package var philosophers: Int
    package var style: Screen.Style
    package var write: @Sendable (String) -> Void
    /// Gets what the example's machine has written down. Nil if it needn't write.
    package var record: (@Sendable (Recording) -> Void)?
    /// Gets the example's machine before it begins. Nil if nobody wants to look into it.
    package var inspect: (@Sendable (ChemicalMachine) -> Void)?

    package init(
        size: Size = .full,
        seed: UInt64 = 1,
        isWatched: Bool = false,
        seconds: Double = 12,
        philosophers: Int = 5,
        style: Screen.Style = .silent,
        write: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.size = size
        self.seed = seed
        self.isWatched = isWatched
        self.seconds = seconds
        self.philosophers = philosophers
        self.style = style
        self.write = write
    }

    /// The number for this size.
    func pick(full: Int, small: Int) -> Int { size == .full ? full : small }
}
