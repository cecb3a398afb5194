import ChemActors
import TestSupport
import Testing

/// Reactions that update or read a state only while its value meets a condition.
@Suite(.endsInTime)
struct ConditionTests {
    /// A buffer with room for `capacity` items, as a state with two conditions.
    private func buffer(
        _ capacity: Int,
        on machine: ChemicalMachine = .shared,
        _ policy: FailurePolicy = .drop
    ) -> (put: FastMolecule<Int, Void>, take: FastMolecule<Void, Int>, definition: Join) {
        let (put, take, definition) = machine.define("buffer") { join in
            join.failurePolicy = policy
            let put = join.fast("put", of: Int.self, order: .oldestFirst)
            let take = join.fast("take", returning: Int.self, order: .oldestFirst)
            let items = join.state("items", [Int]())
            join.answer(put, updating: items.while { $0.count < capacity }) { items, item in items.append(item) }
            join.answer(take, updating: items.while { !$0.isEmpty }) { items, _ in items.removeFirst() }
            return (put, take, join.definition)
        }
        return (put, take, definition)
    }

    @Test func callsWaitUntilTheConditionHolds() async throws {
        let (put, take, definition) = buffer(2)
        try await put(1)
        try await put(2)
        let third = Task { try await put(3) }
        try await until { definition.snapshot().waitingCalls.count == 1 }
        #expect(try put.tryCall(4) == nil)
        #expect(try await take() == 1)
        try await third.value
        #expect(try await [take(), take()] == [2, 3])
        #expect(try take.tryCall() == nil)
        #expect(definition.statistics.isBalanced)
    }

    @Test("What one task puts in, another gets in order, whatever the capacity", arguments: [1, 2, 7, 100])
    func keepsOrder(_ capacity: Int) async throws {
        let (put, take, _) = buffer(capacity)
        let count = 500
        async let received = { () async throws -> [Int] in
            var received: [Int] = []
            for _ in 0..<count { received.append(try await take()) }
            return received
        }()
        for item in 0..<count { try await put(item) }
        #expect(try await received == Array(0..<count))
    }

    @Test func theInitialValueMeetsIt() async throws {
        let open = Join.define("open") { join in
            let go = join.fast("go", returning: Int.self)
            let state = join.state("state", 3)
            join.answer(go, updating: state.while { $0 > 0 }) { state, _ in
                state -= 1
                return state
            }
            return go
        }
        #expect(try await [open(), open(), open()] == [2, 1, 0])
        #expect(try open.tryCall() == nil)
    }

    @Test func slowMoleculesWaitToo() async throws {
        let (work, open, done, definition) = Join.define("gate") { join in
            let work = join.slow("work", of: Int.self, order: .oldestFirst)
            let open = join.slow("open", of: Bool.self)
            let done = join.slow("done", of: Int.self, order: .oldestFirst)
            let get = join.fast("get", returning: Int.self)
            let isOpen = join.state("isOpen", false)
            join.when(work, isOpen.while(\.self).value) { item, _ in done(item) }
            join.when(open, updating: isOpen) { isOpen, value in isOpen = value }
            join.answer(get, with: done) { _, item in item }
            return (work, open, get, join.definition)
        }
        for item in 0..<10 { work(item) }
        try await definition.quiescence()
        #expect(definition.snapshot().molecules["work"] == 10)
        open(true)
        var got: Set<Int> = []
        for _ in 0..<10 { got.insert(try await done()) }
        #expect(got == Set(0..<10))
        open(false)
        try await definition.quiescence()
        work(1)
        try await definition.quiescence()
        #expect(definition.snapshot().molecules["work"] == 1)
    }

