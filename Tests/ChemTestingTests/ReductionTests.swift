import ChemActors
import ChemLibrary
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Exploring

@Suite("Leaving out schedules that differ only in the order of what doesn't matter", .endsInTime)
struct ReductionTests {
    @Test("A reaction of three inputs is found, though others take two of them first, each by itself")
    func threeInputs() async throws {
        for sharing in [Sharing.molecules, .tasks] {
            let ends = Ends()
            let outcome = try await Exploration(.exhaustive(sharing: sharing), allowing: .everything) { machine in
                let isReached = Atomic(false)
                let net = machine.define("net") { join in
                    let (a, g, m, n) = (join.slow("a"), join.slow("g"), join.slow("m"), join.slow("n"))
                    let hops = (0..<8).map { join.slow("hop\($0)") }
                    join.when(a) { _ in }
                    join.when(g) { _ in m() }
                    join.when(m) { _ in }
                    for hop in 0..<7 { join.when(hops[hop]) { _ in hops[hop + 1]() } }
                    join.when(hops[7]) { _ in n() }
                    join.when(a, m, n) { _, _, _ in isReached.store(true, ordering: .relaxed) }
                    a()
                    g()
                    hops[0]()
                    return join.definition
                }
                try await net.quiescence()
                ends.add("\(isReached.load(ordering: .relaxed))")
            }.outcome()
            #expect(!outcome.hasFailed && !outcome.isCutShort)
            #expect(Set(ends.all.keys) == ["true", "false"], "sharing \(sharing)")
        }
    }

    @Test("A task that is interrupted may share something where it goes on, too")
    func restsOfTasks() async throws {
        let ends = Ends()
        let outcome = try await Exploration(.exhaustive(sharing: .tasks)) { machine in
            let tick = machine.define("tick") { join in
                let tick = join.slow("tick")
                join.when(tick) { _ in }
                return tick
            }
            let number = Mutex(0)
            let add = { @Sendable in
                let seen = number.withLock { $0 }
                tick()
                tick()
                number.withLock { $0 = seen + 1 }
            }
            await withTaskGroup { group in
                for _ in 0..<2 { group.addTask { add() } }
            }
            ends.add("\(number.withLock { $0 })")
        }.outcome()
        #expect(!outcome.hasFailed && !outcome.isCutShort)
        #expect(Set(ends.all.keys) == ["1", "2"])
    }

    // MARK: Chemistries whose traces are known

    /// Philosophers who take one fork at a time, and eat once.
    private static func philosophers(_ count: Int, _ strategy: Strategy) async throws -> (Ends, runs: Int) {
        let ends = Ends()
        let outcome = try await Exploration(strategy) { machine in
            let (done, table) = machine.define("table") { join in
                let hungry = (0..<count).map { join.slow("hungry\($0)") }
                let fork = (0..<count).map { join.slow("fork\($0)") }
                let waiting = (0..<count).map { join.slow("waiting\($0)") }
                let eating = (0..<count).map { join.slow("eating\($0)") }
                let done = join.slow("done")
                for i in 0..<count {
                    join.when(hungry[i], fork[i]) { _, _ in waiting[i]() }
                    join.when(waiting[i], fork[(i + 1) % count]) { _, _ in eating[i]() }
                    join.when(eating[i]) { _ in
                        fork[i]()
                        fork[(i + 1) % count]()
                        done()
                    }
                    fork[i]()
                    hungry[i]()
                }
                // Never possible: it keeps what is done.
                join.when(done, join.slow("never")) { _, _ in }
                return (done, join.definition)
            }
            try await table.quiescence()
            ends.add("\(table.statistics.molecules["done"]?.present ?? -1) have eaten")
            withExtendedLifetime(done) {}
        }.outcome()
        #expect(!outcome.hasFailed && !outcome.isCutShort)
        return (ends, outcome.runs)
    }

