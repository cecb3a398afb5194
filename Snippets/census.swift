// Counts definitions by name.

import ChemActors

let sessions = (1...1000).map { number in
    Join.define("session") { join in
        let request = join.slow("request", of: Int.self)
        join.when(request) { _ in }
        return request
    }
}
for session in sessions { session(1) }
try await ChemicalMachine.shared.quiescence()

// snippet.show
for group in ChemicalMachine.shared.census().groups {
    let sessions = "\(group.definitions) × \(group.name)"
    print("\(sessions): \(group.started) reactions, \(group.waitingCalls) calls wait")
    // 1000 × session: 1000 reactions, 0 calls wait
    if let wait = group.longestWait, wait > .seconds(30) { print("one of them for \(wait)") }
    if let time = group.bodies.quantile(0.99) { print("99 of 100 bodies ran for \(time) at most") }
}
// snippet.hide
precondition(ChemicalMachine.shared.census().started == 1000)
precondition(sessions.count == 1000)
