import ChemActors
import ChemLibrary
import FieldWorks

/// Questions and answers.
enum Calls {
    static let works = [
        Work("call", "fast molecule", 4_000_000) { try await call($0) },
        Work("ask", "MailboxActor", 100_000) { try await ask($0) },
        Work("ask-through", "fast molecule", 200_000) { try await askThrough($0) },
    ]

    private static func call(_ count: Int) async throws -> Outcome {
        let add = Join.define("adder") { join in
            let add = join.fast("add", of: Int.self, returning: Int.self)
            join.answer(add) { number in number + 3 }
            return add
        }
        var sum = 0
        let start = ContinuousClock.now
        for number in 0..<count { sum += try await add(number) }
        return try Outcome(count, start.elapsed, "the sum of the answers", sum, wanted: triangle(count) + 3 * count)
    }

    private static func ask(_ count: Int) async throws -> Outcome {
        let actor = MailboxActor(state: 0) { (asked, question: ReplyTo<Int>) in
            asked += 1
            question(asked)
        }.start()
        var sum = 0
        let start = ContinuousClock.now
        for _ in 0..<count { sum += try await actor.ask { $0 } }
        return try Outcome(count, start.elapsed, "the sum of the answers", sum, wanted: triangle(count + 1))
    }

    /// The body of the outer definition calls the inner one before it answers.
    private static func askThrough(_ count: Int) async throws -> Outcome {
        let inner = Join.make(Counter(from: 3))
        let add = Join.define("outer") { join in
            let add = join.fast("add", of: Int.self, returning: Int.self)
            join.answer(add) { number in number + (try await inner.value()) }
            return add
        }
        var sum = 0
        let start = ContinuousClock.now
        for number in 0..<count { sum += try await add(number) }
        return try Outcome(count, start.elapsed, "the sum of the answers", sum, wanted: triangle(count) + 3 * count)
    }
}
