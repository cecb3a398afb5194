import ChemActors
import FieldWorks
import Synchronization

/// Two kinds of messages that vanish together.
struct Pairs: JoinDefinition {
    let a = SlowMolecule<Int>()
    let b = SlowMolecule<Int>()
    let sum = FastMolecule<Void, Int>()
    let definition = Join.beingMade
    private let total = StateMolecule(0)

    func react(in join: inout Join.Builder) {
        join.when(a, b, updating: total) { total, x, y in total += x + y }
        join.answer(sum, reading: total) { total, _ in total }
    }

    static let works = [
        Work("pairs", "definition", 1_000_000) { count in
            try await measure(count) { pairs in
                await withDiscardingTaskGroup { group in
                    group.addTask { for number in 0..<count { pairs.a(number) } }
                    group.addTask { for number in 0..<count { pairs.b(number) } }
                }
            }
        },
        Work("pairs-waiting", "definition", 1_000_000) { count in
            try await measure(count) { pairs in
                for number in 0..<count { pairs.a(number) }
                for number in 0..<count { pairs.b(number) }
            }
        },
    ]

    private static func measure(_ count: Int, inject: (Pairs) async -> Void) async throws -> Outcome {
        let pairs = Join.make(Pairs())
        let start = ContinuousClock.now
        await inject(pairs)
        try await pairs.definition.quiescence()
        let sum = try await pairs.sum()
        return try Outcome(count, start.elapsed, "the sum over all pairs", sum, wanted: 2 * triangle(count))
    }
}