    @Test("Philosophers who take one fork at a time: each of their 2ⁿ - 1 traces once, and one of them is the deadlock")
    func philosophers() async throws {
        for count in 2...6 {
            let (ends, runs) = try await Self.philosophers(count, .exhaustive())
            #expect(ends.all == ["\(count) have eaten": 1 << count - 2, "0 have eaten": 1])
            #expect(runs == 1 << count - 1)
        }
        let (ends, runs) = try await Self.philosophers(3, .exhaustive(sharing: .everything))
        #expect(Set(ends.all.keys) == ["3 have eaten", "0 have eaten"])
        #expect(runs > 40)
    }

    @Test("Those who take one fork at a time have 20,000 schedules, had nothing been left out", .enabled(if: Soak.isOn))
    func allOfThem() async throws {
        let (ends, runs) = try await Self.philosophers(5, .exhaustive(sharing: .everything, limit: 3_000_000))
        #expect(Set(ends.all.keys) == ["5 have eaten", "0 have eaten"])
        #expect(runs > 20_000, "\(runs)")
    }

    @Test(
        "A test that does something else in each run isn't proved",
        arguments: [Sharing.molecules, .tasks, .everything]
    )
    func unrepeatable(sharing: Sharing) async throws {
        let runs = Atomic(0)
        let exploration = Exploration(.exhaustive(sharing: sharing)) { machine in
            let run = runs.add(1, ordering: .relaxed).newValue
            let (put, definition) = machine.define("bag") { join in
                let put = join.slow("put", of: Int.self)
                let other = join.slow("other", of: Int.self)
                let sum = join.state("sum", 0)
                join.when(put, updating: sum) { sum, n in
                    sum += n
                    if n < run { other(n) }
                }
                join.when(other) { _ in }
                return (put, join.definition)
            }
            for n in 1...3 { put(n + (run > 1 ? 1 : 0)) }
            if run > 2 { put(1) }
            try await definition.quiescence()
        }
        let outcome = try await exploration.outcome()
        let report = await exploration.explanation(of: outcome)?.text
        #expect(report?.hasPrefix("it does something else when it runs again") == true, "\(report ?? "nothing")")
    }

    @Test("What goes wrong after the end of the test is found, and its token shows it", arguments: [false, true])
    func afterTheEnd(exhaustive: Bool) async throws {
        struct Late: Error {}
        let issues = Mutex<Exploration.Issues?>(nil)
        let exploration = Exploration(
            exhaustive ? .exhaustive() : .once,
            muting: { new, run in
                issues.withLock { $0 = new }
                await run()
            },
            { machine in
                let put = machine.define("late") { join in
                    let put = join.slow("put")
                    join.when(put) { _ in issues.withLock { $0?.add("it is put") } }
                    return put
                }
                put()
            }
        )
        let outcome = try await exploration.outcome()
        let report = try #require(await exploration.explanation(of: outcome)?.text)
        #expect(report.hasPrefix("it records an issue") && report.hasSuffix("1. late: put"), "\(report)")
    }

    @Test("Eight senders into one bag need one schedule")
    func senders() async throws {
        let outcome = try await Exploration(.exhaustive()) { machine in
            let (bag, senders) = machine.define("senders") { join in
                let bag = join.slow("bag", of: Int.self)
                join.when(bag, join.slow("never")) { _, _ in }
                for n in 0..<8 {
                    let go = join.slow("go\(n)")
                    join.when(go) { _ in bag(n) }
                    go()
                }
                return (bag, join.definition)
            }
            try await senders.quiescence()
            #expect(senders.statistics.molecules["bag"]?.present == 8)
            withExtendedLifetime(bag) {}
        }.outcome()
        #expect(!outcome.hasFailed)
        #expect(outcome.runs == 1)
    }

