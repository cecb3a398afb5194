import ChemBase

/// A reaction that has just been declared, about which more can be said before the closure of `define` returns.
public struct Reaction: Sendable {
    let join: Join
    let index: Int

    /// Allows this reaction to have the same inputs as another one: one of them is then chosen at random.
    ///
    /// ```swift
    /// join.when(coin) { _ in heads() }
    /// join.when(coin) { _ in tails() }.mayCompete()
    /// ```
    @discardableResult
    public func mayCompete() -> Reaction {
        let entry = join.soup.enter()
        let isOpen = entry.contents.life.phase == .defining
        if isOpen { entry.state.chemistry.reactions[index].mayCompete = true }
        entry.leaveUnchanged()
        if !isOpen { fatalError("ChemActors: the chemistry of '\(join.name)' is fixed since its closure has returned") }
        return self
    }

    /// The former name of ``mayCompete()``.
    @available(*, deprecated, renamed: "mayCompete()")
    @discardableResult
    public func mayRepeat() -> Reaction { mayCompete() }
}
