import ChemActors

/// Hears what the reporter of a machine says, and keeps what points to a mistake.
///
///     hear(event) & heard → heard
///     all & heard → heard; what has been kept
///
/// It belongs to another machine than the one that it listens to.
struct Mishaps: Sendable {
    let hear: SlowMolecule<ChemicalEvent>
    let all: FastMolecule<Void, [String]>
    let definition: Join

    init() {
        (hear, all, definition) = ChemicalMachine.shared.define("mishaps") { join in
            let heard = join.state("heard", [String]())
            let hear = join.slow("hear", of: ChemicalEvent.self, order: .oldestFirst)
            let all = join.fast("all", returning: [String].self)
            join.when(hear, updating: heard) { heard, event in
                if event.isMishap { heard.append("\(event)") }
            }
            join.answer(all, reading: heard) { heard, _ in heard }
            return (hear, all, join.definition)
        }
    }

    /// What was heard up to now.
    func soFar() async throws -> [String] {
        try await definition.quiescence()
        return try await all()
    }

    private init(hear: SlowMolecule<ChemicalEvent>, all: FastMolecule<Void, [String]>, definition: Join) {
        self.hear = hear
        self.all = all
        self.definition = definition
    }
}
