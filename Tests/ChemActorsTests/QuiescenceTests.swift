import ChemActors
import TestSupport
import Testing

/// Waiting until a definition is quiet.
@Suite("Quiescence", .serialized)
struct QuiescenceTests {
    /// A definition with a body that runs until it is told to end.
    private struct Busy {
        let start: SlowMolecule<Void>
        let end: SlowMolecule<Void>
        let definition: Join

        init() {
            let (wait, end) = Join.define("gate") { join in
                let wait = join.fast("wait")
                let end = join.slow("end")
                join.answer(wait, with: end) { _, _ in }
                return (wait, end)
            }
            self.end = end
            (start, definition) = Join.define("busy") { join in
                let start = join.slow("start")
                join.when(start) { _ async throws in try await wait() }
                return (start, join.definition)
            }
        }
    }

    @Test("A definition where nothing happened is quiet, and one that has ended")
    func quietAtOnce() async throws {
        let busy = Busy()
        try await busy.definition.quiescence()
        let ended = Join.define { join in
            let start = join.slow("start")
            join.when(start) { _ in }
            start()
            return join.definition
        }
        for _ in 0..<3 { try await ended.quiescence() }
    }

    @Test(
        "Quiet comes after everything that the injected molecules made possible",
        .endsInTime,
        arguments: [false, true]
    )
    func afterEverything(isAsync: Bool) async throws {
        let done = Shared(0)
        let (step, definition) = Join.define { join in
            let step = join.slow("step", of: Int.self)
            let body: @Sendable (Int) -> Void = { n in
                done.update { $0 += 1 }
                if n > 1 { step(n - 1) }
            }
            if isAsync {
                join.when(step) { n async throws in
                    await Task.yield(); body(n)
                }
            } else {
                join.when(step) { body($0) }
            }
            return (step, join.definition)
        }
        for round in 1...heavy(200, debug: 50) {
            for _ in 0..<10 { step(10) }
            try await definition.quiescence()
            #expect(done.value == 100 * round)
        }
    }

