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

// snippet.ending
struct ShopClosed: Error {}

/// Its jobs are awaited by those who bring them. It closes when all that it has taken are done.
struct Workshop: JoinDefinition {
    private let pool = WorkerPool(workers: 2)
    private let enter = FastMolecule<Void, Bool>()
    private let leave = SlowMolecule<Void>()
    private let shut = FastMolecule<Void, Void>()
    private let isEmpty = FastMolecule<Void, Void>()
    private let hall = StateMolecule((jobs: 0, isOpen: true))

    func react(in join: inout Join.Builder) {
        join.answer(enter, updating: hall) { hall, _ in
            if hall.isOpen { hall.jobs += 1 }
            return hall.isOpen
        }
        join.when(leave, updating: hall) { hall, _ in hall.jobs -= 1 }
        join.answer(shut, updating: hall) { hall, _ in hall.isOpen = false }
        join.answer(isEmpty, with: hall.while { $0.jobs == 0 }.value) { _, _ in }
    }

    func perform<Value: Sendable>(_ job: @Sendable () async throws -> Value) async throws -> Value {
        guard try await enter() else { throw ShopClosed() }
        defer { leave() }
        return try await pool.perform(job)
    }

    /// Takes no more jobs, and returns when those are done that were taken.
    func close() async throws {
        try await shut()
        try await isEmpty()
    }
}

let shop = Join.make(Workshop())
let pages = (1...6).map { number in Task { try await shop.perform { "page \(number)" } } }
for page in pages { print(try await page.value) }
try await shop.close()  // and whoever comes now gets ShopClosed
// snippet.end
// snippet.hide
do {
    try await shop.perform {}
    preconditionFailure("It is closed.")
} catch is ShopClosed {}
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
