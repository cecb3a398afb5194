import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What goes beyond the seed.
extension StreamsTests {
    @Test("one source that reaches a cell on two ways updates it once; of a merge the last stream of the array counts")
    func sameSource() async throws {
        for isReversed in [false, true] {
            let source = EventSource<Int>()
            let (a, b) = (EventStream<Int>(), EventStream<Int>())
            let (long, merged) = (EventStream<Int>(), Cell(initialValue: 0))
            let (left, right) = (Cell(initialValue: 0), Cell(initialValue: 0))
            let sum = Cell(initialValue: 0)
            let wirings: [() -> Void] = [
                { source >-- (long, { $0 }) >-- (a, { $0 * 3 }) },
                { source >-- (b, { $0 * 5 }) },
                { [a, b] --& merged },
                { (left, right) --^ (sum, { $0 * 100 + $1 }) },
                { a --^ left },
                { b --^ right },
            ]
            for wire in isReversed ? wirings.reversed() : wirings { wire() }
            let (merges, sums) = (merged.probe(), sum.probe())
            source.send(1)
            source.send(2)
            try await source.graph.quiescence()
            #expect(merges.values == [5, 10])
            #expect(sums.values == [305, 610])
        }
    }

    @Test("reading seals nothing: what is wired afterwards belongs to the graph")
    func reading() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 3)
        #expect(cell.value == 3 && cell.initialValue == 3 && cell.history.isEmpty)
        #expect(cell.valueAt(.now) == 3 && cell.lookup(at: .now) == .exact(3))
        let sum = (cell, cell) --^ (Cell(initialValue: 0), +)
        #expect(sum.value == 6)
        let probe = sum.probe()
        try await source.sendAndWait(4)
        #expect(probe.values == [8] && sum.value == 8 && cell.history.map(\.value) == [4])
    }

    @Test("initial values are right while threads read, wire and send at once, 50 times")
    func readingConcurrently() async throws {
        for round in 0..<50 {
            let source = EventSource<Int>()
            let cells = [source --^ Cell(initialValue: 1)] + (0..<30).map { _ in Cell(initialValue: 0) }
            for index in (1...30).reversed() { (cells[index - 1], Cell(constant: 1)) --^ (cells[index], +) }
            await withDiscardingTaskGroup { group in
                for _ in 0..<3 { group.addTask { #expect([31, 42].contains(cells[30].value), "round \(round)") } }
                group.addTask { source.send(12) }
            }
            try await source.graph.quiescence()
            #expect(cells[30].value == 42 && cells[30].initialValue == 31)
        }
    }

    @Test("wiring after the first send or subscription stops the program")
    func sealed() async {
        await #expect(processExitsWith: .failure) {
            let source = EventSource<Int>()
            source --^ Cell(initialValue: 0)
            source.send(1)
            source --^ Cell(initialValue: 1)
        }
        await #expect(processExitsWith: .failure) {
            let cell = Cell(initialValue: 0)
            _ = cell.updates
            cell --< (Outlet(), { _ in })
        }
    }

    @Test(
        "snapshot reads what was before the wave, from any number of cells, for each kind of trigger, and with a condition"
    )
    func snapshot() async throws {
        let (source, other) = (EventSource<Int>(), EventSource<Int>())
        let total = source --+ (Cell(initialValue: 100), { $0 + $1 })
        let held = other --^ Cell(initialValue: 0)
        let stream = EventStream<Int>()
        source >-- stream
        let (one, two, three, some) = (
            EventStream<[Int]>(), EventStream<[Int]>(), EventStream<[Int]>(), EventStream<[Int]>()
        )
        (source, total) --% (one, { [$0, $1] })
        (stream, (total, held)) --% (two, { [$0, $1, $2] })
        (total, held) --% (three, { [$0, $1] })
        (source, held) --% (some, { [$0, $1] }, where: { number, held in held > 5 && number > 1 })
        func probe(_ stream: EventStream<[Int]>) -> FlowProbe<[Int]> { (stream --^ Cell(initialValue: [])).probe() }
        let probes = [one, two, three, some].map(probe)
        source.send(1)
        other.send(7)
        source.send(2)
        try await source.graph.quiescence()
        #expect(probes[0].values == [[1, 100], [2, 101]])
        #expect(probes[1].values == [[1, 100, 0], [2, 101, 7]])
        #expect(probes[2].values == [[101, 0], [103, 7]])
        #expect(probes[3].values == [[2, 7]])
    }

    @Test("accumulate folds into the value before the wave, for each kind of trigger, and with a condition")
    func accumulate() async throws {
        let source = EventSource<Int>()
        let stream = EventStream<Int>()
        source >-- stream
        let scan = source --+ (Cell(initialValue: 10), { $0 + $1 })
        let fromStream = stream --+ (Cell(initialValue: ""), { $0 + "\($1)" })
        let fromCell = scan --+ (Cell(initialValue: 0), { $0 + $1 })
        let odd = source --+ (Cell(initialValue: 0), { $0 + $1 }, where: { _, number in number % 2 == 1 })
        let probe = scan.probe()
        for number in 1...4 { source.send(number) }
        try await source.graph.quiescence()
        #expect(probe.values == [11, 13, 16, 20])  // as in "22 Short Tests of Combine"
        #expect(fromStream.value == "1234" && fromCell.value == 60 && odd.value == 4)
        #expect(odd.history.count == 2)
    }

    @Test(
        "several that accumulate into one cell in one wave all count, in the order of declaration",
        arguments: [FlowGraph.Mode.fused, .reference]
    )
    func accumulateTogether(mode: FlowGraph.Mode) async throws {
        let (a, b, c) = (EventSource<Int>(), EventSource<Int>(), EventSource<Int>())
        let (total, text) = (Cell(initialValue: 0), Cell(initialValue: ""))
        let odd = Cell(initialValue: 100)
        let graph = FlowGraph("together", mode: mode) {
            a --+ (total, +)
            b --+ (total, +)
            a --+ (text, { "\($0)a\($1)" })
            c --^ (text, { "c\($0)" })
            b --+ (text, { "\($0)b\($1)" })
            a --+ (odd, +, where: { _, number in number % 2 == 1 })
            b --+ (odd, +, where: { sum, _ in sum % 2 == 1 })
        }
        try await graph.transactionAndWait {
            a.send(1)
            b.send(10)
        }
        #expect(total.value == 11 && text.value == "a1b10")
        #expect(odd.value == 111)  // the second condition sees what the first one has made
        try await graph.transactionAndWait {
            b.send(2)
            a.send(4)
            c.send(3)
        }
        #expect(total.value == 17 && text.value == "c3b2" && odd.value == 113)
        try await graph.transactionAndWait {
            a.send(2)
            b.send(1)
        }
        #expect(odd.value == 114)
        try await graph.transactionAndWait {
            a.send(2)
            b.send(1)
        }
        #expect(odd.history.map(\.value) == [111, 113, 114])
        #expect(total.history.map(\.value) == [11, 17, 20, 23])
    }

    @Test("what accumulates by feedback folds into what is there when its turn comes")
    func accumulateByFeedback() async throws {
        let source = EventSource<Int>()
        let total = Cell(initialValue: 0)
        let graph = FlowGraph("feedback") {
            let small = EventStream<Int>()
            source --+ (total, +)
            total --| (small, { $0 < 3 })
            small --+ (total, { total, _ in total + 1 })
            small --+ (total, { total, _ in total + 1 })
        }
        try await source.sendAndWait(1)
        #expect(graph.drawing.operators.count { $0.outputs.contains { $0.isFeedback } } > 0)
        // 1, then both add one to it, one after the other; 2 is small too, and sends for two more.
        #expect(total.history.map(\.value) == [1, 2, 3, 4, 5])
    }

    @Test("D10: the sample of snapshot compiles: cells are a tuple of their own, if there are several")
    func snapshotSample() async throws {
        let clicks = EventSource<Int>()
        let (position, color) = (Cell(initialValue: 1.5), Cell(initialValue: "red"))
        let strokes = EventStream<String>()
        (clicks, (position, color)) --% (strokes, { click, position, color in "\(click) \(position) \(color)" })
        let last = strokes --^ Cell(initialValue: "")
        try await clicks.sendAndWait(2)
        #expect(last.value == "2 1.5 red")
    }
}
