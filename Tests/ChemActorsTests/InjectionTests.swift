import ChemActors
import Foundation
import TestSupport
import Testing

/// Where molecules can come from, and what a million of them cost.
@Suite("Injection", .endsInTime)
struct InjectionTests {
    /// Counts what is injected: the definition, its molecule, and how many copies have reacted.
    private struct Count {
        let hit: SlowMolecule<Int>
        let definition: Join
        let sum = Guarded(0)

        init() {
            let sum = self.sum
            (hit, definition) = Join.define("count") { join in
                let hit = join.slow("hit", of: Int.self)
                join.when(hit) { sum.add($0) }
                return (hit, join.definition)
            }
        }

        func expect(_ expected: Int, sourceLocation: Testing.SourceLocation = #_sourceLocation) async throws {
            try await definition.quiescence()
            #expect(sum.now == expected, sourceLocation: sourceLocation)
        }
    }

    private actor Sender {
        func send(_ number: Int, to name: SlowMolecule<Int>) { name(number) }
    }

    @Test("From an actor, the main actor, a detached task, a child task")
    func fromTasks() async throws {
        let count = Count()
        let hit = count.hit
        let sender = Sender()
        for _ in 0..<100 {
            await sender.send(1, to: hit)
            await MainActor.run { hit(10) }
            await Task.detached { hit(100) }.value
            async let child: Void = { hit(1000) }()
            await child
        }
        try await count.expect(111_100)
    }

    @Test("From synchronous code that knows nothing of concurrency, by a function value")
    func fromSynchronousCode() async throws {
        let count = Count()
        func plain(_ send: (Int) -> Void) { for n in 1...100 { send(n) } }
        plain(count.hit.callAsFunction)
        let function: (Int) -> Void = { count.hit($0) }
        plain(function)
        try await count.expect(10_100)
    }

    @Test("From dispatch queues, serial and concurrent, and from threads")
    func fromQueuesAndThreads() async throws {
        let count = Count()
        let hit = count.hit
        let ended = Signal()
        DispatchQueue(label: "serial").async {
            for _ in 0..<1000 { hit(1) }
            ended.send()
        }
        for _ in 0..<4 {
            DispatchQueue.global().async {
                for _ in 0..<1000 { hit(1) }
                ended.send()
            }
            Thread {
                for _ in 0..<1000 { hit(1) }
                ended.send()
            }.start()
        }
        await ended.wait(for: 9)
        try await count.expect(9000)
    }

    @Test("From a C callback, on the caller's thread and on a thread made in C")
    func fromCallbacks() async throws {
        let count = Count()
        Callback.hit.withLock { $0 = count.hit }
        var numbers: [Int32] = [5, 3, 9, 1, 7]
        qsort(&numbers, numbers.count, MemoryLayout<Int32>.stride) { one, other in
            Callback.hit.now?(0)
            return one!.load(as: Int32.self) < other!.load(as: Int32.self) ? -1 : 1
        }
        #expect(numbers == [1, 3, 5, 7, 9])

        #if canImport(Darwin)
            var thread: pthread_t?
            pthread_create(&thread, nil, { _ in Callback.run() }, nil)
            if let thread { pthread_join(thread, nil) }
        #else
            var thread = pthread_t()
            pthread_create(&thread, nil, { _ in Callback.run() }, nil)
            pthread_join(thread, nil)
        #endif
        Callback.hit.withLock { $0 = nil }
        try await count.expect(1000)
    }

    private enum Callback {
        static let hit = Guarded<SlowMolecule<Int>?>(nil)

        static func run() -> UnsafeMutableRawPointer? {
            for _ in 0..<1000 { hit.now?(1) }
            return nil
        }
    }

    @Test("From a deinit, also of a value that a body consumes")
    func fromDeinit() async throws {
        final class Farewell: Sendable {
            let hit: SlowMolecule<Int>
            init(_ hit: SlowMolecule<Int>) { self.hit = hit }
            deinit { hit(1) }
        }
        let count = Count()
        let (box, definition) = Join.define("boxes") { join in
            let box = join.slow("box", of: Farewell.self)
            join.when(box, box) { _, _ in }
            return (box, join.definition)
        }
        for _ in 0..<1000 { box(Farewell(count.hit)) }
        try await definition.quiescence()
        try await count.expect(1000)
    }

    @Test("Eight tasks inject a quarter of a million molecules; each reacts once")
    func manySenders() async throws {
        let (a, b, read, definition) = Join.define("pairs") { join in
            let a = join.slow("a", of: Int.self), b = join.slow("b", of: Int.self)
            let sums = join.state("sums", (count: 0, sum: 0))
            let read = join.fast("read", returning: [Int].self)
            join.when(a, b, updating: sums) { sums, x, y in
                sums.count += 1
                sums.sum += x + y
            }
            join.answer(read, reading: sums) { sums, _ in [sums.count, sums.sum] }
            return (a, b, read, join.definition)
        }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for n in 0..<32_000 { (task.isMultiple(of: 2) ? a : b)(n) } }
            }
        }
        try await definition.quiescence()
        #expect(try await read() == [128_000, 256_000 * 31_999 / 2])
    }

    /// How long it takes, per operation, to inject `count` molecules without a partner, then all partners, then be
    /// quiet.
    private func timePerOperation(_ count: Int) async throws -> (waiting: Double, reacting: Double) {
        let clock = ContinuousClock()
        var best = (waiting: Double.infinity, reacting: Double.infinity)
        // As many operations in each measurement, so that what happens once doesn't count more for few molecules.
        for _ in 0..<3 {
            var waiting = Duration.zero, reacting = Duration.zero
            let repetitions = max(1, 100_000 / count)
            for _ in 0..<repetitions {
                let reacted = Guarded(0)
                let (a, b, definition) = Join.define("flat") { join in
                    let a = join.slow("a", of: Int.self), b = join.slow("b", of: Int.self)
                    join.when(a, b) { _, _ in reacted.add() }
                    return (a, b, join.definition)
                }
                waiting += clock.measure { for n in 0..<count { a(n) } }
                let begin = clock.now
                for n in 0..<count { b(n) }
                try await definition.quiescence()
                reacting += clock.now - begin
                #expect(reacted.now == count)
            }
            let operations = Double(count * repetitions)
            best = (
                min(best.waiting, waiting / .seconds(1) / operations),
                min(best.reacting, reacting / .seconds(1) / operations)
            )
        }
        return best
    }

    @Test(
        "A million molecules without a partner, then their partners: the time per operation stays flat",
        .blocksThreads
    )
    func flat() async throws {
        var ratios: [(Double, Double)] = []
        for _ in 0..<4 {
            let few = try await timePerOperation(1000)
            let many = try await timePerOperation(1_000_000)
            let ratio = (many.waiting / few.waiting, many.reacting / few.reacting)
            ratios.append(ratio)
            if ratio.0 < 8, ratio.1 < 8 { return }
        }
        Issue.record("per operation, 10^6 molecules took these multiples of 10^3: \(ratios)")
    }
}
