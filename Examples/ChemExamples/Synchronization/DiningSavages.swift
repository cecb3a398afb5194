import ChemActors

/// Savages eat from a pot. Who finds it empty wakes the cook, who fills it.
///
///     savage(who) & pot(n) → who eats; savage(who); pot(n - 1), or empty() after the last serving
///     cook(batches) & empty() → pot(capacity), cook(batches - 1)
///
/// The pot is one molecule, so one savage at a time looks into it. An empty pot is another molecule than a pot with
/// something in it: the savages don't react with it, and only the cook does.
enum Savages {
    static func define(savages: Int, capacity: Int, batches: Int, witness: Witness<SavagesLedger>) -> Join {
        Join.define("savages") { join in
            let savage = join.slow("savage", of: Int.self)
            let pot = join.slow("pot", of: Int.self)
            let empty = join.slow("empty")
            let cook = join.slow("cook", of: Int.self)

            join.when(savage, pot) { who, servings in
                witness.saw(.ate(who))
                if servings > 1 { pot(servings - 1) } else { empty() }
                savage(who)
            }
            join.when(cook, empty) { batches, _ in
                guard batches > 0 else { return }
                witness.saw(.cooked(capacity))
                pot(capacity)
                cook(batches - 1)
            }

            // The first pot is full; the cook has batches for so many more.
            pot(capacity)
            cook(batches)
            for who in 0..<savages { savage(who) }
            return join.definition
        }
    }
}

/// What is in the pot, and what was.
struct SavagesLedger: Ledger {
    enum Event: Sendable {
        case ate(Int)
        case cooked(Int)
    }

    private var servings: Int
    private var eaten = 0
    private var added = 0
    private let (expectedToEat, expectedToAdd): (Int, Int)
    private var meals = Invariant("nobody eats from an empty pot")
    private var fillings = Invariant("the cook fills an empty pot only")

    init(capacity: Int, batches: Int) {
        servings = capacity
        expectedToEat = capacity * (batches + 1)
        expectedToAdd = capacity * batches
    }

    mutating func record(_ event: Event) {
        switch event {
        case .ate(let who):
            meals.look(servings > 0 ? nil : "savage \(who)")
            servings -= 1
            eaten += 1
        case .cooked(let count):
            fillings.look(servings == 0 ? nil : "there were \(servings) left")
            servings += count
            added += count
        }
    }

    var checks: [Check] {
        [
            meals.check, fillings.check, Check("added", added, is: expectedToAdd),
            Check("eaten", eaten, is: expectedToEat),
        ]
    }
}

extension Gallery {
    static let savages = Example(
        "savages",
        "dining savages: who finds the pot empty wakes the cook",
        from: "Andrews; Little Book of Semaphores 5.1"
    ) { _, _, machine in
        let witness = Witness(SavagesLedger(capacity: 7, batches: 10))
        let definition = Savages.define(savages: 4, capacity: 7, batches: 10, witness: witness)
        try await definition.quiescence()
        try await machine.quiescence()
        return try await witness.account().checks
    }
}
