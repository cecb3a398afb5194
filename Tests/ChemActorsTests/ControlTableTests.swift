import ChemActors
import TestSupport
import Testing

/// A definition with one of everything that control touches.
private struct Bench: Sendable {
    let events = ControlProbe.Events()
    /// Lets the bodies of `job` go on.
    let gate = ControlProbe.Gate()
    let cancelledBodies = ControlProbe.Count()
    let attempts = ControlProbe.Count()
    let machine: ChemicalMachine
    let definition: Join
    /// `a & b` adds to `sum`, which `bump` lets an asynchronous body hold until the gate opens.
    let a, b, bump, job, flaky: SlowMolecule<Int>
    let sum: StateReader<Int>
    let wait: FastMolecule<Void, Int>
    let key: SlowMolecule<Int>
    /// One place; `unbox` takes what is in it.
    let box: BoundedMolecule<Int>
    let unbox: FastMolecule<Void, Int>

    init(
        retryAfter backOff: Duration = .seconds(3600),
        pausesWhenFlaky: Bool = false,
        control: @escaping @Sendable (Join) -> Void = { _ in }
    ) {
        machine = ChemicalMachine(events.configuration())
        let (gate, cancelledBodies, attempts) = (gate, cancelledBodies, attempts)
        (definition, a, b, bump, job, flaky, sum, wait, key, box, unbox) = machine.define("bench") { join in
            join.failurePolicy = .retry(1, backOff: backOff)
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            let bump = join.slow("bump", of: Int.self)
            let job = join.slow("job", of: Int.self)
            let out = join.slow("out", of: Int.self)
            let never = join.slow("never")
            let flaky = join.slow("flaky", of: Int.self)
            let sum = join.state("sum", 100)
            let wait = join.fast("wait", returning: Int.self)
            let key = join.slow("key", of: Int.self)
            let box = join.bounded("box", of: Int.self, capacity: 1)
            let unbox = join.fast("unbox", returning: Int.self)
            join.when(a, b, updating: sum) { sum, x, y in sum += x + y }
            join.when(bump, updating: sum) { sum, x in
                await gate.pass()
                sum += x
            }
            join.when(job) { x in
                await gate.pass()
                if Task.isCancelled { cancelledBodies.add() }
                out(x)
            }
            join.when(out, never) { _, _ in }
            let definition = join.definition
            join.when(flaky) { x in
                guard attempts.add() == 1 else { return }
                if pausesWhenFlaky { definition.pause() }
                throw ControlProbe.Failed(number: x)
            }
            join.answer(wait, with: key) { _, x in x }
            join.answer(unbox, with: box) { _, x in x }
            a(1)
            control(join.definition)
            return (join.definition, a, b, bump, job, flaky, sum.reader, wait, key, box, unbox)
        }
    }

    func numbers(_ name: String) -> JoinStatistics.Molecule {
        definition.statistics.molecules[name]!
    }

    /// Fills every cell of the table's row: molecules, a waiting call, a waiting injector, a running body, a pending
    /// retry.
    func occupy() async throws -> Occupants {
        a(2)
        job(7)
        bump(1000)
        try await ControlProbe.until("the bodies run") { definition.statistics.running == 2 }
        flaky(9)
        try await ControlProbe.until("the retry waits, and the body that failed has ended") {
            definition.statistics.pendingRetries == 1 && definition.statistics.running == 2
        }
        try await box.inject(1)
        let injector = Task { try await box.inject(2) }
        try await ControlProbe.until("the injector waits") { definition.statistics.waitingCalls == 1 }
        let call = Task { try await wait() }
        try await ControlProbe.until("the call waits") { definition.statistics.waitingCalls == 2 }
        return Occupants(call: call, injector: injector)
    }

    struct Occupants {
        let call: Task<Int, any Error>
        let injector: Task<Void, any Error>

        /// Why both ended.
        var codes: [CallError.Code?] {
            get async {
                [
                    await ControlProbe.code { _ = try await call.value },
                    await ControlProbe.code { try await injector.value },
                ]
            }
        }
    }
}

