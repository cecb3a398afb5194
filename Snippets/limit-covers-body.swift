// A time limit for a call and its body. Shown in "Calling fast molecules".

// snippet.show
import ChemActors

let fetch = Join.define("fetch") { join in
    let fetch = join.fast("fetch", of: String.self, returning: String.self)
    join.answer(fetch) { page in
        try await Task.sleep(for: .seconds(60))  // a slow server
        return page
    }
    return fetch
}

do {
    print(try await fetch("index.html", within: .milliseconds(20), coveringBody: true))
} catch let error as CallError where error.code == .timedOut {
    print(error)  // The call … timed out …: one has taken it and hasn't answered yet.
}
// snippet.end
