import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Worker pools and resource pools.
@Suite("Pools", .endsInTime)
struct PoolTests {
    // MARK: Resources

    @Test func eachResourceIsUsedByOneTaskAtATime() async throws {
        let pool = ResourcePool([0, 1, 2])
        let inside = (0..<3).map { _ in Occupancy() }
        let used = try await runAll(
            (0..<300).map { _ in
                {
                    try await pool.withResource { resource in
                        inside[resource].enter()
                        await Task.yield()
                        inside[resource].leave()
                        return resource
                    }
                }
            }
        )
        #expect(used.count == 300)
        #expect(inside.allSatisfy { $0.peak <= 1 })
        #expect(inside.reduce(0) { $0 + $1.total } == 300)
    }

    @Test func resourcesAreMadeWhenNeededAndUsedAgain() async throws {
        let made = Occupancy()
        let machine = ChemicalMachine()
        let pool = machine.making {
            ResourcePool(atMost: 4) {
                made.enter()
                return made.total
            }
        }
        for _ in 0..<20 {
            #expect(try await pool.withResource { $0 } == 1)
            try await machine.quiescence()
        }
        #expect(made.total == 1)
        let gate = Gate()
        let tasks = (0..<10).map { _ in Task { try await pool.withResource { _ in try await gate.pass() } } }
        try await eventually { made.total == 4 }
        gate.open()
        for task in tasks { try await task.value }
        #expect(made.total == 4)
    }

    @Test func aResourceThatCannotBeMadeTakesNoPlace() async throws {
        let attempts = Occupancy()
        let pool = ResourcePool(atMost: 1) {
            attempts.enter()
            if attempts.total <= 2 { throw Mishap(number: attempts.total) }
            return attempts.total
        }
        await #expect(throws: Mishap(number: 1)) { try await pool.withResource { $0 } }
        await #expect(throws: Mishap(number: 2)) { try await pool.withResource { $0 } }
        #expect(try await pool.withResource { $0 } == 3)
    }

    @Test func anUnusableResourceIsReplaced() async throws {
        let made = Occupancy()
        let pool = ResourcePool(atMost: 1, isUsable: { $0 % 2 == 0 }) {
            made.enter()
            return made.total
        }
        #expect(try await pool.withResource { $0 } == 1)
        #expect(try await pool.withResource { $0 } == 2)
        #expect(try await pool.withResource { $0 } == 2)
    }

    private final class Connection: Sendable {
        let live: Locked<(now: Int, most: Int)>

