// A whole file of tests, as the tutorial "Testing chemistry" shows it.

// snippet.show
import ChemActors
import ChemTesting
import Testing

struct Counter: JoinDefinition {
    let increment = FastMolecule<Void, Void>()
    let value = FastMolecule<Void, Int>()
    private let count = StateMolecule(0)

    func react(in join: inout Join.Builder) {
        join.answer(increment, updating: count) { count, _ in count += 1 }
        join.answer(value, reading: count) { count, _ in count }
    }
}

@Test(.explored(.exhaustive())) func noIncrementIsLost() async throws {
    let counter = Join.make(Counter())
    async let first: Void = counter.increment()
    async let second: Void = counter.increment()
    _ = try await (first, second)
    #expect(try await counter.value() == 2)
}
// snippet.hide
