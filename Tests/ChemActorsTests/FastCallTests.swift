import ChemActors
import TestSupport
import Testing

/// Calls of fast molecules, and the answers to them.
@Suite("Fast calls", .serialized)
struct FastCallTests {
    @Test("A call doesn't complete before its partner is there, and completes after", .endsInTime)
    func waitsForPartner() async throws {
        let (call, partner, definition) = Join.define { join in
            let call = join.fast("call", returning: Int.self)
            let partner = join.slow("partner", of: Int.self)
            join.answer(call, with: partner) { _, n in n }
            return (call, partner, join.definition)
        }
        let isDone = Shared(false)
        let callers = Callers()
        async let answer = callers.call {
            let answer = try await call()
            isDone.update { $0 = true }
            return answer
        }
        await callers.suspended(1)
        try await definition.quiescence()
        #expect(!isDone.value)
        partner(7)
        #expect(try await answer == 7)
        #expect(isDone.value)
    }

    @Test("10,000 calls that can react don't time out, and each gets its answer", arguments: Path.allCases)
    func noFalseTimeOut(path: Path) async throws {
        let (call, partner, _) = path.sum()
        for n in 1...(path == .inline ? 10_000 : heavy(10_000, debug: 2_000)) {
            partner(n)
            let answer = try await call(1000, within: .seconds(600))
            guard answer == n + 1000 else {
                Issue.record("call \(n) got \(answer)")
                return
            }
        }
    }

    @Test(
        "10,000 calls race with their time-outs: answered and timed out are all, the rest stays",
        .endsInTime
    )
    func raceWithTimeOut() async throws {
        for path in Path.allCases {
            let calls = heavy(10_000, debug: 1_000)
            let log = EventLog()
            var names: (call: FastMolecule<Int, Int>, partner: SlowMolecule<Int>, definition: Join)? = path.sum(log)
            let (answers, timeOuts) = try await withThrowingTaskGroup(of: Int?.self) { [names = names!] group in
                for n in 0..<calls {
                    group.addTask {
                        do {
                            return try await names.call(0, within: .microseconds(n % 4000))
                        } catch let error as CallError where error.code == .timedOut {
                            return nil
                        }
                    }
                    if n % 2 == 0 {
                        group.addTask {
                            names.partner(n); return -1
                        }
                    }
                }
                var answers: [Int] = []
                var timeOuts = 0
                for try await answer in group {
                    if let answer { if answer >= 0 { answers.append(answer) } } else { timeOuts += 1 }
                }
                try await names.definition.quiescence()
                return (answers, timeOuts)
            }
            #expect(answers.count + timeOuts == calls, "\(path)")
            #expect(Set(answers).count == answers.count, "\(path): a partner was consumed twice")
            names = nil
            let left = try await log.left(of: "partner", expecting: calls / 2 - answers.count)
            #expect(left == calls / 2 - answers.count, "\(path)")
        }
    }

    @Test("A time-out comes not before the duration; the call is withdrawn and a later partner stays")
    func timeOutWithdraws() async throws {
        let (call, partner, definition) = Path.inline.sum()
        for milliseconds in [1, 5, 30] {
            let clock = ContinuousClock()
            let begin = clock.now
            let error = await #expect(throws: CallError.self) { try await call(0, within: .milliseconds(milliseconds)) }
            #expect(clock.now - begin >= .milliseconds(milliseconds))
            #expect(error?.code == .timedOut)
            #expect(error?.molecule == "sum.call")
        }
        partner(5)
        try await definition.quiescence()
        #expect(try await call(0, within: .zero) == 5, "the partner had stayed")
    }

    @Test(
        "With no time at all a reaction that is possible still answers",
        .endsInTime,
        arguments: Path.allCases
    )
    func zeroDuration(path: Path) async throws {
        let (call, partner, definition) = path.sum()
        for n in 0..<500 {
            partner(n)
            try await definition.quiescence()
            guard let answer = try? await call(1, within: .zero), answer == n + 1 else {
                Issue.record("call \(n) timed out although its reaction was possible")
                return
            }
        }
    }

