// A long body that ends early when nobody needs its answer any more.

import ChemActors

// snippet.show
let (search, found) = Join.define("search") { join in
    let search = join.fast("search", of: String.self, returning: Int.self)
    let steps = join.slow("steps", of: Int.self)
    let found = join.fast("found", returning: Int.self)

    join.when(search) { reply in
        for step in 1...1000 {
            if reply.isCancelled {
                steps(step)
                return reply.fail(CancellationError())
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        reply(42)
    }
    join.answer(found, with: steps) { _, n in n }

    return (search, found)
}

let task = Task { try await search("needle") }
try await Task.sleep(for: .milliseconds(20))
task.cancel()
print(await task.result)  // failure(Swift.CancellationError())
print(try await found() < 1000)  // true