    @Test("Eight tasks that share molecules only need one schedule, too", arguments: [2, 8])
    func tasks(count: Int) async throws {
        func runs(_ sharing: Sharing) async throws -> Int {
            let outcome = try await Exploration(.exhaustive(sharing: sharing), allowing: .unconsumedMolecules) {
                machine in
                let bag = machine.define("senders") { join in
                    let bag = join.slow("bag", of: Int.self)
                    join.when(bag, join.slow("never")) { _, _ in }
                    return bag
                }
                await withTaskGroup(of: Void.self) { group in
                    for n in 0..<count { group.addTask { bag(n) } }
                }
            }.outcome()
            #expect(!outcome.hasFailed)
            return outcome.runs
        }
        #expect(try await runs(.molecules) == 1)
        if count == 2 { #expect(try await runs(.tasks) > 1) }
    }

    @Test(
        "As many schedules as the tutorial says, for callers who share molecules only or may share more",
        arguments: [(Sharing.molecules, 3, 6), (.molecules, 4, 24), (.tasks, 3, 1_722)]
    )
    func callers(sharing: Sharing, count: Int, schedules: Int) async throws {
        let outcome = try await Exploration(.exhaustive(sharing: sharing)) { machine in
            let next = machine.define("numbers") { join in
                let next = join.fast("next", returning: Int.self)
                let last = join.state("last", 0)
                join.answer(next, updating: last) { last, _ in
                    last += 1
                    return last
                }
                return next
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { _ = try await next() } }
                try await group.waitForAll()
            }
        }.outcome()
        #expect(!outcome.hasFailed)
        #expect(outcome.runs == schedules)
    }

    /// In which task the calls are made.
    enum Client: CaseIterable { case body, child, unstructured, detached }

    @Test(
        "Calls one after the other need one schedule, though their bodies suspend",
        arguments: Client.allCases,
        [Sharing.molecules, .tasks, .everything]
    )
    func sequence(client: Client, sharing: Sharing) async throws {
        let outcome = try await Exploration(.exhaustive(sharing: sharing)) { machine in
            let next = machine.define("next") { join in
                let next = join.fast("next", returning: Int.self)
                let count = join.state("count", 0)
                join.answer(next, updating: count) { count, _ in
                    await Task.yield()
                    count += 1
                    await Task.yield()
                    return count
                }
                return next
            }
            @Sendable func calls() async throws {
                for number in 1...5 {
                    let count = try await next()
                    #expect(count == number)
                }
            }
            switch client {
            case .body: try await calls()
            case .child:
                async let child: Void = calls()
                try await child
            case .unstructured: try await Task { try await calls() }.value
            case .detached: try await Task.detached { try await calls() }.value
            }
        }.outcome()
        #expect(!outcome.hasFailed)
        #expect(outcome.runs == 1)
    }

    @Test("Copies of which a random one is taken are told apart: of eight that nothing else needs, one order is enough")
    func copiesToldApart() async throws {
        func runs(_ count: Int, _ order: Join.Order) async throws -> Int {
            let outcome = try await Exploration(.exhaustive(sharing: .molecules)) { machine in
                let job = machine.define("jobs") { join in
                    let job = join.slow("job", of: Int.self, order: order)
                    join.when(job) { _ in }
                    return job
                }
                await withTaskGroup(of: Void.self) { group in
                    for n in 0..<count { group.addTask { job(n) } }
                }
            }.outcome()
            #expect(!outcome.hasFailed && !outcome.isCutShort)
            return outcome.runs
        }
        let one = try await runs(8, .random)
        #expect(one == 1)
        // Where the oldest leaves first, their order matters.
        let all = try await runs(3, .oldestFirst)
        #expect(all == 6)
    }

    @Test("Callers of one molecule take turns in all orders, each order once", arguments: [2, 3, 4])
    func callers(count: Int) async throws {
        let ends = Ends()
        let outcome = try await Exploration(.exhaustive(sharing: .molecules)) { machine in
            let append = machine.define("log") { join in
                let log = join.state("log", [Int]())
                let append = join.fast("append", of: Int.self, returning: [Int].self)
                join.answer(append, updating: log) { log, n in
                    log.append(n)
                    return log
                }
                return append
            }
            let logs = try await withThrowingTaskGroup(of: [Int].self) { group in
                for n in 0..<count { group.addTask { try await append(n) } }
                return try await group.reduce(into: [[Int]]()) { $0.append($1) }
            }
            ends.add("\(logs.max { $0.count < $1.count } ?? [])")
        }.outcome()
        #expect(!outcome.hasFailed && !outcome.isCutShort)
        let orders = (1...count).reduce(1, *)
        #expect(ends.all.count == orders && outcome.runs == orders, "\(outcome.runs)")
    }

