// Tasks that hold what others wait for: two mutexes, locked in different order.

// snippet.show
import ChemActors
import ChemLibrary

let configuration = ChemicalMachine.Configuration(recorder: .flight)
try await withChemicalMachine(configuration) { machine in
    let (stock, till) = (AsyncMutex(10, name: "stock"), AsyncMutex(0, name: "till"))
    let bothHaveOne = Barrier(parties: 2)
    let sale = Task {
        try await stock.withLock { stock in
            try await bothHaveOne.arrive()
            try await till.withLock { till in (stock, till) = (stock - 1, till + 5) }
        }
    }
    let refund = Task {
        try await till.withLock { till in
            try await bothHaveOne.arrive()
            try await stock.withLock { stock in (stock, till) = (stock + 1, till - 5) }
        }
    }
    while !"\(machine.explainStuck())".contains("this is a cycle") { await Task.yield() }
    print(machine.explainStuck())
    for task in [sale, refund] { task.cancel() }
}
