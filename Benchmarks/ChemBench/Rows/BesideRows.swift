import ChemActors
import Synchronization

/// How long somebody waits beside a load: each operation is a sample, so the table shows the worst of them as well.
enum BesideRows {
    static let all = [
        Row("beside/call", 2_000, quick: 300) { count in
            try await besideTinyBodies { busy in
                var latencies: [Duration] = []
                for _ in 0..<count {
                    let start = ContinuousClock.now
                    blackHole(try await busy.value())
                    latencies.append(start.duration(to: .now))
                }
                return latencies
            }
        },
        Row("beside/inject-unrelated", 2_000, quick: 300) { count in
            try await besideTinyBodies { _ in
                let begun = Notes()
                let (go, definition) = Join.define("unrelated") { join in
                    let go = join.slow("go", of: ContinuousClock.Instant.self)
                    join.when(go) { start in begun.add(start.duration(to: .now)) }
                    return (go, join.definition)
                }
                // Until its body begins. Each one wakes a worker anew.
                for _ in 0..<count {
                    go(.now)
                    try await definition.quiescence()
                }
                return begun.all
            }
        },
        Row("beside/snapshot", 2_000, quick: 300) { count in
            try await besideSnapshots(of: 100_000, count)
        },
    ]

    /// Measures beside a definition whose body does next to nothing and injects into itself, for ever.
    private static func besideTinyBodies(
        _ measure: ((value: FastMolecule<Void, Int>, definition: Join)) async throws -> [Duration]
    ) async throws -> Measurement {
        let (tick, value, definition) = Join.define("busy") { join in
            let tick = join.slow("tick")
            let value = join.fast("value", returning: Int.self)
            let count = join.state("count", 0)
            join.when(tick, updating: count) { count, _ in
                count += 1
                tick()
            }
            join.answer(value, reading: count) { count, _ in count }
            return (tick, value, join.definition)
        }
        tick()
        defer { definition.deactivate() }
        while try await value() < 10_000 { await Task.yield() }
        let before = try await value()
        let latencies = try await measure((value, definition))
        // On a machine with other work its worker may have been the one that waited; but it goes on.
        while try await value() == before { await Task.yield() }
        return Measurement(latencies: latencies)
    }

    /// Injects into a definition with many waiting calls, of which somebody takes one snapshot after the other.
    private static func besideSnapshots(of waiting: Int, _ count: Int) async throws -> Measurement {
        let (ask, item, other, definition) = Join.define("crowd") { join in
            let ask = join.fast("ask", returning: Int.self)
            let item = join.slow("item", of: Int.self)
            let other = join.slow("other")
            join.when(ask, item) { reply, n in reply(n) }
            join.when(other) { _ in }
            return (ask, item, other, join.definition)
        }
        // No task group: one of so many children takes quadratic time when they end in another order than they began.
        let callers = (0..<waiting).map { _ in Task { try await ask() } }
        while definition.statistics.waitingCalls < waiting { await Task.yield() }
        let isOver = Notes()
        let watcher = Task.detached {
            while isOver.all.isEmpty {
                blackHole(definition.snapshot().waitingCalls.count)
                await Task.yield()
            }
        }
        var latencies: [Duration] = []
        for _ in 0..<count {
            let start = ContinuousClock.now
            other()
            latencies.append(start.duration(to: .now))
            // Spread over several snapshots.
            while start.duration(to: .now) < .microseconds(100) {}
        }
        isOver.add(.zero)
        await watcher.value
        item.inject(contentsOf: repeatElement(1, count: waiting))
        var answers = 0
        for caller in callers { answers += try await caller.value }
        try expect("the answers", answers, is: waiting)
        return Measurement(latencies: latencies)
    }
}

/// Durations that a body notes, one after the other.
private final class Notes: Sendable {
    private let noted = Mutex<[Duration]>([])

    func add(_ duration: Duration) { noted.withLock { $0.append(duration) } }

    var all: [Duration] { noted.withLock { $0 } }
}
