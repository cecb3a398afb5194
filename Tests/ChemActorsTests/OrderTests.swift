import ChemActors
import Foundation
import TestSupport
import Testing

@Suite("Order", .endsInTime)
struct OrderTests {
    private struct Item: Sendable {
        let sender: Int
        let number: Int
    }

    @Test("Oldest-first molecules come out in order: 50,000 from one sender, each with a wait for its turn")
    func oneSender() async throws {
        let taken = Guarded<[Int]>([])
        let (item, definition) = Join.define("queue") { join in
            let item = join.slow("item", of: Int.self, order: .oldestFirst)
            let turn = join.slow("turn")
            join.when(item, turn) { n, _ in
                taken.append(n)
                turn()
            }
            turn()
            return (item, join.definition)
        }
        for n in 0..<50_000 { item(n) }
        try await definition.quiescence()
        #expect(taken.now == Array(0..<50_000))
    }

    @Test("Oldest-first molecules come out in order, by fast calls, while they are injected")
    func byCalls() async throws {
        let (item, next) = Join.define("queue") { join in
            let item = join.slow("item", of: Int.self, order: .oldestFirst)
            let next = join.fast("next", returning: Int.self)
            join.answer(next, with: item) { _, n in n }
            return (item, next)
        }
        async let injected: Void = { for n in 0..<50_000 { item(n) } }()
        for n in 0..<50_000 {
            let got = try await next()
            if got != n { return #expect(got == n) }
        }
        await injected
    }

    @Test("Oldest-first calls are answered in the order in which they came")
    func oldestCallFirst() throws {
        for seed in 0..<50 as Range<UInt64> {
            let executor = SeededExecutor(seed: seed)
            let machine = ChemicalMachine(ChemicalMachine.Configuration(seed: seed, executor: executor))
            let entered = Guarded<[Int]>([]), answered = Guarded<[Int]>([])
            try executor.run {
                let (ask, token) = machine.define("calls") { join in
                    let ask = join.fast("ask", of: Int.self, order: .oldestFirst)
                    let token = join.slow("token")
                    join.when(ask, token) { reply, _ in
                        answered.append(reply.value)
                        reply()
                    }
                    return (ask, token)
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for n in 0..<20 {
                        group.addTask {
                            entered.append(n)
                            try await ask(n)
                        }
                    }
                    while entered.now.count < 20 { await Task.yield() }
                    for _ in 0..<20 {
                        token()
                        await Task.yield()
                    }
                    try await group.waitForAll()
                }
            }
            #expect(answered.now.count == 20)
            #expect(answered.now == entered.now, "seed \(seed)")
        }
    }

    @Test("Oldest-first molecules come out in order per sender, from eight", arguments: 0..<3)
    func eightSenders(round: Int) async throws {
        let taken = Guarded<[Item]>([])
        let (item, definition) = Join.define("queue") { join in
            let item = join.slow("item", of: Item.self, order: .oldestFirst)
            let turn = join.slow("turn")
            join.when(item, turn) { item, _ in
                taken.append(item)
                turn()
            }
            turn()
            return (item, join.definition)
        }
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask {
                    for number in 0..<6250 {
                        item(Item(sender: sender, number: number))
                        if number % 500 == 0 { await Task.yield() }  // so that the sender changes its thread
                    }
                }
            }
        }
        try await definition.quiescence()
        #expect(taken.now.count == 50_000)
        for sender in 0..<8 {
            #expect(taken.now.filter { $0.sender == sender }.map(\.number) == Array(0..<6250), "sender \(sender)")
        }
    }

    /// A definition in which `later` without `earlier` is a violation, which it counts.
    ///
    /// Each number is injected as `earlier`, then as `later`. The one reaction takes `later` with the guard; whoever
    /// then asks for an `earlier` must get one at once, since there are never more of the later than of the earlier
    /// ones.
    private struct Pair {
        let earlier: SlowMolecule<Int>
        let later: SlowMolecule<Int>
        let violations: Guarded<Int>
        let taken: Guarded<Int>
        let definition: Join

        init(on machine: ChemicalMachine = .shared) {
            let violations = Guarded(0), taken = Guarded(0)
            (earlier, later, definition) = machine.define("pair") { join in
                let earlier = join.slow("earlier", of: Int.self), later = join.slow("later", of: Int.self)
                let check = join.fast("check")
                join.when(later) { _ in
                    // Possible at once, or the earlier one is missing.
                    do { try await check(within: .zero) } catch { violations.add() }
                    taken.add()
                }
                join.answer(check, with: earlier) { _, _ in }
                return (earlier, later, join.definition)
            }
            (self.violations, self.taken) = (violations, taken)
        }

        func expect(_ count: Int, _ comment: Comment? = nil) async throws {
            try await definition.quiescence()
            #expect(violations.now == 0, comment)
            #expect(taken.now == count, comment)
        }
    }

    @Test("A later injection is never in the soup without the earlier ones of its sender", arguments: [1, 4])
    func acrossMolecules(senders: Int) async throws {
        for round in 0..<20 {
            let pair = Pair()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<senders {
                    group.addTask {
                        for n in 0..<200 {
                            pair.earlier(n)
                            if n % 16 == 0 { await Task.yield() }
                            pair.later(n)
                        }
                    }
                }
            }
            try await pair.expect(200 * senders, "round \(round)")
        }
    }

    @Test("Two oldest-first molecules of one sender meet in pairs: 100,000")
    func neverAhead() async throws {
        let missing = Guarded(0)
        let (a, go, rest, definition) = Join.define("ahead") { join in
            let a = join.slow("a", of: Int.self, order: .oldestFirst)
            let go = join.slow("go", of: Int.self, order: .oldestFirst)
            let turn = join.slow("turn")
            let rest = join.fast("rest", returning: Int.self)
            // Both are oldest-first and one sender injects: the n-th `go` must meet the n-th `a`.
            join.when(go, a, turn) { n, m, _ in
                if n != m { missing.add() }
                turn()
            }
            join.answer(rest, with: a) { _, n in n }
            turn()
            return (a, go, rest, join.definition)
        }
        for n in 0..<100_000 {
            a(n)
            go(n)
        }
        try await definition.quiescence()
        #expect(missing.now == 0)
        await #expect(throws: CallError.self) { try await rest(within: .zero) }
    }

    @Test("A call sees what its task injected before it", arguments: [false, true])
    func callAfterInjection(isBusy: Bool) async throws {
        let (put, tick, count) = Join.define("counter") { join in
            let put = join.slow("put"), tick = join.slow("tick")
            let count = join.fast("count")
            join.when(tick) { _ in }
            join.answer(count, with: put) { _, _ in }
            return (put, tick, count)
        }
        let ended = Guarded(false)
        async let noise: Void = {
            while isBusy, !ended.now { tick.inject(contentsOf: repeatElement((), count: 100)); await Task.yield() }
        }()
        for round in 0..<20_000 {
            put()
            do { try await count(within: .zero) } catch {
                Issue.record("round \(round): \(error)")
                break
            }
        }
        ended.withLock { $0 = true }
        await noise
    }

    @Test(
        "Within one body, an injection from the closure of an inner definition comes before what the body injects next"
    )
    func nestedDefinitionThenBody() throws {
        // A seeded machine on a serial executor: nothing runs between the two injections, so the first is always there.
        for seed in 0..<200 as Range<UInt64> {
            let executor = SeededExecutor(seed: seed)
            // That the inner definitions do nothing else is meant, and reported.
            let log = EventLog()
            let machine = ChemicalMachine(
                ChemicalMachine.Configuration(seed: seed, executor: executor, reporter: { log.add($0) }, patience: nil)
            )
            let order = Guarded<[Int]>([])
            try executor.run {
                let (begin, definition) = machine.define("outer") { join in
                    let begin = join.slow("begin")
                    let item = join.slow("item", of: Int.self, order: .oldestFirst)
                    let turn = join.slow("turn")
                    join.when(begin) { _ in
                        for n in 0..<10 {
                            if n.isMultiple(of: 2) { Join.define("inner") { _ in item(n) } } else { item(n) }
                        }
                    }
                    join.when(item, turn) { n, _ in
                        order.append(n)
                        turn()
                    }
                    turn()
                    return (begin, join.definition)
                }
                begin()
                try await definition.quiescence()
            }
            try #require(order.now == Array(0..<10), "seed \(seed)")
            try #require(log.allDoNothing(5), "seed \(seed): \(log.all)")
        }
    }

    @Test("The same on the global pool, where the worker stays active during a short body")
    func nestedDefinitionThenBodyOnPool() async throws {
        for round in 0..<200 {
            let order = Guarded<[Int]>([])
            let log = EventLog()
            let (begin, definition) = log.machine.define("outer") { join in
                let begin = join.slow("begin", of: Bool.self)
                let item = join.slow("item", of: Int.self, order: .oldestFirst)
                let turn = join.slow("turn")
                join.when(begin) { isReal in
                    guard isReal else { return }
                    for n in 0..<10 {
                        if n.isMultiple(of: 2) { Join.define("inner") { _ in item(n) } } else { item(n) }
                    }
                }
                join.when(item, turn) { n, _ in
                    order.append(n)
                    turn()
                }
                turn()
                return (begin, join.definition)
            }
            begin.inject(contentsOf: repeatElement(false, count: 100))
            try await definition.quiescence()
            begin(true)
            try await definition.quiescence()
            try #require(order.now == Array(0..<10), "round \(round)")
            try #require(log.allDoNothing(5), "round \(round): \(log.all)")
        }
    }

    @Test(
        "What is injected in the closure of define waits until the definition has passed its checks",
        arguments: [false, true]
    )
    func heldUntilChecked(reactionFirst: Bool) async throws {
        for _ in 0..<200 {
            let ran = Guarded(0), early = Guarded(0)
            let definition = Join.define("held") { join in
                let a = join.slow("a"), b = join.slow("b", of: Int.self)
                if reactionFirst { join.when(a, b) { _, n in ran.add(n) } }
                for n in 1...10 {
                    a()
                    b(n)
                }
                if !reactionFirst { join.when(a, b) { _, n in ran.add(n) } }
                // Time enough for a worker, if one had been woken.
                for _ in 0..<100 { sched_yield() }
                early.add(ran.now)
                return join.definition
            }
            try await definition.quiescence()
            #expect(early.now == 0)
            #expect(ran.now == 55)
        }
    }

    @Test("What was injected in a closure that throws is dropped, values and closures with it")
    func droppedWhenThrowing() async throws {
        struct Broken: Error {}
        final class Payload: Sendable {
            let gone: Guarded<Int>
            init(_ gone: Guarded<Int>) { self.gone = gone }
            deinit { gone.add() }
        }
        let gone = Guarded(0), ran = Guarded(0)
        for _ in 0..<100 {
            #expect(throws: Broken.self) {
                try Join.define("broken") { join in
                    let a = join.slow("a", of: Payload.self)
                    let captured = Payload(gone)
                    join.when(a) { _ in
                        ran.add()
                        withExtendedLifetime(captured) {}
                    }
                    a(Payload(gone))
                    throw Broken()
                }
            }
        }
        #expect(ran.now == 0)
        #expect(gone.now == 200)
    }

    @Test("A call started in a closure that throws is answered with an error")
    func callInThrowingClosure() async throws {
        struct Broken: Error {}
        for _ in 0..<100 {
            let call = Guarded<Task<Int, any Error>?>(nil)
            #expect(throws: Broken.self) {
                try Join.define("broken") { join in
                    let ask = join.fast("ask", returning: Int.self)
                    join.answer(ask) { 7 }
                    call.withLock { $0 = Task { try await ask() } }
                    throw Broken()
                }
            }
            let error = await #expect(throws: CallError.self) { try await #require(call.now).value }
            #expect(error?.code == .dissolved)
        }
    }
}

extension EventLog {
    /// Whether `count` definitions called "inner" were over as soon as they were made, and nothing else was a mishap.
    fileprivate func allDoNothing(_ count: Int) -> Bool {
        let mishaps = all.filter(\.isMishap)
        return mishaps.count == count
            && mishaps.allSatisfy { if case .doesNothing = $0.kind { $0.definition == "inner" } else { false } }
    }
}
