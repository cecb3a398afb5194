// A body that throws: its caller gets the error, the reporter hears of it.

import ChemActors

// snippet.show
struct Broken: Error {}

let machine = ChemicalMachine(
    ChemicalMachine.Configuration(reporter: { event in print(event.kind) })
)
let (work, definition) = machine.define("workshop") { join in
    let work = join.slow("work", of: Int.self)
    join.when(work) { number in
        if number == 13 { throw Broken() }
        print("done", number)
    }
    return (work, join.definition)
}

work.inject(contentsOf: 12...14)
try await definition.quiescence()
// "done 12", "done 14", and the event: failedReaction(reaction: "work", …, error: Broken())
