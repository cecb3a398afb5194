import ChemActors
import TestSupport
import Testing

/// What happens in a definition that nothing can reach any more, and afterwards.
@Suite("Dissolution", .serialized)
struct DissolutionTests {
    @Test(
        "Dissolution answers 10,000 waiting callers",
        .endsInTime,
        arguments: [Join.Order.random, .oldestFirst]
    )
    func answersCallers(order: Join.Order) async throws {
        let count = heavy(10_000, debug: 3_000)
        let log = EventLog()
        let local = Shared<FastMolecule<Int, Int>?>(nil)
        // Calls by a local name don't keep the definition alive, as those by an exported name would.
        var partner: SlowMolecule<Int>? = logging(log).define("ending") { join in
            let call = join.fast("call", of: Int.self, returning: Int.self, order: order)
            let partner = join.slow("partner", of: Int.self)
            join.answer(call, with: partner) { x, y in x + y }
            local.update { $0 = call }
            return partner
        }
        let callers = Callers()
        let tasks = (0..<count).map { n in
            Task { [call = local.value!] in try await callers.call { try await call(n, within: .seconds(600)) } }
        }
        await callers.suspended(count)
        partner?(1)
        partner = nil
        var answers = 0
        for task in tasks {
            do {
                _ = try await task.value
                answers += 1
            } catch {
                #expect((error as? CallError)?.code == .dissolved)
                #expect((error as? CallError)?.molecule == "ending.call")
            }
        }
        #expect(answers == 1)
        let left = try await log.left(of: "call", expecting: count - 1)
        #expect(left == count - 1)
    }

    @Test("A waiting call by an exported name keeps the definition alive", .endsInTime)
    func waitingCallHolds() async throws {
        let local = Shared<SlowMolecule<Int>?>(nil)
        let callers = Callers()
        let task = Task {
            let call = Join.define { join in
                let call = join.fast("call", returning: Int.self)
                let partner = join.slow("partner", of: Int.self)
                join.answer(call, with: partner) { _, n in n }
                local.update { $0 = partner }
                return call
            }
            return try await callers.call { [call] in try await call() }
        }
        await callers.suspended(1)
        local.value!(5)
        #expect(try await task.value == 5)
    }

