import ChemActors
import ChemLibrary

/// Definitions that live for a moment.
enum DefinitionRows {
    static let all = [
        Row("define/counter", 20_000, quick: 5_000, against: "baseline/task-per-message") { count in
            let start = ContinuousClock.now
            var sum = 0
            for _ in 0..<count {
                let counter = JoinCounter(from: 7)
                counter.increment()
                // 7 or 8: the call may react before the increment does.
                sum += try await counter.value()
            }
            let measurement = Measurement.since(start)
            try expect("that each value is 7 or 8", (7 * count...8 * count).contains(sum), is: true)
            return measurement
        },
        // Made and dropped, and nothing else.
        Row("define/only", 50_000, quick: 10_000, against: "baseline/task-per-message") { count in
            var latest = [counter(from: 0)]
            let start = ContinuousClock.now
            for number in 1...count { latest[0] = counter(from: number) }
            let measurement = Measurement.since(start)
            try expect("the value of the last one", try await latest[0].1(), is: count)
            return measurement
        },
        // The same, written as a type.
        Row("define/type", 50_000, quick: 10_000, against: "baseline/task-per-message") { count in
            var latest = [Join.make(TypedCounter(from: 0))]
            let start = ContinuousClock.now
            for number in 1...count { latest[0] = Join.make(TypedCounter(from: number)) }
            let measurement = Measurement.since(start)
            try expect("the value of the last one", try await latest[0].value(), is: count)
            return measurement
        },
        // As `mailbox/create-1e4`: each is kept, and gets one message.
        Row("definition/create-1e4", 10_000, quick: 10_000, against: "baseline/taskgroup-child") { count in
            let (arrived, finished) = RingRows.makeEnd()
            let start = ContinuousClock.now
            let total = receiver {
                (left: count, sum: 0)
            } receiving: { state, number in
                state.sum += number
                state.left -= 1
                if state.left == 0 { arrived(state.sum) }
            }
            let definitions = (0..<count).map { _ in
                receiver {
                    ()
                } receiving: { _, number in
                    total(number)
                }
            }
            for (number, definition) in definitions.enumerated() { definition(number) }
            let sum = try await finished()
            let measurement = Measurement.since(start)
            try expect("the sum", sum, is: count * (count - 1) / 2)
            return measurement
        },
    ]

    private struct TypedCounter: JoinDefinition {
        let increment = SlowMolecule<Void>()
        let value = FastMolecule<Void, Int>()
        let count: StateMolecule<Int>

        init(from start: Int) { count = StateMolecule(start) }

        func react(in join: inout Join.Builder) {
            join.when(increment, updating: count) { count, _ in count += 1 }
            join.answer(value, reading: count) { count, _ in count }
        }
    }

    /// The counter of the tutorial: three molecules, two reactions.
    @inline(never)
    private static func counter(from start: Int) -> (SlowMolecule<Void>, FastMolecule<Void, Int>) {
        Join.define("counter") { join in
            let increment = join.slow("increment")
            let value = join.fast("value", returning: Int.self)
            let count = join.state("count", start)
            join.when(increment, updating: count) { count, _ in count += 1 }
            join.answer(value, reading: count) { count, _ in count }
            return (increment, value)
        }
    }

    /// A definition that receives numbers, one after the other.
    private static func receiver<State: Sendable>(
        _ initial: () -> State,
        receiving: @escaping @Sendable (inout State, Int) -> Void
    ) -> SlowMolecule<Int> {
        Join.define("receiver") { join in
            let number = join.slow("number", of: Int.self)
            let state = join.state("state", initial())
            join.when(number, updating: state) { state, number in receiving(&state, number) }
            return number
        }
    }
}
