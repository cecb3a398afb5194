import ChemActors

/// Makes the choices of one run, and notes them.
final class Script {
    enum Source {
        case canonical
        case random(SeededGenerator)
        case schedule(Schedule)
        case prefix([Choice])
        case reduced(Reduction)
        case walk(Walk)
    }

    /// One of so many.
    struct Choice {
        let index: Int
        let bound: Int
    }

    @exclusivity(unchecked) private var source: Source
    /// What decides at random, if that does. It lies apart from the source, since it changes with each choice.
    @exclusivity(unchecked) private var generator = SeededGenerator(seed: 0)
    @exclusivity(unchecked) private var nextDeviation = 0
    /// How many possibilities there were at each step.
    @exclusivity(unchecked) private(set) var bounds: [Int] = []
    @exclusivity(unchecked) private(set) var choices: [Int] = []
    /// The first step whose wanted choice didn't exist.
    @exclusivity(unchecked) private(set) var impossible: Int?
    /// Whether the run has ended, so that choices don't matter any more.
    @exclusivity(unchecked) var isOver = false
    /// What the next choice has to be: what the reduction, a walk or a lab wants.
    @exclusivity(unchecked) var wanted: Int?
    /// What the choices after that have to be, as far as the reduction knows them.
    @exclusivity(unchecked) var planned: ArraySlice<Int?> = []

    /// Whether no step of the run is interrupted. If one may be, each place at which it may is a choice.
    ///
    /// At random, that is so in seven of eight runs: interrupting costs as much as the run. Otherwise the first place
    /// is taken with a probability of 1/2, the next ones of 1/3 to 1/7, 1/10, 1/15 and so on, so that small tests and
    /// large ones are interrupted once or twice.
    let hasWholeSteps: Bool
    @exclusivity(unchecked) private var places = 1

    /// A script whose steps are whole if `hasWholeSteps`, and otherwise if `source` says so.
    init(_ source: Source, hasWholeSteps mustBeWhole: Bool = false) {
        self.source = source
        let hasWholeSteps: Bool
        switch source {
        case .canonical: hasWholeSteps = true
        case .random(let given):
            generator = given
            // Not what the first choice depends on.
            var copy = given
            var other = SeededGenerator(seed: ~copy.next())
            hasWholeSteps = other.below(8) != 0
        case .schedule(let schedule): hasWholeSteps = schedule.hasWholeSteps
        case .prefix, .reduced, .walk: hasWholeSteps = false
        }
        self.hasWholeSteps = mustBeWhole || hasWholeSteps
        bounds.reserveCapacity(128)
        choices.reserveCapacity(128)
    }

    /// What leaves out schedules, if something does.
    var reduction: Reduction? { if case .reduced(let reduction) = source { reduction } else { nil } }

    /// Who chooses whose turn it is, if somebody does.
    var walk: Walk? { if case .walk(let walk) = source { walk } else { nil } }

    /// Tells this run from those that have chosen otherwise.
    var choicesHash: Int {
        var hasher = Hasher()
        hasher.combine(hasWholeSteps)
        hasher.combine(choices)
        return hasher.finalize()
    }

    /// Whether an exhaustive search finds that the choices it knows lead elsewhere.
    var hasChanged: Bool {
        switch source {
        case .prefix(let prefix): bounds.count < prefix.count || zip(prefix, bounds).contains { $0.bound != $1 }
        case .reduced(let reduction): reduction.hasChanged
        default: false
        }
    }

    /// One of `0 ..< count`. Whoever asks whether a step is to be interrupted wants 0 if it isn't.
    func choose(_ count: Int, interrupting: Bool = false) -> Int {
        if isOver { return 0 }
        let step = bounds.count
        var choice = 0
        switch source {
        case .canonical: break
        case .random:
            if !interrupting {
                choice = generator.below(count)
            } else {
                // From there on nothing is interrupted, so the number need not grow until it overflows.
                if places < 1 << 40 { places += places < 7 ? 1 : places / 2 }
                if generator.below(places) == 0 { choice = 1 + generator.below(count - 1) }
            }
        case .schedule(let schedule):
            let deviations = schedule.deviations
            if nextDeviation < deviations.count, deviations[nextDeviation].step == step {
                choice = deviations[nextDeviation].choice
                nextDeviation += 1
            }
        case .prefix(let prefix): if step < prefix.count { choice = prefix[step].index }
        case .reduced(let reduction):
            if wanted == nil { choice = (planned.popFirst() ?? nil) ?? reduction.choose(count) }
        case .walk(let walk): if wanted == nil { choice = walk.generator.below(count) }
        }
        if let wanted {
            choice = wanted
            self.wanted = nil
        }
        if choice >= count {
            impossible = impossible ?? step
            choice = 0
        }
        note(choice, of: count)
        return choice
    }

    /// Notes a choice that was made.
    func note(_ choice: Int, of count: Int) {
        bounds.append(count)
        choices.append(choice)
    }

    /// What was chosen.
    var schedule: Schedule {
        var deviations: [Schedule.Deviation] = []
        for (step, choice) in choices.enumerated() where choice > 0 {
            deviations.append(Schedule.Deviation(step: step, choice: choice))
        }
        return Schedule(deviations, hasWholeSteps: hasWholeSteps, fingerprint: fingerprint)
    }

    /// FNV-1a, folded.
    private var fingerprint: UInt16 {
        var hash: UInt32 = 0x811c_9dc5
        for bound in bounds { hash = (hash ^ UInt32(truncatingIfNeeded: bound)) &* 0x0100_0193 }
        return UInt16(truncatingIfNeeded: hash >> 16 ^ hash)
    }
}
