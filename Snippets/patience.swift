// A call that waits for long is reported. Shown in "Finding out why a task is stuck".

// snippet.hide
import ChemActors
import Synchronization

let reports = Mutex<[String]>([])
// snippet.show
let machine = ChemicalMachine(
    ChemicalMachine.Configuration(
        reporter: { event in reports.withLock { $0.append("\(event)") } },
        patience: .milliseconds(20)
    )
)
let take = machine.define("slot") { join in
    let put = join.slow("put", of: Int.self)
    let take = join.fast("take", returning: Int.self)
    join.answer(take, with: put) { _, number in number }
    return take
}

let waiting = Task { try await take() }
while reports.withLock(\.isEmpty) { await Task.yield() }
print(reports.withLock { $0 })
// slot: a call of 'take' (patience/patience.swift:22) has been waiting for a long time: take & put
// (patience/patience.swift:18) lacks put; nobody has injected put (patience/patience.swift:16) so
// far; no body of the definition runs: it is up to whoever holds its names
// (CHEMACTORS_RECORDER=flight says which bodies have made it)
// snippet.end
waiting.cancel()
