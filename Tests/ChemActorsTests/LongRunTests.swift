import TestSupport
import Testing

@testable import ChemActors

/// Reports of definitions that keep themselves busy, and of those that can do nothing.
@Suite("Long runs")
struct LongRunTests {
    private let events = Shared<[ChemicalEvent]>([])
    private var machine: ChemicalMachine { machine(patience: .milliseconds(10)) }

    private func machine(patience: Duration) -> ChemicalMachine {
        let events = events
        return ChemicalMachine(
            .init(
                reporter: { event in
                    // Waiting for quiet takes long as well.
                    if case .waitsForLong = event.kind { return }
                    events.update { $0.append(event) }
                },
                patience: patience
            )
        )
    }

    @Test("A loop without end is reported once, with its reactions and their lines, and goes on", .endsInTime)
    func loop() async throws {
        // With the whole size, long enough for many a body to lose its core in the middle: that makes it no long one.
        let machine = machine(patience: Soak.isOn ? .seconds(10) : .milliseconds(200))
        let (stop, definition) = machine.define("clock") { join in
            let (tick, tock, stop) = (join.slow("tick"), join.slow("tock"), join.slow("stop"))
            join.when(tick) { _ in tock() }
            join.when(tock) { _ in tick() }
            join.when(stop, tick) { _, _ in }
            tick()
            return (stop, join.definition)
        }
        try await until { !events.value.isEmpty }
        let first = try #require(events.value.first)
        guard case .runsForLong(let reactions, let count) = first.kind else {
            Issue.record("it is reported as \(first)")
            return
        }
        #expect(first.definition == "clock")
        #expect(!first.isMishap)
        // How many there are depends on who else wants the cores.
        #expect(count > 1 && count <= definition.statistics.started)
        #expect(reactions.contains("tick (") && reactions.contains("tock (") && !reactions.contains("stop"))
        #expect(reactions.contains("LongRunTests.swift:"))
        // It went on, and isn't reported again when it does so for as long once more.
        let before = definition.statistics.started
        try await until { definition.statistics.started >= before + 2 * count }
        stop()
        try await machine.quiescence()
        #expect(events.value.count == 1)
    }

    @Test("Bodies that are long a few times running have lost their core, and many times running they are long")
    func longBodies() {
        var run = LongRun()
        func turn(_ time: UInt64) -> Int? {
            run.turn(LongRun.Look(time: time, started: Int(time), calls: 0, present: 1), patience: .nanoseconds(10))
        }
        #expect(turn(100) == nil)
        for _ in 0..<10 {
            for _ in 1..<32 { run.longBodyEnded(isLongAgain: true) }
            run.longBodyEnded(isLongAgain: false)
        }
        #expect(turn(111) == 11)

        run = LongRun()
        #expect(turn(100) == nil)
        for _ in 0..<32 { run.longBodyEnded(isLongAgain: true) }
        #expect(turn(111) == nil)
        #expect(turn(122) == 11)
    }

    @Test("It is one only from the first turn on in which nothing came from outside")
    func value() {
        var run = LongRun()
        func turn(_ time: UInt64, started: Int, calls: Int = 0, present: Int = 2) -> Int? {
            let look = LongRun.Look(time: time, started: started, calls: calls, present: present)
            return run.turn(look, patience: .nanoseconds(10))
        }
        #expect(turn(100, started: 5) == nil)
        #expect(turn(110, started: 9) == nil)
        // A call.
        #expect(turn(120, started: 17, calls: 1) == nil)
        #expect(turn(130, started: 28, calls: 1) == nil)
        // Something injected from elsewhere, or a rest.
        run.end()
        #expect(turn(140, started: 39, calls: 1) == nil)
        // There is less to do than there was.
        #expect(turn(155, started: 45, calls: 1, present: 1) == nil)
        #expect(turn(160, started: 50, calls: 1, present: 3) == nil)
        #expect(turn(165, started: 60, calls: 1, present: 1) == nil)
        #expect(turn(166, started: 70, calls: 1, present: 1) == 25)
        // Once.
        #expect(turn(200, started: 90, calls: 1) == nil)
    }

