import ChemActors

/// Santa sleeps until nine reindeer are back from their holidays, or three elves need help. If both wait for him, the
/// reindeer come first.
///
///     visitor.reindeer × 9 → a team on the porch
///     visitor.elf × 3      → a group on the porch
///     santa, while a team waits              → delivers with it; santa
///     santa, while a group waits and no team → helps it; santa
///
/// Who comes decides which part of `visitor` reacts, and who waits decides which of Santa's reactions is possible. In
/// the patterns of other systems that is `knock(Reindeer(n))`, and a priority.
enum Santa {
    struct Visitor: Sendable {
        enum Kind: CaseIterable {
            case reindeer, elf
        }

        let kind: Kind
        let number: Int
    }

    /// Who waits at Santa's door.
    struct Porch: Sendable {
        var teams: [[Int]] = []
        var groups: [[Int]] = []
    }

    static func define(years: Int, witness: Witness<SantaLedger>) -> Join {
        Join.define("north pole") { join in
            let porch = join.state("porch", Porch())
            let visitor = join.slow("visitor", of: Visitor.self)
            let santa = join.slow("santa", of: Int.self)

            let visitors = join.parts(of: visitor, by: \.kind)
            join.when(9, of: visitors[.reindeer], updating: porch) { porch, team in
                witness.saw(.teamWaits)
                porch.teams.append(team.map(\.number))
            }
            join.when(3, of: visitors[.elf], updating: porch) { porch, group in
                porch.groups.append(group.map(\.number))
            }

            // `santa` carries the years that are left. After the last one he doesn't open any more.
            join.when(santa, updating: porch.while { !$0.teams.isEmpty }) { porch, years in
                let team = porch.teams.removeLast()
                witness.saw(.delivered(team))
                guard years > 1 else { return }
                for animal in team { visitor(Visitor(kind: .reindeer, number: animal)) }
                santa(years - 1)
            }
            join.when(santa, updating: porch.while { $0.teams.isEmpty && !$0.groups.isEmpty }) { porch, years in
                let group = porch.groups.removeLast()
                witness.saw(.helped(group))
                for one in group { visitor(Visitor(kind: .elf, number: one)) }
                santa(years)
            }

            santa(years)
            for animal in 1...9 { visitor(Visitor(kind: .reindeer, number: animal)) }
            for one in 1...10 { visitor(Visitor(kind: .elf, number: one)) }
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
