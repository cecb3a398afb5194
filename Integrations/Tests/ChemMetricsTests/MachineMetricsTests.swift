import ChemActors
import ChemMetrics
import CoreMetrics
import MetricsTestKit
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite(.timeLimit(.minutes(20)))
struct MachineMetricsTests {
    struct Flaw: Error {}

    let factory = TestMetrics()
    let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil))

    private func gauge(_ label: String, _ definition: String) -> Double? {
        factory.recorders(label: label).first { $0.dimensions.contains { $0 == ("definition", definition) } }?.lastValue
    }

    private func total(_ label: String, _ definition: String) -> Int64? {
        factory.counters(label: label).first { $0.dimensions.contains { $0 == ("definition", definition) } }?.totalValue
    }

    private func makeCounter(_ name: String) -> SlowMolecule<Bool> {
        machine.define(name) { join in
            let add = join.slow("add", of: Bool.self)
            join.when(add) { isGood in if !isGood { throw Flaw() } }
            return add
        }
    }

    @Test func gaugesSayWhatIsAndCountersWhatHasHappened() async throws {
        let add = makeCounter("counter")
        let metrics = MachineMetrics(machine, factory: factory)
        for isGood in [true, true, false] { add(isGood) }
        try await machine.quiescence()
        await metrics.report()
        #expect(gauge("chem_definitions", "counter") == 1)
        #expect(gauge("chem_calls_waiting", "counter") == 0)
        #expect(gauge("chem_longest_wait_seconds", "counter") == 0)
        #expect(total("chem_reactions_started", "counter") == 3)
        #expect(total("chem_reactions_failed", "counter") == 1)
        add(true)
        try await machine.quiescence()
        await metrics.report()
        await metrics.report()
        #expect(total("chem_reactions_started", "counter") == 4)
        #expect(total("chem_reactions_failed", "counter") == 1)
    }

    @Test func callsThatWaitAreSeen() async throws {
        let take = machine.define("box") { join in
            let (put, take) = (join.slow("put"), join.fast("take"))
            join.answer(take, with: put) { _, _ in }
            return take
        }
        let waiting = Task { try await take() }
        while machine.census().waitingCalls == 0 { await Task.yield() }
        await MachineMetrics(machine, factory: factory).report()
        #expect(gauge("chem_calls_waiting", "box") == 1)
        #expect(try #require(gauge("chem_longest_wait_seconds", "box")) > 0)
        waiting.cancel()
        _ = await waiting.result
    }

    private func quantile(_ label: String, _ fraction: String) -> Double? {
        factory.recorders(label: label).first { $0.dimensions.contains { $0 == ("quantile", fraction) } }?.lastValue
    }

    @Test func latenciesAreThoseSinceTheLastReport() async throws {
        let (put, take) = machine.define("box") { join in
            let (put, take) = (join.slow("put"), join.fast("take"))
            join.answer(take, with: put) { _, _ in }
            return (put, take)
        }
        let metrics = MachineMetrics(machine, factory: factory)
        await metrics.report()
        #expect(quantile("chem_call_wait_seconds", "0.99") == 0)
        let waiting = Task { try await take() }
        while machine.census().waitingCalls == 0 { await Task.yield() }
        try await Task.sleep(for: .milliseconds(3))
        put()
        try await waiting.value
        await metrics.report()
        #expect(try #require(quantile("chem_call_wait_seconds", "0.5")) >= 0.003)
        #expect(try #require(quantile("chem_call_wait_seconds", "0.99")) >= 0.003)
        await metrics.report()
        #expect(quantile("chem_call_wait_seconds", "0.99") == 0)
    }

    @Test func whatHasDissolvedIsCounted() async throws {
        let metrics = MachineMetrics(machine, factory: factory)
        await metrics.report()
        do {
            let add = makeCounter("short")
            add(true)
            try await machine.quiescence()
            await metrics.report()
            #expect(gauge("chem_definitions", "short") == 1)
        }
        while machine.census().definitions > 0 { await Task.yield() }
        await metrics.report()
        #expect(gauge("chem_definitions", "short") == 0)
        #expect(total("chem_definitions_dissolved", "short") == 1)
        #expect(total("chem_reactions_started", "short") == 1)
    }

    /// However many names a program makes up, so many series there are, and nothing is lost.
    @Test func namesBeyondTheLimitAreToldTogether() async throws {
        let counters = (0..<10).map { makeCounter("counter \($0)") }
        for add in counters { add(true) }
        try await machine.quiescence()
        let metrics = MachineMetrics(machine, limit: 3, factory: factory)
        await metrics.report()
        #expect(factory.recorders(label: "chem_definitions").count == 4)
        #expect(gauge("chem_definitions", "others") == 7)
        #expect(total("chem_reactions_started", "others") == 7)
        #expect(factory.counterTotal(label: "chem_reactions_started") == 10)
        for add in counters { add(true) }
        try await machine.quiescence()
        await metrics.report()
        #expect(factory.counterTotal(label: "chem_reactions_started") == 20)
        #expect(factory.recorders(label: "chem_definitions").count == 4)
    }

    /// Beyond a thousand names, a census counts dissolved definitions together: what was told before isn't told twice.
    @Test func definitionsOfManyNamesAreCountedOnceWhenTheyDissolve() async throws {
        // One that stays has the only series of its own: the counters of a series that ends are gone.
        let stays = makeCounter("counter")
        let metrics = MachineMetrics(machine, limit: 1, factory: factory)
        await metrics.report()
        var expected = 0
        for round in 0..<3 {
            var counters = (0..<600).map { makeCounter("counter \(round) \($0)") }
            // Two of one name, of which one dissolves before the other.
            counters += [makeCounter("twin \(round)"), makeCounter("twin \(round)")]
            for add in counters { add(true) }
            expected += counters.count
            try await machine.quiescence()
            await metrics.report()
            #expect(factory.counterTotal(label: "chem_reactions_started") == expected, "round \(round)")
            let twin = counters.removeLast()
            twin(true)
            twin(false)
            expected += 2
            try await machine.quiescence()
            counters = []
            while machine.census().definitions > 2 { await Task.yield() }
            await metrics.report()
            #expect(factory.counterTotal(label: "chem_reactions_started") == expected, "round \(round)")
            withExtendedLifetime(twin) {}
        }
        while machine.census().definitions > 1 { await Task.yield() }
        await metrics.report()
        await metrics.report()
        #expect(factory.counterTotal(label: "chem_reactions_started") == expected)
        #expect(factory.counterTotal(label: "chem_reactions_failed") == 3)
        #expect(factory.counterTotal(label: "chem_definitions_dissolved") == 3 * 602)
        withExtendedLifetime(stays) {}
    }

    @Test func oneWithoutDefinitionsMakesRoom() async throws {
        let metrics = MachineMetrics(machine, limit: 1, factory: factory)
        await metrics.report()
        do {
            let add = makeCounter("first")
            add(true)
            try await machine.quiescence()
            await metrics.report()
            #expect(gauge("chem_definitions", "first") == 1)
        }
        while machine.census().definitions > 0 { await Task.yield() }
        let add = makeCounter("second")
        add(true)
        try await machine.quiescence()
        await metrics.report()
        #expect(gauge("chem_definitions", "first") == nil)
        await metrics.report()
        #expect(gauge("chem_definitions", "second") == 1)
        withExtendedLifetime(add) {}
    }

    @Test func itReportsOnceMoreWhenTheServiceIsShutDown() async throws {
        let add = makeCounter("counter")
        let metrics = MachineMetrics(machine, every: .seconds(3600), factory: factory)
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await metrics.run() }
                while factory.counters(label: "chem_reactions_started").isEmpty { await Task.yield() }
                add(true)
                try await machine.quiescence()
                trigger.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
        #expect(total("chem_reactions_started", "counter") == 1)
    }

    @Test func mishapsAreCountedByKind() async throws {
        let counted = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: ChemicalEvent.count(in: factory, then: { _ in }), patience: nil)
        )
        let fail = counted.define("fragile") { join in
            let fail = join.slow("fail")
            join.when(fail) { _ in throw Flaw() }
            return fail
        }
        fail()
        fail()
        try await counted.quiescence()
        let counter = try factory.expectCounter(
            "chem_mishaps",
            [("definition", "fragile"), ("kind", "failedReaction")]
        )
        #expect(counter.totalValue == 2)
    }
}