    @Test("A local name used after dissolution: ignored and reported by name; a call throws", .endsInTime)
    func usedTooLate() async throws {
        let log = EventLog()
        let names = Shared<(SlowMolecule<Int>, FastMolecule<Void, Int>)?>(nil)
        let definition = logging(log).define("gone") { join in
            let value = join.slow("value", of: Int.self)
            let call = join.fast("call", returning: Int.self)
            join.answer(call, with: value) { _, n in n }
            names.update { $0 = (value, call) }
            return join.definition
        }
        let (value, call) = names.value!
        try await definition.quiescence()
        value(1)
        value.inject(contentsOf: [1, 2, 3])
        value.exported(5)
        for within in [nil, Duration.seconds(5)] {
            let error = await #expect(throws: CallError.self) {
                if let within { try await call(within: within) } else { try await call() }
            }
            #expect(error?.code == .dissolved && error?.molecule == "gone.call")
        }
        let ignored = log.all.compactMap {
            if case .ignoredInjection("value", _, let count) = $0.kind, $0.definition == "gone" { count } else { nil }
        }
        #expect(ignored == [1, 3, 1])
        for text in log.all.map(\.description) where text.contains("had dissolved") {
            #expect(text.contains("'value' (\(#fileID):") && text.contains("'.exported'"), "\(text)")
        }
    }

    @Test(
        "A definition without names runs until it is quiet and then goes",
        .endsInTime,
        arguments: [false, true]
    )
    func runsUntilQuiet(isAsync: Bool) async throws {
        let living = Living()
        let received = Shared<[Int]>([])
        for _ in 0..<heavy(1_000, debug: 200) {
            Join.define("steps") { [payload = Payload(living)] join in
                let step = join.slow("step", of: Int.self)
                let body: @Sendable (Int) -> Void = { [payload] n in
                    withExtendedLifetime(payload) {
                        if n > 0 { step(n - 1) } else { received.update { $0.append(n) } }
                    }
                }
                if isAsync {
                    join.when(step) { n async throws in
                        await Task.yield(); body(n)
                    }
                } else {
                    join.when(step) { body($0) }
                }
                step(20)
            }
        }
        await living.areGone()
        #expect(received.value.count == heavy(1_000, debug: 200))
    }

    @Test(
        "A definition whose bodies take long is freed only after its last worker has left it",
        .endsInTime,
        arguments: [false, true]
    )
    func longBodies(hasExecutor: Bool) async throws {
        let living = Living()
        let machine = ChemicalMachine(.init(executor: hasExecutor ? SerialExecutor() : nil))
        for _ in 0..<heavy(500, debug: 100) {
            machine.define("long") { [payload = Payload(living)] join in
                let step = join.slow("step", of: Int.self)
                join.when(step) { [payload] n async throws in
                    var x = n
                    for i in 0..<heavy(50_000, debug: 5_000) { x = x &* 31 &+ i }
                    withExtendedLifetime((payload, x)) { if n > 0 { step(n - 1) } }
                }
                step(3)
            }
        }
        await living.areGone()
    }

    @Test("Values in the soup are freed with it and reported", .endsInTime)
    func valuesInSoup() async throws {
        let living = Living()
        let log = EventLog()
        var names: (SlowMolecule<Payload>, SlowMolecule<Payload>)? = logging(log).define("full") { join in
            let one = join.slow("one", of: Payload.self)
            let other = join.slow("other", of: Payload.self, order: .oldestFirst)
            let never = join.slow("never")
            let state = join.state("state", [Payload(living)])
            join.when(one, never) { _, _ in }
            join.when(other, never, updating: state) { _, _, _ in }
            return (one, other)
        }
        for _ in 0..<1_000 {
            names?.0(Payload(living))
            names?.1(Payload(living))
        }
        #expect(living.count == 2_001)
        names = nil
        #expect(living.count == 0, "at once, when the last name goes")
        #expect(try await log.left(of: "one", expecting: 1_000) == 1_000)
        #expect(try await log.left(of: "other", expecting: 1_000) == 1_000)
        #expect(!log.all.contains { $0.isMishap })
    }

    @Test(
        "The deinit of a value injects into the definition that is dissolving: ignored, reported, no crash",
        .endsInTime
    )
    func deinitInjects() async throws {
        let living = Living()
        let log = EventLog()
        let received = Shared<[Int]>([])
        let sink = Join.define { join in
            let sink = join.slow("sink", of: Int.self)
            join.when(sink) { n in received.update { $0.append(n) } }
            return sink
        }
        do {
            let value = logging(log).define("self") { join in
                let value = join.slow("value", of: Payload.self)
                let late = join.slow("late")
                let state = join.state("state", Payload(living) { late() })
                join.when(value, late, updating: state) { _, _, _ in }
                for n in 0..<100 {
                    value(
                        Payload(living) {
                            late(); sink(n)
                        }
                    )
                }
                return value
            }
            value(Payload(living) { sink(100) })
        }
        await living.areGone()
        try await until { received.value.count >= 101 }
        #expect(Set(received.value) == Set(0...100), "what goes to other definitions arrives")
        let ignored = log.all.compactMap {
            if case .ignoredInjection(_, _, let count) = $0.kind { count } else { nil }
        }
        #expect(ignored.reduce(0, +) >= 101)
    }

    @Test(
        "What the deinit of an input injects when its body is through with it still arrives",
        .endsInTime,
        arguments: [false, true]
    )
    func deinitOfInput(isAsync: Bool) async throws {
        let log = EventLog()
        let living = Living()
        let received = Shared<[Int]>([])
        for _ in 0..<200 {
            logging(log).define("last") { join in
                let value = join.slow("value", of: Payload.self)
                let last = join.slow("last", of: Int.self)
                if isAsync {
                    join.when(value) { _ async throws in await Task.yield() }
                } else {
                    join.when(value) { _ in }
                }
                join.when(last) { n in received.update { $0.append(n) } }
                value(Payload(living) { last(1) })
            }
        }
        await living.areGone()
        try await until { received.value.count + log.all.count >= 200 }
        #expect(received.value.count == 200)
        #expect(log.all.isEmpty, "\(log.all.first?.description ?? "")")
    }

    // MARK: Cycles

    enum Cycle: CaseIterable {
        case ownNames, ownNamesInState, ownNamesInReadState, answeredReply, exportedIntoOwnSoup, callWithOwnName
    }

    @Test("Names of a definition in its own soup don't keep it", .endsInTime, arguments: Cycle.allCases)
    func cycles(cycle: Cycle) async throws {
        struct Kept: Exportable {
            let name: SlowMolecule<Int>
            let payload: Payload
            var exported: Kept { Kept(name: name.exported, payload: payload) }
        }
        let living = Living()
        do {
            let (start, definition) = Join.define("cycle") { [payload = Payload(living)] join in
                let start = join.slow("start")
                let value = join.slow("value", of: Int.self)
                let kept = join.slow("kept", of: Kept.self)
                let many = join.slow("many", of: [SlowMolecule<Int>].self)
                let replies = join.slow("replies", of: Reply<Kept, Void>.self)
                let call = join.fast("call", of: Kept.self)
                let never = join.slow("never")
                let state = join.state("state", [Kept]())
                let reader = cycle == .ownNamesInReadState ? state.reader : nil
                join.when(kept, many, replies, never) { _, _, _, _ in }
                join.when(call) { reply in
                    reply()
                    if cycle == .answeredReply { replies(reply) }
                }
                join.when(value, updating: state) { list, _ in list.append(Kept(name: value, payload: Payload(living)))
                }
                join.when(start) { [payload] _ async throws in
                    let mine = Kept(name: value, payload: payload)
                    switch cycle {
                    case .ownNames: kept(mine); many([value, value])
                    case .exportedIntoOwnSoup: kept(mine.exported); many([value.exported])
                    case .ownNamesInState: value(1)
                    case .ownNamesInReadState:
                        _ = reader?.value
                        value(1)
                    case .answeredReply, .callWithOwnName: try await call.exported(mine)
                    }
                }
                return (start, join.definition)
            }
            start()
            try await definition.quiescence()
        }
        await living.areGone()
    }

    @Test(
        "A definition whose closure throws leaves nothing behind, and answers who waits",
        .blocksThreads,
        .endsInTime
    )
    func abandoned() async throws {
        struct Broken: Error {}
        let living = Living()
        for _ in 0..<200 {
            let calling = Shared(0)
            let tasks = Shared<[Task<Void, any Error>]>([])
            #expect(throws: Broken.self) {
                try Join.define("abandoned") { join -> SlowMolecule<Payload> in
                    let value = join.slow("value", of: Payload.self)
                    let call = join.fast("call")
                    let definition = join.definition
                    join.when(value, call) { value, _ in _ = value }
                    value(Payload(living))
                    // On threads of their own: this one is blocked, and on one core the pool has no other.
                    tasks.update {
                        $0 = [
                            Task(executorPreference: BlockingExecutor.shared) {
                                calling.update { $0 += 1 }
                                try await call()
                            },
                            Task(executorPreference: BlockingExecutor.shared) {
                                calling.update { $0 += 1 }
                                try await definition.quiescence()
                            },
                        ]
                    }
                    while calling.value < 2 {}
                    for _ in 0..<2_000 { _ = calling.value }  // they are likely to wait by now
                    throw Broken()
                }
            }
            let error = await #expect(throws: CallError.self) { try await tasks.value[0].value }
            #expect(error?.code == .dissolved)
            let waiting = tasks.value[1]
            let watchdog = Task {
                try await Task.sleep(for: .seconds(600))
                waiting.cancel()
            }
            // Not a CancellationError from the watchdog: what has ended is quiet.
            let result = await waiting.result
            watchdog.cancel()
            guard case .success = result else {
                Issue.record("waiting for quiet never ended: \(result)")
                return
            }
        }
        await living.areGone()
    }

    private func logging(_ log: EventLog) -> ChemicalMachine {
        ChemicalMachine(.init(reporter: { log.add($0) }, patience: nil))
    }
}
