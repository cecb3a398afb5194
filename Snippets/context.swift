// What the body of an answer sees of its caller. Shown in "Calling fast molecules".

// snippet.show
import ChemActors

enum Request {
    @TaskLocal static var id = "none"
}

let (take, put) = Join.define("slot") { join in
    let put = join.slow("put", of: Int.self)
    let take = join.fast("take", returning: String.self)
    join.answer(take, with: put) { _, number in "\(number) for \(Request.id)" }
    return (take, put)
}

let waiting = Request.$id.withValue("a") { Task { try await take() } }
Request.$id.withValue("b") { put(1) }
print(try await waiting.value)  // 1 for a
// snippet.end
