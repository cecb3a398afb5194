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

// snippet.cache
let photo = Join.define("photos") { join in
    let photo = join.fast("photo", of: String.self, returning: Int.self)
    let fetched = join.slow("fetched", of: (address: String, photo: Int).self)
    let known = join.state("known", [String: Int]())
    join.answer(photo, reading: known) { known, address in
        if let photo = known[address] { return photo }
        let photo = try await images.value(for: address)  // together with all who ask meanwhile
        fetched((address, photo))
        return photo
    }
    join.when(fetched, updating: known) { known, new in known[new.address] = new.photo }
    return photo
}
print(try await photo("photo"))  // 5
// snippet.end
precondition((1...2).contains(requests.load(ordering: .relaxed)))

// snippet.refresh
let fresh = SharedRefresh { "a new token" }
print(try await fresh.value())  // a new token
// snippet.end
