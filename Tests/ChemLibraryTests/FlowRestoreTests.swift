import ChemLibrary
import Foundation
import TestSupport
import Testing

/// Going back in time: besides F30 of the suite Streams.
@Suite("Flow restores", .endsInTime)
struct FlowRestoreTests {
    /// `double` is inner, `sum` is written by two operators' results.
    private struct Doubling: Mall {
        let a = MallInput(1)
        let b = MallInput(2)
        let recent = ValuesCache<Int>(limit: 10)
        private let double = MallStore(0)
        let sum = MallOutput(0)

        func prepareDataOpsGraph() -> [DataOp] {
            op {
                a>!
                compute { (a: Int) in a * 2 }
                ~>double
            }
            op {
                double>!
                b>!
                compute { (double: Int, b: Int) in double + b }
                ~>sum
            }
            op {
                sum>!
                compute { (sum: Int) in sum }
                ~>recent
            }
        }
    }

    @Test("a mall that remembers gives all its stores back, inner ones too, and goes on from there")
    func mall() async throws {
        let mall = Doubling()
        let graph = mall.open(history: 10)
        try await mall.a.sendAndWait(10)
        let then = FlowTime.now
        try await mall.a.sendAndWait(20)
        try await mall.b.sendAndWait(100)
        let values = mall.sum.values
        try await graph.restore(at: then)
        #expect(mall.sum.value == 22 && mall.recent.value == 22)
        try await mall.b.sendAndWait(3)  // with the inner store of then
        #expect(mall.sum.value == 23)
        try await graph.restore(at: .distantPast)
        #expect(mall.sum.value == 0 && mall.recent.value == nil)
        graph.finish()
        #expect(await values.all() == [140, 22, 23, 0])
    }

    @Test("a mall that remembers nothing refuses, and changes nothing, not even its caches")
    func forgetfulMall() async throws {
        let mall = Doubling()
        let graph = mall.open()
        let start = FlowTime.now
        try await graph.restore(at: start)  // nothing has changed
        try await mall.a.sendAndWait(10)
        let error = await #expect(throws: FlowError.self) { try await graph.restore(at: start) }
        #expect(error?.code == .forgotten)
        #expect(error.map { "\($0)".contains("history:") } == true)
        #expect(mall.sum.value == 22 && mall.recent.cached == [22])
    }

    @Test("values that wait in zips are dropped, and pairing begins anew; so do those of a mall")
    func zips() async throws {
        let (a, b, c) = (EventSource<Int>(), EventSource<Int>(), EventSource<Int>())
        let (sa, sb, sc) = (a >-- EventStream<Int>(), b >-- EventStream<Int>(), c >-- EventStream<Int>())
        let two = (sa, sb) --* (EventStream<[Int]>(), { [$0, $1] }) --^ Cell(initialValue: [])
        let three = (sa, sb, sc) --* (EventStream<[Int]>(), { [$0, $1, $2] }) --^ Cell(initialValue: [])
        let start = FlowTime.now
        for number in 1...3 { try await a.sendAndWait(number) }
        try await b.sendAndWait(10)
        try await two.graph.restore(at: start)
        try await two.graph.quiescence()
        #expect(two.graph.statistics.pending == 0 && two.value == [])
        #expect(two.graph.statistics.droppedByRestoring == 6)  // 2 and 3; of the zip of three 1, 2, 3, and 10
        for source in [b, c, a] { try await source.sendAndWait(7) }
        #expect(two.value == [7, 7] && three.value == [7, 7, 7] && two.graph.statistics.pending == 0)

        let (x, y, t, result) = (MallInput(1), MallInput(2), MallInput(0), MallOutput([Int]()))
        let mall = TestMall {
            DataOp {
                x>%
                y>%
                t>!
                compute { (x: Int, y: Int, t: Int) in [x, y, t] }
                ~>result
            }
        }
        let graph = mall.open(history: 100)
        let before = FlowTime.now
        try await x.sendAndWait(10)
        try await y.sendAndWait(20)
        try await x.sendAndWait(30)
        try await graph.restore(at: before)
        try await t.sendAndWait(1)
        #expect(result.value == [1, 2, 1])  // what zips have delivered last is that of then, too
        try await y.sendAndWait(40)
        #expect(result.value == [1, 2, 1])  // the 30 doesn't wait any more
        try await x.sendAndWait(50)
        #expect(result.value == [50, 40, 1])
    }

