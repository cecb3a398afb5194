import ChemActors

/// Two atoms of hydrogen and one of oxygen bond. Each atom is a caller, who waits until its molecule of water is
/// complete.
///
///     hydrogen & hydrogen & oxygen → each is told the number of its molecule
///
/// This is what a reaction is, so there is nothing to solve: no barrier, no counters, no mutex.
struct Water: Sendable {
    /// An atom, by its number, waits for its molecule.
    let hydrogen: FastMolecule<Int, Int>
    /// An atom, by its number, waits for its molecule.
    let oxygen: FastMolecule<Int, Int>

    init(witness: Witness<WaterLedger>) {
        (hydrogen, oxygen) = Join.define("water") { join in
            let made = join.state("made", 0)
            let hydrogen = join.fast("hydrogen", of: Int.self, returning: Int.self)
            let oxygen = join.fast("oxygen", of: Int.self, returning: Int.self)

            join.when(hydrogen, hydrogen, oxygen, updating: made) { made, one, other, oxygen in
                made += 1
                witness.saw(.bonded(hydrogen: [one.value, other.value], oxygen: oxygen.value))
                one(made)
                other(made)
                oxygen(made)
            }
            return (hydrogen, oxygen)
        }
    }

    private init(hydrogen: FastMolecule<Int, Int>, oxygen: FastMolecule<Int, Int>) {
        self.hydrogen = hydrogen
        self.oxygen = oxygen
    }
}

/// Which atoms have bonded, and what the atoms themselves have been told.
struct WaterLedger: Ledger {
    enum Event: Sendable {
        case bonded(hydrogen: [Int], oxygen: Int)
        case told(molecule: Int, isOxygen: Bool)
    }

    let molecules: Int
    private var hydrogen: Set<Int> = []
    private var oxygen: Set<Int> = []
    private var told: [Int: (hydrogen: Int, oxygen: Int)] = [:]
    private var bonds = Invariant("an atom bonds once")
    private var counts = Invariant("a molecule has no more than two atoms of hydrogen and one of oxygen")

    init(molecules: Int) {
        self.molecules = molecules
    }

    mutating func record(_ event: Event) {
        switch event {
        case .bonded(let pair, let single):
            let isNew = Set(pair).count == 2 && hydrogen.isDisjoint(with: pair) && !oxygen.contains(single)
            bonds.look(isNew ? nil : "hydrogen \(pair), oxygen \(single)")
            hydrogen.formUnion(pair)
            oxygen.insert(single)
        case .told(let molecule, let isOxygen):
            var atoms = told[molecule, default: (0, 0)]
            if isOxygen { atoms.oxygen += 1 } else { atoms.hydrogen += 1 }
            told[molecule] = atoms
            counts.look(atoms.hydrogen <= 2 && atoms.oxygen <= 1 ? nil : "molecule \(molecule): \(atoms)")
        }
    }

    var checks: [Check] {
        [
            bonds.check, counts.check,
            Check("molecules of which all three atoms know", told.values.count { $0 == (2, 1) }, is: molecules),
            Check("atoms that have bonded", hydrogen.count + oxygen.count, is: 3 * molecules),
        ]
    }
}

extension Gallery {
    static let water = Example(
        "h2o",
        "building H₂O: two atoms of hydrogen and one of oxygen wait for each other",
        from: "Andrews; Little Book of Semaphores 5.6"
    ) { stage, _, machine in
        let molecules = stage.pick(full: 2000, small: 50)
        let witness = Witness(WaterLedger(molecules: molecules))
        let water = Water(witness: witness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for atom in 0..<3 * molecules {
                group.addTask {
                    let isOxygen = atom % 3 == 0
                    let molecule = try await isOxygen ? water.oxygen(atom) : water.hydrogen(atom)
                    witness.saw(.told(molecule: molecule, isOxygen: isOxygen))
                }
            }
            try await group.waitForAll()
        }
        try await machine.quiescence()
        return try await witness.account().checks
    }
}
