import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What dataflow systems of others can't, or not for sure: long cycles and chains, concurrent senders, ends in the
/// middle of something.
///
/// Their own tests are those of the suites Sodium, reactive-banana, Combine, and The 22.
@Suite("Flow", .endsInTime)
struct FlowTests {
    @Test("feedback of 100,000 values needs no stack, and can be limited")
    func fuel() async throws {
        func loop(_ maxFeedback: Int) -> (EventSource<Int>, Cell<Int>, FlowGraph) {
            let (source, cell) = (EventSource<Int>(), Cell(initialValue: 0, limit: 1))
            let graph = FlowGraph("loop", maxFeedback: maxFeedback) {
                let (start, back, next) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
                source >-- start
                [start, next] --& cell
                cell --| (back, { $0 < 100_000 }) >-- (next, { $0 + 1 })
            }
            return (source, cell, graph)
        }
        let (source, cell, graph) = loop(.max)
        try await source.sendAndWait(0)
        #expect(cell.value == 100_000 && graph.statistics.waves == 100_001)

        let (limited, end, small) = loop(10)
        let error = await #expect(throws: FlowError.self) { try await limited.sendAndWait(0) }
        #expect(error?.code == .feedbackLimit)
        #expect(end.value == 10 && small.statistics.feedbackDropped == 1)
        try await limited.sendAndWait(99_999)  // the graph lives on
        #expect(end.value == 100_000)
    }

    @Test("a chain of 10,000 operators is run without deep recursion")
    func longChain() async throws {
        let source = EventSource<Int>()
        var last = source >-- EventStream<Int>()
        for _ in 1...10_000 { last = last >-- (EventStream<Int>(), { $0 + 1 }) }
        let end = last --^ Cell(initialValue: 0)
        try await source.sendAndWait(0)
        #expect(end.value == 10_000)
    }

    // MARK: Concurrency

    @Test(
        "C1: 8,002 concurrent sends into a lift of two give 8,002 values, of which 8,001 have both; the last one has the last of both; 15 times"
    )
    func c1() async throws {
        for round in 1...15 {
            let (a, b) = (EventSource<Int>(), EventSource<Int>())
            let cellA = a --^ (Cell<Int?>(initialValue: nil, limit: 1), { Optional($0) })
            let cellB = b --^ (Cell<Int?>(initialValue: nil, limit: 1), { Optional($0) })
            let pair = (cellA, cellB) --^ (Cell<[Int?]>(initialValue: [], limit: 1), { [$0, $1] })
            let (all, allA, allB) = (pair.probe(), cellA.probe(), cellB.probe())
            a.send(0)
            b.send(0)
            await withDiscardingTaskGroup { group in
                for task in 1...8 {
                    group.addTask {
                        for number in 1...500 {
                            a.send(task * 1_000 + number)
                            b.send(task * 1_000 + number)
                        }
                    }
                }
            }
            try await pair.graph.quiescence()
            let values = all.values
            #expect(values.count == 8_002, "round \(round)")
            #expect(values.count { !$0.contains(nil) } == 8_001, "round \(round)")
            #expect(values.last == [allA.values.last!, allB.values.last!], "round \(round)")
            #expect(pair.value == values.last, "round \(round)")
        }
    }

    @Test("C3: two tasks send each other on what they get, from both sides, 10,000 rounds")
    func c3() async throws {
        let (ping, pong) = (EventSource<Int>(), EventSource<Int>())
        let (pings, pongs) = (
            ping --^ Cell(initialValue: 0, limit: 1), pong --^ Cell(initialValue: 0, limit: 1)
        )
        let (a, b) = (pings.updates, pongs.updates)
        let counts = FlowProbe<Int>()
        await withDiscardingTaskGroup { group in
            for (values, other) in [(a, pong), (b, ping)] {
                group.addTask {
                    var count = 0
                    for await number in values {
                        count += 1
                        if number > 1 { other.send(number - 1) }
                        if count == 10_000 { break }
                    }
                    counts.add(count)
                }
            }
            ping.send(10_000)
            pong.send(10_000)
        }
        // Each of the two was passed on until 1: 20,000 values, half of them on each side.
        #expect(counts.values == [10_000, 10_000])
        for cell in [pings, pongs] {
            try await cell.graph.quiescence()
            #expect(cell.graph.statistics.waves == 10_000)
        }
    }