    @Test(
        "Many tasks wait for quiet, and all are told, after the asynchronous body has ended",
        .endsInTime
    )
    func manyWaiters() async throws {
        let busy = Busy()
        let told = Shared(0)
        let callers = Callers()
        for round in 1...20 {
            busy.start()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await callers.call { try await busy.definition.quiescence() }
                        told.update { $0 += 1 }
                    }
                }
                await callers.suspended(100 * round)
                #expect(told.value == 100 * (round - 1))
                busy.end()
                try await group.waitForAll()
            }
            #expect(told.value == 100 * round)
        }
    }

    @Test("Cancelled waiting throws, before and during, and doesn't disturb the others", .endsInTime)
    func cancelledWaiting() async throws {
        let busy = Busy()
        let callers = Callers()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await busy.definition.quiescence()
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        busy.start()
        let tasks = (0..<200).map { _ in Task { try await callers.call { try await busy.definition.quiescence() } } }
        await callers.suspended(200)
        for n in 0..<100 { tasks[n].cancel() }
        for n in 0..<100 { #expect(await tasks[n].wasCancelled) }
        busy.end()
        for n in 100..<200 { try await tasks[n].value }
    }

    @Test("Cancellation races with quiet: every waiting ends", .endsInTime)
    func cancellationRace() async throws {
        let (step, definition) = Join.define { join in
            let step = join.slow("step")
            join.when(step) { _ in }
            return (step, join.definition)
        }
        for _ in 0..<heavy(20_000, debug: 3_000) {
            let task = Task { try await definition.quiescence() }
            step()
            task.cancel()
            _ = await task.result
        }
        try await definition.quiescence()
    }

    @Test("From inside a body it throws, and in the tasks that the body has started", .endsInTime)
    func insideBody() async throws {
        let errors = Shared<[QuiescenceError]>([])
        let outlived = Shared<[Task<Void, any Error>]>([])
        let other = Busy()
        let definition = Join.define("inside") { join in
            let definition = join.definition
            let start = join.slow("start")
            let (gate, open) = Join.define("gate") { join in
                let gate = join.fast("gate")
                let open = join.slow("open")
                join.answer(gate, with: open) { _, _ in }
                return (gate, open)
            }
            join.when(start) { _ async throws in
                let wait: @Sendable () async throws -> Void = {
                    do { try await definition.quiescence() } catch let error as QuiescenceError {
                        errors.update { $0.append(error) }
                    }
                }
                try await wait()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await wait() }
                    try await group.waitForAll()
                }
                try await Task { try await wait() }.value
                try await other.definition.quiescence()
                outlived.update {
                    $0.append(
                        Task { [gate = gate.exported] in
                            try await gate()
                            try await definition.quiescence()
                        }
                    )
                }
            }
            start()
            Task {
                _ = try await outlived.first(); try await definition.quiescence(); open()
            }
            return definition
        }
        try await definition.quiescence()
        #expect(errors.value.count == 3)
        #expect(errors.value.allSatisfy { $0.definition == "inside" })
        try await outlived.first().value
    }

    @Test("Bodies of a scope that a body has entered are inside of that body", .endsInTime)
    func insideInnerScope() async throws {
        let machine = ChemicalMachine()
        let (call, outer) = machine.define("outer") { join in
            let outer = join.definition
            let call = join.fast("call", of: Bool.self)
            join.answer(call) { asksMachine in
                try await withChemicalMachine { _ in
                    let ask = Join.define("inner") { join in
                        let ask = join.fast("ask")
                        join.answer(ask) { _ in
                            if asksMachine { try await machine.quiescence() } else { try await outer.quiescence() }
                        }
                        return ask
                    }
                    try await ask()
                }
            }
            return (call, outer)
        }
        for asksMachine in [false, true] {
            await #expect { try await call(asksMachine) } throws: {
                ($0 as? QuiescenceError)?.definition == "outer"
            }
        }
        try await outer.quiescence()
    }

    @Test("Waiting calls don't prevent quiet", .endsInTime)
    func waitingCalls() async throws {
        let (call, partner, definition) = Path.inline.sum()
        let callers = Callers()
        let tasks = (0..<100).map { _ in Task { try await callers.call { try await call(1) } } }
        await callers.suspended(100)
        try await definition.quiescence()
        for n in 0..<100 { partner(n) }
        for task in tasks { _ = try await task.value }
        try await definition.quiescence()
    }

    // MARK: Random chemistry

    @Test("After quiescence nothing possible is left, in 200 random chemistries", .timeLimit(.minutes(120)))
    func randomChemistry() async throws {
        for seed in Soak.seeds(200, soak: 20_000) {
            var random = SplitMix(state: seed)
            let log = EventLog()
            var chemistry: RandomChemistry? = RandomChemistry(&random, seed, log)
            for burst in 0..<3 {
                try await chemistry!.inject(&random)
                try await chemistry!.definition.quiescence()
                let counts = chemistry!.counts.value
                for inputs in chemistry!.reactions {
                    let isPossible = Set(inputs).allSatisfy { input in
                        counts[input] >= inputs.count { $0 == input }
                    }
                    #expect(!isPossible, "seed \(seed), burst \(burst): \(inputs) is possible with \(counts)")
                }
                #expect(counts.allSatisfy { $0 >= 0 }, "seed \(seed)")
            }
            // What the definition still holds when it ends is what was injected and not consumed.
            let counts = chemistry!.counts.value
            chemistry = nil
            for (index, count) in counts.enumerated() {
                let left = try await log.left(of: "m\(index)", expecting: count)
                #expect(left == count, "seed \(seed), molecule \(index)")
            }
        }
    }

    /// A few molecules, and reactions that each consume more than they produce.
    struct RandomChemistry: Sendable {
        let molecules: [SlowMolecule<Int>]
        let definition: Join
        let reactions: [[Int]]
        /// How many copies of each molecule there are.
        let counts: Shared<[Int]>

        init(_ random: inout SplitMix, _ seed: UInt64, _ log: EventLog) {
            let size = Int.random(in: 2...7, using: &random)
            var reactions: [[Int]] = []
            var outputs: [[Int]] = []
            for index in 0..<(size + Int.random(in: 0...5, using: &random)) {
                var inputs = index < size ? [index] : []
                while inputs.count < 3, inputs.isEmpty || Bool.random(using: &random) {
                    inputs.append(Int.random(in: 0..<size, using: &random))
                }
                reactions.append(inputs)
                outputs.append((1..<inputs.count).map { _ in Int.random(in: 0..<size, using: &random) })
            }
            let kinds = reactions.map { _ in Int.random(in: 0...2, using: &random) }
            let counts = Shared([Int](repeating: 0, count: size))
            let machine = ChemicalMachine(.init(seed: seed, reporter: { log.add($0) }, patience: nil))
            (molecules, definition) = machine.define("random") { [reactions] join in
                let names = (0..<size).map {
                    join.slow("m\($0)", of: Int.self, order: $0 % 2 == 0 ? .random : .oldestFirst)
                }
                for (index, inputs) in reactions.enumerated() {
                    let body: @Sendable (Int) -> Void = { [outputs = outputs[index]] value in
                        counts.update { counts in
                            for input in inputs { counts[input] -= 1 }
                            for output in outputs { counts[output] += 1 }
                        }
                        for output in outputs { names[output](value) }
                    }
                    let isAsync = kinds[index] == 0
                    switch (inputs.count, isAsync) {
                    case (1, false): join.when(names[inputs[0]]) { body($0) }.mayCompete()
                    case (1, true):
                        join.when(names[inputs[0]]) { x async throws in
                            await Task.yield(); body(x)
                        }.mayCompete()
                    case (2, false): join.when(names[inputs[0]], names[inputs[1]]) { x, y in body(x + y) }.mayCompete()
                    case (2, true):
                        join.when(names[inputs[0]], names[inputs[1]]) { x, y async throws in body(x + y) }.mayCompete()
                    case (_, false):
                        join.when(names[inputs[0]], names[inputs[1]], names[inputs[2]]) { x, y, z in body(x + y + z) }
                            .mayCompete()
                    case (_, true):
                        join.when(names[inputs[0]], names[inputs[1]], names[inputs[2]]) { x, y, z async throws in
                            await Task.yield()
                            body(x + y + z)
                        }.mayCompete()
                    }
                }
                return (names, join.definition)
            }
            self.reactions = reactions
            self.counts = counts
        }

        /// Injects from three tasks at once, one by one and many together.
        func inject(_ random: inout SplitMix) async throws {
            let plans = (0..<3).map { _ in
                (0..<40).map { _ in
                    (Int.random(in: 0..<molecules.count, using: &random), Int.random(in: 1...4, using: &random))
                }
            }
            await withTaskGroup(of: Void.self) { group in
                for plan in plans {
                    group.addTask {
                        for (molecule, copies) in plan {
                            counts.update { $0[molecule] += copies }
                            if copies == 1 {
                                molecules[molecule](1)
                            } else {
                                molecules[molecule].inject(contentsOf: 0..<copies)
                            }
                        }
                    }
                }
            }
        }
    }
}
