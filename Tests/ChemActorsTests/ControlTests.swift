import ChemActors
import TestSupport
import Testing

/// CocoaJoin's counter, and the tests of its "stop" and "resume".
@Suite("CocoaJoin's tests of control", .endsInTime)
struct CocoaJoinControlTests {
    struct Chemistry: Sendable {
        let counter: SlowMolecule<Int>
        let inc: SlowMolecule<Void>
        let getValue: FastMolecule<Void, Int>
        let definition: Join

        init(_ machine: ChemicalMachine) {
            (counter, inc, getValue, definition) = machine.define("counter") { join in
                let counter = join.slow("counter", of: Int.self)
                let inc = join.slow("inc")
                let getValue = join.fast("getValue", returning: Int.self)
                join.when(inc, counter) { _, n in counter(n + 1) }
                join.answer(getValue, with: counter) { _, n in
                    counter(n)
                    return n
                }
                return (counter, inc, getValue, join.definition)
            }
        }
    }

    let events = ControlProbe.Events()
    let machine: ChemicalMachine
    let chemistry: Chemistry

    init() {
        machine = ChemicalMachine(events.configuration())
        chemistry = Chemistry(machine)
    }

    @Test("testControl1: a stop whose continuation is resume ends active, every time")
    func testControl1() async throws {
        for round in 1...200 {
            let chemistry = Chemistry(machine)
            let definition = chemistry.definition
            let stopped = machine.define("continuation") { join in
                let stopped = join.slow("stopped")
                join.when(stopped) { _ in definition.activate() }
                return stopped
            }
            chemistry.counter(0)
            chemistry.inc()
            chemistry.inc()
            if round.isMultiple(of: 2) { try await definition.quiescence() }
            definition.deactivate(signalling: stopped)
            try await machine.quiescence()
            let phase = definition.snapshot().phase
            try #require(phase == .running, "round \(round)")
            #expect(definition.statistics.molecules["counter"]?.present == 0)
        }
    }

    @MainActor
    @Test("A continuation that activates runs after the stop, also when everything was quiet")
    func continuationRunsAfterTheStop() async throws {
        let definition = chemistry.definition
        let seen = Guarded<JoinSnapshot.Phase?>(nil)
        let stopped = machine.define("continuation", on: MainActor.self) { join in
            let stopped = join.slow("stopped")
            join.when(stopped) { _ in
                seen.withLock { $0 = definition.snapshot().phase }
                definition.activate()
            }
            return stopped
        }
        definition.deactivate(signalling: stopped)
        #expect(seen.now == .deactivated)
        #expect(definition.snapshot().phase == .running)
    }

    @Test("testControl2: while stopped, injections have no effect and a fast call ends at once; no continuation")
    func testControl2() async throws {
        chemistry.counter(0)
        chemistry.inc()
        chemistry.definition.deactivate()
        chemistry.inc()
        chemistry.counter(5)
        let code = await ControlProbe.code { _ = try await chemistry.getValue() }
        #expect(code == .deactivated)
        try await chemistry.definition.quiescence()
        let statistics = chemistry.definition.statistics
        #expect(statistics.molecules.values.allSatisfy { $0.present == 0 && $0.inInbox == 0 })
        #expect(statistics.molecules["inc"]?.ignored == 1)
        #expect(statistics.molecules["getValue"]?.ignored == 1)
    }

    @Test("testControl3: the continuation is a molecule of another definition, injected when all is quiet")
    func testControl3() async throws {
        let gate = ControlProbe.Gate()
        let (job, definition) = machine.define("job") { join in
            let job = join.slow("job")
            join.when(job) { _ in await gate.pass() }
            return (job, join.definition)
        }
        let (stopped, arrived) = machine.define("continuation") { join in
            let stopped = join.slow("stopped")
            let arrived = join.fast("arrived", returning: Int.self)
            join.answer(arrived, with: stopped) { _, _ in definition.statistics.running }
            return (stopped, arrived)
        }
        job()
        try await ControlProbe.until("the body runs") { definition.statistics.running == 1 }
        definition.deactivate(signalling: stopped)
        let early = await ControlProbe.code { _ = try await arrived(within: .milliseconds(50)) }
        #expect(early == .timedOut)
        gate.open()
        let running = try await arrived()
        #expect(running == 0)
    }

    @Test("Definitions that bodies make while a machine ends don't begin, and run() returns")
    func lateDefinitions() async throws {
        let machine = ChemicalMachine()
        let late = Record<Join>()
        let (start, hasBegun) = machine.define("session") { join in
            let (start, begun) = (join.slow("start"), join.slow("begun"))
            let hasBegun = join.fast("hasBegun")
            join.answer(hasBegun, with: begun) { _, _ in }
            join.when(start) { _ async in
                begun()
                try? await Task.sleep(for: .seconds(3_600))
                machine.define("farewell") { join in
                    let again = join.slow("again")
                    join.when(again) { _ async in
                        await Task.yield()
                        again()
                    }
                    again()
                    late.append(join.definition)
                }
            }
            return (start, hasBegun)
        }
        let service = Task { try await machine.run() }
        start()
        try await hasBegun()
        service.cancel()
        try await Patience.end { try await service.value }
        #expect(late.all.map(\.statistics.started) == [0])
        // What is made afterwards begins as ever.
        let call = machine.define("next") { join in
            let call = join.fast("call", returning: Int.self)
            join.answer(call) { _ in 5 }
            return call
        }
        #expect(try await call() == 5)
    }

    @Test("testControl4: after resuming and re-injecting the value is 2")
    func testControl4() async throws {
        chemistry.counter(10)
        chemistry.definition.deactivate()
        chemistry.definition.activate()
        try await chemistry.definition.quiescence()
        #expect(
            chemistry.definition.statistics.molecules["counter"]?.present == 0,
            "the soup is empty after the resume"
        )
        chemistry.counter(0)
        chemistry.inc()
        chemistry.inc()
        try await chemistry.definition.quiescence()
        let value = try await chemistry.getValue()
        #expect(value == 2)
    }
}
