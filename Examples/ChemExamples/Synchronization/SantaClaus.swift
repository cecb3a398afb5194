import ChemActors

/// Santa sleeps until nine reindeer are back from their holidays, or three elves need help. If both wait for him, the
/// reindeer come first.
///
///     reindeer × 9 → harnessed(team); knock()
///     elf × 3 → knock(); queue of groups
///     santa & knock & porch → delivers with the team if one waits, else helps a group; santa
///
/// Gathering is the work of reactions with nine and with three inputs of the same molecule. A reaction doesn't look at
/// values, so the priority is a decision in a body: there is one `knock` for each team or group, and Santa looks at the
/// whole porch, a state, when he opens.
enum Santa {
    /// Who waits at Santa's door.
    struct Porch: Sendable {
        var teams: [[Int]] = []
        var groups: [[Int]] = []
    }

    static func define(years: Int, witness: Witness<SantaLedger>) -> Join {
        Join.define("north pole") { join in
            let porch = join.state("porch", Porch())
            let reindeer = join.slow("reindeer", of: Int.self)
            let elf = join.slow("elf", of: Int.self)
            let team = join.slow("team", of: [Int].self)
            let group = join.slow("group", of: [Int].self)
            let knock = join.slow("knock")
            let santa = join.slow("santa", of: Int.self)

            join.when(
                reindeer,
                reindeer,
                reindeer,
                reindeer,
                reindeer,
                reindeer,
                reindeer,
                reindeer,
                reindeer
            ) { a, b, c, d, e, f, g, h, i in
                team([a, b, c, d, e, f, g, h, i])
            }
            join.when(elf, elf, elf) { a, b, c in group([a, b, c]) }

            join.when(team, updating: porch) { porch, team in
                witness.saw(.teamWaits)
                porch.teams.append(team)
                knock()
            }
            join.when(group, updating: porch) { porch, group in
                porch.groups.append(group)
                knock()
            }

            // `santa` carries the years that are left. After the last one he doesn't open any more.
            join.when(santa, knock, updating: porch) { porch, years, _ in
                if let team = porch.teams.popLast() {
                    witness.saw(.delivered(team))
                    guard years > 1 else { return }
                    for animal in team { reindeer(animal) }
                    santa(years - 1)
                } else if let group = porch.groups.popLast() {
                    witness.saw(.helped(group))
                    for one in group { elf(one) }
                    santa(years)
                }
            }

            santa(years)
            for animal in 1...9 { reindeer(animal) }
            for one in 1...10 { elf(one) }
            return join.definition
        }
    }
}

/// Whom Santa has seen, and who was waiting then.
struct SantaLedger: Ledger {
    enum Event: Sendable {
        case teamWaits
        case delivered([Int])
        case helped([Int])
    }

    let years: Int
    private var teamWaits = false
    private var deliveries = 0
    private var helped = 0
    private var teams = Invariant("nine different reindeer pull the sleigh")
    private var groups = Invariant("three different elves are helped at once")
    private var priority = Invariant("no elf is helped while the reindeer wait")

    init(years: Int) {
        self.years = years
    }

    mutating func record(_ event: Event) {
        switch event {
        case .teamWaits: teamWaits = true
        case .delivered(let team):
            teams.look(teamWaits && Set(team) == Set(1...9) && team.count == 9 ? nil : "\(team)")
            teamWaits = false
            deliveries += 1
        case .helped(let group):
            groups.look(group.count == 3 && Set(group).count == 3 ? nil : "\(group)")
            priority.look(teamWaits ? "\(group)" : nil)
            helped += 1
        }
    }

    var checks: [Check] {
        [teams.check, groups.check, priority.check, Check("years", deliveries, is: years)]
    }
}

extension Gallery {
    static let santa = Example(
        "santa",
        "Santa Claus: nine reindeer or three elves wake him, and the reindeer come first",
        from: "Trono; Little Book of Semaphores 5.5"
    ) { stage, _, machine in
        let years = stage.pick(full: 2000, small: 50)
        let witness = Witness(SantaLedger(years: years))
        let northPole = Santa.define(years: years, witness: witness)
        try await northPole.quiescence()
        try await machine.quiescence()
        return try await witness.account().checks
    }
}
