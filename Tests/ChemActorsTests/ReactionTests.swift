import ChemActors
import TestSupport
import Testing

@Suite("Reactions", .endsInTime)
struct ReactionTests {
    @Test("5 a and 3 b with a(x) & b(y) → b(x+y) end as three b whose sum is the sum of all")
    func sums() async throws {
        for round in 0..<200 {
            let (a, b, drain, definition) = Join.define("sums") { join in
                let a = join.slow("a", of: Int.self)
                let b = join.slow("b", of: Int.self)
                let drain = join.fast("drain", returning: Int.self)
                join.when(a, b) { x, y in b(x + y) }
                join.answer(drain, with: b) { _, y in y }
                return (a, b, drain, join.definition)
            }
            let values = [10, 2, 4, 21, 156], others = [1, 1, 1]
            for x in values { a(x) }
            for y in others { b(y) }
            try await definition.quiescence()
            var sum = 0
            for _ in 0..<3 { sum += try await drain() }
            #expect(sum == 196, "round \(round)")
            await #expect(throws: CallError.self, "a fourth b") { try await drain(within: .zero) }
        }
    }

    @Test("The same molecule twice: pairs reduce to one")
    func twice() async throws {
        for round in 0..<100 {
            let (done, result, definition) = Join.define("reduce") { join in
                let done = join.slow("done", of: Int.self)
                let result = join.fast("result", returning: Int.self)
                join.when(done, done) { x, y in done(x + y) }
                join.answer(result, with: done) { _, x in x }
                return (done, result, join.definition)
            }
            done.inject(contentsOf: 1...100)
            try await definition.quiescence()
            #expect(try await result() == 5050, "round \(round)")
        }
    }

    @Test("The same molecule three times waits for the third copy", arguments: 1...7)
    func threeTimes(copies: Int) async throws {
        let seen = Guarded<[Int]>([])
        let (a, rest, definition) = Join.define("triples") { join in
            let a = join.slow("a", of: Int.self)
            let rest = join.fast("rest", returning: Int.self)
            join.when(a, a, a) { x, y, z in for value in [x, y, z] { seen.append(value) } }
            join.answer(rest, with: a) { _, x in x }
            return (a, rest, join.definition)
        }
        for x in 0..<copies { a(x) }
        try await definition.quiescence()
        #expect(seen.now.count == copies / 3 * 3)
        var all = seen.now
        for _ in 0..<copies % 3 { all.append(try await rest()) }
        #expect(all.sorted() == Array(0..<copies))
    }

    @Test("The same fast molecule twice: two callers meet and get separate answers")
    func fastTwice() async throws {
        for round in 0..<200 {
            let meet = Join.define("rendezvous") { join in
                let meet = join.fast("meet", of: Int.self, returning: Int.self)
                join.when(meet, meet) { one, other in
                    one(other.value)
                    other(one.value)
                }
                return meet
            }
            async let one = meet(1)
            async let other = meet(2)
            let (x, y) = try await (one, other)
            #expect((x, y) == (2, 1), "round \(round)")
        }
    }

    @Test("Two fast molecules in one reaction get separate answers of separate types")
    func twoFast() async throws {
        for round in 0..<200 {
            let (give, take) = Join.define("exchange") { join in
                let give = join.fast("give", of: Int.self, returning: String.self)
                let take = join.fast("take", of: String.self, returning: Int.self)
                join.when(give, take) { giver, taker in
                    giver(taker.value)
                    taker(giver.value)
                }
                return (give, take)
            }
            async let text = give(round)
            async let number = take("round \(round)")
            let (got, other) = try await (text, number)
            #expect(got == "round \(round)")
            #expect(other == round)
        }
    }

