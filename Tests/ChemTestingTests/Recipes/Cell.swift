import ChemActors
import Exploring
import Synchronization

/// A variable that clients share. An exploration is told who touches it.
final class Cell<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>
    private let sharing = SharedObject()

    init(_ value: Value) { stored = Mutex(value) }

    var value: Value {
        sharing.touch(.right)
        return stored.withLock { $0 }
    }

    @discardableResult
    func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        sharing.touch(.both)
        return stored.withLock { value in body(&value) }
    }

    /// Makes a change whose order among others of this kind is of no importance.
    func add(_ body: @Sendable (inout Value) -> Void) {
        sharing.touch(.left)
        stored.withLock { value in body(&value) }
    }
}

extension Trial {
    /// Counts who is where.
    final class Count: Sendable {
        private let number = Cell(0)

        var value: Int { number.value }

        func add(_ more: Int = 1) { number.add { $0 += more } }

        /// How many are there with one more.
        func enter() -> Int {
            number.change {
                $0 += 1
                return $0
            }
        }
    }

    /// What has happened, in the order of each client.
    final class Log<Entry: Sendable>: Sendable {
        private let entries = Cell<[Entry]>([])

        var all: [Entry] { entries.value }

        func add(_ entry: Entry) { entries.add { $0.append(entry) } }
    }
}
