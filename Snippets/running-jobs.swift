// Many jobs, and one answer when all of them are done.

import ChemActors

// snippet.show
/// Runs all jobs concurrently and returns when the last one has ended.
func runAll(_ jobs: [@Sendable () async -> Void]) async throws {
    guard !jobs.isEmpty else { return }
    let (begin, allDone) = Join.define("jobs") { join in
        let begin = join.slow("begin", of: (@Sendable () async -> Void).self)
        let done = join.slow("done")
        let remain = join.slow("remain", of: Int.self)
        let finished = join.slow("finished")
        let allDone = join.fast("allDone")

        join.when(begin) { job in
            await job()
            done()
        }
        join.when(done, remain) { _, n in
            if n == 1 { finished() } else { remain(n - 1) }
        }
        join.answer(allDone, with: finished) { _, _ in }

        remain(jobs.count)
        return (begin, allDone)
    }
    begin.inject(contentsOf: jobs)
    try await allDone()
}

try await runAll(
    (1...10).map { number in
        { print("job", number) }
    }
)
print("all done")
// snippet.hide
if CommandLine.arguments.contains("--picture") { print(ChemicalMachine.shared.drawings[0].numberingReactions().svg) }
