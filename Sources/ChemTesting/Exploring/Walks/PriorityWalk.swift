import ChemActors

/// Gives everybody a priority at random, and takes the step of who has the highest. At `depth - 1` steps, which are
/// chosen at random, who has the highest gets the lowest.
///
/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, 2010): a mistake that shows if
/// `depth` steps come in a certain order is found by one run in n · kᵈᵉᵖᵗʰ⁻¹ at least, of n agents and k steps.
///
/// Who yields gets the lowest priority, too, or whoever waits in a loop that yields would do so for ever.
final class PriorityWalk: Walk {
    private let depth: Int
    private var priorities: [Agents.Agent: UInt64] = [:]
    private var changes: Set<Int> = []
    /// What whose priority changes next gets: below all that are given in the beginning.
    private var lowest = mostChanges
    /// More changes than a run can have steps.
    private static let mostChanges: UInt64 = 1 << 40
    private var step = 0
    /// The most steps that a run has had so far.
    private var longest = 0

    init(depth: Int, seed: UInt64) {
        self.depth = depth
        super.init(seed: seed)
    }

    override func begin() {
        priorities = [:]
        changes = []
        lowest = Self.mostChanges
        step = 0
        guard longest > 0 else { return }
        // More than all steps can't change.
        for _ in 1..<min(depth, 4 * longest + 1) { changes.insert(generator.below(longest)) }
    }

    override func choose(among agents: [Agents.Agent]) -> Int {
        var best = highest(agents)
        if changes.remove(step) != nil {
            yields(agents[best])
            best = highest(agents)
        }
        return best
    }

    override func yields(_ agent: Agents.Agent) {
        lowest -= 1
        priorities[agent] = lowest
    }

    private func highest(_ agents: [Agents.Agent]) -> Int {
        var best = 0
        var bestPriority: UInt64 = 0
        for (index, agent) in agents.enumerated() {
            let priority = priority(agent)
            if index == 0 || priority > bestPriority { (best, bestPriority) = (index, priority) }
        }
        return best
    }

    private func priority(_ agent: Agents.Agent) -> UInt64 {
        if let priority = priorities[agent] { return priority }
        let priority = max(generator.next(), Self.mostChanges)
        priorities[agent] = priority
        return priority
    }

    override func steps(_ agent: Agents.Agent) { step += 1 }

    override func end() { longest = max(longest, step) }
}
