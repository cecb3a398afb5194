import ChemLibrary
import TestSupport
import Testing

/// Random graphs under eight senders at once. A failure names its seed; `Soak` says how to run that one alone, or many
/// more.
@Suite("Flow under many senders", .timeLimit(.minutes(120)))
struct FlowStormTests {
    @Test(
        "What eight tasks send at once happens wave by wave: the histories are those of the model in one order",
        arguments: [FlowGraph.Mode.fused, .reference]
    )
    func manySenders(mode: FlowGraph.Mode) async throws {
        for seed in Soak.seeds(100, soak: 20_000) {
            var random = Random(seed: seed)
            let wiring = Wiring(&random)
            let engine = Engine(wiring, mode, &random)
            let scripts = (0..<8).map { task in
                // The value says who sent it, and when.
                wiring.script(&random).enumerated().map { number, step in
                    step.map { (source: $0.source, value: task * 100 + number) }
                }
            }
            await withDiscardingTaskGroup { group in
                for (task, script) in scripts.enumerated() {
                    group.addTask {
                        for (number, step) in script.enumerated() {
                            if step.count == 1, number % 2 == 0 {
                                engine.sources[step[0].source]!.send(step[0].value)
                            } else {
                                engine.graph.transaction {
                                    for (source, value) in step { engine.sources[source]!.send(value) }
                                }
                            }
                            if (task + number) % 3 == 0 { await Task.yield() }
                        }
                    }
                }
            }
            try await engine.graph.quiescence()
            let waves = engine.waves
            let expected = Model(wiring).run(waves)
            #expect(engine.histories == expected, "seed \(seed): \(wiring), \(waves)")
            // Nothing lost, nothing twice, each task's steps whole and in their order.
            for (task, script) in scripts.enumerated() {
                let own = waves.filter { $0[0].value / 100 == task }
                #expect(own.map { $0.map(\.value) } == script.map { $0.map(\.value) }, "seed \(seed), task \(task)")
                #expect(own.map { $0.map(\.source) } == script.map { $0.map(\.source) }, "seed \(seed), task \(task)")
            }
            #expect(waves.count == 64, "seed \(seed)")
        }
    }

    @Test("A graph that is cancelled under eight senders ends: no sender waits for ever, and nothing is kept")
    func cancelledUnderSenders() async throws {
        final class Kept: Sendable {}
        for seed in Soak.seeds(100, soak: 20_000) {
            weak var kept: Kept?
            do {
                let object = Kept()
                kept = object
                let source = EventSource<Int>(capacity: 3)
                let cell = Cell(initialValue: 0)
                let graph = FlowGraph("storm") {
                    source --^ (cell, { value in withExtendedLifetime(object) { value } })
                }
                await withDiscardingTaskGroup { group in
                    for task in 0..<8 {
                        group.addTask {
                            for number in 1...20 {
                                if (task + number) % 2 == 0 {
                                    source.send(number)
                                } else {
                                    do { try await source.sendWhenRoom(number) } catch { return }
                                }
                            }
                        }
                    }
                    group.addTask {
                        for _ in 0..<(seed % 30) { await Task.yield() }
                        await graph.cancel()
                    }
                }
                #expect(!source.sendIfRoom(1), "seed \(seed)")
                #expect(cell.history.count <= 160, "seed \(seed)")
            }
            try await waitUntilGone { kept == nil }
        }
    }
}

extension Engine {
    /// What the sources have sent, wave by wave.
    var waves: [[(source: Int, value: Int)]] {
        let all = arrivals.flatMap { source, cell in
            cell.history.map { (time: $0.time, source: source, value: $0.value) }
        }
        return Dictionary(grouping: all, by: \.time).sorted { $0.key < $1.key }
            .map { $0.value.sorted { $0.source < $1.source }.map { ($0.source, $0.value) } }
    }
}