    @Test("What arrives as another worker ends may come from its body, and ends none; what comes next does")
    func ofItsOwn() {
        let patience = Duration.nanoseconds(10)
        func look(_ time: UInt64) -> LongRun.Look {
            LongRun.Look(time: time, started: Int(time), calls: 0, present: 1)
        }
        var run = LongRun()
        #expect(run.turn(look(100), patience: patience) == nil)
        run.somethingArrived(isOnlyWorker: false)
        run.workerLeaves()
        run.somethingArrived(isOnlyWorker: true)
        #expect(run.turn(look(120), patience: patience) == 20)
        run = LongRun()
        #expect(run.turn(look(100), patience: patience) == nil)
        run.workerLeaves()
        run.somethingArrived(isOnlyWorker: true)
        run.somethingArrived(isOnlyWorker: true)
        #expect(run.turn(look(120), patience: patience) == nil)
    }

    @Test("A pile of work is none, however long it takes: while it shrinks, or for as many reactions as it was high")
    func pile() {
        var run = LongRun()
        let patience = Duration.nanoseconds(10)
        // A thousand copies become others, and these go: first all of the first kind, then all of the second.
        for number in 1...1000 {
            let look = LongRun.Look(time: UInt64(number) * 100, started: number, calls: 0, present: 1000)
            #expect(run.turn(look, patience: patience) == nil)
        }
        for number in 1...1000 {
            let look = LongRun.Look(
                time: UInt64(1000 + number) * 100,
                started: 1000 + number,
                calls: 0,
                present: 1000 - number
            )
            #expect(run.turn(look, patience: patience) == nil)
        }
    }

    @Test("A million values that were injected at once are no loop", .endsInTime)
    func manyAtOnce() async throws {
        let machine = machine(patience: .milliseconds(5))
        let (add, definition) = machine.define("sum") { join in
            let (add, sum) = (join.slow("add", of: Int.self), join.state("sum", 0))
            join.when(add, updating: sum) { sum, number in sum &+= number }
            return (add, join.definition)
        }
        let clock = ContinuousClock()
        definition.pause()
        for number in 0..<1_000_000 { add(number) }
        let begin = clock.now
        definition.resume()
        try await definition.quiescence()
        // Otherwise this test says nothing.
        #expect(clock.now - begin > .milliseconds(5))
        #expect(events.value.isEmpty)
    }

    @Test("Work that comes from outside is no loop, however long it takes", .endsInTime)
    func work() async throws {
        let machine = machine
        let (add, definition) = machine.define("sum") { join in
            let (add, sum) = (join.slow("add", of: Int.self), join.state("sum", 0))
            join.when(add, updating: sum) { sum, number in sum &+= number }
            return (add, join.definition)
        }
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(60)
        while clock.now < end {
            for number in 0..<1000 { add(number) }
            await Task.yield()
        }
        try await definition.quiescence()
        #expect(events.value.isEmpty)
    }

    @Test("A definition that is over as soon as it is made says so, with its line")
    func nothing() throws {
        let machine = machine
        machine.define("forgotten") { join in
            let go = join.slow("go")
            join.when(go) { _ in }
        }
        let event = try #require(events.value.first)
        guard case .doesNothing(let location) = event.kind else {
            Issue.record("it is reported as \(event)")
            return
        }
        #expect(event.isMishap)
        #expect(location.contains("LongRunTests.swift:"))
        #expect(event.description.contains("return the names that others use"))
    }

    @Test("One whose closure returns nothing and injects something, or gives a name away, doesn't", .endsInTime)
    func something() async throws {
        let machine = machine
        let kept = Shared<SlowMolecule<Void>?>(nil)
        machine.define("runs") { join in
            let go = join.slow("go")
            join.when(go) { _ in }
            go()
        }
        machine.define("kept") { join in
            let go = join.slow("go")
            join.when(go) { _ in }
            kept.update { $0 = go.exported }
        }
        kept.value?()
        try await machine.quiescence()
        #expect(events.value.isEmpty)
    }

    @Test("A call that waits for long is printed, once for a line of the program")
    func printed() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let machine = ChemicalMachine(.init(patience: .milliseconds(10)))
                let (take, put) = machine.define("slot") { join in
                    let (put, take) = (join.slow("put"), join.fast("take"))
                    join.answer(take, with: put) { _, _ in }
                    return (take, put)
                }
                let waiting = (0..<2).map { _ in Task { try await take() } }
                // This one ends after ten seconds, which is long after both are reported.
                _ = try? await take(within: .seconds(10))
                for _ in waiting { put() }
                for call in waiting { _ = try? await call.value }
            }
        )
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.matches(of: /slot: a call of 'take' .* has been waiting for a long time/).count == 1, "\(text)")
    }
}
