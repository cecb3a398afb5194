// The same problems as mailbox actors and as join definitions.

import ChemActors
import ChemLibrary

// snippet.actor
enum StorageCommand: Sendable {
    case put(String, Int)
    case remove(String)
    case get(String, ReplyTo<Int?>)
}

let storage = MailboxActor(state: [String: Int]()) { (data, command: StorageCommand) in
    switch command {
    case .put(let key, let value): data[key] = value
    case .remove(let key): data[key] = nil
    case .get(let key, let reply): reply(data[key])
    }
}.start()

storage.tell(.put("a", 1))
storage.tell(.remove("b"))
print(try await storage.ask { .get("a", $0) } as Any)  // Optional(1)
// snippet.end
let seen = try await storage.ask { .get("a", $0) }
precondition(seen == 1)

// snippet.joins
struct Storage: Sendable {
    let put: SlowMolecule<(key: String, value: Int)>
    let remove: SlowMolecule<String>
    let get: FastMolecule<String, Int?>

    init() {
        (put, remove, get) = Join.define("storage") { join in
            let data = join.state("data", [String: Int]())
            let put = join.slow("put", of: (key: String, value: Int).self, order: .oldestFirst)
            let remove = join.slow("remove", of: String.self, order: .oldestFirst)
            let get = join.fast("get", of: String.self, returning: Int?.self)
            join.when(put, updating: data) { data, entry in data[entry.key] = entry.value }
            join.when(remove, updating: data) { data, key in data[key] = nil }
            join.answer(get, reading: data) { data, key in data[key] }
            return (put, remove, get)
        }
    }
}

let chemistry = Storage()
chemistry.put(("a", 1))
// `put` and `get` are different molecules: either may be first.
while try await chemistry.get("a") == nil { await Task.yield() }
print(try await chemistry.get("a") as Any)  // Optional(1)
// snippet.end

// snippet.pairs-actor
enum Arrival: Sendable {
    case rider(String, ReplyTo<String>)
    case driver(String, ReplyTo<String>)
}

typealias Waiting = (riders: [(String, ReplyTo<String>)], drivers: [(String, ReplyTo<String>)])

let dispatcher = MailboxActor(state: ([], []) as Waiting) { (waiting, arrival: Arrival) in
    switch arrival {
    case .rider(let name, let reply): waiting.riders.append((name, reply))
    case .driver(let name, let reply): waiting.drivers.append((name, reply))
    }
    waiting.riders.removeAll { $0.1.isAbandoned }  // who has given up must not be matched
    waiting.drivers.removeAll { $0.1.isAbandoned }
    guard let rider = waiting.riders.first, let driver = waiting.drivers.first else { return }
    waiting.riders.removeFirst()
    waiting.drivers.removeFirst()
    rider.1(driver.0)
    driver.1(rider.0)
}.start()

async let car = dispatcher.ask { .rider("Ada", $0) }
async let passenger = dispatcher.ask { .driver("Grace", $0) }
print(try await car, try await passenger)  // Grace Ada
// snippet.end

// snippet.pairs-joins
let (rider, driver) = Join.define("dispatcher") { join in
    let rider = join.fast("rider", of: String.self, returning: String.self, order: .oldestFirst)
    let driver = join.fast("driver", of: String.self, returning: String.self, order: .oldestFirst)
    join.when(rider, driver) { rider, driver in
        rider(driver.value)
        driver(rider.value)
    }
    return (rider, driver)
}

async let itsCar = rider("Ada")
async let itsPassenger = driver("Grace")
print(try await itsCar, try await itsPassenger)  // Grace Ada
// snippet.end
