import ChemLibrary
import TestSupport
import Testing

/// When sequences end: as soon as nothing can come any more, and not before. Besides those of the suite Combine.
@Suite("Flow ends", .endsInTime)
struct FlowEndsTests {
    /// `b` is written by feedback only, and `d` hangs on `b`. In the same graph there is a source that has nothing to
    /// do with both.
    private struct Loop {
        let source = EventSource<Int>()
        let unrelated = EventSource<Int>()
        let b = Cell(initialValue: 0)
        let d = Cell(initialValue: 0)
        let graph: FlowGraph

        init(_ mode: FlowGraph.Mode) {
            let (source, unrelated, b, c, d) = (source, unrelated, b, Cell(initialValue: 0), d)
            graph = FlowGraph("loop", mode: mode) {
                let small = EventStream<Int>()
                (source --^ Cell(initialValue: 0), b) --^ (c, { $0 + $1 })
                c --| (small, { $0 < 5 }) --^ b --^ d
                unrelated --^ Cell(initialValue: 0)
            }
        }
    }

    @Test(
        "what hangs on feedback goes on when an unrelated source finishes, and ends with its own source",
        arguments: [FlowGraph.Mode.fused, .reference]
    )
    func feedbackOnly(mode: FlowGraph.Mode) async throws {
        let loop = Loop(mode)
        #expect(loop.graph.drawing.operators.contains { $0.outputs.contains { $0.isFeedback } })
        let (b, d) = (loop.b.updates, loop.d.updates)
        loop.source.send(1)
        loop.unrelated.finish()
        loop.source.send(2)
        loop.source.finish()
        #expect(await d.all() == loop.d.history.map(\.value))
        #expect(await b.all() == loop.b.history.map(\.value))
        #expect(loop.d.history.map(\.value) == [1, 2, 3, 4])  // 2 + 4 is too much
    }

    @Test("a cycle ends when all sources that lead to it have finished, after all that goes round in it, 50 times")
    func cycleEnds() async throws {
        for round in 1...50 {
            let (source, other) = (EventSource<Int>(), EventSource<Int>())
            let cell = Cell(initialValue: 0)
            let graph = FlowGraph("cycle") {
                let (start, second, next) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
                source >-- start
                other >-- second
                [start, second, next] --& cell
                cell --| (EventStream<Int>(), { $0 < 2_000 }) >-- (next, { $0 + 1 })
            }
            let values = cell.updates
            source.send(1)
            if round % 2 == 0 { try await graph.quiescence() }
            source.finish()
            other.send(1_990)
            other.finish()
            #expect(await values.all() == Array(1...2_000) + Array(1_990...2_000))
        }
    }

    @Test("a cell that nobody writes ends with the first source of its graph; a zip in a cycle ends too")
    func others() async throws {
        let (source, lone) = (EventSource<Int>(), Cell(initialValue: 7))
        (source --^ Cell(initialValue: 0), lone) --^ (Cell(initialValue: 0), +)
        let values = lone.values
        source.finish()
        #expect(await values.all() == [7])

        let (tick, back) = (EventSource<Int>(), EventStream<Int>())
        let sums = Cell(initialValue: 0)
        let graph = FlowGraph("zip") {
            let (ticks, start) = (EventStream<Int>(), EventStream<Int>())
            tick >-- ticks
            tick --| (start, { $0 == 1 })
            let merged = [start, back] --& Cell(initialValue: 0)
            (ticks, merged >-- EventStream<Int>()) --* (EventStream<Int>(), { $0 + $1 }) --^ sums >-- back
        }
        let all = sums.updates
        for number in 1...4 { tick.send(number) }
        tick.finish()
        #expect(await all.all() == [2, 4, 7, 11])
        #expect(graph.statistics.pending == 1)
    }

    @Test("a source that has finished costs the waves after it nothing, in a graph of 300 operators")
    func costOfEnds() async throws {
        let (done, busy) = (EventSource<Int>(), EventSource<Int>())
        let cells = (0..<300).map { _ in busy --^ Cell(initialValue: 0, limit: 1) }
        let end = done --^ Cell(initialValue: 0)
        let graph = FlowGraph("costs") {
            (end, cells[0]) --^ (Cell(initialValue: 0), +)
        }
        done.finish()
        try await busy.sendAndWait(0)
        let looks = graph.statistics.endLooks
        #expect(looks > 0)
        for number in 1...100 { try await busy.sendAndWait(number) }
        #expect(graph.statistics.endLooks == looks)
        #expect(cells.allSatisfy { $0.value == 100 })
    }

    @Test("a zip whose stream has finished is looked at again when the last of its values is taken, and not before")
    func costOfZips() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let pairs = (a >-- EventStream<Int>(), b >-- EventStream<Int>()) --* (EventStream<Int>(), { $0 * 1_000 + $1 })
        let cell = pairs --^ Cell(initialValue: 0)
        let values = cell.updates
        for number in 1...50 { a.send(number) }
        a.finish()
        try await b.sendAndWait(1)
        let looks = cell.graph.statistics.endLooks
        for number in 2...49 { try await b.sendAndWait(number) }
        #expect(cell.graph.statistics.endLooks == looks)
        try await b.sendAndWait(50)
        #expect(cell.graph.statistics.endLooks > looks)
        #expect(await values.all() == (1...50).map { $0 * 1_001 })  // and it has ended, although `b` hasn't
    }

    @Test("Many nested transactions in one take linear time, and one that throws takes back what it has sent")
    func nestedTransactions() async throws {
        let source = EventSource<Int>()
        let other = EventSource<Int>()
        let cell = source.merge(with: other).cell(0)
        let graph = cell.graph
        let time = ContinuousClock().measure {
            graph.transaction { for number in 1...50_000 { graph.transaction { source.send(number) } } }
        }
        try await graph.quiescence()
        #expect(cell.value == 50_000)
        // A bound that a busy machine keeps, too.
        #expect(time < .seconds(200), "\(time)")
        struct Broken: Error {}
        graph.transaction {
            source.send(1)
            graph.transaction { source.send(2) }
            try? graph.transaction {
                graph.transaction { source.send(3) }
                source.send(4)
                throw Broken()
            }
        }
        try await graph.quiescence()
        #expect(cell.value == 2)
        graph.transaction {
            source.send(5)
            try? graph.transaction {
                try? graph.transaction {
                    source.send(6)
                    throw Broken()
                }
                graph.transaction { source.send(7) }
                throw Broken()
            }
            graph.transaction {}
        }
        try await graph.quiescence()
        #expect(cell.value == 5)
    }
}
