import ChemActors
import FieldWorks

/// A counter that any code increments, and that is asked for its value.
struct Counter: JoinDefinition {
    let increment = SlowMolecule<Void>()
    let value = FastMolecule<Void, Int>()
    let definition = Join.beingMade
    private let count: StateMolecule<Int>

    init(from initial: Int = 0) { count = StateMolecule(initial) }

    func react(in join: inout Join.Builder) {
        join.when(increment, updating: count) { count, _ in count += 1 }
        join.answer(value, reading: count) { count, _ in count }
    }
}

enum Counters {
    static let works = [
        Work("counter-1", "definition", 5_000_000) { try await count($0, injectors: 1) },
        Work("counter-8", "definition", 5_000_000) { try await count($0, injectors: 8) },
        Work("define", "definition", 50_000) { try await define($0) },
    ]

    private static func count(_ count: Int, injectors: Int) async throws -> Outcome {
        let counter = Join.make(Counter())
        let share = count / injectors
        let start = ContinuousClock.now
        if injectors == 1 {
            for _ in 0..<share { counter.increment() }
        } else {
            await withDiscardingTaskGroup { group in
                for _ in 0..<injectors {
                    group.addTask { for _ in 0..<share { counter.increment() } }
                }
            }
        }
        try await counter.definition.quiescence()
        let value = try await counter.value()
        return try Outcome(share * injectors, start.elapsed, "the count", value, wanted: share * injectors)
    }

    /// Counters that live for a moment. A call may react before an increment does, so each value is 7 or 8.
    private static func define(_ count: Int) async throws -> Outcome {
        var right = 0
        let start = ContinuousClock.now
        for _ in 0..<count {
            let counter = Join.make(Counter(from: 7))
            counter.increment()
            let value = try await counter.value()
            if value == 7 || value == 8 { right += 1 }
        }
        return try Outcome(count, start.elapsed, "values that are 7 or 8", right, wanted: count)
    }
}
