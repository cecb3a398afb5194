/// Tells who a job or a step belongs to: a task, or a definition.
///
/// An agent is known by who has made it and as which of his: so it is the same agent in each run, as long as its makers
/// do the same.
struct Agents {
    typealias Agent = UInt64

    /// The test, which nobody has made.
    static let origin: Agent = 0xcbf2_9ce4_8422_2325
    static let time: Agent = 0

    private var tasks: [String: Agent] = [:]
    private var definitions: [ObjectIdentifier: Agent] = [:]
    private var counts: [Agent: UInt64] = [:]
    /// Whose step is being taken.
    var current = Agents.origin
    /// Who has come since this was emptied, with its maker.
    var newcomers: [(agent: Agent, maker: Agent)] = []
    /// Who has given up its turn to others since this was emptied.
    var yielded: [Agent] = []

    /// The task of a job. A job that stands for no task is that of a task that has yielded: the current one.
    mutating func agent(of job: UnownedJob) -> Agent {
        guard let name = job.task else {
            yielded.append(current)
            return current
        }
        if let agent = tasks[name] { return agent }
        let agent = newAgent()
        tasks[name] = agent
        return agent
    }

    mutating func agent(of definition: ObjectIdentifier) -> Agent {
        if let agent = definitions[definition] { return agent }
        let agent = newAgent()
        definitions[definition] = agent
        return agent
    }

    /// A definition has gone, and another one may come in its place.
    mutating func forget(_ definition: ObjectIdentifier) { definitions[definition] = nil }

    mutating func newAgent() -> Agent {
        let number = counts[current, default: 0] + 1
        counts[current] = number
        // FNV-1a, of both numbers.
        let agent = ((current ^ number) &* 0x0000_0100_0000_01b3 ^ number << 32) &* 0x0000_0100_0000_01b3
        newcomers.append((agent, current))
        return agent
    }
}