        init(_ live: Locked<(now: Int, most: Int)>) {
            self.live = live
            live.update {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        deinit { live.update { $0.now -= 1 } }
    }

    @Test func anUnusableResourceIsGoneBeforeAnotherIsMade() async throws {
        let live = Locked((now: 0, most: 0))
        let pool = ResourcePool<Connection>(atMost: 1, isUsable: { _ in false }) { Connection(live) }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 { try? await pool.withResource { _ in await Task.yield() } }
                }
            }
        }
        #expect(live.value.most == 1)
    }

    @Test func aBodyThatThrowsGivesItsResourceBack() async throws {
        let pool = ResourcePool(["one"])
        for _ in 0..<5 {
            await #expect(throws: Mishap.self) { try await pool.withResource { _ in throw Mishap() } }
        }
        #expect(try await pool.withResource { $0 } == "one")
    }

    @Test func whoWaitsIsServedOldestFirst() async throws {
        let machine = ChemicalMachine()
        let pool = machine.making { ResourcePool([0]) }
        let (gate, order) = (Gate(), Locked<[Int]>([]))
        let holder = Task { try await pool.withResource { _ in try await gate.pass() } }
        try await eventually { machine.statistics.molecules["resourcePool.take"]?.consumed == 1 }
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<10 {
            tasks.append(Task { try await pool.withResource { _ in order.update { $0.append(number) } } })
            try await eventually { machine.statistics.waitingCalls == number + 1 }
        }
        gate.open()
        try await holder.value
        for task in tasks { try await task.value }
        #expect(order.value == Array(0..<10))
    }

    @Test func theResourceThatWasGivenBackLastIsUsedNext() async throws {
        let machine = ChemicalMachine()
        let pool = machine.making { ResourcePool([0, 1, 2]) }
        for _ in 0..<5 {
            let (outer, inner) = try await pool.withResource { outer in
                let inner = try await pool.withResource { $0 }
                try await machine.quiescence()
                #expect(try await pool.withResource { $0 } == inner)
                try await machine.quiescence()
                return (outer, inner)
            }
            try await machine.quiescence()
            #expect(inner != outer)
            #expect(try await pool.withResource { $0 } == outer)
            try await machine.quiescence()
        }
    }

    @Test func noResourceIsLostIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let pool = ResourcePool([0, 1])
            let inside = (0..<2).map { _ in Occupancy() }
            let tasks = (0..<10).map { _ in
                let yields = Int.random(in: 0..<4, using: &random)
                return Task {
                    try await pool.withResource { resource in
                        inside[resource].enter()
                        await yield(yields)
                        inside[resource].leave()
                        if yields == 3 { throw Mishap() }
                    }
                }
            }
            for task in tasks {
                await yield(Int.random(in: 0..<3, using: &random))
                if Bool.random(using: &random) { task.cancel() }
            }
            for task in tasks { _ = await task.result }
            #expect(inside.allSatisfy { $0.peak <= 1 && $0.now == 0 }, "seed \(seed)")
            // Both are there: two tasks have them at the same time.
            let (gate, both) = (Gate(), Occupancy())
            let last = (0..<2).map { _ in
                Task {
                    try await pool.withResource { _ in
                        both.enter()
                        try await gate.pass()
                    }
                }
            }
            try await eventually { both.total == 2 }
            gate.open()
            for task in last { try await task.value }
        }
    }

    @Test func emptyResourcePoolsAreRefused() async throws {
        let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ResourcePool([Int]())
        }
        #expect(text(empty).contains("a resource pool needs at least 1 resource, not 0"))
        #expect(text(empty).contains("PoolTests.swift"))
        let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ResourcePool(atMost: -1) { 1 }
        }
        #expect(text(negative).contains("a resource pool needs room for at least 1 resource, not -1"))
    }

    // MARK: Workers

    @Test func neverMoreThan3WorkersWork() async throws {
        let (pool, inside) = (WorkerPool(workers: 3), Occupancy())
        for _ in 0..<100 {
            pool.submit {
                inside.enter()
                await yield(2)
                inside.leave()
            }
        }
        let results = try await runAll(
            (0..<100).map { number in
                {
                    try await pool.perform {
                        inside.enter()
                        await yield(2)
                        inside.leave()
                        return number
                    }
                }
            }
        )
        #expect(results == Array(0..<100))
        try await pool.drain()
        #expect(inside.total == 200 && inside.now == 0 && inside.peak <= 3)
    }

    @Test func oneWorkerDoesSubmittedJobsInOrder() async throws {
        let (pool, order) = (WorkerPool(workers: 1), Locked<[Int]>([]))
        for number in 0..<100 { pool.submit { order.update { $0.append(number) } } }
        try await pool.drain()
        #expect(order.value == Array(0..<100))
    }

    @Test("Draining waits for jobs whose workers callers have, also if the pool is cancelled meanwhile")
    func drainingWaitsForJobsWithoutWorkers() async throws {
        for isCancelled in [false, true] {
            let machine = ChemicalMachine()
            let pool = machine.making { WorkerPool(workers: 1) }
            let (inside, gate, done) = (Occupancy(), Gate(), Locked(false))
            let holder = Task {
                try await pool.perform {
                    inside.enter()
                    try await gate.pass()
                }
            }
            try await eventually { inside.now == 1 }
            pool.submit { done.update { $0 = true } }
            let drained = Task {
                try await pool.drain()
                return done.value
            }
            try await machine.waits(for: 1)
            if isCancelled { pool.cancel() } else { gate.open() }
            #expect(try await drained.value != isCancelled)
            if isCancelled { gate.open() }
            try await holder.value
        }
    }

    @Test func whoWaitsForAWorkerIsServedOldestFirst() async throws {
        let machine = ChemicalMachine()
        let pool = machine.making { WorkerPool(workers: 1) }
        let (inside, gate, order) = (Occupancy(), Gate(), Locked<[Int]>([]))
        let holder = Task {
            try await pool.perform {
                inside.enter()
                try await gate.pass()
            }
        }
        try await eventually { inside.now == 1 }
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<10 {
            tasks.append(Task { try await pool.perform { order.update { $0.append(number) } } })
            try await machine.waits(for: number + 1)
        }
        gate.open()
        try await holder.value
        for task in tasks { try await task.value }
        #expect(order.value == Array(0..<10))
    }

    @Test func anErrorOfAJobIsTheCallers() async throws {
        let pool = WorkerPool(workers: 1)
        await #expect(throws: Mishap.self) { try await pool.perform { throw Mishap() } }
        #expect(try await pool.perform { 1 } == 1)
    }

    @Test func cancellingThePoolEndsEverything() async throws {
        let (pool, inside, gate) = (WorkerPool(workers: 1), Occupancy(), Gate())
        pool.submit {
            inside.enter()
            try? await gate.pass()
            inside.leave()
        }
        try await eventually { inside.now == 1 }
        pool.submit { inside.enter() }
        let waiting = Task { try await pool.perform { 1 } }
        await yield(3)
        pool.cancel()
        do {
            _ = try await waiting.value
            Issue.record("performed")
        } catch let error as CallError {
            #expect(error.code == .deactivated)
        }
        try await pool.drain()
        #expect(inside.now == 0 && inside.total == 1)
    }

    @Test func noWorkerIsLostIn100Seeds() async throws {
        for seed in UInt64(0)..<100 {
            var random = SplitMix(seed: seed)
            let (pool, inside) = (WorkerPool(workers: 2), Occupancy())
            let tasks = (0..<10).map { _ in
                let yields = Int.random(in: 0..<4, using: &random)
                return Task {
                    try await pool.perform {
                        inside.enter()
                        defer { inside.leave() }
                        await yield(yields)
                        try Task.checkCancellation()
                    }
                }
            }
            for task in tasks {
                await yield(Int.random(in: 0..<3, using: &random))
                if Bool.random(using: &random) { task.cancel() }
            }
            for task in tasks { _ = await task.result }
            #expect(inside.now == 0 && inside.peak <= 2, "seed \(seed)")
            let (gate, both) = (Gate(), Occupancy())
            for _ in 0..<2 {
                pool.submit {
                    both.enter()
                    try? await gate.pass()
                }
            }
            try await eventually { both.total == 2 }
            gate.open()
            try await pool.drain()
        }
    }

    @Test func aPoolWithoutWorkersIsRefused() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = WorkerPool(workers: 0)
        }
        #expect(text(result).contains("a worker pool needs at least 1 worker, not 0"))
        #expect(text(result).contains("PoolTests.swift"))
    }
}
