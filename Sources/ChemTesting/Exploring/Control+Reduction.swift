import ChemActors

// What an exhaustive search that leaves out schedules is told, and what it chooses.

extension Control {
    var surveys: Bool { script.reduction != nil }

    func made(_ definition: ControlledDefinition) { surveyor?.add(definition) }

    func touches(_ definition: ObjectIdentifier, _ touch: Touch) { surveyor?.touch(definition, touch) }

    func newSharedObject() -> Int? { surveyor?.newSharedObject() }

    func touches(sharedObject number: Int, _ side: SharedSide) { surveyor?.touch(sharedObject: number, side) }

    func tells(ofQuietOf definition: ObjectIdentifier, _ tell: () -> Void) {
        surveyor?.beginTelling(ofQuietOf: definition)
        tell()
        surveyor?.endTelling()
    }

    /// Takes the next step that the reduction wants.
    func drive(_ reduction: Reduction, _ count: Int, _ deadline: ContinuousClock.Instant?) -> Halt? {
        var offers: [Offer] = []
        var transitions: [Transition] = []
        for var offer in self.offers {
            guard let step = offer.step, let definition = surveyor?.number(of: step.definition) else {
                offers.append(offer)
                transitions.append(Transition(kind: .job, number: offer.number))
                continue
            }
            for pick in surveyor?.picks(of: offer.reaction, of: definition) ?? [] {
                offer.choices = pick.choices
                offers.append(offer)
                transitions.append(
                    Transition(kind: .reaction(definition), number: offer.reaction, copies: pick.copies)
                )
            }
        }
        if deadline != nil { transitions.append(Transition(kind: .time, number: 0)) }
        guard let index = reduction.choose(among: transitions) else { return .repetition }
        let offer = index < offers.count ? offers[index] : nil
        let possibilities = count + (deadline == nil ? 0 : 1)
        if possibilities > 1 { script.note(offer?.index ?? count, of: possibilities) }
        surveyor?.begin(
            transitions[index],
            of: offer?.task,
            cause: offer?.cause ?? steps - 1,
            afterQuietOf: offer?.quiet
        )
        steps += 1
        if let offer { take(offer) } else if let deadline { pass(to: deadline) }
        if !script.planned.isEmpty { reduction.goAstray() }
        takeLooks()
        surveyor?.end(transitions[index])
        return nil
    }
}
