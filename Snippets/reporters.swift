// Who hears of failures: a reporter for tests, and one for a logging library.

import ChemActors
import Synchronization

// snippet.test
/// A machine whose mishaps a test can look at.
final class Mishaps: Sendable {
    private let events = Mutex<[ChemicalEvent]>([])

    var all: [ChemicalEvent] { events.withLock { $0 } }

    func makeMachine() -> ChemicalMachine {
        ChemicalMachine(
            ChemicalMachine.Configuration(seed: 1) { event in
                guard event.isMishap else { return }
                self.events.withLock { $0.append(event) }
            }
        )
    }
}

struct Broken: Error {}

let mishaps = Mishaps()
let (work, definition) = mishaps.makeMachine().define("workshop") { join in
    let work = join.slow("work", of: Int.self)
    join.when(work) { number in
        if number == 13 { throw Broken() }
    }
    return (work, join.definition)
}
work.inject(contentsOf: 1...20)
try await definition.quiescence()
print(mishaps.all.count)  // 1; in a test: #expect(mishaps.all.isEmpty)
// snippet.end
precondition(mishaps.all.count == 1)
guard case .failedReaction(let reaction, _, let error) = mishaps.all[0].kind else { fatalError("another event") }
precondition(reaction == "work" && error is Broken)

/// Has the form of swift-log's Logger, which this package doesn't depend on.
struct Logger: Sendable {
    enum Level { case debug, warning }
    let label: String
    func log(level: Level, _ message: @autoclosure () -> String, metadata: [String: String]) {
        print(label, level, message(), metadata)
    }
}

// snippet.logging
let logger = Logger(label: "chemistry")
let logged = ChemicalMachine(
    ChemicalMachine.Configuration { event in
        logger.log(
            level: event.isMishap ? .warning : .debug,
            "\(event)",
            metadata: ["definition": "\(event.definition)"]
        )
    }
)
// snippet.end
let (noise, hall) = logged.define("hall") { join in
    let noise = join.slow("noise")
    let ear = join.slow("ear")
    join.when(noise, ear) { _, _ in }
    return (noise, join.definition)
}
noise()
hall.clear()