    @Test("A call that waits for the condition can be cancelled and can time out, and takes nothing")
    func withdrawals() async throws {
        let (put, take, definition) = buffer(1)
        await #expect(throws: CallError.self) { try await take(within: .milliseconds(1)) }
        let waiting = Task { try await take() }
        try await until { definition.snapshot().waitingCalls.count == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await put(7)
        #expect(try await take(within: .zero) == 7)
        #expect(definition.statistics.molecules["take"]?.withdrawn == 2)
    }

    @Test("Whatever a body does to the state, its condition is looked at: asynchronous bodies, failing ones, retries")
    func everyWayBack() async throws {
        struct Failure: Error {}
        let failures = Guarded(2)
        let (slowly, badly, check) = Join.define("ways") { join in
            join.failurePolicy = .retry(3, backOff: .zero)
            let slowly = join.fast("slowly", of: Int.self)
            let badly = join.fast("badly", of: Int.self)
            let check = join.fast("check", returning: Int.self)
            let level = join.state("level", 0)
            join.answer(slowly, updating: level) { level, new in
                await Task.yield()
                level = new
            }
            join.answer(badly, updating: level) { level, new in
                level = new
                try failures.withLock {
                    $0 -= 1
                    if $0 >= 0 { throw Failure() }
                }
            }
            join.answer(check, updating: level.while { $0 >= 10 }) { level, _ in
                defer { level = 0 }
                return level
            }
            return (slowly, badly, check)
        }
        async let first = check()
        try await slowly(11)
        #expect(try await first == 11)
        async let second = check()
        try await badly(12)
        #expect(try await second == 12)
        failures.withLock { $0 = 100 }
        async let third = check()
        await #expect(throws: Failure.self) { try await badly(13) }
        #expect(try await third == 13)
    }

    @Test("Clearing and activating bring back the initial value and what it meets", arguments: [true, false])
    func beginsAnew(_ isClear: Bool) async throws {
        let (put, take, definition) = buffer(1)
        try await put(1)
        if isClear {
            definition.clear()
        } else {
            definition.deactivate()
            try await definition.quiescence()
            definition.activate()
        }
        #expect(try take.tryCall() == nil)
        try await put(2)
        #expect(try put.tryCall(3) == nil)
        #expect(try await take() == 2)
    }

    @Test func severalStatesEachWithItsCondition() async throws {
        let (transfer, deposit) = Join.define("bank") { join in
            let transfer = join.fast("transfer")
            let deposit = join.slow("deposit", of: Int.self)
            let from = join.state("from", 0)
            let to = join.state("to", 3)
            join.answer(transfer, updating: from.while { $0 > 0 }, to.while { $0 < 5 }) { from, to, _ in
                from -= 1
                to += 1
            }
            join.when(deposit, updating: from) { from, amount in from += amount }
            return (transfer, deposit)
        }
        #expect(try transfer.tryCall() == nil)
        deposit(3)
        try await transfer()
        try await transfer()
        #expect(try transfer.tryCall() == nil)
    }

    @Test("An array of states, each under a condition")
    func arrays() async throws {
        let (eat, fill, definition) = Join.define("pots") { join in
            let eat = join.fast("eat", returning: [Int].self)
            let fill = (0..<3).map { join.slow("fill \($0)") }
            let pots = (0..<3).map { join.state("pot \($0)", 0) }
            join.answer(eat, updating: pots.map { pot in pot.while { $0 > 0 } }) { pots, _ in
                for index in pots.indices { pots[index] -= 1 }
                return Array(pots)
            }
            for (fill, pot) in zip(fill, pots) { join.when(fill, updating: pot) { pot, _ in pot += 1 } }
            return (eat, fill, join.definition)
        }
        fill[0]()
        fill[0]()
        fill[1]()
        try await definition.quiescence()
        #expect(try eat.tryCall() == nil)
        fill[2]()
        #expect(try await eat() == [1, 0, 0])
    }

    @Test func aSnapshotSaysWhichConditionIsNotMet() async throws {
        let (put, definition) = Join.define("buffer") { join in
            let take = join.fast("take", returning: Int.self)
            let put = join.slow("put", of: Int.self)
            let items = join.state("items", [Int]())
            let filled = items.while({ !$0.isEmpty }, fileID: "App/Buffer.swift", line: 12)
            join.answer(take, updating: filled) { items, _ in items.removeLast() }
            join.when(put, updating: items) { items, item in items.append(item) }
            return (put, join.definition)
        }
        let missing = definition.snapshot().reactions.map(\.missing)
        #expect(missing == [["take", "items where its condition (App/Buffer.swift:12) holds"], ["put"]])
        #expect(definition.statistics.molecules.keys.sorted() == ["items", "put", "take"])
        extendLifetime(put)
    }

    @Test("Conditions are evaluated outside of the soup, and not while nothing changes")
    func outsideOfTheSoup() async throws {
        let counter = Guarded(0)
        let (bump, get, definition) = Join.define("watched") { join in
            let bump = join.fast("bump", returning: Int.self)
            let get = join.fast("get", returning: Int.self)
            let n = join.state("n", 0)
            let handle = join.definition
            join.answer(bump, updating: n) { n, _ in
                n += 1
                return n
            }
            let big = n.while { n in
                // Under the lock of the soup this would never end.
                _ = handle.statistics
                counter.add()
                return n > 2
            }
            join.answer(get, reading: n) { n, _ in n }
            let drain = join.slow("drain")
            join.when(drain, updating: big) { n, _ in n = 0 }
            drain()
            return (bump, get, join.definition)
        }
        #expect(counter.withLock { $0 } == 1)
        for _ in 0..<20 { _ = try await get() }
        #expect(counter.withLock { $0 } == 1)
        _ = try await bump()
        _ = try await bump()
        #expect(counter.withLock { $0 } == 3)
        _ = try await bump()
        try await definition.quiescence()
        #expect(try await get() == 0)
    }

    @Test("With equal seeds on a serial executor, equal runs", arguments: 1...20)
    func equalRuns(_ seed: UInt64) throws {
        func run() throws -> [Int] {
            let executor = SeededExecutor(seed: seed)
            return try executor.run {
                let machine = ChemicalMachine(.init(seed: seed, executor: executor))
                let (put, take, _) = self.buffer(3, on: machine)
                return try await withThrowingTaskGroup(of: [Int].self) { group in
                    for base in [0, 100, 200] {
                        group.addTask {
                            for item in 0..<20 { try await put(base + item) }
                            return []
                        }
                    }
                    group.addTask {
                        var items: [Int] = []
                        for _ in 0..<60 { items.append(try await take()) }
                        return items
                    }
                    return try await group.reduce([], +)
                }
            }
        }
        #expect(try run() == run(), "seed \(seed)")
    }

    @Test("Many producers and consumers lose nothing and never exceed the capacity")
    func storm() async throws {
        for seed in Soak.seeds(5, soak: 200) {
            let machine = ChemicalMachine(.init(seed: seed))
            let (put, take, definition) = buffer(Int(seed % 5) + 1, on: machine)
            let got = try await withThrowingTaskGroup(of: [Int].self) { group in
                for producer in 0..<4 {
                    group.addTask {
                        for item in 0..<100 { try await put(producer * 1000 + item) }
                        return []
                    }
                }
                for _ in 0..<4 {
                    group.addTask {
                        var got: [Int] = []
                        while got.count < 100 {
                            do {
                                got.append(try await take(within: .milliseconds(Int.random(in: 0...2))))
                            } catch let error as CallError where error.code == .timedOut {}
                        }
                        return got
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let all: [Int] = (0..<4).flatMap { base in (0..<100).map { base * 1000 + $0 } }
            #expect(got.sorted() == all, "seed \(seed)")
            #expect(definition.statistics.isBalanced, "seed \(seed)")
        }
    }
}