/// The table of "What happens when": one test for each row, or for a cell that says more.
@Suite("The table of control", .endsInTime)
struct ControlTableTests {
    @Test(
        "pause: molecules, calls and injectors stay, bodies finish, their outputs and new injections are accepted; resume goes on"
    )
    func pauseAndResume() async throws {
        let bench = Bench(retryAfter: .milliseconds(1))
        bench.job(7)
        try await ControlProbe.until("the body runs") { bench.definition.statistics.running == 1 }
        try await bench.box.inject(1)
        let injector = Task { try await bench.box.inject(2) }
        try await ControlProbe.until("the injector waits") { bench.definition.statistics.waitingCalls == 1 }
        let call = Task { try await bench.wait() }
        try await ControlProbe.until("the call waits") { bench.definition.statistics.waitingCalls == 2 }

        bench.definition.pause()
        let started = bench.definition.statistics.started
        bench.b(10)
        bench.key(42)
        bench.job(8)
        bench.gate.open()
        try await ControlProbe.until("the body finishes") { bench.definition.statistics.running == 0 }
        try await ControlProbe.letOthersRun()
        let paused = bench.definition.statistics
        #expect(paused.started == started, "nothing starts")
        #expect(paused.waitingCalls == 2)
        for name in ["a", "b", "key", "job", "box", "out"] {
            // The worker that has left may not have seen what came last.
            let numbers = paused.molecules[name]
            #expect(numbers.map { $0.present + $0.inInbox } == 1, "\(name)")
        }
        #expect(bench.sum.value == 100)
        #expect(bench.definition.snapshot().phase == .paused)

        bench.definition.resume()
        let answer = try await call.value
        #expect(answer == 42)
        try await bench.definition.quiescence()
        #expect(bench.sum.value == 111)
        #expect(bench.numbers("out").present == 2)
        let first = try await bench.unbox()
        try await injector.value
        let second = try await bench.unbox()
        #expect([first, second] == [1, 2])
        #expect(bench.events.mishaps == [])
    }

    @Test("pause: a retry that falls due waits for resume")
    func pauseHoldsRetries() async throws {
        // Paused by the body that fails: the time until the retry is too short for anybody else.
        let bench = Bench(retryAfter: .milliseconds(20), pausesWhenFlaky: true)
        bench.flaky(9)
        try await ControlProbe.until("the retry waits") { bench.definition.statistics.pendingRetries == 1 }
        try await ControlProbe.outwait(.milliseconds(20))
        #expect(bench.attempts.now == 1)
        #expect(bench.definition.statistics.pendingRetries == 1)
        bench.definition.resume()
        try await bench.definition.quiescence()
        #expect(bench.attempts.now == 2)
    }

