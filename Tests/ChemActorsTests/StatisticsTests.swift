import ChemActors
import Dispatch
import TestSupport
import Testing

@Suite("Statistics", .endsInTime)
struct StatisticsTests {
    /// Slow, fast, bounded and state molecules, synchronous and asynchronous bodies, one that fails now and then.
    private struct Mixture: Sendable {
        let definition: Join
        let a, b, work: SlowMolecule<Int>
        let ask, square: FastMolecule<Int, Int>
        let box: BoundedMolecule<Int>
        let unbox: FastMolecule<Void, Int>

        init(_ machine: ChemicalMachine) {
            (definition, a, b, work, ask, square, box, unbox) = machine.define("mixture") { join in
                let a = join.slow("a", of: Int.self)
                let b = join.slow("b", of: Int.self, order: .oldestFirst)
                let work = join.slow("work", of: Int.self)
                let ask = join.fast("ask", of: Int.self, returning: Int.self)
                let square = join.fast("square", of: Int.self, returning: Int.self, order: .oldestFirst)
                let box = join.bounded("box", of: Int.self, capacity: 2)
                let unbox = join.fast("unbox", returning: Int.self)
                let sum = join.state("sum", 0)
                join.failurePolicy = .putBack(after: .milliseconds(1), limit: 20)
                join.when(a, b, updating: sum) { sum, x, y in
                    sum += x + y
                    if x.isMultiple(of: 7) { throw ControlProbe.Failed(number: x) }
                }
                join.when(work) { x in
                    await Task.yield()
                    if x > 0 { work(x - 1) }
                }
                join.answer(ask, with: a) { x, y in x + y }
                join.answer(square, updating: sum) { sum, x in
                    sum += 1
                    return x * x
                }
                join.answer(unbox, with: box) { _, x in
                    await Task.yield()
                    return x
                }
                return (join.definition, a, b, work, ask, square, box, unbox)
            }
        }

