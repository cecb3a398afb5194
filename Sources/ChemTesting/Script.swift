import ChemActors

/// Makes the choices of one run, and notes them.
final class Script {
    enum Source {
        case canonical
        case random(SeededGenerator)
        case deviations([Schedule.Deviation])
        case prefix([Int])
    }

    private var source: Source
    private var nextDeviation = 0
    /// How many possibilities there were at each step.
    private(set) var bounds: [Int] = []
    private(set) var choices: [Int] = []
    /// The first step whose wanted choice didn't exist.
    private(set) var impossible: Int?

    init(_ source: Source) {
        self.source = source
    }

    /// One of `0 ..< count`.
    func choose(_ count: Int) -> Int {
        let step = bounds.count
        var choice = 0
        switch source {
        case .canonical: break
        case .random(var generator):
            choice = generator.below(count)
            source = .random(generator)
        case .deviations(let deviations):
            if nextDeviation < deviations.count, deviations[nextDeviation].step == step {
                choice = deviations[nextDeviation].choice
                nextDeviation += 1
            }
        case .prefix(let prefix): if step < prefix.count { choice = prefix[step] }
        }
        if choice >= count {
            impossible = impossible ?? step
            choice = 0
        }
        bounds.append(count)
        choices.append(choice)
        return choice
    }

    /// What was chosen.
    var schedule: Schedule {
        var deviations: [Schedule.Deviation] = []
        for (step, choice) in choices.enumerated() where choice > 0 {
            deviations.append(Schedule.Deviation(step: step, choice: choice))
        }
        return Schedule(deviations, fingerprint: fingerprint)
    }

    /// FNV-1a, folded.
    private var fingerprint: UInt16 {
        var hash: UInt32 = 0x811c_9dc5
        for bound in bounds { hash = (hash ^ UInt32(truncatingIfNeeded: bound)) &* 0x0100_0193 }
        return UInt16(truncatingIfNeeded: hash >> 16 ^ hash)
    }
}
