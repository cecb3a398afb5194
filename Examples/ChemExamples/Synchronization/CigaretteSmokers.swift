import ChemActors

/// An agent puts two of three ingredients on the table; the smoker who owns the third takes both and smokes.
///
///     agent(round) → two ingredients, chosen at random
///     paper & matches & ownsTobacco(round) → smokes, ownsTobacco, agent(round + 1)
///     matches & tobacco & ownsPaper → smokes, ownsPaper, agent(round + 1)
///     tobacco & paper & ownsMatches → smokes, ownsMatches, agent(round + 1)
///
/// With semaphores the difficulty is that a smoker takes one ingredient and so blocks the others. Here a reaction takes
/// all that it needs in one step, or nothing.
enum Smokers {
    static func define(rounds: Int, witness: Witness<SmokersLedger>) -> SlowMolecule<Int> {
        Join.define("smokers") { join in
            let agent = join.slow("agent", of: Int.self)
            // Ingredients carry the number of the round.
            let ingredients = Ingredient.allCases.map { join.slow("\($0)", of: Int.self) }
            let owners = Ingredient.allCases.map { join.slow("owner of \($0)") }

            for owned in Ingredient.allCases {
                let others = Ingredient.allCases.filter { $0 != owned }
                let (one, other) = (ingredients[others[0].rawValue], ingredients[others[1].rawValue])
                let owner = owners[owned.rawValue]

                // Three reactions with the same input: which of them runs is left to chance.
                join.when(agent) { round in
                    guard round < rounds else { return }
                    witness.saw(.offered(others))
                    one(round)
                    other(round)
                }.mayCompete()

                join.when(one, other, owner) { round, _, _ in
                    witness.saw(.smoked(owned))
                    owner()
                    agent(round + 1)
                }
            }
            for owner in owners { owner() }
            return agent
        }
    }
}

enum Ingredient: Int, CaseIterable, Sendable {
    case tobacco, paper, matches
}

/// What is on the table, and who smokes.
struct SmokersLedger: Ledger {
    enum Event: Sendable {
        case offered([Ingredient])
        case smoked(Ingredient)
    }

    let rounds: Int
    private var table: [Ingredient] = []
    private var smoked = 0
    private var offers = Invariant("the agent waits until the table is empty")
    private var smokers = Invariant("who smokes owns what the table lacks")

    init(rounds: Int) {
        self.rounds = rounds
    }

    mutating func record(_ event: Event) {
        switch event {
        case .offered(let ingredients):
            offers.look(table.isEmpty ? nil : "\(ingredients) beside \(table)")
            table += ingredients
        case .smoked(let owned):
            let isRight = table.count == 2 && !table.contains(owned)
            smokers.look(isRight ? nil : "the owner of \(owned) with \(table)")
            table = []
            smoked += 1
        }
    }

    var checks: [Check] { [offers.check, smokers.check, Check("rounds", smoked, is: rounds)] }
}

extension Gallery {
    static let smokers = Example(
        "smokers",
        "cigarette smokers: who lacks two ingredients takes both at once",
        from: "Patil; Little Book of Semaphores 4.5"
    ) { _, _, machine in
        let witness = Witness(SmokersLedger(rounds: 10))
        let agent = Smokers.define(rounds: 10, witness: witness)
        agent(0)
        try await machine.quiescence()
        return try await witness.account().checks
    }
}