        /// What one of the tasks does: injects, calls, lets calls time out, cancels them.
        func stir(_ generator: inout SplitMix, rounds: Int) async {
            for round in 1...rounds {
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: a(round)
                case 1: b(round)
                case 2: a.inject(contentsOf: 1...5)
                case 3: work(3)
                case 4: _ = try? await square(round)
                case 5: _ = try? await ask(round, within: .microseconds(200))
                case 6:
                    let call = Task { try await ask(round) }
                    await Task.yield()
                    call.cancel()
                    _ = try? await call.value
                case 7: _ = box.tryInject(round)
                default:
                    _ = try? await box.inject(round, within: .microseconds(100))
                    _ = try? await unbox(within: .microseconds(100))
                }
            }
        }
    }

    @Test("They add up at any moment, while four tasks inject, call and cancel", arguments: UInt64(1)...5)
    func addUpAtAnyMoment(seed: UInt64) async throws {
        let machine = ChemicalMachine(.init(seed: seed, reporter: { _ in }))
        let mixture = Mixture(machine)
        let finished = ControlProbe.Count()
        let sampled = ControlProbe.Count()
        var samples = 0
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<UInt64(4) {
                group.addTask {
                    var generator = SplitMix(state: seed &* 31 &+ index)
                    repeat { await mixture.stir(&generator, rounds: 1500) } while sampled.now <= 10
                    finished.add()
                }
            }
            var last = JoinStatistics()
            while finished.now < 4 {
                let sample = mixture.definition.statistics
                samples += 1
                sampled.add()
                let unbalanced = sample.molecules.filter { !$0.value.isBalanced }
                #expect(unbalanced.isEmpty, "seed \(seed), sample \(samples): \(unbalanced)")
                #expect(sample.started == sample.finished + sample.running, "seed \(seed)")
                #expect(sample.running >= 0 && sample.peakRunning >= sample.running, "seed \(seed): \(sample)")
                #expect(sample.started >= last.started && sample.finished >= last.finished, "seed \(seed)")
                for (name, now) in sample.molecules {
                    let before = last.molecules[name] ?? now
                    #expect(now.injected >= before.injected && now.consumed >= before.consumed, "seed \(seed): \(name)")
                    #expect(now.present >= 0 && now.inInbox >= 0, "seed \(seed): \(name)")
                }
                last = sample
                if unbalanced.count > 0, samples > 10 { break }
                await Task.yield()
            }
        }
        try await mixture.definition.quiescence()
        let end = mixture.definition.statistics
        #expect(end.isBalanced, "seed \(seed): \(end)")
        #expect(end.running == 0 && end.waitingCalls == 0 && end.pendingRetries == 0)
        #expect(end.molecules.values.allSatisfy { $0.inInbox == 0 })
        #expect(samples > 10)
    }

    @Test("The counts of a known run are right")
    func knownRun() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (inc, value, definition) = machine.define("counter") { join in
            let inc = join.slow("inc")
            let value = join.fast("value", returning: Int.self)
            let count = join.state("count", 0)
            join.when(inc, updating: count) { n, _ in n += 1 }
            join.answer(value, reading: count) { n, _ in n }
            return (inc, value, join.definition)
        }
        for _ in 1...10 { inc() }
        inc.inject(contentsOf: repeatElement((), count: 5))
        try await definition.quiescence()
        for _ in 1...3 { _ = try await value() }
        try await definition.quiescence()
        let statistics = definition.statistics
        #expect(statistics.started == 18)
        #expect(statistics.finished == 18)
        #expect(statistics.failed == 0)
        #expect(statistics.running == 0)
        #expect(statistics.peakRunning == 1, "the state lets one run at a time")
        #expect(statistics.molecules["inc"]?.injected == 15)
        #expect(statistics.molecules["inc"]?.consumed == 15)
        #expect(statistics.molecules["inc"]?.present == 0)
        #expect(statistics.molecules["value"]?.injected == 3)
        #expect(statistics.molecules["value"]?.consumed == 3)
        #expect(statistics.molecules["count"]?.present == 1)
        #expect(statistics.molecules.count == 3)
    }

    @Test("Waiting, withdrawn, dropped and ignored copies are counted as such")
    func whereCopiesWent() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (a, call, definition) = machine.define("sink") { join in
            let a = join.slow("a")
            let key = join.slow("key")
            let call = join.fast("call")
            join.answer(call, with: key) { _, _ in }
            join.when(a, key) { _, _ in }
            return (a, call, join.definition)
        }
        for _ in 1...4 { a() }
        await #expect(throws: CallError.self) { try await call(within: .milliseconds(1)) }
        let cancelled = Task { try await call() }
        try await ControlProbe.until("the call waits") { definition.statistics.waitingCalls == 1 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let dropped = Task { try await call() }
        try await ControlProbe.until("the call waits") { definition.statistics.waitingCalls == 1 }
        #expect(definition.statistics.molecules["a"]?.present == 4)
        definition.clear()
        await #expect(throws: CallError.self) { try await dropped.value }
        definition.deactivate()
        a()
        await #expect(throws: CallError.self) { try await call() }
        let statistics = definition.statistics
        #expect(statistics.started == 0)
        #expect(statistics.waitingCalls == 0)
        let ofA = try #require(statistics.molecules["a"])
        #expect(ofA.injected == 5 && ofA.dropped == 4 && ofA.ignored == 1 && ofA.consumed == 0 && ofA.present == 0)
        let ofCall = try #require(statistics.molecules["call"])
        #expect(ofCall.injected == 4 && ofCall.withdrawn == 2 && ofCall.dropped == 1 && ofCall.ignored == 1)
        #expect(statistics.isBalanced)
    }

    @Test("Failures count each attempt; putting back is not a reaction")
    func failures() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        func failing(_ policy: FailurePolicy) -> (SlowMolecule<Void>, Join) {
            machine.define("failing") { join in
                join.failurePolicy = policy
                let a = join.slow("a")
                join.when(a) { _ in throw ControlProbe.Failed() }
                return (a, join.definition)
            }
        }
        let (retried, retrying) = failing(.retry(3))
        retried()
        try await retrying.quiescence()
        #expect(retrying.statistics.failed == 4)
        #expect(retrying.statistics.started == 4)
        #expect(retrying.statistics.molecules["a"]?.consumed == 1)
        #expect(retrying.statistics.molecules["a"]?.putBack == 0)

        let (back, puttingBack) = failing(.putBack(after: .milliseconds(1), limit: 3))
        back()
        try await puttingBack.quiescence()
        let statistics = puttingBack.statistics
        #expect(statistics.failed == 4)
        #expect(statistics.started == 4)
        #expect(statistics.molecules["a"]?.injected == 1)
        #expect(statistics.molecules["a"]?.putBack == 3)
        #expect(statistics.molecules["a"]?.consumed == 4)
        #expect(statistics.isBalanced)
    }

    @Test("Running bodies are counted, and the largest number of them is kept")
    func peak() async throws {
        let gate = ControlProbe.Gate()
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (job, definition) = machine.define("jobs") { join in
            let job = join.slow("job")
            join.when(job) { _ in await gate.pass() }
            return (job, join.definition)
        }
        for _ in 1...7 { job() }
        try await ControlProbe.until("all run") { definition.statistics.running == 7 }
        #expect(definition.statistics.started == 7)
        #expect(definition.statistics.finished == 0)
        gate.open()
        try await definition.quiescence()
        #expect(definition.statistics.running == 0)
        #expect(definition.statistics.peakRunning == 7)
        #expect(definition.statistics.finished == 7)
    }

    @Test("What looks for inputs that fit is no reaction before it has found some: no number decreases", .blocksThreads)
    func searching() async throws {
        let machine = ChemicalMachine()
        let (isLooked, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isFirst = Flag()
        let (a, b, definition) = machine.define("pairs") { join in
            let (a, b) = (join.slow("a", of: Int.self), join.slow("b", of: Int.self))
            join.when(
                a,
                b,
                where: { a, b in
                    if !isFirst.isRaised {
                        isFirst.raise()
                        isLooked.signal()
                        goesOn.wait()
                    }
                    return a == b
                }
            ) { _, _ in }
            return (a, b, join.definition)
        }
        a(0)
        b(1)
        await onThread { isLooked.wait() }
        let early = definition.statistics
        #expect((early.started, early.finished, early.running) == (0, 0, 0))
        #expect(machine.census().started == 0)
        goesOn.signal()
        try await definition.quiescence()
        #expect(definition.statistics.started == 0)
        b(0)
        try await definition.quiescence()
        #expect(definition.statistics.started == 1 && definition.statistics.finished == 1)
        extendLifetime((a, b))
    }

    @Test("Numbers that don't add up are seen")
    func unbalanced() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        let (a, definition) = machine.define("one") { join in
            let a = join.slow("a")
            join.when(a) { _ in }
            return (a, join.definition)
        }
        a()
        try await definition.quiescence()
        var statistics = definition.statistics
        #expect(statistics.isBalanced)
        statistics.molecules["a"]?.consumed += 1
        #expect(!statistics.isBalanced)
        statistics = definition.statistics
        statistics.started += 1
        #expect(!statistics.isBalanced)
    }

    @Test("The description is a line for the reactions and one for each molecule; those of a machine are named in full")
    func description() async throws {
        let machine = ChemicalMachine(.init(reporter: { _ in }))
        func pair(_ name: String) -> (SlowMolecule<Void>, SlowMolecule<Void>, Join) {
            machine.define(name) { join in
                let left = join.slow("left")
                let right = join.slow("right")
                join.when(left, right) { _, _ in }
                return (left, right, join.definition)
            }
        }
        let (left, right, definition) = pair("first")
        let second = pair("second")
        left()
        left()
        right()
        second.0()
        try await machine.quiescence()
        let lines = definition.statistics.description.split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0].hasPrefix("reactions: 1 started, 1 finished, 0 failed, 0 running"))
        #expect(lines[1].hasPrefix("left: 1 present, 2 injected, 1 consumed"))
        #expect(lines[2].hasPrefix("right: 0 present, 1 injected, 1 consumed"))
        let whole = machine.statistics
        #expect(Set(whole.molecules.keys) == ["first.left", "first.right", "second.left", "second.right"])
        #expect(whole.started == 1)
        #expect(whole.molecules["second.left"]?.present == 1)
    }
}
