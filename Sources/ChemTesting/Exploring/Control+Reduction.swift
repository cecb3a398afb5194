import ChemActors
import ChemBase

// What an exhaustive search that leaves out schedules is told, and what it chooses.

extension Control {
    var surveys: Bool { script.reduction != nil }

    /// What finds out what the steps touch, for the driving thread. What others touch isn't followed: what they do
    /// makes the run fail.
    private var ownSurveyor: Surveyor? { surveyor != nil && Interception.isDriving(self) ? surveyor : nil }

    func made(_ definition: ControlledDefinition) {
        guard surveys else { return }
        if let ownSurveyor { return ownSurveyor.add(definition) }
        lock.withLock {
            hasEscaped = true
            strangers.append(definition)
        }
    }

    func touches(_ definition: ObjectIdentifier, _ touch: Touch) {
        guard Interception.isDriving(self) else { return }
        present.hasActed = true
        surveyor?.touch(definition, touch)
    }

    func newSharedObject() -> Int? { ownSurveyor?.newSharedObject() }

    func touches(sharedObject number: Int, _ side: SharedSide) { ownSurveyor?.touch(sharedObject: number, side) }

    func tells(ofQuietOf definition: ObjectIdentifier, _ tell: () -> Void) {
        let surveyor = ownSurveyor
        surveyor?.beginTelling(ofQuietOf: definition)
        tell()
        surveyor?.endTelling()
    }

    private func getToKnowStrangers() {
        let strangers = lock.withLock {
            defer { self.strangers = [] }
            return self.strangers
        }
        for stranger in strangers { surveyor?.add(stranger) }
    }

    /// The next step that the reduction wants, which begins herewith. Nil if each would repeat what has been seen.
    func choose(by reduction: Reduction, _ count: Int, andTime timeMayPass: Bool) -> Next? {
        getToKnowStrangers()
        var offers: [Offer] = []
        var transitions: [Transition] = []
        for var offer in self.offers {
            guard let step = offer.step, let definition = surveyor?.number(of: step.definition) else {
                offers.append(offer)
                transitions.append(Transition(kind: offer.rest == nil ? .job : .rest, number: offer.number))
                continue
            }
            guard let picks = surveyor?.picks(of: offer.reaction, of: definition, limit: reduction.limit) else {
                reduction.giveUp()
                return nil
            }
            for pick in picks {
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