    @Test("The longest duration is no time-out, and no crash", .endsInTime)
    func longestDuration() async throws {
        await #expect(processExitsWith: .success) {
            for seconds in [1 << 40, Int64.max / 4, Int64.max] {
                let (call, partner, _) = Path.worker.sum()
                let callers = Callers()
                async let answer = callers.call { try await call(1, within: .seconds(seconds)) }
                await callers.suspended(1)
                // A time-out that a wrapped number makes immediate would come before one that was asked for later.
                await #expect(throws: CallError.self) {
                    try await Path.worker.sum().call(1, within: .milliseconds(20))
                }
                partner(1)
                let sum = try? await answer
                #expect(sum == 2)
            }
        }
    }

    @Test(
        "Many callers wait for one molecule, and each gets its own answer",
        .endsInTime,
        arguments: Path.allCases
    )
    func ownAnswers(path: Path) async throws {
        let (call, partner) = path.define("product") { (x: Int, y: Int) in x * y }
        let callers = Callers()
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for x in 1...100 {
                group.addTask { (x, try await callers.call { try await call(x) }) }
            }
            await callers.suspended(100)
            for _ in 1...100 { partner(30) }
            for try await (x, answer) in group { #expect(answer == x * 30) }  // 20 gets 600
        }
    }

    @Test("Two fast molecules called from two tasks answer each other", .endsInTime)
    func exchange() async throws {
        let (left, right) = exchanger()
        for round in 0..<1_000 {
            async let fromRight = left("left \(round)")
            async let fromLeft = right(round)
            #expect(try await fromRight == round)
            #expect(try await fromLeft == "left \(round)")
        }
    }

    @Test(
        "Of two fast molecules called one after the other from one task the first times out",
        .endsInTime
    )
    func exchangeFromOneTask() async throws {
        let (left, right) = exchanger()
        let first = await #expect(throws: CallError.self) { try await left("alone", within: .milliseconds(5)) }
        #expect(first?.code == .timedOut)
        let second = await #expect(throws: CallError.self) { try await right(2, within: .milliseconds(5)) }
        #expect(second?.code == .timedOut, "the first call is no longer there")
    }

    private func exchanger() -> (FastMolecule<String, Int>, FastMolecule<Int, String>) {
        Join.define("exchange") { join in
            let left = join.fast("left", of: String.self, returning: Int.self)
            let right = join.fast("right", of: Int.self, returning: String.self)
            join.when(left, right) { l, r in
                l(r.value)
                r(l.value)
            }
            return (left, right)
        }
    }

    // Not a loop over `[nil, SerialExecutor()]`: in a plain program too, Swift 6.3.1 under -O then releases the
    // executor once too often.
    @Test(
        "A thousand calls one inside the other complete, also on one thread",
        .endsInTime,
        arguments: [false, true]
    )
    func deepChain(isOnOneThread: Bool) async throws {
        let executor: SerialExecutor? = isOnOneThread ? SerialExecutor() : nil
        let machine = ChemicalMachine(.init(executor: executor))
        let depth = machine.define("depth") { join in
            let depth = join.fast("depth", of: Int.self, returning: Int.self)
            join.answer(depth) { n async throws in n == 0 ? 0 : 1 + (try await depth(n - 1)) }
            return depth
        }
        #expect(try await depth(1_000) == 1_000)
    }

    @Test("A thousand definitions, each calling the next, complete", .endsInTime)
    func chainOfDefinitions() async throws {
        var last: FastMolecule<Int, Int>?
        for index in 0..<1_000 {
            last = Join.define("link") { [last] join in
                let link = join.fast("link", of: Int.self, returning: Int.self)
                if index % 2 == 0 {
                    join.answer(link) { n async throws in try await last?(n + 1) ?? n }
                } else {
                    join.when(link) { reply async throws in reply(try await last?(reply.value + 1) ?? reply.value) }
                }
                return link
            }
        }
        #expect(try await last?(0) == 999)
    }

    @Test(
        "Oldest-first calls are answered in the order of their arrival, withdrawn ones left out",
        .endsInTime
    )
    func oldestFirst() async throws {
        let order = Shared<[Int]>([])
        let (call, partner, definition) = Join.define { join in
            let call = join.fast("call", of: Int.self, order: .oldestFirst)
            let partner = join.slow("partner")
            let gate = join.slow("gate")
            join.when(call, partner, gate) { reply, _, _ in
                order.update { $0.append(reply.value) }
                reply()
                gate()
            }
            gate()
            return (call, partner, join.definition)
        }
        let callers = Callers()
        var tasks: [Task<Void, any Error>] = []
        for n in 0..<300 {
            tasks.append(Task { try await callers.call { try await call(n) } })
            await callers.suspended(n + 1)
        }
        for n in 0..<300 where n % 3 == 1 { tasks[n].cancel() }
        for n in 0..<300 where n % 3 == 1 { #expect(await tasks[n].wasCancelled) }
        for _ in 0..<200 { partner() }
        for n in 0..<300 where n % 3 != 1 { try await tasks[n].value }
        try await definition.quiescence()
        #expect(order.value == (0..<300).filter { $0 % 3 != 1 })
    }

    @Test("A call sees what its sender injected before it", arguments: Path.allCases)
    func sendersOrder(path: Path) async throws {
        let (call, partner, _) = path.sum()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for n in 0..<heavy(2_500, debug: 500) {
                        partner(n)
                        _ = try await call(0, within: .seconds(600))
                    }
                }
            }
            try await group.waitForAll()
        }
        await #expect(throws: CallError.self) { try await call(0, within: .zero) }
    }

    @Test("An answer of nil is an answer", .endsInTime, arguments: Path.allCases)
    func optionalAnswer(path: Path) async throws {
        let (call, partner) = path.define("optional") { (_: Int, y: Int) -> Int? in y == 0 ? nil : y }
        partner(0)
        #expect(try await call(1) == .none)
        partner(1)
        #expect(try await call(1) == 1)
    }

    @Test("The error of a body reaches its caller and is reported", .endsInTime, arguments: Path.allCases)
    func errors(path: Path) async throws {
        struct Odd: Error, Equatable { let n: Int }
        let log = EventLog()
        let (call, partner) = path.define("even", log) { (x: Int, y: Int) in
            if x % 2 == 1 { throw Odd(n: x + y) }
            return x
        }
        for n in 0..<200 {
            partner(1)
            do {
                let answer = try await call(n)
                #expect(answer == n && n % 2 == 0)
            } catch {
                #expect(error as? Odd == Odd(n: n + 1) && n % 2 == 1)
            }
        }
        #expect(log.count { if case .failedReaction = $0.kind { true } else { false } } == 100)
        #expect(log.all.allSatisfy { $0.isKnownToCaller && !$0.isMishap }, "who was told can handle it")
    }

    @Test("An error reaches all callers of the reaction", .endsInTime, arguments: [false, true])
    func errorsReachAll(isAsync: Bool) async throws {
        struct Broken: Error {}
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (one, other) = machine.define { join in
            let one = join.fast("one", returning: Int.self)
            let other = join.fast("other")
            if isAsync {
                join.answer(one, with: other) { _, _ async throws in
                    await Task.yield(); throw Broken()
                }
            } else {
                join.answer(one, with: other) { _, _ in throw Broken() }
            }
            return (one, other)
        }
        let second = Task { try await other() }
        await #expect(throws: Broken.self) { _ = try await one() }
        await #expect(throws: Broken.self) { try await second.value }
    }

    /// A barrier of kept replies, which knows of callers that give up.
    private func barrier(
        _ parties: Int
    ) -> (arrive: FastMolecule<Void, Int>, definition: Join) {
        let (arrive, definition) = Join.define("barrier") { join in
            let arrive = join.fast("arrive", returning: Int.self)
            let leave = join.slow("leave", of: Int.self)
            let waiting = join.state("waiting", [Int: Reply<Void, Int>]())
            let number = join.state("number", 0)
            join.when(arrive, updating: waiting, number) { waiting, number, reply in
                let own = number
                number += 1
                waiting[own] = reply
                if waiting.count == parties {
                    for reply in waiting.values { reply(parties) }
                    waiting = [:]
                } else {
                    reply.onCancel { leave(own) }
                }
            }
            join.when(leave, updating: waiting) { waiting, number in
                waiting.removeValue(forKey: number)?.fail(CancellationError())
            }
            return (arrive, join.definition)
        }
        return (arrive, definition)
    }

    @Test("Who keeps a reply hears when its caller gives up", .endsInTime, arguments: [false, true])
    func keptReplies(timesOut: Bool) async throws {
        let (arrive, definition) = barrier(3)
        for round in 0..<100 {
            let one = Task { try await arrive(within: timesOut ? .milliseconds(1) : .seconds(3600)) }
            if !timesOut {
                try await until { definition.statistics.molecules["arrive"]?.consumed == 4 * round + 1 }
                one.cancel()
            }
            do {
                _ = try await one.value
                Issue.record("nobody was to answer it")
            } catch is CancellationError {
                // It was told.
            } catch let error as CallError where error.code == .timedOut && timesOut {
                // On a busy machine no worker has come before the time was up.
            }
            // The one that gave up doesn't count.
            async let a = arrive()
            async let b = arrive()
            async let c = arrive()
            #expect(try await [a, b, c] == [3, 3, 3])
        }
        try await definition.quiescence()
    }

    @Test("A reply in a state of its own definition doesn't keep that, and its caller hears of the end", .endsInTime)
    func replyInItsOwnState() async throws {
        let living = Living()
        let task = Shared<Task<Int, any Error>?>(nil)
        do {
            let go = ChemicalMachine(.silent).define("drawer") { [payload = Payload(living)] join in
                let go = join.slow("go")
                let ask = join.fast("ask", returning: Int.self)
                let kept = join.state("kept", [Reply<Void, Int>]())
                join.when(go) { _ in
                    // Not exported: this name keeps nothing, once the call has left the soup.
                    task.update { $0 = Task { try await ask() } }
                }
                join.when(ask, updating: kept) { kept, reply in
                    kept.append(reply)
                    withExtendedLifetime(payload) {}
                }
                return go
            }
            go()
            try await until { task.value != nil }
        }
        let end = await #expect(throws: CallError.self) { try await task.value?.value }
        #expect(end?.code == .unanswered || end?.code == .dissolved, "\(String(describing: end))")
        await living.areGone()
    }

    @Test(
        "A handler runs if the caller gives up before the answer, and never after it, in 300 interleavings",
        .endsInTime
    )
    func answerAgainstCancel() throws {
        let wereTold = Shared<[Bool]>([])
        for seed in Soak.seeds(300, soak: 20_000) {
            let executor = SeededExecutor(seed: seed)
            let log = Shared<[String]>([])
            let note: @Sendable (String) -> Void = { text in log.update { $0.append(text) } }
            try executor.run {
                let (ask, answer, definition) = ChemicalMachine(.init(seed: seed, executor: executor)).define("kept") {
                    join in
                    let ask = join.fast("ask", returning: Int.self)
                    let answer = join.slow("answer")
                    let kept = join.slow("kept", of: Reply<Void, Int>.self)
                    join.when(ask) { reply in
                        reply.onCancel { note("told") }
                        kept(reply)
                    }
                    join.when(kept, answer) { reply, _ in
                        reply(1)
                        note("answered")
                        // Too late for this one, whenever the caller has given up.
                        reply.onCancel { note("told too late") }
                    }
                    return (ask, answer, join.definition)
                }
                let call = Task(executorPreference: executor) { try await ask() }
                try await until { definition.statistics.molecules["ask"]?.consumed == 1 }
                async let cancelled: Void = {
                    await Task.yield()
                    note("gives up")
                    call.cancel()
                }()
                async let answered: Void = {
                    await Task.yield()
                    answer()
                }()
                _ = await (cancelled, answered)
                #expect(try await call.value == 1, "seed \(seed)")
                try await definition.quiescence()
            }
            // One thread does everything, so either comes first.
            let order = log.value
            let isTold = order.filter { $0 != "told" } == ["gives up", "answered"]
            #expect(order.count { $0 == "told" } == (isTold ? 1 : 0), "seed \(seed): \(order)")
            #expect(!order.contains("told too late"), "seed \(seed): \(order)")
            wereTold.update { $0.append(isTold) }
        }
        if wereTold.value.count >= 300 { #expect(Set(wereTold.value) == [false, true]) }
    }

    @Test("Whoever gives up while threads answer is told once at most, and always answered", .endsInTime)
    func answerAgainstCancelOnThreads() async throws {
        let told = ControlProbe.Count()
        let (ask, answer, definition) = Join.define("kept") { join in
            let ask = join.fast("ask", returning: Int.self)
            let answer = join.slow("answer")
            let kept = join.slow("kept", of: Reply<Void, Int>.self)
            join.when(ask) { reply in
                reply.onCancel { told.add() }
                kept(reply)
            }
            join.when(kept, answer) { reply, _ in reply(1) }
            return (ask, answer, join.definition)
        }
        for round in 0..<heavy(5_000, debug: 1_000) {
            let before = told.now
            let call = Task { try await ask() }
            try await until { definition.statistics.molecules["ask"]?.consumed == round + 1 }
            async let cancelled: Void = call.cancel()
            answer()
            await cancelled
            #expect(try await call.value == 1)
            try await definition.quiescence()
            #expect(told.now - before <= 1)
        }
    }
}
