// Pools of workers and of resources.

// snippet.show
// snippet.workers
import ChemLibrary

let pool = WorkerPool(workers: 2)
for number in 1...3 {
    pool.submit { print("job", number) }  // from synchronous code, too
}
let size = try await pool.perform { 42 }  // waits for a worker
try await pool.drain()
// snippet.end
// snippet.hide
precondition(size == 42)
// snippet.show

// snippet.resources
let buffers = ResourcePool(atMost: 4) { Buffer() }

let length = try await buffers.withResource { buffer in
    await buffer.append("text")
}
print(length)  // 4
// snippet.end
// snippet.hide
precondition(length == 4)

actor Buffer {
    var text = ""

    func append(_ more: String) -> Int {
        text += more
        return text.count
    }
}
