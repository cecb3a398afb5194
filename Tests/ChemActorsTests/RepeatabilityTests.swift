import ChemActors
import TestSupport
import Testing

/// What equal seeds need to give equal runs: whoever waits is told in the order of coming, and nothing bypasses the
/// executor.
@Suite("Repeatability", .endsInTime)
struct RepeatabilityTests {
    private static let count = 40

    /// Everything on one thread, in the order in which it was enqueued.
    private func machine(_ reporter: @escaping @Sendable (ChemicalEvent) -> Void = { _ in }) -> ChemicalMachine {
        ChemicalMachine(.init(seed: 1, executor: SerialExecutor(), reporter: reporter, patience: nil))
    }

    @Test("Signals of quiet are sent in the order in which they were asked for")
    func signals() async throws {
        let machine = machine()
        let order = Guarded<[Int]>([])
        let (job, definition) = machine.define("source") { join in
            let job = join.slow("job")
            join.when(job) { _ in }
            return (job, join.definition)
        }
        let targets = (0..<Self.count).map { number in
            machine.define("target \(number)") { join in
                let told = join.slow("told")
                join.when(told) { _ in order.append(number) }
                return told
            }
        }
        definition.pause()
        job()
        for target in targets { definition.signalQuiescence(to: target) }
        definition.resume()
        try await machine.quiescence()
        #expect(order.now == Array(0..<Self.count))
    }

    @Test("Those who wait for quiet are told in the order in which they came")
    func waiters() async throws {
        let executor = SerialExecutor()
        let machine = ChemicalMachine(.init(seed: 1, executor: executor))
        let order = Guarded<[Int]>([])
        let (job, definition) = machine.define("source") { join in
            let job = join.slow("job")
            join.when(job) { _ in }
            return (job, join.definition)
        }
        definition.pause()
        job()
        let tasks = (0..<Self.count).map { number in
            Task(executorPreference: executor) {
                try await definition.quiescence()
                order.append(number)
            }
        }
        // Comes behind them.
        await Task(executorPreference: executor) { definition.resume() }.value
        for task in tasks { try await task.value }
        #expect(order.now == Array(0..<Self.count))
    }

    @Test("What a dissolved definition held is disposed of in the order of its molecules, and of the calls in them")
    func dissolution() async throws {
        let reported = Guarded<[String]>([])
        let machine = machine { event in
            if case .dissolvedWithMolecules(let name, _, _) = event.kind { reported.append(name) }
        }
        let released = Guarded<[Int]>([])
        let living = Living()
        var kept: [SlowMolecule<Payload>] = machine.define("dissolving") { join in
            let names = (0..<Self.count).map { join.slow("m\($0)", of: Payload.self) }
            join.when(all: names + [join.slow("never", of: Payload.self)]) { _ in }
            return names
        }
        for number in (0..<Self.count).reversed() { kept[number](Payload(living) { released.append(number) }) }
        kept = []
        await living.areGone()
        try await machine.quiescence()
        #expect(reported.now == (0..<Self.count).map { "m\($0)" })
        #expect(released.now == Array(0..<Self.count))
    }

    @Test("Replies that a scope revokes when it closes are revoked in the order in which they were taken")
    func revocations() async throws {
        let executor = SerialExecutor()
        let order = Guarded<[Int]>([])
        let kept = Guarded<[Reply<Int, Int>]>([])
        let tasks = Guarded<[Task<Void, Never>]>([])
        // That they aren't answered is meant.
        try await withChemicalMachine(.init(seed: 1, executor: executor, reporter: { _ in })) { machine in
            let ask = Join.define("keeper") { join in
                let ask = join.fast("ask", of: Int.self, returning: Int.self, order: .oldestFirst)
                join.when(ask) { reply in kept.append(reply) }
                return ask
            }
            for number in 0..<Self.count {
                tasks.append(
                    Task.detached(executorPreference: executor) {
                        if await ControlProbe.code(of: { _ = try await ask(number) }) == .revoked {
                            order.append(number)
                        }
                    }
                )
            }
            try await ControlProbe.until("all are taken") { kept.now.count == Self.count }
        }
        for task in tasks.now { await task.value }
        #expect(kept.now.map(\.value) == Array(0..<Self.count))
        #expect(order.now == Array(0..<Self.count))
    }

    @Test("A call whose time is up on a machine with an executor is withdrawn when the executor gets to it, not before")
    func timeoutOnExecutor() async throws {
        let executor = SeededExecutor(seed: 1)
        let machine = ChemicalMachine(.init(seed: 1, executor: executor))
        let (ask, item, definition) = machine.define("slot") { join in
            let (ask, item) = (join.fast("ask"), join.slow("item"))
            join.answer(ask, with: item) { _, _ in }
            return (ask, item, join.definition)
        }
        var withdrawn = 0
        // If the time is up before the executor has been left alone, that proves nothing.
        while true {
            let call = Task.detached(executorPreference: executor) {
                await ControlProbe.code { try await ask(within: .milliseconds(5)) }
            }
            while definition.statistics.molecules["ask"]?.injected == withdrawn { executor.runOne() }
            let waits = definition.statistics.waitingCalls == 1
            if waits {
                try await ControlProbe.until("the timer goes off") { executor.hasJobs || machine.pendingDeadlines == 0 }
                #expect(definition.statistics.waitingCalls == 1)
                #expect(definition.statistics.molecules["ask"]?.withdrawn == withdrawn)
            }
            try await ControlProbe.until("it is withdrawn") {
                executor.drain()
                return definition.statistics.molecules["ask"]?.withdrawn == withdrawn + 1
            }
            executor.drain()
            #expect(await call.value == .timedOut)
            withdrawn += 1
            if waits { break }
        }
        withExtendedLifetime(item) {}
    }
}