    @Test("C7: after cancel nothing comes out any more, in the middle of a flood, 50 times")
    func c7() async throws {
        for _ in 0..<50 {
            let source = EventSource<Int>()
            let cell = source --^ Cell(initialValue: 0, limit: 1)
            let probe = cell.probe()
            let values = cell.updates
            await withDiscardingTaskGroup { group in
                for _ in 0..<3 { group.addTask { for number in 1...300 { source.send(number) } } }
                group.addTask { _ = await values.all() }  // ends
                group.addTask {
                    while probe.count < 20 { await Task.yield() }
                    await cell.graph.cancel()
                    let count = probe.count
                    source.send(1)
                    await Task.yield()
                    #expect(probe.count == count)
                }
            }
        }
    }

    @Test("C8: a slow subscriber: unbounded loses nothing, the latest one sees the end and knows what it has missed")
    func c8() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0, limit: 1)
        let (all, one, three) = (cell.updates, cell.updates(.latest(1)), cell.updates(.latest(3)))
        for number in 1...1_000 { source.send(number) }
        cell.graph.finish()
        try await cell.graph.quiescence()
        #expect(await all.all() == Array(1...1_000))
        let (last, lastThree) = (await one.all(), await three.all())
        // The buffers fill while they are read already, so more than the last ones may have been seen, each in its
        // turn.
        #expect(last.last == 1_000 && lastThree.suffix(3) == [998, 999, 1_000])
        #expect(last == last.sorted() && lastThree == lastThree.sorted())
        #expect(one.dropped == 1_000 - last.count && three.dropped == 1_000 - lastThree.count && all.dropped == 0)
    }

    @Test("cancel returns although a subscriber without room holds the graph back, and its sequence ends, 50 times")
    func cancelWithFullSubscriber() async throws {
        for _ in 0..<50 {
            let source = EventSource<Int>()
            let cell = source --^ Cell(initialValue: 0)
            let values = cell.updates(.suspending(1))
            for number in 1...5 { source.send(number) }
            #expect(await values.prefix(collecting: 1) == [1])
            await cell.graph.cancel()
            let rest = await values.all()
            #expect(rest == Array([2, 3, 4].prefix(rest.count)))
        }
    }

    @Test("a subscriber without room that is dropped lets the graph go on, 50 times")
    func droppedFullSubscriber() async throws {
        for _ in 0..<50 {
            let source = EventSource<Int>()
            let cell = source --^ Cell(initialValue: 0)
            func listen() async -> [Int] {
                let values = cell.updates(.suspending(1))
                for number in 1...5 { source.send(number) }
                return await values.prefix(collecting: 1)
            }
            #expect(await listen() == [1])
            try await cell.graph.quiescence()
            #expect(cell.value == 5 && cell.graph.statistics.subscribers == 0)
        }
    }

    @Test(
        "a source or graph that is finished in a transaction is finished behind its values, and not at all if it throws"
    )
    func finishInTransaction() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let sum = (a --^ Cell(initialValue: 0), b --^ Cell(initialValue: 0)) --^ (Cell(initialValue: 0), +)
        let values = sum.updates
        #expect(throws: Mishap.self) {
            try sum.graph.transaction {
                a.finish()
                throw Mishap()
            }
        }
        sum.graph.transaction {
            a.finish()
            a.send(1)
            b.send(2)
        }
        a.send(100)
        try await sum.graph.transactionAndWait {
            b.send(3)
            sum.graph.finish()
        }
        b.send(200)
        #expect(await values.all() == [3, 4])
        try await sum.graph.quiescence()
        #expect(sum.value == 4 && sum.graph.statistics.ignored == 2)
    }

    @Test("a sequence that has ended stays ended, also if values are restored")
    func restoreAfterEnd() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let values = cell.updates
        source.send(1)
        source.send(2)
        source.finish()
        #expect(await values.all() == [1, 2])
        try await cell.graph.restore(at: cell.history[0].time)
        #expect(cell.value == 1)
        for _ in 1...3 { #expect(await values.all() == []) }
    }

    @Test(
        "a waiting sender that is cancelled is withdrawn or served: its wave has run exactly if it says so, 200 times"
    )
    func cancelledSender() async throws {
        for round in 0..<200 {
            let source = EventSource<Int>()
            let cell = source --^ Cell(initialValue: 0, limit: 1)
            let probe = cell.probe()
            for number in 1...(round % 7 + 1) { source.send(-number) }
            let task = Task { try await source.sendAndWait(1) }
            if round % 3 == 0 { await Task.yield() }
            task.cancel()
            let isSent = (try? await task.value) != nil
            try await source.graph.quiescence()
            #expect(probe.values.contains(1) == isSent, "round \(round)")
        }
    }

    @Test("whoever waits when the graph is cancelled hears that it is deactivated, and no mishap is reported")
    func cancelWithWaitingSenders() async throws {
        let mishaps = Locked<[String]>([])
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(
                reporter: { event in mishaps.update { $0.append("\(event)") } },
                patience: nil
            )
        )
        let (input, output) = (MallInput(0), MallOutput(0))
        let (started, hold) = (Locked(false), AsyncGate())
        let mall = TestMall {
            DataOp {
                input>!
                compute { (x: Int) async -> Int in
                    started.update { $0 = true }
                    await hold.wait()
                    return x
                }
                ~>output
            }
        }
        let graph = mall.open(machine: machine)
        let waiting = (1...3).map { number in Task { try await input.sendAndWait(number) } }
        let transaction = Task { try await graph.transactionAndWait { input.send(4) } }
        try await eventually { started.value }
        let cancelling = Task { await graph.cancel() }
        for task in waiting + [transaction] {
            let error = await #expect(throws: CallError.self) { try await task.value }
            #expect(error?.code == .deactivated)
        }
        hold.open()
        await cancelling.value
        let error = await #expect(throws: CallError.self) { try await input.sendAndWait(5) }
        #expect(error?.code == .deactivated)
        #expect(!mishaps.value.contains { $0.contains("answer") }, "\(mishaps.value)")
    }

    @Test("an operator that waits for a wave of its own graph fails at once; sending, and waiting for others, it may")
    func waitingForItself() async throws {
        let (input, second, output) = (MallInput(0), MallInput(0), MallOutput([String]()))
        let (other, elsewhere) = (EventSource<Int>(), Cell(initialValue: 0))
        other --^ elsewhere
        let graph = Locked<FlowGraph?>(nil)
        let mall = TestMall {
            DataOp {
                input>!
                compute { (x: Int) async -> [String] in
                    func outcome(_ body: () async throws -> Void) async -> String {
                        do { try await body() } catch { return (error as? FlowError)?.code.description ?? "\(error)" }
                        return "fine"
                    }
                    let own = graph.value!
                    let alone = await outcome { try await second.sendAndWait(1) }
                    async let child = outcome { try await second.sendAndWait(2) }
                    let transaction = await outcome { try await own.transactionAndWait { second.send(3) } }
                    let restoring = await outcome { try await own.restore(at: .distantPast) }
                    let foreign = await outcome { try await other.sendAndWait(x) }
                    second.send(4)
                    return [alone, await child, transaction, restoring, foreign]
                }
                ~>output
            }
            DataOp {
                second>!
                compute { (x: Int) in x }
                ~>devNull
            }
        }
        graph.update { $0 = mall.open() }
        try await input.sendAndWait(7)
        let own = "waitsForItself"
        #expect(output.value == [own, own, own, own, "fine"])
        #expect(elsewhere.value == 7)
        try await second.sendAndWait(5)  // outside of the operator it is as always
    }

    @Test("a task that an operator has started may wait for a wave when the operator has ended")
    func waitingLater() async throws {
        let (input, second, output) = (MallInput(0), MallInput(0), MallOutput(0))
        let (task, hold) = (Locked<Task<Void, any Error>?>(nil), AsyncGate())
        let mall = TestMall {
            DataOp {
                input>!
                compute { (x: Int) async -> Int in
                    let later = Task {
                        await hold.wait()
                        try await second.sendAndWait(x)
                    }
                    task.update { $0 = later }
                    return x
                }
                ~>devNull
            }
            DataOp {
                second>!
                compute { (x: Int) in x }
                ~>output
            }
        }
        mall.open()
        try await input.sendAndWait(7)
        hold.open()
        try await task.value!.value
        #expect(output.value == 7)
    }

    @Test("a cancelled consumer ends, and its sequence goes on for others")
    func cancelledConsumer() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let values = cell.updates
        let task = Task { await values.all() }
        task.cancel()
        #expect(await task.value == [])
        source.send(1)
        #expect(await values.prefix(collecting: 1) == [1])
    }

    @Test("a graph can be drawn")
    func drawing() {
        let source = EventSource<Int>()
        let cell = Cell(initialValue: 0)
        let graph = FlowGraph("drawn") {
            let stream = EventStream<Int>()
            source --| (stream, { $0 > 0 }) --+ (cell, { $0 + $1 })
        }
        let drawing = graph.drawing
        #expect(drawing.nodes.map(\.role) == ["source", "cell", "stream"])
        #expect(drawing.operators.map(\.symbol) == ["--|", "--+"])
        #expect(drawing.operators[1].inputs.map(\.kind) == ["trigger", "previous"])
        #expect(drawing.mermaid.hasPrefix("flowchart TD\n"))
        #expect(drawing.mermaid.contains("n1 -. previous .-> o1"))
        #expect(drawing.dot.hasPrefix("digraph \"drawn\" {"))
        #expect("\(graph)".contains("n0 --| n2"))
        #expect(cell.graph === graph && source.graph === graph)
    }
}
