import ChemActors
import TestSupport
import Testing

/// Who works at which priority while somebody waits.
@Suite("Priority of workers")
struct PriorityTests {
    /// Keeps jobs until it is told to run them, the first one first.
    private final class Shelf: TaskExecutor {
        private let jobs = Shared<[(job: UnownedJob, priority: UInt8)]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let priority = job.priority.rawValue
            let job = UnownedJob(job)
            jobs.update { $0.append((job, priority)) }
        }

        var priorities: [UInt8] { jobs.value.map(\.priority) }

        func drain() {
            while let (job, _) = jobs.update({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    @Test("A caller of higher priority that waits has a worker of that priority", .endsInTime)
    func worker() async throws {
        let machine = ChemicalMachine(.init(priority: .low))
        let ask = machine.define("ask") { join in
            let ask = join.fast("ask", returning: TaskPriority.self)
            join.when(ask) { reply in reply(Task.currentPriority) }
            return ask
        }
        for _ in 1...100 {
            let seen = try await Task(priority: .high) { try await ask() }.value
            #expect(seen == .high)
        }
    }

    @Test(
        "A worker that is late for a caller of higher priority gets company; what it finds done is done",
        .endsInTime,
        arguments: [1, 2]
    )
    func spare(workerLimit: Int) async throws {
        let shelf = Shelf()
        let machine = ChemicalMachine(.init(workerLimit: workerLimit, executor: shelf, priority: .low))
        let (add, total, definition) = machine.define("sum") { join in
            let add = join.slow("add", of: Int.self)
            let total = join.fast("total", returning: Int.self)
            let sum = join.state("sum", 0)
            join.when(add, updating: sum) { sum, n in sum += n }
            join.answer(total, reading: sum) { sum, _ in sum }
            return (add, total, join.definition)
        }
        for number in 1...10 { add(number) }
        #expect(shelf.priorities == [TaskPriority.low.rawValue])
        let callers = Callers()
        let low = Task(priority: .low) { try await callers.call { try await total() } }
        await callers.suspended(1)
        #expect(shelf.priorities == [TaskPriority.low.rawValue])
        let high = Task(priority: .high) { try await callers.call { try await total() } }
        await callers.suspended(2)
        #expect(shelf.priorities == [TaskPriority.low.rawValue, TaskPriority.high.rawValue])
        shelf.drain()
        #expect((0...55).contains(try await low.value))
        #expect((0...55).contains(try await high.value))
        try await definition.quiescence()
        #expect(definition.statistics.isBalanced)
        #expect(definition.statistics.started == 12)
    }

    @Test("A worker that is busy when a caller of higher priority begins to wait is lifted", .endsInTime)
    func lifted() async throws {
        let machine = ChemicalMachine(.init(priority: .low))
        let (work, ask, seen) = machine.define("busy") { join in
            let work = join.slow("work", of: Int.self)
            let ask = join.fast("ask")
            let done = join.slow("done")
            let high = join.slow("high", of: Bool.self)
            let seen = join.fast("seen", returning: Bool.self)
            // One short body after the other, until one of them is at the caller's priority.
            join.when(work) { count in
                if Task.currentPriority == .high || count == 2_000_000_000 {
                    high(count < 2_000_000_000)
                    done()
                } else {
                    work(count + 1)
                }
            }
            join.answer(ask, with: done) { _, _ in }
            join.answer(seen, with: high) { _, isHigh in isHigh }
            return (work, ask, seen)
        }
        work(0)
        try await Task(priority: .high) { try await ask() }.value
        #expect(try await seen())
    }
}