    @Test("Whoever reads a state does so before or after each change, and not before or after another reader")
    func readers() async throws {
        let ends = Ends()
        let outcome = try await Exploration(.exhaustive(sharing: .molecules)) { machine in
            let (set, get) = machine.define("cell") { join in
                let value = join.state("value", 0)
                let set = join.fast("set", of: Int.self)
                let get = join.fast("get", returning: Int.self)
                join.answer(set, updating: value) { $0 = $1 }
                join.answer(get, reading: value) { value, _ in value }
                return (set, get)
            }
            async let first = get()
            async let second = get()
            try await set(1)
            ends.add("\(try await (first, second))")
        }.outcome()
        #expect(!outcome.hasFailed && !outcome.isCutShort)
        #expect(ends.all == ["(0, 0)": 1, "(0, 1)": 1, "(1, 0)": 1, "(1, 1)": 1])
    }

    @Test("A reaction that sleeps is tried once more with what it would take after a step that changes that")
    func takesSomethingElse() async throws {
        let ends = Ends()
        let outcome = try await Exploration(.exhaustive(sharing: .molecules), allowing: .unconsumedMolecules) {
            machine in
            let log = Mutex<[String]>([])
            let note = { @Sendable (event: String) in log.withLock { $0.append(event) } }
            let definition = machine.define("net") { join in
                let (a, b) = (join.slow("a", of: Int.self), join.slow("b", of: Int.self, order: .oldestFirst))
                join.when(a) { a in
                    note("splits \(a)")
                    if a > 0 { for n in 1...2 { b(-n) } }
                }
                join.when(a, b) { a, b in note("joins \(a) and \(b)") }
                join.when(b) { b in note("drops \(b)") }
                b(2)
                for n in 0...1 { a(n) }
                return join.definition
            }
            try await definition.quiescence()
            ends.add(log.withLock { $0.sorted().joined(separator: ", ") })
        }.outcome()
        #expect(!outcome.hasFailed && !outcome.isCutShort)
        #expect(ends.all.keys.contains("drops -2, drops 2, joins 0 and -1, splits 1"), "\(ends.all)")
    }

