import ChemActors

// What an exhaustive search that leaves out schedules is told, and what it chooses.

extension Control {
    var surveys: Bool { script.reduction != nil }

    func made(_ definition: ControlledDefinition) { surveyor?.add(definition) }

    func touches(_ definition: ObjectIdentifier, _ touch: Touch) {
        if Interception.isDriving(self) { present.hasActed = true }
        surveyor?.touch(definition, touch)
    }

    func newSharedObject() -> Int? { surveyor?.newSharedObject() }

    func touches(sharedObject number: Int, _ side: SharedSide) { surveyor?.touch(sharedObject: number, side) }

    func tells(ofQuietOf definition: ObjectIdentifier, _ tell: () -> Void) {
        surveyor?.beginTelling(ofQuietOf: definition)
        tell()
        surveyor?.endTelling()
    }

    /// The next step that the reduction wants, which begins herewith. Nil if each would repeat what has been seen.
    func choose(by reduction: Reduction, _ count: Int, andTime timeMayPass: Bool) -> Next? {
        var offers: [Offer] = []
        var transitions: [Transition] = []
        for var offer in self.offers {
            guard let step = offer.step, let definition = surveyor?.number(of: step.definition) else {
                offers.append(offer)
                transitions.append(Transition(kind: offer.rest == nil ? .job : .rest, number: offer.number))
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
        if timeMayPass { transitions.append(Transition(kind: .time, number: 0)) }
        guard let index = reduction.choose(among: transitions) else { return nil }
        let offer = index < offers.count ? offers[index] : nil
        let possibilities = count + (timeMayPass ? 1 : 0)
        if possibilities > 1 { script.note(offer?.index ?? count, of: possibilities) }
        surveyor?.begin(
            transitions[index],
            restOf: offer?.rest?.definition,
            task: offer?.task,
            cause: offer?.cause ?? steps - 1,
            afterQuietOf: offer?.quiet
        )
        steps += 1
        if let offer { prepare(offer) }
        return next(offer?.index ?? count, of: count)
    }
}
