import ChemActors
import TestSupport
import Testing

/// Chance decides, evenly; the seed decides chance.
@Suite("Random choice", .endsInTime)
struct RandomChoiceTests {
    /// The largest deviation of `counts` from their mean, as a share of the mean.
    private func deviation(_ counts: [Int]) -> Double {
        let mean = Double(counts.reduce(0, +)) / Double(counts.count)
        return counts.map { abs(Double($0) - mean) / mean }.max() ?? .infinity
    }

    private func machine(_ seed: UInt64, _ executor: SeededExecutor? = nil) -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(seed: seed, executor: executor))
    }

    /// How often each of four reactions, with a molecule in common, ran in 200 rounds.
    private func fourReactions(_ machine: ChemicalMachine) async throws -> [Int] {
        let counts = Guarded([0, 0, 0, 0])
        let (a, others, definition) = machine.define("four") { join in
            let a = join.slow("a")
            let others = (0..<4).map { join.slow("b\($0)") }
            for index in 0..<4 {
                join.when(a, others[index]) { _, _ in
                    counts.withLock { $0[index] += 1 }
                    others[index]()
                }
            }
            return (a, others, join.definition)
        }
        for other in others { other() }
        for _ in 0..<200 {
            a()
            try await definition.quiescence()
        }
        return counts.now
    }

    @Test("Four reactions over 200 rounds: the best of ten runs deviates less than 20 % from uniform")
    func reactions() async throws {
        var best = Double.infinity
        for _ in 0..<10 {
            let counts = try await fourReactions(.shared)
            #expect(counts.reduce(0, +) == 200)
            best = min(best, deviation(counts))
        }
        #expect(best < 0.2)
    }

    @Test(
        "Four reactions over 200 rounds on a serial executor: the best of ten seeds deviates less than 20 % from uniform"
    )
    func reactionsOnExecutor() throws {
        var best = Double.infinity
        for seed in 0..<10 as Range<UInt64> {
            let executor = SeededExecutor(seed: seed)
            let machine = machine(seed, executor)
            best = min(best, deviation(try executor.run { try await fourReactions(machine) }))
        }
        #expect(best < 0.2)
    }

    @Test(
        "Each of 20 copies is drawn 500 times in 10,000, within 20 %",
        arguments: [1, 2, 3] as [UInt64],
        [true, false]
    )
    func copies(seed: UInt64, isBulk: Bool) async throws {
        var counts = [Int](repeating: 0, count: 20)
        let (copy, draw, definition) = machine(seed).define("urn") { join in
            let copy = join.slow("copy", of: Int.self)
            let draw = join.fast("draw", returning: Int.self)
            join.answer(draw, with: copy) { _, n in n }
            return (copy, draw, join.definition)
        }
        if isBulk { copy.inject(contentsOf: 0..<20) } else { for n in 0..<20 { copy(n) } }
        for _ in 0..<10_000 {
            let n = try await draw()
            counts[n] += 1
            copy(n)
        }
        try await definition.quiescence()
        #expect(deviation(counts) < 0.2, "\(counts)")
    }

    @Test("The first of 20 copies to be drawn is any of them, whatever the order of injection")
    func firstDraw() async throws {
        var counts = [Int](repeating: 0, count: 20)
        let machine = machine(5)
        for _ in 0..<10_000 {
            let draw = machine.define("urn") { join in
                let copy = join.slow("copy", of: Int.self)
                let draw = join.fast("draw", returning: Int.self)
                join.answer(draw, with: copy) { _, n in n }
                for n in 0..<20 { copy(n) }
                return draw
            }
            counts[try await draw()] += 1
        }
        #expect(deviation(counts) < 0.2, "\(counts)")
    }

    @Test("Waiting calls are answered in any order")
    func waitingCalls() throws {
        var counts = [Int](repeating: 0, count: 8)
        for seed in 0..<4000 as Range<UInt64> {
            let executor = SeededExecutor(seed: 1)
            let machine = machine(seed, executor)
            let first = Guarded<Int?>(nil)
            try executor.run {
                let (ask, token, definition) = machine.define("calls") { join in
                    let ask = join.fast("ask", of: Int.self)
                    let token = join.slow("token")
                    join.when(ask, token) { reply, _ in
                        first.withLock { if $0 == nil { $0 = reply.value } }
                        reply()
                    }
                    return (ask, token, join.definition)
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for n in 0..<8 { group.addTask { try await ask(n) } }
                    // A call that comes after all others have entered: on this executor a task yields to all that are
                    // ready.
                    for _ in 0..<200 { await Task.yield() }
                    token.inject(contentsOf: repeatElement((), count: 8))
                    try await group.waitForAll()
                }
                try await definition.quiescence()
            }
            counts[try #require(first.now)] += 1
        }
        #expect(deviation(counts) < 0.2, "\(counts)")
    }

    @Test("a + b against b + c share b evenly")
    func competition() async throws {
        let wins = Guarded([0, 0])
        let (a, b, c, definition) = Join.define("competition") { join in
            let a = join.slow("a"), b = join.slow("b"), c = join.slow("c")
            join.when(a, b) { _, _ in wins.withLock { $0[0] += 1 } }
            join.when(b, c) { _, _ in wins.withLock { $0[1] += 1 } }
            return (a, b, c, join.definition)
        }
        a.inject(contentsOf: repeatElement((), count: 1000))
        c.inject(contentsOf: repeatElement((), count: 1000))
        for _ in 0..<1000 { b() }
        try await definition.quiescence()
        let share = Double(wins.now[0]) / 1000
        #expect(wins.now.reduce(0, +) == 1000)
        #expect(share > 0.3 && share < 0.7)
    }

    @Test("Two reactions of one fast molecule are as likely, whether they answer by their result or by a reply")
    func kindsOfAnswers() async throws {
        var counts = [0, 0]
        let ask = machine(9).define("two ways") { join in
            let ask = join.fast("ask", returning: Int.self)
            join.answer(ask) { 0 }
            join.when(ask) { reply in reply(1) }.mayCompete()
            return ask
        }
        for _ in 0..<4000 { counts[try await ask()] += 1 }
        #expect(deviation(counts) < 0.2, "\(counts)")
    }

    @Test("Two reactions with the same inputs are an honest coin")
    func coin() async throws {
        let counts = Guarded([0, 0])
        let (coin, definition) = machine(3).define("coin") { join in
            let coin = join.slow("coin")
            join.when(coin) { _ in counts.withLock { $0[0] += 1 } }
            join.when(coin) { _ in counts.withLock { $0[1] += 1 } }.mayCompete()
            return (coin, join.definition)
        }
        coin.inject(contentsOf: repeatElement((), count: 10_000))
        try await definition.quiescence()
        #expect(counts.now.reduce(0, +) == 10_000)
        #expect(deviation(counts.now) < 0.1, "\(counts.now)")
    }

    @Test("Equal seeds give equal runs in a scope; different seeds differ")
    func seedsInAScope() throws {
        var seen: Set<[String]> = []
        for seed in 0..<50 as Range<UInt64> {
            func run() throws -> [String] {
                let executor = SeededExecutor(seed: seed)
                let configuration = ChemicalMachine.Configuration(seed: seed, executor: executor)
                let trace = Guarded<[String]>([])
                try executor.run {
                    try await withChemicalMachine(configuration) { try await Self.react(on: $0, trace) }
                }
                return trace.now
            }
            let first = try run()
            for _ in 0..<3 { #expect(try run() == first, "seed \(seed)") }
            seen.insert(first)
        }
        #expect(seen.count == 50)
    }

    @Test("Equal seeds give equal runs in a scope on a serial queue, wherever it is entered")
    func seedsOnAQueue() async throws {
        for seed in 0..<20 as Range<UInt64> {
            func run() async throws -> [String] {
                let executor = QueueExecutor()
                let configuration = ChemicalMachine.Configuration(seed: seed, executor: executor)
                let trace = Guarded<[String]>([])
                try await withChemicalMachine(configuration) { try await Self.react(on: $0, trace) }
                return trace.now
            }
            let first = try await run()
            for _ in 0..<3 {
                let again = try await run()
                #expect(again == first, "seed \(seed)")
            }
        }
    }

    /// What happened, in order, in a chemistry with choice everywhere.
    private func trace(seed: UInt64) throws -> [String] {
        let executor = SeededExecutor(seed: seed)
        let machine = machine(seed, executor)
        let trace = Guarded<[String]>([])
        try executor.run { try await Self.react(on: machine, trace) }
        return trace.now
    }

    private static func react(on machine: ChemicalMachine, _ trace: Guarded<[String]>) async throws {
        let (a, b, ask, definition) = machine.define("trace") { join in
            let a = join.slow("a", of: Int.self), b = join.slow("b", of: Int.self)
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            join.when(a, b) { x, y in
                trace.append("a\(x) b\(y)")
                if x > 0 { a(x - 1) }
            }
            join.when(b, b) { x, y in
                await Task.yield()
                trace.append("b\(x) b\(y)")
                b(x)
            }
            join.answer(ask, with: a) { n, x in
                trace.append("ask\(n) a\(x)")
                return n + x
            }
            return (a, b, ask, join.definition)
        }
        await withTaskGroup(of: Void.self) { group in
            for n in 0..<10 {
                group.addTask {
                    a(n)
                    b(n)
                    await Task.yield()
                    b(100 + n)
                    if n.isMultiple(of: 3) {
                        let answer = try? await ask(n)
                        trace.append("answer \(answer ?? -1)")
                    }
                }
            }
            // Whoever still waits is answered by these.
            for _ in 0..<50 { await Task.yield() }
            a.inject(contentsOf: 1000..<1020)
        }
        try await definition.quiescence()
    }

    @Test("Equal seeds give equal runs on a serial executor; different seeds differ")
    func seeds() throws {
        var seen: Set<[String]> = []
        for seed in 0..<50 as Range<UInt64> {
            let first = try trace(seed: seed)
            for _ in 0..<3 { #expect(try trace(seed: seed) == first, "seed \(seed)") }
            seen.insert(first)
        }
        #expect(seen.count == 50)
    }

    @Test("The machine's seed alone changes the choice")
    func machineSeed() throws {
        let orders = try (0..<20 as Range<UInt64>).map { seed in
            let executor = SeededExecutor(seed: 0)
            let machine = machine(seed, executor)
            return try executor.run {
                let (copy, draw) = machine.define("urn") { join in
                    let copy = join.slow("copy", of: Int.self)
                    let draw = join.fast("draw", returning: Int.self)
                    join.answer(draw, with: copy) { _, n in n }
                    return (copy, draw)
                }
                copy.inject(contentsOf: 0..<20)
                var order: [Int] = []
                for _ in 0..<20 { order.append(try await draw()) }
                return order
            }
        }
        #expect(Set(orders).count == 20)
        #expect(orders.allSatisfy { $0.sorted() == Array(0..<20) })
    }
}
