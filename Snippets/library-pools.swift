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

// snippet.bounded
/// Four workers, and a queue of at most 100 jobs. Who adds one waits for room.
struct JobQueue: Sendable {
    private let jobs = JoinChannel<@Sendable () async -> Void>(capacity: 100)

    func add(_ job: @escaping @Sendable () async -> Void) async throws { try await jobs.send(job) }

    /// No more jobs come. Those that are there are done.
    func close() { jobs.close() }

    /// Returns when the queue is closed and all of its jobs are done.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { while let job = try? await jobs.receive() { await job() } }
            }
        }
    }
}

let queue = JobQueue()
async let end: Void = queue.run()
for number in 1...3 { try await queue.add { print("job", number) } }
queue.close()
await end  // all three are done
// snippet.end

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
