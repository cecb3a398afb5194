// A reply that is kept hears when its caller gives up.

import ChemActors

// snippet.show
/// A queue at a counter: whoever gives up leaves it.
let (wait, serve, queue) = Join.define("counter") { join in
    let wait = join.fast("wait", returning: Int.self)
    let serve = join.slow("serve")
    let leave = join.slow("leave", of: Int.self)
    let waiting = join.state("waiting", [(number: Int, reply: Reply<Void, Int>)]())
    let next = join.state("next", 1)

    join.when(wait, updating: waiting, next) { waiting, next, reply in
        let number = next
        next += 1
        waiting.append((number, reply))
        reply.onCancel { leave(number) }
    }
    join.when(leave, updating: waiting) { waiting, number in
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).reply.fail(CancellationError())
    }
    join.when(serve, updating: waiting) { waiting, _ in
        guard !waiting.isEmpty else { return }
        let (number, reply) = waiting.removeFirst()
        reply(number)
    }
    return (wait, serve, join.definition)
}

let hasty = Task { try await wait(within: .milliseconds(5)) }
print(await hasty.result)  // failure(Swift.CancellationError())

async let patient = wait()
while queue.statistics.molecules["wait"]?.consumed != 2 { await Task.yield() }
serve()
print(try await patient)  // 2
// snippet.hide

precondition(queue.statistics.isBalanced)
