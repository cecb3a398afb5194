import ChemActors

/// A boat takes four to the other bank: four hackers, four serfs, or two of each, but never three against one. One of
/// them rows.
///
///     boat & hacker × 4 → all four cross, one of them rows; boat
///     boat & serf × 4 → the same
///     boat & hacker × 2 & serf × 2 → the same
///
/// Three reactions, one for each safe company. They compete for the passengers, and what they compete for is taken in
/// one step.
struct River: Sendable {
    /// What a passenger is told.
    struct Crossing: Sendable {
        let boat: Int
        let rows: Bool
    }

    let hacker: FastMolecule<Void, Crossing>
    let serf: FastMolecule<Void, Crossing>

    init(witness: Witness<RiverLedger>) {
        (hacker, serf) = Join.define("river") { join in
            // The boat carries the number of its next crossing.
            let boat = join.slow("boat", of: Int.self)
            let hacker = join.fast("hacker", returning: Crossing.self)
            let serf = join.fast("serf", returning: Crossing.self)

            @Sendable func cross(_ number: Int, hackers: [Reply<Void, Crossing>], serfs: [Reply<Void, Crossing>]) {
                witness.saw(.boarded(hackers: hackers.count, serfs: serfs.count))
                for (index, passenger) in (hackers + serfs).enumerated() {
                    passenger(Crossing(boat: number, rows: index == 0))
                }
                boat(number + 1)
            }
            join.when(boat, hacker, hacker, hacker, hacker) { cross($0, hackers: [$1, $2, $3, $4], serfs: []) }
            join.when(boat, serf, serf, serf, serf) { cross($0, hackers: [], serfs: [$1, $2, $3, $4]) }
            join.when(boat, hacker, hacker, serf, serf) { cross($0, hackers: [$1, $2], serfs: [$3, $4]) }

            boat(1)
            return (hacker, serf)
        }
    }

    private init(hacker: FastMolecule<Void, Crossing>, serf: FastMolecule<Void, Crossing>) {
        self.hacker = hacker
        self.serf = serf
    }
}

/// Who has boarded which boat.
struct RiverLedger: Ledger {
    enum Event: Sendable {
        case boarded(hackers: Int, serfs: Int)
        /// What a passenger says on the other bank.
        case arrived(boat: Int, isHacker: Bool, rows: Bool)
    }

    let passengers: Int
    private var boats = 0
    private var crews: [Int: (hackers: Int, serfs: Int, rowers: Int)] = [:]
    private var companies = Invariant("four board, and never three against one")

    init(passengers: Int) {
        self.passengers = passengers
    }

    mutating func record(_ event: Event) {
        switch event {
        case .boarded(let hackers, let serfs):
            let isSafe = [4, 2, 0].contains(hackers) && hackers + serfs == 4
            companies.look(isSafe ? nil : "\(hackers) hackers, \(serfs) serfs")
            boats += 1
        case .arrived(let boat, let isHacker, let rows):
            var crew = crews[boat, default: (0, 0, 0)]
            if isHacker { crew.hackers += 1 } else { crew.serfs += 1 }
            if rows { crew.rowers += 1 }
            crews[boat] = crew
        }
    }

    var checks: [Check] {
        let safe = crews.values.count {
            [4, 2, 0].contains($0.hackers) && $0.hackers + $0.serfs == 4 && $0.rowers == 1
        }
        return [
            companies.check,
            Check("boats", boats, is: passengers / 4),
            Check("boats whose four passengers arrived with one rower", safe, is: passengers / 4),
        ]
    }
}

extension Gallery {
    static let river = Example(
        "river",
        "river crossing: four to a boat, never three against one",
        from: "Joseph; Little Book of Semaphores 5.7"
    ) { stage, _, machine in
        // Even numbers of both, four of them to a boat: nobody is left.
        let each = stage.pick(full: 2000, small: 40)
        let witness = Witness(RiverLedger(passengers: 2 * each))
        let river = River(witness: witness)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2 * each {
                group.addTask {
                    let isHacker = number % 2 == 0
                    let crossing = try await isHacker ? river.hacker() : river.serf()
                    witness.saw(.arrived(boat: crossing.boat, isHacker: isHacker, rows: crossing.rows))
                }
            }
            try await group.waitForAll()
        }
        try await machine.quiescence()
        return try await witness.account().checks
    }
}
