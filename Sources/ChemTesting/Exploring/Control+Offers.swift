import ChemActors
import ChemBase

// What can happen next, for those who choose otherwise than a script.

extension Control {
    /// Something that can happen next: a job, or a reaction.
    struct Offer {
        /// The index of the job, or of the step, in what is ready.
        let index: Int
        /// For a job, its number in the run, which step has made it ready, and its task.
        let number: Int
        let cause: Int
        let quiet: Int?
        let task: String?
        /// The rest of a step, if that is what it is.
        var rest: Rest?
        /// For a reaction, its definition's step, which reaction it is, and which of so many that are possible there.
        let step: MachineStep?
        var reaction = 0
        var choice = 0
        var count = 1
        /// What has to be chosen among copies of what it takes, as far as that is known.
        var choices: [Int?] = []
    }

    /// All that can happen next but for time.
    var offers: [Offer] {
        admitArrivals()
        return ready.enumerated().flatMap { index, one -> [Offer] in
            func offer(_ step: MachineStep?) -> Offer {
                let origin = one.origin
                return Offer(
                    index: index,
                    number: origin?.number ?? 0,
                    cause: origin?.cause ?? -1,
                    quiet: origin?.quiet,
                    task: origin?.task,
                    rest: one.rest,
                    step: step
                )
            }
            guard case .step(let step) = one.item else { return [offer(nil)] }
            let possible = step.possible
            return possible.enumerated().map { choice, reaction in
                var offer = offer(step)
                (offer.reaction, offer.choice, offer.count) = (reaction, choice, possible.count)
                return offer
            }
        }
    }

    func take(_ offer: Offer) {
        prepare(offer)
        take(offer.index)
    }

    /// Sees to it that the choices are made which `offer` stands for.
    func prepare(_ offer: Offer) {
        if offer.count > 1 { script.wanted = offer.choice }
        script.planned = offer.choices[...]
    }

    /// The first job that is ready.
    var firstJob: Int? {
        ready.firstIndex(where: \.item.isJob)
    }

    /// Takes the steps that are looks in which nothing is possible: nobody could tell when they come.
    func takeLooks() {
        admitArrivals()
        // Where to go on, and how many steps before that are none.
        var (index, others) = (0, 0)
        while let (place, step, isLast) = firstStep(from: index, behind: others) {
            index = place
            if step.isLook {
                takeLook(place)
            } else {
                if isLast { return }
                index += 1
                others += 1
            }
        }
    }

    private func takeLook(_ place: Int) {
        let look = removeReady(at: place)
        if case .step(let step) = look.item { step.takeLook() }
    }

    /// The first step of a machine that is ready, from a place on behind so many of them, and whether it is the last.
    private func firstStep(from index: Int, behind others: Int) -> (place: Int, step: MachineStep, isLast: Bool)? {
        if readySteps == others { return nil }
        for place in index..<max(index, ready.count) {
            if case .step(let step) = ready[place].item { return (place, step, readySteps == others + 1) }
        }
        return nil
    }
}