    @Test("several graphs are restored together, or none of them is")
    func several() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<String>())
        let (number, text) = (a --^ Cell(initialValue: 0), b --^ Cell(initialValue: "", limit: 2))
        try await a.sendAndWait(1)
        try await b.sendAndWait("one")
        let then = FlowTime.now
        try await a.sendAndWait(2)
        try await b.sendAndWait("two")
        try await FlowGraph.restore([a.graph, b.graph, a.graph], at: then)
        #expect(number.value == 1 && text.value == "one")
        #expect(number.history.map(\.value) == [1, 2, 1])
        try await a.sendAndWait(3)
        try await b.sendAndWait("three")
        let error = await #expect(throws: FlowError.self) {
            try await FlowGraph.restore([a.graph, b.graph], at: then)
        }
        #expect(error?.code == .forgotten)
        #expect(number.value == 3 && text.value == "three")
    }

    @Test(
        "a history can be kept beyond the process: a cell goes on where another one has ended, at times that were kept"
    )
    func kept() async throws {
        struct Event: Codable {
            let time: FlowTime
            let value: Int
        }
        let data: Data
        let then: FlowTime
        do {
            let source = EventSource<Int>()
            let cell = source --^ Cell(initialValue: 0)
            for number in [5, 6, 7] { try await source.sendAndWait(number) }
            then = cell.history[1].time
            data = try JSONEncoder().encode(cell.history.map { Event(time: $0.time, value: $0.value) })
        }
        let saved = try JSONDecoder().decode([Event].self, from: data)
        #expect(saved[1].time == then)
        let source = EventSource<Int>()
        let history = saved.map { (time: $0.time, value: $0.value) }
        let cell = source --^ Cell(initialValue: 0, history: history)
        let double = (cell, cell) --^ (Cell(initialValue: 0), +)
        let (held, short) = (Cell(initialValue: 0, history: history), Cell(initialValue: 0, history: history, limit: 2))
        (cell, cell) --^ (held, *)
        #expect(cell.value == 7 && cell.initialValue == 0 && cell.valueAt(then) == 6)
        #expect(double.value == 14 && held.value == 7)
        #expect(short.lookup(at: saved[0].time) == .evicted && short.lookup(at: then) == .exact(6))
        try await source.sendAndWait(8)
        #expect(cell.history.map(\.value) == [5, 6, 7, 8] && cell.history[3].time > cell.history[2].time)
        #expect(held.value == 64)
        try await cell.graph.restore(at: then)
        #expect(cell.value == 6 && held.value == 6)
    }

    @Test("a cell that continues one that has forgotten events doesn't claim to know them, nor gives them back")
    func keptInPart() async throws {
        let start = FlowTime.now
        let source = EventSource<Int>()
        let (all, short) = (source --^ Cell(initialValue: 0), source --^ Cell(initialValue: 0, limit: 2))
        for number in 1...2 { try await source.sendAndWait(number) }
        let early = short.history
        #expect(short.forgottenSince == nil)
        for number in 3...4 { try await source.sendAndWait(number) }
        let times = all.history.map(\.time)
        #expect(short.forgottenSince == times[0] && all.forgottenSince == nil)

        let others = EventSource<Int>()
        let again = Cell(initialValue: 0, history: short.history, forgottenSince: short.forgottenSince, limit: 2)
        others --^ again
        #expect(again.lookup(at: start) == .exact(0) && again.lookup(at: times[2]) == .exact(3))
        #expect(again.lookup(at: times[0]) == .evicted && again.lookup(at: times[1]) == .evicted)
        let error = await #expect(throws: FlowError.self) { try await again.graph.restore(at: times[1]) }
        #expect(error?.code == .forgotten && again.value == 4)
        try await others.sendAndWait(5)
        #expect(again.forgottenSince == times[0] && again.lookup(at: times[2]) == .evicted)
        try await again.graph.restore(at: start)
        #expect(again.value == 0)

        // The first event was still there when the history was read, so nothing before it is unknown.
        let whole = Cell(initialValue: 0, history: early, forgottenSince: short.forgottenSince)
        #expect(whole.forgottenSince == nil && whole.lookup(at: times[0]) == .exact(1))
    }

    @Test("times are those of the wall's clock; events that come from the future push the graph's time ahead")
    func times() async throws {
        let now = Date().timeIntervalSince1970
        #expect(abs(Double(FlowTime.now.nanoseconds) / 1e9 - now) < 600)
        let later = FlowTime.now.advanced(by: 3_600_000_000_000)
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0, history: [(time: later, value: 1)])
        try await source.sendAndWait(2)
        #expect(cell.history[1].time > later && cell.valueAt(later) == 1)
    }

    @Test("a history whose times don't increase stops the program")
    func disorder() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let time = FlowTime.now
            _ = Cell(initialValue: 0, history: [(time: time, value: 1), (time: time, value: 2)])
        }
        expectMessage(result, "times of a cell's history increase strictly")
    }
}
