import ChemActors
import Synchronization

/// What the reporter of a machine has heard that points to a mistake.
final class Mishaps: Sendable {
    private let events = Mutex<[String]>([])

    func hear(_ event: ChemicalEvent) {
        guard event.isMishap else { return }
        events.withLock { $0.append("\(event)") }
    }

    var all: [String] { events.withLock { $0 } }
}
