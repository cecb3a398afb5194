// A job that fails at first, and is tried again.

import ChemActors
import Synchronization

// snippet.show
struct Unreachable: Error {}

let attempts = Atomic(0)
let upload = Join.define("uploads") { join in
    join.failurePolicy = .retry(5, backOff: .milliseconds(1))
    let upload = join.fast("upload", of: String.self, returning: String.self)
    join.answer(upload) { file in
        if attempts.add(1, ordering: .relaxed).newValue < 3 { throw Unreachable() }
        return "\(file) is there"
    }
    return upload
}

print(try await upload("photo"))  // photo is there: no word of the first two attempts
// snippet.hide
precondition(attempts.load(ordering: .relaxed) == 3)
