// A caller that is cancelled while a body answers it. Shown in "Calling fast molecules".

// snippet.show
import ChemActors

let (count, began) = Join.define("counting") { join in
    let count = join.fast("count", returning: Int.self)
    let start = join.slow("start")
    let began = join.fast("began")
    join.answer(count) { _ in
        start()
        var n = 0
        while !Task.isCancelled {
            n += 1
            await Task.yield()
        }
        return n
    }
    join.answer(began, with: start) { _, _ in }
    return (count, began)
}

let counting = Task { try await count() }
try await began()
counting.cancel()
print(try await counting.value > 0)  // true
// snippet.end
