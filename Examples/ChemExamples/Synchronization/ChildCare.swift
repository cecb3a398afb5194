import ChemActors

/// In a child care there must always be an adult for every three children.
///
///     adultComes → place × 3, an answer
///     adultLeaves & place × 3 → an answer
///     childComes & place → an answer
///     childLeaves → place, an answer
///
/// A `place` is the right of one child to be there. With semaphores, two adults who leave may each take some of the
/// places and wait for the rest for ever. Here an adult takes three at once or none.
struct ChildCare: Sendable {
    let adultComes: FastMolecule<Void, Void>
    /// Waits until the other adults suffice.
    let adultLeaves: FastMolecule<Void, Void>
    /// Waits until there is an adult for one more child.
    let childComes: FastMolecule<Void, Void>
    let childLeaves: FastMolecule<Void, Void>

    init(witness: Witness<ChildCareLedger>) {
        (adultComes, adultLeaves, childComes, childLeaves) = Join.define("child care") { join in
            let place = join.slow("place")
            let adultComes = join.fast("adultComes")
            let adultLeaves = join.fast("adultLeaves")
            let childComes = join.fast("childComes")
            let childLeaves = join.fast("childLeaves")

            // The witness hears of a right before it can be used, and of its use before it is given back.
            join.answer(adultComes) { _ in
                witness.saw(.adultCame)
                for _ in 1...3 { place() }
            }
            join.answer(adultLeaves, with: place, place, place) { _, _, _, _ in witness.saw(.adultLeft) }
            join.answer(childComes, with: place) { _, _ in witness.saw(.childCame) }
            join.answer(childLeaves) { _ in
                witness.saw(.childLeft)
                place()
            }
            return (adultComes, adultLeaves, childComes, childLeaves)
        }
    }

    private init(
        adultComes: FastMolecule<Void, Void>,
        adultLeaves: FastMolecule<Void, Void>,
        childComes: FastMolecule<Void, Void>,
        childLeaves: FastMolecule<Void, Void>
    ) {
        self.adultComes = adultComes
        self.adultLeaves = adultLeaves
        self.childComes = childComes
        self.childLeaves = childLeaves
    }
}

/// Who is there.
struct ChildCareLedger: Ledger {
    enum Event: Sendable {
        case adultCame, adultLeft, childCame, childLeft
    }

    private(set) var adults = 0
    private(set) var children = 0
    private(set) var visits = 0
    private var ratio = Invariant("there is an adult for every three children")

    mutating func record(_ event: Event) {
        switch event {
        case .adultCame: adults += 1
        case .adultLeft: adults -= 1
        case .childCame:
            children += 1
            visits += 1
        case .childLeft: children -= 1
        }
        let holds = adults >= 0 && children >= 0 && children <= 3 * adults
        ratio.look(holds ? nil : "\(adults) adults, \(children) children")
    }

    var checks: [Check] { [ratio.check, Check("children that are left", children, is: 0)] }
}

extension Gallery {
    static let childCare = Example(
        "childcare",
        "child care: an adult for every three children, and adults who want to leave",
        from: "Hailperin; Little Book of Semaphores 7.2"
    ) { stage, _, machine in
        let (adults, children, visits) = (4, 10, stage.pick(full: 1000, small: 20))
        let witness = Witness(ChildCareLedger())
        let care = ChildCare(witness: witness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<adults {
                group.addTask {
                    for _ in 0..<visits {
                        try await care.adultComes()
                        try await care.adultLeaves()
                    }
                    // Whoever has done enough stays to the end, so that all children have their visits.
                    try await care.adultComes()
                }
            }
            for _ in 0..<children {
                group.addTask {
                    for _ in 0..<visits {
                        try await care.childComes()
                        try await care.childLeaves()
                    }
                }
            }
            try await group.waitForAll()
        }
        try await machine.quiescence()
        let ledger = try await witness.account()
        return ledger.checks + [
            Check("visits of children", ledger.visits, is: children * visits),
            Check("adults at the end", ledger.adults, is: adults),
        ]
    }
}
