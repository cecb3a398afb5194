import ChemActors

/// Chooses, at each step of many runs, whose turn it is.
class Walk {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// A run begins.
    func begin() {}

    /// Somebody has come whom `maker` has made.
    func comes(_ agent: Agents.Agent, madeBy maker: Agents.Agent) {}

    /// Somebody has given up its turn to others.
    func yields(_ agent: Agents.Agent) {}

    /// Whose turn it is, as an index.
    func choose(among agents: [Agents.Agent]) -> Int { fatalError("abstract") }

    /// A step of `agent` is taken.
    func steps(_ agent: Agents.Agent) {}

    /// The run has ended.
    func end() {}
}
