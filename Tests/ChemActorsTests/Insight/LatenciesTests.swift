import ChemBase
import Synchronization
import TestSupport
import Testing

@testable import ChemActors

@Suite("Latencies", .endsInTime)
struct LatenciesTests {
    @Test("Classes follow one another without a gap, and are an eighth wide at most")
    func classes() {
        var next: UInt64 = 0
        for index in 0...343 {
            let longest = UInt64(Latencies.longest(ofClass: index))
            #expect(Latencies.class(of: next) == index && Latencies.class(of: longest) == index)
            #expect((longest - next) * 8 <= next)
            next = longest + 1
        }
        #expect(Latencies.class(of: next) == 343 && Latencies.class(of: .max) == 343)
    }

    @Test("A quantile is never too short, and an eighth too long at most, in 200 seeds")
    func quantiles() throws {
        for seed in UInt64(1)...200 {
            var random = SplitMix(state: seed)
            var latencies = Latencies()
            var all: [UInt64] = []
            let widest = Int.random(in: 1...40, using: &random)
            for _ in 0..<Int.random(in: 1...500, using: &random) {
                let time = UInt64.random(
                    in: 0..<1 << UInt64.random(in: 1...UInt64(widest), using: &random),
                    using: &random
                )
                latencies.add(nanoseconds: time)
                all.append(time)
            }
            all.sort()
            #expect(latencies.count == all.count)
            for fraction in [-1, 0, 0.01, 0.5, 0.9, 0.99, 1, 7] {
                let rank = max(1, Int((min(max(fraction, 0), 1) * Double(all.count)).rounded(.up)))
                let exact = Duration.nanoseconds(all[rank - 1])
                let told = try #require(latencies.quantile(fraction))
                #expect(told >= exact && told <= exact * 9 / 8, "seed \(seed), \(fraction)")
            }
        }
        #expect(Latencies().quantile(0.5) == nil)
    }

    @Test("Sums and differences are as if counted at once, in 200 seeds")
    func sums() {
        for seed in UInt64(1)...200 {
            var random = SplitMix(state: seed)
            var parts = [Latencies(), Latencies(), Latencies()]
            var whole = Latencies()
            for _ in 0..<Int.random(in: 0...100, using: &random) {
                let time = UInt64.random(in: 0..<1 << UInt64.random(in: 1...45, using: &random), using: &random)
                let times = Int.random(in: 1...64, using: &random)
                parts[Int.random(in: 0..<3, using: &random)].add(nanoseconds: time, times: times)
                whole.add(nanoseconds: time, times: times)
            }
            var sum = Latencies()
            for part in parts { sum += part }
            var rest = parts[1]
            rest += parts[2]
            let difference = sum.since(parts[0])
            #expect(sum.count == whole.count && difference.count == rest.count, "seed \(seed)")
            for percent in 0...100 {
                let fraction = Double(percent) / 100
                #expect(sum.quantile(fraction) == whole.quantile(fraction), "seed \(seed)")
                #expect(difference.quantile(fraction) == rest.quantile(fraction), "seed \(seed)")
            }
        }
    }

    // MARK: Of a machine

    private struct Desk {
        let ask: FastMolecule<Int, Int>
        let answer: SlowMolecule<Int>
        let work: SlowMolecule<Duration>
        let rest: SlowMolecule<Duration>
    }

    private func desk(_ machine: ChemicalMachine) -> Desk {
        let (ask, answer, work, rest) = machine.define("desk") { join in
            let (ask, answer) = (join.fast("ask", of: Int.self, returning: Int.self), join.slow("answer", of: Int.self))
            let (work, rest) = (join.slow("work", of: Duration.self), join.slow("rest", of: Duration.self))
            join.answer(ask, with: answer) { $0 + $1 }
            join.when(work) { time in
                let end = ContinuousClock.now + time
                while ContinuousClock.now < end {}
            }
            join.when(rest) { time async throws in try await Task.sleep(for: time) }
            return (ask, answer, work, rest)
        }
        return Desk(ask: ask, answer: answer, work: work, rest: rest)
    }

    private func machine() -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil))
    }

    @Test("Nothing is measured before somebody asks")
    func notBefore() async throws {
        let machine = machine()
        let desk = desk(machine)
        desk.rest(.milliseconds(1))
        try await machine.quiescence()
        let census = machine.census()
        #expect(census.groups.allSatisfy { $0.bodies.count == 0 && $0.waits.count == 0 })
        withExtendedLifetime(desk) {}
    }

    @Test("How long bodies ran is known: of asynchronous ones each, of short ones all by their samples")
    func bodies() async throws {
        let machine = machine()
        let desk = desk(machine)
        _ = machine.census()
        desk.rest(.milliseconds(5))
        try await machine.quiescence()
        let rested = machine.census().groups[0].bodies
        #expect(rested.count == 1)
        #expect(try #require(rested.quantile(1)) >= .milliseconds(5))
        for _ in 0..<1 + 64 * 3 { desk.work(.zero) }
        try await machine.quiescence()
        // Each that was found to be long, because the thread lost its core, counts for itself.
        let worked = machine.census().groups[0].bodies.since(rested)
        #expect(worked.count >= 1 && worked.count <= 1 + 64 * 3)
        withExtendedLifetime(desk) {}
    }

    @Test("Of many short bodies, the samples stand for all")
    func samples() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil))
        _ = machine.census()
        let tick = machine.define("clock") { join in
            let tick = join.slow("tick")
            join.when(tick) { _ in }
            return tick
        }
        for _ in 0..<64 * 100 + 1 { tick() }
        try await machine.quiescence()
        let bodies = machine.census().groups[0].bodies
        #expect(bodies.count > 64 && bodies.count <= 64 * 100 + 1)
        withExtendedLifetime(tick) {}
    }

    @Test("How long calls waited is known, also after their definition has dissolved")
    func waits() async throws {
        let machine = machine()
        _ = machine.census()
        try await waitAndDissolve(machine)
        try await until { machine.undissolved.isEmpty }
        let group = try #require(machine.census().groups.first)
        #expect(group.definitions == 0 && group.dissolved == 1)
        #expect(group.waits.count == 1)
        #expect(try #require(group.waits.quantile(0)) >= .milliseconds(5))
    }

    private func waitAndDissolve(_ machine: ChemicalMachine) async throws {
        let desk = desk(machine)
        let call = Task { try await desk.ask(1) }
        try await until { machine.census().waitingCalls == 1 }
        try await Task.sleep(for: .milliseconds(5))
        desk.answer(2)
        let sum = try await call.value
        #expect(sum == 3)
        // Answered at once, and withdrawn: neither has waited for a reaction.
        desk.answer(2)
        _ = try await desk.ask(1)
        await #expect(throws: CallError.self) { try await desk.ask(1, within: .milliseconds(1)) }
    }
}
