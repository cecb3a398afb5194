import ChemActors
import TestSupport
import Testing

/// Busy definitions give way: to other tasks of the process, and to whoever wants into their soup.
///
/// What happens meanwhile is counted, not timed: a machine under load is slow in everything.
@Suite("Fairness", .endsInTime, .serialized, .blocksThreads)
struct FairnessTests {
    private static let cores = ChemicalMachine.Configuration.coreCount

    /// That its definitions go on without end is meant, and not reported.
    private static let endless = ChemicalMachine(.init(patience: nil))

    /// A definition whose body, once begun, goes on for ever, until it is told to stop or has run `limit` times.
    private func busy(
        on machine: ChemicalMachine = FairnessTests.endless,
        limit: Int,
        _ stop: Guarded<Bool>,
        _ body: @escaping @Sendable () -> Void = {}
    ) -> (tick: SlowMolecule<Int>, definition: Join) {
        let (tick, definition) = machine.define("busy") { join in
            let tick = join.slow("tick", of: Int.self)
            join.when(tick) { n in
                body()
                if n < limit, !stop.now { tick(n + 1) }
            }
            return (tick, join.definition)
        }
        return (tick, definition)
    }

    /// The lowest of five tries: other tests run at the same time.
    private func best(_ attempt: () async throws -> Int) async rethrows -> Int {
        var best = Int.max
        for _ in 0..<5 { best = min(best, try await attempt()) }
        return best
    }

    @Test("Endlessly busy definitions of a scope leave other tasks of the process a thread")
    func scopeGivesWay() async throws {
        let stop = Guarded(false)
        let steps = try await withChemicalMachine(.init(patience: nil)) { machine in
            let definitions = (0..<2 * Self.cores).map { _ in busy(on: machine, limit: 3_000_000, stop) }
            for (tick, _) in definitions { tick(0) }
            // Needs a thread of the pool a hundred times.
            await Task.detached { for _ in 0..<100 { await Task.yield() } }.value
            stop.withLock { $0 = true }
            return definitions.map(\.definition.statistics.started)
        }
        for count in steps { #expect(count < 3_000_000) }
    }

    @Test("With bodies of some milliseconds a worker gives way after a few of them", arguments: [2, 20])
    func longBodies(milliseconds: Int) async throws {
        let bodies = try await best {
            let stop = Guarded(false)
            let definitions = (0..<Self.cores).map { _ in
                busy(limit: 200, stop) {
                    let end = ContinuousClock.now + .milliseconds(milliseconds)
                    while ContinuousClock.now < end {}
                }
            }
            for (tick, _) in definitions { tick(0) }
            for (_, definition) in definitions {
                try await ControlProbe.until("it is busy") { definition.statistics.started > 0 }
            }
            let before = definitions.map(\.definition.statistics.started).reduce(0, +)
            await Task.detached {}.value
            let after = definitions.map(\.definition.statistics.started).reduce(0, +)
            stop.withLock { $0 = true }
            for (_, definition) in definitions { try await definition.quiescence() }
            return after - before
        }
        // It was 64 of each definition, between two looks at the clock.
        #expect(bodies < 16 * Self.cores)
    }

    @Test("Who looks into a definition of tiny bodies, or calls it, waits for some of them, not for thousands")
    func lockIsLent() async throws {
        let (tick, value, definition) = Join.define("busy") { join in
            let tick = join.slow("tick", of: Int.self)
            let value = join.fast("value", returning: Int.self)
            let count = join.state("count", 0)
            join.when(tick, updating: count) { count, n in
                count += 1
                if n > 0 { tick(n - 1) }
            }
            join.answer(value, reading: count) { count, _ in count }
            return (tick, value, join.definition)
        }
        tick(.max)
        defer { definition.deactivate() }
        try await ControlProbe.until("it is busy") { definition.statistics.started > 1_000 }

        var waits: [Int] = []
        for _ in 0..<101 {
            let before = definition.statistics.started
            waits.append(definition.statistics.started - before)
        }
        #expect(waits.sorted()[50] < 5_000)
        waits = []
        for _ in 0..<101 {
            let before = try await value()
            waits.append(try await value() - before)
        }
        #expect(waits.sorted()[50] < 5_000)
    }

    @Test("Loops of calls that never suspend leave others a thread", arguments: [false, true])
    func inlineCallsGiveWay(areLong: Bool) async throws {
        let (set, get) = Join.define("cell") { join in
            let set = join.slow("set", of: Int.self)
            let get = join.fast("get", returning: Int.self)
            let value = join.state("value", 0)
            join.when(set, updating: value) { $0 = $1 }
            join.answer(get, reading: value) { value, _ in
                if areLong {
                    let end = ContinuousClock.now + .milliseconds(1)
                    while ContinuousClock.now < end {}
                }
                return value
            }
            return (set, get)
        }
        let limit = areLong ? 5_000 : 5_000_000
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 * Self.cores {
                group.addTask {
                    for _ in 0..<limit where try await get() == 1 { return true }
                    return false
                }
            }
            group.addTask {
                for _ in 0..<10 { await Task.yield() }
                set(1)
                return true
            }
            for try await hasEnded in group { #expect(hasEnded) }
        }
    }

    @Test("A snapshot of a hundred thousand waiting calls is of one moment")
    func snapshotOfMany() async throws {
        let count = heavy(100_000, debug: 10_000)
        let (ask, item, definition) = Join.define("crowd") { join in
            let ask = join.fast("ask", of: Int.self, returning: Int.self, order: .oldestFirst)
            let item = join.slow("item")
            join.when(ask, item) { reply, _ in reply(reply.value) }
            return (ask, item, join.definition)
        }
        let calls = (0..<count).map { n in Task { try await ask(n) } }
        try await ControlProbe.until("all wait") { definition.statistics.waitingCalls == count }
        let feeder = Task.detached { for _ in 0..<count { item() } }
        var last = count
        while last > 0 {
            let snapshot = definition.snapshot()
            // Each injection is either in the soup, or has taken its call, or a call is there for it.
            #expect(snapshot.waitingCalls.count <= last)
            last = snapshot.waitingCalls.count
        }
        await feeder.value
        var sum = 0
        for call in calls { sum += try await call.value }
        #expect(sum == count * (count - 1) / 2)
    }
}