    @Test("Of those who need a token and put it back, one order is enough, unless somebody takes it away")
    func borrowers() async throws {
        func runs(isTakenAway: Bool) async throws -> (Ends, runs: Int) {
            let ends = Ends()
            let outcome = try await Exploration(
                .exhaustive(sharing: .molecules),
                allowing: [.unconsumedMolecules, .waitingCalls]
            ) { machine in
                let (enter, close, gate) = machine.define("gate") { join in
                    let open = join.slow("open")
                    let enter = join.fast("enter")
                    let close = join.fast("close")
                    join.answer(enter, with: open) { _, _ in open() }
                    join.answer(close, with: open) { _, _ in }
                    open()
                    return (enter, close, join.definition)
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { try await enter() } }
                    if isTakenAway {
                        try await close()
                        try await gate.quiescence()
                    } else {
                        try await group.waitForAll()
                    }
                    ends.add("\(gate.statistics.molecules["enter"]?.consumed ?? -1) have entered")
                    group.cancelAll()
                    while (try? await group.next()) != nil {}
                }
                withExtendedLifetime(close) {}
            }.outcome()
            #expect(!outcome.hasFailed && !outcome.isCutShort, "\(String(describing: outcome.failed))")
            return (ends, outcome.runs)
        }
        let (free, runsOfFree) = try await runs(isTakenAway: false)
        #expect(free.all == ["4 have entered": 1] && runsOfFree == 1, "\(free.all) in \(runsOfFree)")
        let (closed, _) = try await runs(isTakenAway: true)
        #expect(Set(closed.all.keys) == Set((0...4).map { "\($0) have entered" }))
    }

    @Test("Which reaction answers a call depends on what the others need, also if it is answered at once")
    func answers() async throws {
        for isThere in [true, false] {
            let ends = Ends()
            let outcome = try await Exploration(
                .exhaustive(sharing: .molecules),
                allowing: .unconsumedMolecules
            ) { machine in
                let (ask, b, take) = machine.define("either") { join in
                    let (a, b, taken) = (join.slow("a"), join.slow("b"), join.slow("taken"))
                    let ask = join.fast("ask", returning: String.self)
                    let take = join.slow("take")
                    join.answer(ask, with: a) { _, _ in "a" }
                    join.answer(ask, with: b) { _, _ in "b" }
                    join.when(take, b) { _, _ in taken() }
                    join.when(taken, join.slow("never")) { _, _ in }
                    a()
                    if isThere { b() }
                    return (ask, b, take)
                }
                async let change: Void = { @Sendable in if isThere { take() } else { b() } }()
                ends.add(try await ask())
                await change
            }.outcome()
            #expect(!outcome.hasFailed && !outcome.isCutShort)
            #expect(Set(ends.all.keys) == ["a", "b"], "\(ends.all)")
        }
    }

    @Test("A search goes through what a select could take first, where there is a choice")
    func selections() async throws {
        for counts in [[1, 1, 1], [0, 1, 1], [0, 0, 1]] {
            let ends = Ends()
            let outcome = try await Exploration(.exhaustive(sharing: .molecules)) { _ in
                let channels = counts.map { _ in JoinChannel<Int>.unbounded() }
                for (index, count) in counts.enumerated() where count > 0 { _ = channels[index].trySend(index) }
                let inputs = Select(channels.map { .from($0) })
                var taken: [Int] = []
                while let next = inputs.tryReceive() { taken.append(next) }
                ends.add("\(taken)")
            }.outcome()
            #expect(!outcome.hasFailed && !outcome.isCutShort)
            let orders = (1...counts.count { $0 > 0 }).reduce(1, *)
            #expect(ends.all.count == orders && outcome.runs == orders, "\(ends.all) in \(outcome.runs)")
        }
    }

    @Test("A search goes through repetitions of failed reactions, too")
    func repetitions() async throws {
        struct Failed: Error {}
        let outcome = try await Exploration(.exhaustive(sharing: .molecules)) { machine in
            let failures = Mutex(0)
            let (ask, _) = machine.define("again") { join in
                join.failurePolicy = .retry(1)
                let ask = join.fast("ask", of: Int.self, returning: Int.self)
                join.answer(ask) { n in
                    if failures.withLock({
                        $0 += 1; return $0 == 1
                    }) {
                        throw Failed()
                    }
                    return n
                }
                return (ask, join.definition)
            }
            async let first = ask(1)
            async let second = ask(2)
            let answers = try await [first, second]
            #expect(answers == [1, 2])
        }.outcome()
        #expect(!outcome.hasFailed && !outcome.isCutShort && outcome.runs > 1)
    }

    // MARK: Random chemistries

    @Test("Random chemistries reach the same ends as without leaving anything out")
    func randomNets() async throws {
        var compared = 0
        var (all, fewer) = (0, 0)
        for seed in 1...UInt64(Soak.isOn ? 3_000 : heavy(120, debug: 40)) {
            let net = RandomNet(seed: seed)
            let every = Ends()
            let outcome = try await net.explore(.exhaustive(sharing: .everything, limit: 400), every)
            #expect(!outcome.hasFailed, "seed \(seed): \(String(describing: outcome.failed))")
            guard !outcome.isCutShort else { continue }
            for sharing in [Sharing.tasks, .molecules] {
                let some = Ends()
                let outcome = try await net.explore(.exhaustive(sharing: sharing), some)
                #expect(!outcome.hasFailed, "seed \(seed): \(String(describing: outcome.failed))")
                #expect(Set(some.all.keys) == Set(every.all.keys), "seed \(seed), sharing \(sharing)")
                if sharing == .tasks { fewer += outcome.runs }
            }
            all += outcome.runs
            compared += 1
        }
        #expect(compared >= (Soak.isOn ? 1_200 : heavy(50, debug: 15)))
        #expect(fewer < all)
        print("\(compared) chemistries: \(all) schedules, \(fewer) of which matter")
    }
}
