import ChemLibrary
import Foundation
import TestSupport
import Testing

/// What happens in corners of graphs: partners that have ended, transactions in the midst of which others run, and
/// histories that are read while they grow.
@Suite("Flow corners", .endsInTime)
struct FlowCornerTests {
    @Test("A zip that has lost a partner collects nothing", arguments: [FlowGraph.Mode.fused, .reference])
    func lonelyZip(mode: FlowGraph.Mode) async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let sum = Cell(initialValue: 0)
        let graph = FlowGraph("zip", mode: mode) { a.zip(with: b).map { $0 + $1 } --^ sum }
        for number in 1...3 { a.send(number) }
        a.finish()
        for number in 1...10 { b.send(number) }
        try await graph.quiescence()
        #expect(sum.history.map(\.value) == [2, 4, 6])
        #expect(graph.statistics.pending == 0)
    }

    /// Has a thread be inside of a send of 1, until the semaphore is signalled.
    private static func beInside(of source: EventSource<Int>) async -> DispatchSemaphore {
        let mayEnd = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                source.send(1) {
                    continuation.resume()
                    mayEnd.wait()
                }
            }
        }
        return mayEnd
    }

    @Test("Quiet comes after what waits for a thread that is inside of a send", .blocksThreads)
    func quietBehindAGroup() async throws {
        let source = EventSource<Int>()
        let total = source.scan(0, +)
        let graph = total.graph
        let mayEnd = await Self.beInside(of: source)
        source.send(2)
        async let quiet: Void = graph.quiescence()
        // It waits in the graph, behind the value.
        try await eventually { graph.statistics.waves == 1 }
        mayEnd.signal()
        try await quiet
        #expect(total.value == 3)
    }

    @Test("A graph that is cancelled while a thread is inside of a send is quiet", .blocksThreads)
    func cancelledBehindAGroup() async throws {
        let source = EventSource<Int>()
        let total = source.scan(0, +)
        let graph = total.graph
        let mayEnd = await Self.beInside(of: source)
        source.send(2)
        async let quiet: Void = graph.quiescence()
        await graph.cancel()
        try await quiet
        mayEnd.signal()
    }

    @Test("What a body on the main actor sends isn't part of the transaction in the midst of which it runs")
    @MainActor func bodiesInTransactions() async throws {
        let source = EventSource<Int>()
        let cell = source.cell(0)
        let graph = cell.graph
        let (tick, ui) = Join.define("ui", on: MainActor.self) { join in
            let tick = join.slow("tick")
            join.when(tick) { source.send(99) }
            return (tick, join.definition)
        }
        struct Refused: Error {}
        graph.transaction {
            source.send(3)
            tick()
        }
        try await ui.quiescence()
        try await graph.quiescence()
        #expect(cell.history.map(\.value).sorted() == [3, 99])
        try? graph.transaction {
            tick()
            throw Refused()
        }
        try await ui.quiescence()
        try await graph.quiescence()
        #expect(cell.history.map(\.value).sorted() == [3, 99, 99])
    }

    @Test("A value that a transaction puts off is no feedback")
    func noFeedback() async throws {
        let x = MallInput(0)
        let last = MallStore(0)
        let mall = TestMall {
            DataOp {
                x>!
                compute { (x: Int) in x }
                ~>last
            }
        }
        let graph = mall.open(maxFeedback: 0)
        try await graph.transactionAndWait {
            last.send(9)
            x.send(6)
        }
        #expect(last.value == 6)
        #expect(graph.statistics.feedbackDropped == 0)
    }

    @Test("A constant that is made in a body, and kept in a state, keeps no definition")
    func constantsInStates() async throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let present = Witness()
            witness = present
            let (set, definition) = Join.define("settings") { join in
                let set = join.slow("set", of: String.self)
                let unit = join.state("unit", Cell(constant: "mm"))
                join.when(set, updating: unit) { unit, text in
                    withExtendedLifetime(present) {}
                    unit = Cell(constant: text)
                }
                return (set, join.definition)
            }
            set("inch")
            try await definition.quiescence()
        }
        try await waitUntilGone { witness == nil }
    }

    @Test("An observed cell may be a constant")
    @MainActor func observedConstant() { #expect(ObservedCell(Cell(constant: 42)).value == 42) }

    @Test("A history is read without holes while the cell forgets", arguments: [700, 100_000])
    func historyOfAMovingCell(limit: Int) async throws {
        let source = EventSource<Int>()
        let cell = source.cell(0, limit: limit)
        let graph = cell.graph
        async let sending: Void = onThread {
            for number in 1...20_000 { source.send(number) }
        }
        for _ in 0..<200 {
            let values = cell.history.map(\.value)
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 + 1 == $1 })
            #expect(values.count <= limit)
            await Task.yield()
        }
        await sending
        try await graph.quiescence()
        #expect(cell.history.map(\.value) == Array((20_001 - min(limit, 20_000))...20_000))
        #expect(cell.initialValue == 0)
    }
}
