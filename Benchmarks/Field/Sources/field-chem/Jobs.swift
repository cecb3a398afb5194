import ChemActors
import ChemLibrary
import FieldWorks

/// Many small jobs, and many small actors.
enum Jobs {
    /// So many actors are made at a time.
    private static let crowd = 10_000

    static let works = [
        Work("mapreduce", "mapReduce", 100_000) { count in
            let start = ContinuousClock.now
            let sum = try await mapReduce(1...count, map: { $0 * $0 }, reduce: +)
            return try Outcome(count, start.elapsed, "the sum of squares", sum ?? 0, wanted: sumOfSquares(count))
        },
        Work("create", "MailboxActor", 20_000) { count in
            try await inCrowds(count) { size, finished in
                let total = MailboxActor(state: (left: size, sum: 0)) { (state, number: Int) in
                    state.sum += number
                    state.left -= 1
                    if state.left == 0 { finished(state.sum) }
                }.start()
                let actors = (0..<size).map { _ in
                    MailboxActor(state: ()) { (_, number: Int) in total.tell(number) }.start()
                }
                for (number, actor) in actors.enumerated() { actor.tell(number) }
            }
        },
        Work("create", "definition", 50_000) { count in
            try await inCrowds(count) { size, finished in
                let total = Join.define("total") { join in
                    let number = join.slow("number", of: Int.self)
                    let state = join.state("state", (left: size, sum: 0))
                    join.when(number, updating: state) { state, number in
                        state.sum += number
                        state.left -= 1
                        if state.left == 0 { finished(state.sum) }
                    }
                    return number
                }
                let receivers = (0..<size).map { _ in
                    Join.define("receiver") { join in
                        let number = join.slow("number", of: Int.self)
                        join.when(number) { number in total(number) }
                        return number
                    }
                }
                for (number, receiver) in receivers.enumerated() { receiver(number) }
            }
        },
    ]

    private static func inCrowds(
        _ count: Int,
        make: (_ size: Int, _ finished: SlowMolecule<Int>) -> Void
    ) async throws -> Outcome {
        let (finished, sum) = Join.define("end") { join in
            let finished = join.slow("finished", of: Int.self)
            let sum = join.fast("sum", returning: Int.self)
            join.answer(sum, with: finished) { _, sum in sum }
            return (finished, sum)
        }
        var (found, wanted) = (0, 0)
        let start = ContinuousClock.now
        for begin in stride(from: 0, to: count, by: crowd) {
            let size = min(crowd, count - begin)
            make(size, finished)
            found += try await sum()
            wanted += triangle(size)
        }
        return try Outcome(count, start.elapsed, "the sum", found, wanted: wanted)
    }
}
