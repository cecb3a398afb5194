// Values of the library that are set once, or fetched once.

import ChemActors
import ChemLibrary
import Synchronization

// snippet.promise
let login = JoinPromise<String>()
let greetings = (1...3).map { number in
    Task { "\(number): hello \(try await login.future.value())" }
}
let onLogin: @Sendable (String) -> Void = { name in login.fulfill(name) }  // a callback
onLogin("Ada")
onLogin("Grace")  // too late: it is set once
for greeting in greetings { print(try await greeting.value) }  // 1: hello Ada …
// snippet.end
let name = try await login.future.value()
precondition(name == "Ada")

let requests = Atomic(0)

// snippet.flight
let images = SingleFlight<String, Int> { address in
    requests.add(1, ordering: .relaxed)
    try await Task.sleep(for: .milliseconds(20))
    return address.count
}
async let first = images.value(for: "photo")
async let second = images.value(for: "photo")  // joins the first download, if that is under way
print(try await first + second)  // 10
// snippet.end

let downloads = Atomic<Int>(0)
@Sendable func download(_ address: String) async throws -> Int {
    downloads.add(1, ordering: .relaxed)
    return address.count
}

// snippet.cache
let (look, keep) = Join.define("cache") { join in
    let clock = MachineClock.machine  // jumps in tests
    let look = join.fast("look", of: String.self, returning: Int?.self)
    let keep = join.fast("keep", of: (address: String, photo: Int).self)
    let known = join.state("known", [String: (photo: Int, end: MachineClock.Instant)]())
    join.answer(look, reading: known) { known, address in
        known[address].flatMap { clock.now < $0.end ? $0.photo : nil }
    }
    join.answer(keep, updating: known) { known, new in
        known = known.filter { clock.now < $0.value.end }  // the others are forgotten
        known[new.address] = (new.photo, clock.now.advanced(by: .seconds(60)))
    }
    return (look, keep)
}
let photos = SingleFlight<String, Int> { address in
    if let photo = try await look(address) { return photo }
    let photo = try await download(address)
    try await keep((address, photo))  // before this flight ends, and the next one may begin
    return photo
}
print(try await photos.value(for: "photo"))  // 5
// snippet.end
try await withThrowingTaskGroup(of: Void.self) { group in
    for asker in 0..<200 { group.addTask { _ = try await photos.value(for: "photo \(asker % 20)") } }
    try await group.waitForAll()
}
precondition(downloads.load(ordering: .relaxed) == 21, "each is downloaded once")
precondition((1...2).contains(requests.load(ordering: .relaxed)))

// snippet.refresh
let fresh = SharedRefresh { "a new token" }
print(try await fresh.value())  // a new token
// snippet.end
