// A machine for one piece of work: what is started inside has ended when it returns.

import ChemActors

// snippet.scope
let total = try await withChemicalMachine { _ in
    let (add, total) = Join.define("sum") { join in
        let sum = join.state("sum", 0)
        let left = join.state("left", 100)
        let add = join.slow("add", of: Int.self)
        let all = join.slow("all", of: Int.self)
        let total = join.fast("total", returning: Int.self)

        join.when(add, updating: sum, left) { sum, left, number in
            sum += number
            left -= 1
            if left == 0 { all(sum) }
        }
        join.answer(total, with: all) { _, sum in sum }
        return (add, total)
    }
    add.inject(contentsOf: 1...100)
    return try await total()
}
print(total)  // 5050
// snippet.end
precondition(total == 5050)

// snippet.error
struct Unlucky: Error {}

do {
    try await withChemicalMachine { _ in
        let work = Join.define("workshop") { join in
            let work = join.slow("work", of: Int.self)
            join.when(work) { number in
                if number == 13 { throw Unlucky() }
                try await Task.sleep(for: .seconds(60))
            }
            return work
        }
        work.inject(contentsOf: 1...20)
    }
} catch is Unlucky {
    print("the other nineteen were cancelled, and have ended")
}
// snippet.end

// snippet.never
do {
    try await withChemicalMachine { _ in
        let begin = Join.define("waiting") { join in
            let begin = join.slow("begin")
            let key = join.slow("key")
            let open = join.fast("open")
            join.when(begin) { _ in try await open() }
            join.answer(open, with: key) { _, _ in }
            return begin
        }
        begin()
    }
} catch let error as CallError where error.code == .neverAnswerable {
    print(error)
    // The call of 'waiting.open' can never be answered: everything else in its scope has ended.
}
// snippet.end

// snippet.run
let machine = ChemicalMachine()
let (beat, beats) = machine.define("heart") { join in
    let count = join.state("count", 0)
    let beat = join.slow("beat")
    join.when(beat, updating: count) { count, _ in count += 1 }
    return (beat, count.reader)
}

let service = Task { try await machine.run() }  // serves until it is cancelled
beat()
try await machine.quiescence()
print(beats.value)  // 1

service.cancel()
try await service.value  // all definitions are deactivated and quiet
// snippet.end
beat()  // ignored
try await machine.quiescence()
precondition(machine.statistics.molecules["heart.beat"]?.ignored == 1)
