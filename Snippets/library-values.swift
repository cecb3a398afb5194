// Values of the library that are set once, or fetched once.

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
precondition((1...2).contains(requests.load(ordering: .relaxed)))

// snippet.refresh
let fresh = SharedRefresh { "a new token" }
print(try await fresh.value())  // a new token
// snippet.end