    @Test("pause: a call that could react waits, and can be cancelled and time out")
    func pausedCalls() async throws {
        let bench = Bench()
        bench.key(1)
        bench.definition.pause()
        let code = await ControlProbe.code { _ = try await bench.wait(within: .milliseconds(5)) }
        #expect(code == .timedOut)
        let call = Task { try await bench.wait() }
        try await ControlProbe.until("the call waits") { bench.definition.statistics.waitingCalls == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { _ = try await call.value }
        #expect(bench.numbers("wait").withdrawn == 2)
        #expect(bench.numbers("key").present == 1)
    }

    @Test("pause: an injection into a bounded molecule that has room is accepted")
    func pausedBounded() async throws {
        let bench = Bench()
        bench.definition.pause()
        #expect(bench.box.tryInject(1))
        #expect(!bench.box.tryInject(2))
        bench.definition.resume()
        _ = try await bench.unbox()
        bench.definition.pause()
        await #expect(throws: Never.self) { try await bench.box.inject(3, within: .milliseconds(200)) }
        #expect(bench.numbers("box").present == 1)
    }

    @Test("resume: what has become possible starts although a body is running", arguments: [false, true])
    func resumeWhileABodyRuns(blocks: Bool) async throws {
        let door = Door()
        let gate = ControlProbe.Gate()
        // Threads of its own, so that the body that blocks takes none from the other tests.
        let machine = ChemicalMachine(.init(executor: BlockingExecutor.shared))
        let (job, other, definition) = machine.define("resumed") { join in
            let job = join.slow("job")
            let other = join.slow("other")
            if blocks { join.when(job) { _ in _ = door.wait() } } else { join.when(job) { _ in await gate.pass() } }
            join.when(other) { _ in }
            return (job, other, join.definition)
        }
        job()
        try await ControlProbe.until("the body runs") { definition.statistics.running == 1 }
        definition.pause()
        other()
        definition.resume()
        try? await ControlProbe.until("the other reaction runs") {
            definition.statistics.started == 2
        }
        door.open()
        gate.open()
        try await definition.quiescence()
        #expect(definition.statistics.started == 2)
    }

    @Test(
        "clear: everything present is dropped and reported, callers get an error, bodies finish and their outputs are accepted"
    )
    func clear() async throws {
        let bench = Bench()
        let occupants = try await bench.occupy()
        bench.definition.clear()
        let codes = await occupants.codes
        #expect(codes == [.cleared, .cleared])
        #expect(bench.events.dropped("a") == 2)
        #expect(bench.events.dropped("box") == 1)
        #expect(bench.events.droppedRetries == 1)
        #expect(bench.definition.statistics.pendingRetries == 0)
        #expect(bench.numbers("a").present == 0)
        #expect(bench.definition.snapshot().phase == .running)
        bench.a(3)
        #expect(bench.definition.statistics.running == 2)
        bench.gate.open()
        try await bench.definition.quiescence()
        #expect(bench.numbers("out").present == 1)
        #expect(bench.cancelledBodies.now == 0)
        #expect(bench.numbers("a").present == 1)
        #expect(bench.sum.value == 1100, "a body that has the state puts back what it makes of it")
        #expect(bench.attempts.now == 1)
        // There is room for one again, not for two.
        #expect(bench.box.tryInject(5))
        #expect(!bench.box.tryInject(6))
        #expect(bench.definition.statistics.isBalanced)
    }

    @Test("deactivate: as clear, but asynchronous bodies are cancelled, outputs and new injections ignored and counted")
    func deactivate() async throws {
        let bench = Bench()
        let occupants = try await bench.occupy()
        bench.definition.deactivate()
        let codes = await occupants.codes
        #expect(codes == [.deactivated, .deactivated])
        #expect(bench.events.dropped("a") == 2)
        #expect(bench.events.dropped("box") == 1)
        #expect(bench.events.droppedRetries == 1)
        #expect(bench.definition.statistics.pendingRetries == 0)
        #expect(bench.definition.statistics.running == 2)
        bench.a(3)
        bench.b.inject(contentsOf: 1...4)
        let late = [
            await ControlProbe.code { _ = try await bench.wait() },
            await ControlProbe.code { try await bench.box.inject(3) },
            await ControlProbe.code { _ = try await bench.unbox(within: .seconds(600)) },
        ]
        #expect(late == [.deactivated, .deactivated, .deactivated])
        #expect(!bench.box.tryInject(4))
        bench.gate.open()
        try await bench.definition.quiescence()
        let statistics = bench.definition.statistics
        #expect(bench.cancelledBodies.now == 1)
        #expect(statistics.molecules["out"]?.ignored == 1)
        #expect(statistics.molecules["out"]?.present == 0)
        #expect(statistics.molecules["a"]?.ignored == 1)
        #expect(statistics.molecules["b"]?.ignored == 4)
        #expect(statistics.molecules["wait"]?.ignored == 1)
        #expect(statistics.isBalanced)
    }

    @Test("activate: nothing in the soup but states at their initial value; injections are accepted, unpaused")
    func activate() async throws {
        let bench = Bench()
        bench.b(10)
        try await bench.definition.quiescence()
        #expect(bench.sum.value == 111)
        let occupants = try await bench.occupy()
        bench.definition.pause()
        bench.definition.deactivate()
        _ = await occupants.codes
        bench.definition.activate()
        #expect(bench.definition.snapshot().phase == .deactivated, "it takes effect after the deactivation")
        bench.a(50)
        bench.gate.open()
        try await bench.definition.quiescence()
        #expect(bench.definition.snapshot().phase == .running)
        let present = bench.definition.snapshot().molecules
        #expect(present == ["sum": 1, "box.room": 1])
        #expect(bench.sum.value == 100)
        bench.a(1)
        bench.b(1)
        try await bench.definition.quiescence()
        #expect(bench.sum.value == 102)
        #expect(bench.box.tryInject(1))
        #expect(bench.definition.statistics.isBalanced)
    }

    @Test("A deactivation after an activation that has not taken effect yet wins")
    func deactivateAgain() async throws {
        let bench = Bench()
        bench.job(1)
        try await ControlProbe.until("the body runs") { bench.definition.statistics.running == 1 }
        bench.definition.deactivate()
        bench.definition.activate()
        bench.definition.deactivate()
        bench.gate.open()
        try await bench.definition.quiescence()
        #expect(bench.definition.snapshot().phase == .deactivated)
    }

    @Test("Deactivate wins over pause, whichever came first")
    func deactivateWins() async throws {
        let bench = Bench()
        bench.definition.pause()
        bench.definition.deactivate()
        #expect(bench.definition.snapshot().phase == .deactivated)
        bench.definition.pause()
        bench.definition.resume()
        #expect(bench.definition.snapshot().phase == .deactivated)
        bench.definition.clear()
        #expect(bench.definition.snapshot().phase == .deactivated)
        try await bench.definition.quiescence()
        bench.definition.activate()
        #expect(bench.definition.snapshot().phase == .running)
    }

    @Test("States come back at their initial value after clear; what the closure injected does not")
    func statesAfterClear() async throws {
        let bench = Bench()
        bench.b(10)
        try await bench.definition.quiescence()
        #expect(bench.sum.value == 111)
        bench.definition.clear()
        #expect(bench.sum.value == 100)
        #expect(bench.numbers("a").present == 0)
        bench.b(10)
        try await bench.definition.quiescence()
        #expect(bench.sum.value == 100)
    }

    @Test("Control from inside the closure acts on what was injected there")
    func insideTheClosure() async throws {
        let paused = Bench { $0.pause() }
        #expect(paused.definition.snapshot().phase == .paused)
        paused.b(1)
        #expect(paused.definition.statistics.started == 0)
        paused.definition.resume()
        try await paused.definition.quiescence()
        #expect(paused.sum.value == 102)

        let deactivated = Bench { $0.deactivate() }
        #expect(deactivated.definition.snapshot().phase == .deactivated)
        #expect(deactivated.events.dropped("a") == 1)

        let activated = Bench {
            $0.pause()
            $0.deactivate()
            $0.activate()
        }
        #expect(activated.definition.snapshot().phase == .running)
        #expect(activated.numbers("a").present == 0, "deactivating has dropped it")

        let cleared = Bench { $0.clear() }
        #expect(cleared.definition.snapshot().phase == .running)
        #expect(cleared.numbers("a").present == 0)
    }

    @Test("10,000 waiting calls are all answered", arguments: [false, true])
    func manyCalls(deactivates: Bool) async throws {
        let bench = Bench()
        let codes = try await withThrowingTaskGroup(of: CallError.Code?.self) { group in
            for _ in 1...10_000 { group.addTask { await ControlProbe.code { _ = try await bench.wait() } } }
            try await ControlProbe.until("all calls wait") { bench.definition.statistics.waitingCalls == 10_000 }
            if deactivates { bench.definition.deactivate() } else { bench.definition.clear() }
            return try await group.reduce(into: [CallError.Code?: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == [deactivates ? .deactivated : .cleared: 10_000])
        #expect(bench.numbers("wait").dropped == 10_000)
    }

    @Test(
        "A reply that waits in a molecule goes with it, and its caller hears that there will be none",
        arguments: [false, true]
    )
    func droppedReply(deactivates: Bool) async throws {
        let (call, definition) = ChemicalMachine(.silent).define("keeper") { join in
            let call = join.fast("call", returning: Int.self)
            let kept = join.slow("kept", of: Reply<Void, Int>.self)
            let never = join.slow("never")
            join.when(call) { reply in kept(reply) }
            join.when(kept, never) { reply, _ in
                reply(1)
                never()
            }
            return (call, join.definition)
        }
        let callers = (0..<100).map { _ in Task { await ControlProbe.code { _ = try await call() } } }
        try await ControlProbe.until("all replies wait") { definition.statistics.molecules["kept"]?.present == 100 }
        #expect(definition.statistics.waitingCalls == 0)
        if deactivates { definition.deactivate() } else { definition.clear() }
        for caller in callers { #expect(await caller.value == .unanswered) }
        #expect(definition.statistics.molecules["kept"]?.dropped == 100)
    }

    @Test("A machine controls all its definitions at once")
    func machineWide() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let all = (0..<5).map { index in
            machine.define("definition \(index)") { join in
                let a = join.slow("a")
                join.when(a) { _ in }
                return a
            }
        }
        machine.pause()
        for a in all { a() }
        #expect(machine.snapshot().map(\.phase) == Array(repeating: .paused, count: 5))
        #expect(machine.statistics.started == 0)
        machine.resume()
        try await machine.quiescence()
        #expect(machine.statistics.started == 5)
        machine.pause()
        for a in all { a() }
        machine.clear()
        machine.resume()
        try await machine.quiescence()
        #expect(machine.statistics.started == 5)
        machine.deactivate()
        for a in all { a() }
        #expect(machine.statistics.molecules["definition 3.a"]?.ignored == 1)
        machine.activate()
        for a in all { a() }
        try await machine.quiescence()
        #expect(machine.statistics.started == 10)
        #expect(machine.statistics.isBalanced)
        withExtendedLifetime(all) {}
    }
}
