import ChemActors

/// What a lab asks of its control.
enum LabRequest {
    case possible
    case perform(String)
    case step
    case run
    case advance(until: ContinuousClock.Instant)
    /// What was asked for has happened, and tasks go on until none can.
    case settle
}

/// What it gets.
struct LabAnswer {
    /// The reactions that have happened or are possible.
    var names: [String]
    var isRefused = false
}

extension Control {
    /// Has the driver do something as soon as no task can go on.
    nonisolated(nonsending) func ask(_ request: LabRequest) async -> LabAnswer {
        await withCheckedContinuation { continuation in
            happened = []
            pending = (request, continuation)
        }
    }

    /// Takes the next step of a run by hand: a task that can go on, or else what the lab asks for.
    ///
    /// - Returns: why it hasn't.
    func driveByHand() -> Halt? {
        takeLooks()
        if let index = firstJob {
            take(index)
            return nil
        }
        guard let (request, continuation) = pending else { return .nothing }
        pending = nil
        func answer(_ answer: LabAnswer) { continuation.resume(returning: answer) }
        switch request {
        case .possible:
            answer(LabAnswer(names: possible))
        case .perform(let name):
            let meant = offers.filter { $0.inputs == name || $0.name == name }
            guard meant.count == 1 else {
                answer(LabAnswer(names: offers.map(\.name), isRefused: true))
                break
            }
            take(meant[0])
            pending = (.settle, continuation)
        case .step:
            if let offer = offers.first { take(offer) }
            pending = (.settle, continuation)
        case .run:
            if let offer = offers.first {
                take(offer)
                pending = (.run, continuation)
            } else {
                answer(LabAnswer(names: happened))
            }
        case .advance(let time):
            if let deadline = nextDeadline, deadline <= time {
                pass(to: deadline)
                pending = (request, continuation)
            } else {
                pass(to: time)
                answer(LabAnswer(names: []))
            }
        case .settle: answer(LabAnswer(names: happened))
        }
        return nil
    }

    /// The reactions that are possible, in a lab. Where there is no doubt, the inputs say enough.
    var possible: [String] {
        let all = isByHand ? offers : []
        return all.map { offer in
            all.count { $0.inputs == offer.inputs } > 1 ? offer.name : offer.inputs
        }
    }

    /// A reaction that is possible.
    private struct Offer {
        /// The index of the step in what is ready.
        let index: Int
        /// Its index among those of its definition that are possible.
        let choice: Int
        /// How many these are.
        let count: Int
        let inputs: String
        let name: String
    }

    private var offers: [Offer] {
        readySteps.flatMap { index, step in
            let possible = step.possible
            return possible.enumerated().map { choice, reaction in
                let inputs = step.inputs(ofReaction: reaction) ?? "another attempt"
                return Offer(
                    index: index,
                    choice: choice,
                    count: possible.count,
                    inputs: inputs,
                    name: "\(step.name): \(inputs)"
                )
            }
        }
    }

    private func take(_ offer: Offer) {
        if offer.count > 1 { script.wanted = offer.choice }
        take(offer.index)
    }
}