    @Test("A synchronous, an asynchronous, a throwing and a main-actor body each run")
    func kindsOfBodies() async throws {
        let trace = Guarded<[String]>([])
        let events = Guarded<[String]>([])
        struct Broken: Error {}
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { events.append("\($0)") }, patience: nil)
        )
        let (go, definition) = machine.define("bodies") { join in
            let a = join.slow("a"), b = join.slow("b"), c = join.slow("c"), d = join.slow("d"), e = join.slow("e")
            join.when(a) { _ in
                trace.append("synchronous")
                b()
            }
            join.when(b) { _ in
                await Task.yield()
                trace.append("asynchronous")
                c()
            }
            join.when(c, on: MainActor.self) { _ in
                MainActor.preconditionIsolated()  // also checked when the program runs, not only by the compiler
                trace.append("main")
                d()
            }
            join.when(d) { _ in
                trace.append("throwing")
                e()
                throw Broken()
            }
            join.when(e) { _ async throws in
                await Task.yield()
                trace.append("throwing later")
                throw Broken()
            }
            return (a, join.definition)
        }
        go()
        try await definition.quiescence()
        #expect(trace.now == ["synchronous", "asynchronous", "main", "throwing", "throwing later"])
        #expect(events.now.count == 2 && events.now.allSatisfy { $0.contains("bodies") && $0.contains("Broken") })
    }

    @Test("The error of a throwing body reaches each of its callers", arguments: [true, false])
    func errorsReachCallers(isAsynchronous: Bool) async throws {
        struct Broken: Error, Equatable { let number: Int }
        let quiet = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }))
        let (one, two) = quiet.define { join in
            let one = join.fast("one", of: Int.self, returning: Int.self)
            let two = join.fast("two", of: Int.self, returning: Int.self)
            if isAsynchronous {
                join.when(one, two) { x, y in
                    await Task.yield()
                    throw Broken(number: x.value + y.value)
                }
            } else {
                join.when(one, two) { x, y in throw Broken(number: x.value + y.value) }
            }
            return (one, two)
        }
        let first = Task { try await one(1) }
        let second = Task { try await two(2) }
        await #expect(throws: Broken(number: 3)) { try await first.value }
        await #expect(throws: Broken(number: 3)) { try await second.value }
    }

    @Test("A body injects into other definitions, defines new ones and calls fast molecules of both")
    func bodiesReachOut() async throws {
        let (put, total, totals) = Join.define("total") { join in
            let put = join.slow("put", of: Int.self)
            let total = join.fast("total", returning: Int.self)
            let sum = join.state("sum", 0)
            join.when(put, updating: sum) { $0 += $1 }
            join.answer(total, reading: sum) { sum, _ in sum }
            return (put, total, join.definition)
        }
        let compute = Join.define("compute") { join in
            let compute = join.fast("compute", of: Int.self, returning: Int.self)
            join.answer(compute) { n in
                put(n)
                let square = Join.define("square") { inner in
                    let square = inner.fast("square", of: Int.self, returning: Int.self)
                    inner.answer(square) { $0 * $0 }
                    return square
                }
                return try await square(n)
            }
            return compute
        }
        for n in 0..<100 { #expect(try await compute(n) == n * n) }
        try await totals.quiescence()
        #expect(try await total() == 4950)
    }

    @Test("A call that may not wait is answered by a reaction that is possible now, also by one that a worker runs")
    func noTimeToWait() async throws {
        let (item, take) = Join.define("box") { join in
            let item = join.slow("item", of: Int.self)
            let take = join.fast("take", returning: Int.self)
            join.when(take, item) { reply, n in reply(n) }
            return (item, take)
        }
        // Others keep the machine busy, so that a worker may come later than any timer.
        let missed = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var missed = 0
                    for n in 0..<500 {
                        item(n)
                        do { _ = try await take(within: .zero) } catch { missed += 1 }
                    }
                    return missed
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(missed == 0)
    }

    @Test("A thousand fast calls, one inside the other, complete", arguments: [1, 2])
    func deepChain(workerLimit: Int) async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(workerLimit: workerLimit))
        let depth = machine.define("depth") { join in
            let depth = join.fast("depth", of: Int.self, returning: Int.self)
            join.answer(depth) { n in n == 0 ? 0 : try await depth(n - 1) + 1 }
            return depth
        }
        #expect(try await depth(1000) == 1000)
        let chain = (0..<1000).reduce(
            machine.define("end") { join in
                let end = join.fast("link", of: Int.self, returning: Int.self)
                join.answer(end) { $0 }
                return end
            }
        ) { next, _ in
            machine.define("link") { join in
                let link = join.fast("link", of: Int.self, returning: Int.self)
                join.answer(link) { try await next($0) + 1 }
                return link
            }
        }
        #expect(try await chain(0) == 1000)
    }

    @Test("A thousand-deep chain of fast calls completes on one thread")
    func deepChainOnOneThread() throws {
        let executor = SeededExecutor(seed: 1)
        let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: 1, executor: executor))
        let depth = machine.define("depth") { join in
            let depth = join.fast("depth", of: Int.self, returning: Int.self)
            join.answer(depth) { n in n == 0 ? 0 : try await depth(n - 1) + 1 }
            return depth
        }
        #expect(try executor.run { try await depth(1000) } == 1000)
    }

    @Test("200 molecules and 300 reactions in one definition")
    func large() async throws {
        let fired = Guarded([Int](repeating: 0, count: 300))
        let (names, definition) = Join.define("large") { join in
            let names = (0..<200).map { join.slow("m\($0)", of: Int.self) }
            for index in 0..<200 {
                join.when(names[index], names[(index + 1) % 200]) { _, _ in fired.withLock { $0[index] += 1 } }
            }
            for index in 0..<100 {
                join.when(names[index], names[index + 50], names[index + 100]) { _, _, _ in
                    fired.withLock { $0[200 + index] += 1 }
                }
            }
            return (names, join.definition)
        }
        // One reaction at a time is possible: its number says which.
        for index in 0..<200 {
            names[index](0)
            names[(index + 1) % 200](0)
            try await definition.quiescence()
        }
        for index in 0..<100 {
            names[index](0)
            names[index + 50](0)
            names[index + 100](0)
            try await definition.quiescence()
        }
        #expect(fired.now == [Int](repeating: 1, count: 300))
    }

    @Test("Bulk injection injects every value once, in order if the molecule is oldest-first")
    func bulk() async throws {
        let taken = Guarded<[Int]>([])
        let (item, go, definition) = Join.define("bulk") { join in
            let item = join.slow("item", of: Int.self, order: .oldestFirst)
            let go = join.slow("go")
            join.when(item, go) { x, _ in
                taken.append(x)
                go()
            }
            return (item, go, join.definition)
        }
        item.inject(contentsOf: [])
        item.inject(contentsOf: 0..<1000)
        item.inject(contentsOf: (1000..<2000).lazy.filter { _ in true })
        go.inject(contentsOf: [()])
        item.inject(contentsOf: 2000..<10_000)
        try await definition.quiescence()
        #expect(taken.now == Array(0..<10_000))
    }

    @Test("Bulk injection of molecules without a value counts each")
    func bulkWithoutValue() async throws {
        let count = Guarded(0)
        let (tick, definition) = Join.define { join in
            let tick = join.slow("tick")
            join.when(tick, tick) { _, _ in count.add() }
            return (tick, join.definition)
        }
        tick.inject(contentsOf: repeatElement((), count: 10_001))
        try await definition.quiescence()
        #expect(count.now == 5000)
        tick()
        try await definition.quiescence()
        #expect(count.now == 5001)
    }
}
