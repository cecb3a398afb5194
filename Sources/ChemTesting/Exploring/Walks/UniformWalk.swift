import ChemActors

/// Takes the step of somebody at random, each as likely as he has steps left to take.
///
/// If it knew how many these are, all orders of the steps would be equally likely (Zhao, Wolff, Mathur and
/// Roychoudhury, 2025). It takes the mean of the runs so far. Somebody's steps include those of who is still to be made
/// by him.
final class UniformWalk: Walk {
    private struct Life {
        var runs = 0.0
        var steps = 0.0
        var maker: Agents.Agent
        /// In this run.
        var taken = 0.0
        /// The steps of those that he hasn't made yet.
        var unborn = 0.0
        var isBorn = false

        /// His steps, and those of whom he hasn't made yet.
        var burden: Double { mean + unborn }

        var mean: Double { runs > 0 ? steps / runs : 1 }

        mutating func begin() { (taken, unborn, isBorn) = (0, 0, false) }

        mutating func end() {
            guard isBorn else { return }
            runs += 1
            steps += taken
        }
    }

    private var lives: [Agents.Agent: Life] = [:]
    /// In the order in which they were met: who is made comes after his maker.
    private var order: [Agents.Agent] = []

    override func begin() {
        for agent in order { lives[agent]?.begin() }
        for agent in order.reversed() {
            guard let life = lives[agent] else { continue }
            let burden = life.burden
            lives[life.maker]?.unborn += burden
        }
    }

    override func comes(_ agent: Agents.Agent, madeBy maker: Agents.Agent) {
        if let burden = lives[agent]?.burden {
            lives[maker]?.unborn -= burden
        } else {
            lives[agent] = Life(maker: maker)
            order.append(agent)
        }
        lives[agent]?.isBorn = true
    }

    override func choose(among agents: [Agents.Agent]) -> Int {
        let weights = agents.map { agent in
            lives[agent].map { max($0.mean - $0.taken, 1) + max($0.unborn, 0) } ?? 1
        }
        let resolution = 1 << 30
        var left = Double(generator.below(resolution)) / Double(resolution) * weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            left -= weight
            if left < 0 { return index }
        }
        return agents.count - 1
    }

    override func steps(_ agent: Agents.Agent) { lives[agent]?.taken += 1 }

    override func end() {
        for agent in order { lives[agent]?.end() }
    }
}
