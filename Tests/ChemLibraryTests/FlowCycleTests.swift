import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Graphs with many cycles, each of which is cut at one edge.
@Suite("Cycles of flows", .endsInTime)
struct FlowCycleTests {
    /// Quadratic, this takes minutes.
    @Test("Many cycles behind one source, and many operators on one cell, are put in order in linear time")
    func many() async throws {
        let source = EventSource<Int>()
        var last = EventStream<Int>()
        for _ in 0..<5_000 {
            let (up, down) = (EventStream<Int>(), EventStream<Int>())
            source >-- up
            up --| (down, { $0 > 0 })
            down >-- (up, { $0 - 1 })
            last = up
        }
        let shown = Cell(initialValue: 7)
        last --^ shown
        try await source.sendAndWait(3)
        #expect(shown.value == 0)
    }

    @Test("Cycles that share nodes, and cycles within cycles, come to an end", arguments: 0..<200)
    func nested(seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let source = EventSource<Int>()
        let nodes = (0..<6).map { _ in EventStream<Int>() }
        source >-- nodes[0]
        let shown = Cell(initialValue: 7)
        for node in nodes { node --^ shown }
        for _ in 0..<10 {
            let (one, other) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))
            let small = EventStream<Int>()
            nodes[one] --| (small, { $0 > 0 })
            small >-- (nodes[other], { $0 - 1 })
        }
        try await source.sendAndWait(3)
        #expect(shown.value < 7)
    }

    @Test("Many subscribers and sinks of one store come, are told in their order, and leave in any order")
    func manyListeners() async throws {
        let input = MallInput(0)
        let store = MallStore(0)
        let graph = TestMall {
            DataOp {
                input>!
                compute { (x: Int) -> Int in x }
                ~>store
            }
        }.open()
        let told = Mailboxes.Log<Int>()
        var sinks = (0..<10).map { number in store.sink { if $0 > 0 { told.add(number) } } }
        var values = (0..<5_000).map { _ in store.values }
        try await input.sendAndWait(1)
        #expect(try await told.all() == Array(0..<10))
        #expect(graph.statistics.subscribers == 5_010)
        sinks.remove(at: 4).cancel()
        values.shuffle()
        values.removeLast(4_000)
        try await input.sendAndWait(2)
        #expect(try await told.all() == Array(0..<10) + [0, 1, 2, 3, 5, 6, 7, 8, 9])
        #expect(graph.statistics.subscribers == 1_009)
        withExtendedLifetime(values) {}
    }
}
