import ChemActors

/// Says which schedule comes next.
struct Plan {
    private var kind: Strategy.Kind
    /// What follows, the last one first.
    private var later: [Strategy] = []
    private let hasWholeSteps: Bool
    private var generator = SeededGenerator(seed: 0)
    private(set) var runs = 0
    /// How many were over when this strategy began.
    private var runsBefore = 0
    /// For deviations: what is still to be run, and how many of them.
    private var queue: [[Schedule.Deviation]] = []
    private var next = 0
    /// For an exhaustive search: the choices to begin with.
    private var prefix: [Script.Choice]?
    private var reduction: Reduction?
    private var walk: Walk?
    /// How many schedules an exhaustive search was to have at most, if there are more.
    private(set) var exceededLimit: Int?

    /// A plan by `strategy`, in which no step is interrupted if `hasWholeSteps`.
    init(_ strategy: Strategy, hasWholeSteps: Bool = false) {
        kind = strategy.kind
        self.hasWholeSteps = hasWholeSteps
        if case .several(let strategies) = kind {
            later = strategies.reversed()
            kind = later.removeLast().kind
        }
        begin()
    }

    private mutating func begin() {
        runsBefore = runs
        switch kind {
        case .random(_, let seed): generator = SeededGenerator(seed: seed)
        case .deviations: (queue, next) = ([[]], 0)
        case .priorities(_, let depth, let seed): walk = PriorityWalk(depth: depth, seed: seed)
        case .uniform(_, let seed): walk = UniformWalk(seed: seed)
        case .exhaustive(.everything, _): prefix = []
        case .exhaustive(let sharing, let limit): reduction = Reduction(sharing: sharing, limit: limit)
        default: break
        }
    }

    /// The choices of the next run, or nil if there is none.
    mutating func nextScript() -> Script? {
        var source = nextSource()
        while source == nil, let strategy = later.popLast() {
            kind = strategy.kind
            begin()
            source = nextSource()
        }
        guard let source else { return nil }
        runs += 1
        return Script(source, hasWholeSteps: hasWholeSteps)
    }

    private mutating func nextSource() -> Script.Source? {
        let runs = runs - runsBefore
        switch kind {
        case .flawed, .several: return nil
        case .canonical: return runs == 0 ? .canonical : nil
        case .random(let count, _): return runs < count ? .random(SeededGenerator(seed: generator.next())) : nil
        case .seeds(let seeds):
            // There may be more of them than an integer can count.
            let (seed, isOver) = seeds.lowerBound.addingReportingOverflow(runs)
            guard !isOver, seeds.contains(seed) else { return nil }
            return .random(SeededGenerator(seed: UInt64(bitPattern: Int64(seed))))
        case .priorities(let count, _, _), .uniform(let count, _):
            guard runs < count, let walk else { return nil }
            walk.begin()
            return .walk(walk)
        case .replay(let schedule): return runs == 0 ? .schedule(schedule) : nil
        case .deviations(_, let limit):
            guard next < queue.count, runs < limit else { return nil }
            next += 1
            return .schedule(Schedule(queue[next - 1]))
        case .exhaustive(_, let limit):
            let isCutShort = reduction?.hasGivenUp == true || source != nil && runs == limit
            exceededLimit = isCutShort ? limit : nil
            return isCutShort ? nil : source
        }
    }

    /// How an exhaustive search goes on, or nil at its end.
    private var source: Script.Source? {
        if let reduction { reduction.isOver ? nil : .reduced(reduction) } else { prefix.map { .prefix($0) } }
    }

    /// Learns what the run offered.
    mutating func learn(from script: Script) {
        switch kind {
        case .deviations(let count, let limit):
            let deviations = queue[next - 1]
            guard deviations.count < count else { return }
            for step in script.bounds.indices.dropFirst((deviations.last?.step ?? -1) + 1) {
                for choice in 1..<script.bounds[step] where queue.count <= limit {
                    queue.append(deviations + [Schedule.Deviation(step: step, choice: choice)])
                }
            }
        case .priorities, .uniform: walk?.end()
        case .exhaustive:
            if let reduction { return reduction.learn() }
            var choices = zip(script.choices, script.bounds).map(Script.Choice.init)
            while let last = choices.popLast() {
                if last.index + 1 < last.bound {
                    prefix = choices + [Script.Choice(index: last.index + 1, bound: last.bound)]
                    return
                }
            }
            prefix = nil
        default: break
        }
    }
}
