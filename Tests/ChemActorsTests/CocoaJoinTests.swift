import ChemActors
import TestSupport
import Testing

/// CocoaJoin's own tests, as far as they need no stopping and no main-actor definition.
@Suite("CocoaJoin", .endsInTime)
struct CocoaJoinTests {
    struct Counter {
        let increment: SlowMolecule<Void>
        let value: FastMolecule<Void, Int>
        let definition: Join

        /// `inc() & counter(n) → counter(n+1)`; `counter(n) & getValue() → counter(n), reply n`.
        init(from initial: Int) {
            (increment, value, definition) = Join.define("counter") { join in
                let counter = join.slow("counter", of: Int.self)
                let increment = join.slow("inc")
                let value = join.fast("getValue", returning: Int.self)
                join.when(increment, counter) { _, n in counter(n + 1) }
                join.when(counter, value) { n, reply in
                    counter(n)
                    reply(n)
                }
                counter(initial)
                return (increment, value, join.definition)
            }
        }
    }

    @Test("testExample1: two increments are two, 0.2 seconds later")
    func example1AfterAWhile() async throws {
        let counter = Counter(from: 0)
        counter.increment()
        counter.increment()
        try await Task.sleep(for: .milliseconds(200))  // as in the seed
        // A busy machine may not have begun yet.
        try await counter.definition.quiescence()
        #expect(try await counter.value() == 2)
    }

    @Test("testExample1: two increments are two, once all is quiet")
    func example1WhenQuiet() async throws {
        for round in 0..<200 {
            let counter = Counter(from: round)
            counter.increment()
            counter.increment()
            try await counter.definition.quiescence()
            #expect(try await counter.value() == round + 2)
        }
    }

    @Test(
        "testExample2: the same without a type around it, 0.2 seconds later and once all is quiet",
        arguments: [true, false]
    )
    func example2(sleeps: Bool) async throws {
        let (counter, increment, value, definition) = Join.define { join in
            let counter = join.slow("counter", of: Int.self)
            let increment = join.slow("inc")
            let value = join.fast("getValue", returning: Int.self)
            join.when(increment, counter) { _, n in counter(n + 1) }
            join.answer(value, with: counter) { _, n in
                counter(n)
                return n
            }
            return (counter, increment, value, join.definition)
        }
        counter(0)
        increment()
        increment()
        if sleeps { try await Task.sleep(for: .milliseconds(200)) }
        try await definition.quiescence()
        #expect(try await value() == 2)
    }

    @Test("testExample4: a fast call made before any reaction gets the sum of twenty jobs")
    func example4() async throws {
        for round in 0..<50 {
            let (begin, result) = Join.define("jobs") { join in
                let begin = join.slow("begin", of: Int.self)
                let done = join.slow("done", of: Int.self)
                let acc = join.slow("acc", of: Int.self)
                let counter = join.slow("counter", of: Int.self)
                let all = join.slow("all", of: Int.self)
                let result = join.fast("result", returning: Int.self)
                join.when(begin) { done($0) }
                join.when(done, acc, counter) { n, p, m in
                    if m == 1 {
                        all(p + n)
                    } else {
                        acc(p + n)
                        counter(m - 1)
                    }
                }
                join.answer(result, with: all) { _, sum in sum }
                acc(0)
                counter(20)
                return (begin, result)
            }
            if round.isMultiple(of: 2) {
                for x in 1...20 { begin(x) }
                #expect(try await result() == 210, "round \(round)")
            } else {
                async let sum = result()
                for x in 1...20 { begin(x) }
                #expect(try await sum == 210, "round \(round)")
            }
        }
    }
}
