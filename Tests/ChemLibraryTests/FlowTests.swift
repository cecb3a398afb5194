import ChemActors
import ChemLibrary
import Testing

/// What other systems test, and what they can't: Sodium, reactive-banana, Combine and OpenCombine, "22 Short Tests of Combine".
@Suite("Flow", .timeLimit(.minutes(20)))
struct FlowTests {
    // MARK: Sodium

    @Test("Sodium, liftGlitch: a diamond gives one consistent value a wave")
    func sodiumGlitch() async throws {
        for mode in [FlowGraph.Mode.fused, .reference] {
            let source = Source<Int>()
            let result = Cell(initialValue: "")
            let graph = FlowGraph("glitch", mode: mode) {
                let a = source --^ Cell(initialValue: 1)
                let (three, five) = (Cell(initialValue: 3), Cell(initialValue: 5))
                // One way is longer than the other.
                a --^ (Cell(initialValue: 1), { $0 }) --^ (three, { $0 * 3 })
                a --^ (five, { $0 * 5 })
                (three, five) --^ (result, { "\($0) \($1)" })
            }
            let values = result.values
            source.send(2)
            source.finish()
            #expect(await values.all() == ["3 5", "6 10"])
            // Three maps of one cell, the lift, and the way in: five operators, each once.
            #expect(graph.statistics.recomputations == 5 && graph.statistics.waves == 1)
        }
    }

    @Test("Sodium, lift, mapC, values, updates, lateListen and listenTwice")
    func sodiumCells() async throws {
        let (sa, sb) = (Source<Int>(), Source<Int>())
        let (a, b) = (sa --^ Cell(initialValue: 1), sb --^ Cell(initialValue: 5))
        let both = (a, b) --^ (Cell(initialValue: ""), { "\($0) \($1)" })
        let values = both.values
        sa.send(12)
        sb.send(6)
        #expect(await values.prefix(collecting: 3) == ["1 5", "12 5", "12 6"])

        let source = Source<Int>()
        let cell = source --^ Cell(initialValue: 9)
        let (all, changes, twice) = (cell.values, cell.updates, cell.updates)
        source.send(2)
        source.send(7)
        #expect(await all.prefix(collecting: 3) == [9, 2, 7])
        #expect(await changes.prefix(collecting: 2) == [2, 7])
        #expect(await twice.prefix(collecting: 2) == [2, 7])
        let late = cell.values
        source.send(8)
        #expect(await late.prefix(collecting: 2) == [7, 8])
    }

    @Test("Sodium, snapshot, holdIsDelayed, gate, filter, filterNotNull")
    func sodiumStreams() async throws {
        let (s, c) = (Source<Int>(), Source<Int>())
        let held = c --^ Cell(initialValue: 0)
        let snapshots = Stream<String>()
        (s, held) --% (snapshots, { "\($0) \($1)" })
        let probe = (snapshots --^ Cell(initialValue: "")).probe()
        s.send(100)
        c.send(2)
        s.send(200)
        c.send(9)
        c.send(1)
        s.send(300)
        try await s.graph.quiescence()
        #expect(probe.values == ["100 0", "200 2", "300 1"])

        let source = Source<Int>()
        let hold = source --^ Cell(initialValue: 0)
        let delayed = Stream<String>()
        (source, hold) --% (delayed, { "\($0) \($1)" })
        let small = Stream<Int>()
        source --| (small, { $0 < 10 })
        let (delays, smalls) = (
            (delayed --^ Cell(initialValue: "")).probe(), (small --^ Cell(initialValue: 0)).probe()
        )
        for number in [2, 3, 16, 9] { source.send(number) }
        try await source.graph.quiescence()
        #expect(delays.values == ["2 0", "3 2", "16 3", "9 16"])
        #expect(smalls.values == [2, 3, 9])

        let (letters, gate) = (Source<String>(), Source<Bool>())
        let isOpen = gate --^ Cell(initialValue: true)
        let through = Stream<String>()
        (letters, isOpen) --% (through, { letter, _ in letter }, where: { _, isOpen in isOpen })
        let gated = (through --^ Cell(initialValue: "")).probe()
        letters.send("H")
        gate.send(false)
        letters.send("O")
        gate.send(true)
        letters.send("I")
        try await letters.graph.quiescence()
        #expect(gated.values == ["H", "I"])

        let words = Source<String?>()
        let some = (words --! Stream<String>() --^ Cell(initialValue: "")).probe()
        for word in ["tomato", nil, "peach"] { words.send(word) }
        try await words.graph.quiescence()
        #expect(some.values == ["tomato", "peach"])
    }

    @Test("Sodium, liftFromSimultaneous: what a transaction sends is one wave, and a source's last value counts")
    func sodiumSimultaneous() async throws {
        let (sa, sb) = (Source<Int>(), Source<Int>())
        let sum = (sa --^ Cell(initialValue: 3), sb --^ Cell(initialValue: 5)) --^ (Cell(initialValue: 0), +)
        let probe = sum.probe()
        sum.graph.transaction {
            sa.send(1)
            sb.send(7)
            sa.send(3)
        }
        try await sum.graph.quiescence()
        #expect(probe.values == [10])
        #expect(throws: Refused.self) {
            try sum.graph.transaction {
                sa.send(1_000)
                throw Refused()
            }
        }
        try await sum.graph.transactionAndWait {
            sa.send(4)
            sb.send(4)
        }
        #expect(probe.values == [10, 8])
        #expect(sum.graph.statistics.waves == 2)
    }

    @Test("Sodium, loopCell: a running sum that is fed back through itself")
    func sodiumLoop() async throws {
        let source = Source<Int>()
        let sum = source --+ (Cell(initialValue: 0), { $0 + $1 })
        let values = sum.values
        for number in [2, 3, 1] { source.send(number) }
        #expect(await values.prefix(collecting: 4) == [0, 2, 5, 6])
    }

    @Test("Sodium, calm: equal values are dropped by comparing with the value before")
    func sodiumCalm() async throws {
        let source = Source<Int>()
        let last = Cell(initialValue: -1)
        source --+ (last, { _, new in new }, where: { $0 != $1 })
        let probe = last.probe()
        for number in [2, 2, 2, 4, 2, 4, 4, 2, 2] { source.send(number) }
        try await source.graph.quiescence()
        #expect(probe.values == [2, 4, 2, 4, 2])
    }

    // MARK: reactive-banana

    @Test(
        "reactive-banana, recursive: a counter fed back decrements while it is above zero, in waves before the next event"
    )
    func bananaRecursive() async throws {
        for mode in [FlowGraph.Mode.fused, .reference] {
            let (source, other) = (Source<Int>(), Source<Int>())
            let (start, next, again) = (Stream<Int>(), Stream<Int>(), Stream<Int>())
            let (count, log) = (Cell(initialValue: 0), Cell(initialValue: 0))
            let graph = FlowGraph("countdown", mode: mode) {
                source >-- start
                [start, next] --& count
                count --| (again, { $0 > 0 }) >-- (next, { $0 - 1 })
                let (counts, others) = (Stream<Int>(), Stream<Int>())
                count >-- counts
                other >-- others
                [counts, others] --& log
            }
            source.send(4)
            other.send(100)
            source.send(2)
            try await graph.quiescence()
            #expect(log.history.map(\.value) == [4, 3, 2, 1, 0, 100, 2, 1, 0])
            #expect(graph.statistics.waves == 9)
        }
    }

    @Test("feedback of 100,000 values needs no stack, and can be limited")
    func fuel() async throws {
        func loop(_ maxFeedback: Int) -> (Source<Int>, Cell<Int>, FlowGraph) {
            let (source, cell) = (Source<Int>(), Cell(initialValue: 0, limit: 1))
            let graph = FlowGraph("loop", maxFeedback: maxFeedback) {
                let (start, back, next) = (Stream<Int>(), Stream<Int>(), Stream<Int>())
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
        let source = Source<Int>()
        var last = source >-- Stream<Int>()
        for _ in 1...10_000 { last = last >-- (Stream<Int>(), { $0 + 1 }) }
        let end = last --^ Cell(initialValue: 0)
        try await source.sendAndWait(0)
        #expect(end.value == 10_000)
    }

    // MARK: Combine and OpenCombine

    @Test("Combine, zip: pairs by index, ends when a finished input has nothing left")
    func combineZip() async throws {
        let (a, b) = (Source<Int>(), Source<Int>())
        let (sa, sb, both) = (Stream<Int>(), Stream<Int>(), Stream<Int>())
        a >-- sa
        b >-- sb
        (sa, sb) --* (both, { $0 + $1 })
        let result = both --^ Cell(initialValue: 0)
        let values = result.updates
        for number in [100, 200, 300] { a.send(number) }
        b.send(1)
        try await result.graph.quiescence()
        #expect(result.graph.statistics.pending == 2)
        a.finish()
        b.send(2)
        b.send(3)
        #expect(await values.all() == [101, 202, 303])  // and it has ended, although `b` hasn't
        b.send(4)
        try await result.graph.quiescence()
        #expect(result.value == 303)
    }

    @Test("Combine, zip: ends at once if a child finishes with no surplus; three inputs")
    func combineZipEnd() async throws {
        let (a, b, c) = (Source<Int>(), Source<Int>(), Source<Int>())
        let (sa, sb, sc, all) = (Stream<Int>(), Stream<Int>(), Stream<Int>(), Stream<Int>())
        a >-- sa
        b >-- sb
        c >-- sc
        (sa, sb, sc) --* (all, { $0 + $1 + $2 })
        let values = (all --^ Cell(initialValue: 0)).updates
        for source in [a, b, c] { source.send(1) }
        c.finish()
        #expect(await values.all() == [3])
    }

    @Test("Combine, combineLatest and merge end when all inputs have")
    func combineLatestEnd() async throws {
        let (a, b) = (Source<Int>(), Source<Int>())
        let sum = (a --^ Cell(initialValue: 0), b --^ Cell(initialValue: 0)) --^ (Cell(initialValue: 0), +)
        let values = sum.updates
        for number in [100, 200, 300] { a.send(number) }
        b.send(1)
        a.finish()
        a.send(5)  // too late
        b.send(2)
        b.send(3)
        b.finish()
        #expect(await values.all() == [100, 200, 300, 301, 302, 303])
        try await sum.graph.quiescence()
        #expect(sum.graph.statistics.ignored == 1)

        let (c, d) = (Source<Int>(), Source<Int>())
        let (sc, sd) = (Stream<Int>(), Stream<Int>())
        c >-- sc
        d >-- sd
        let merged = ([sc, sd] --& Cell(initialValue: 0)).updates
        c.send(1)
        c.finish()
        d.send(2)
        d.finish()
        #expect(await merged.all() == [1, 2])
    }

    @Test("AsyncAlgorithms, combineLatest: each order of arrivals gives its combinations")
    func combineLatestOrders() async throws {
        for (script, expected) in [
            ("1a2b3c", "1a2a2b3b3c"), ("1ab2c3", "1a1b2b2c3c"), ("1a23bc", "1a2a3a3b3c"),
        ] {
            let (numbers, letters) = (Source<String>(), Source<String>())
            let (number, letter) = (numbers --^ Cell(initialValue: ""), letters --^ Cell(initialValue: ""))
            let both = (number, letter) --^ (Cell(initialValue: ""), { $0 + $1 })
            let complete = Stream<String>()
            both --| (complete, { $0.count == 2 })
            let probe = (complete --^ Cell(initialValue: "")).probe()
            for symbol in script.map(String.init) { (Int(symbol) == nil ? letters : numbers).send(symbol) }
            try await both.graph.quiescence()
            #expect(probe.values.joined() == expected)
        }
    }

    // MARK: The 22

    @Test("The 22: a late second subscriber sees what the graph holds and what comes; finish doesn't overtake a value")
    func late() async throws {
        let source = Source<Int>()
        let scan = source --+ (Cell(initialValue: 10), { $0 + $1 })
        let first = scan.updates
        source.send(1)
        source.send(2)
        let (late, latest) = (scan.updates, scan.values)
        source.send(3)
        source.send(4)
        scan.graph.finish()
        source.send(5)
        #expect(await first.all() == [11, 13, 16, 20])
        #expect(await late.all() == [16, 20])
        #expect(await latest.all() == [13, 16, 20])
        #expect(await scan.updates.all() == [])  // already finished
    }

    @Test("The 22, testDemand: a subscriber with room for one value holds the graph back and loses nothing")
    func suspending() async throws {
        let source = Source<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let values = cell.updates(.suspending(1))
        for number in 1...100 { source.send(number) }
        cell.graph.finish()
        // It gets no further than the values that have room, and one that waits.
        let seen = await values.prefix(collecting: 2)
        #expect(seen == [1, 2])
        #expect(cell.value <= 5)
        #expect(await values.all() == Array(3...100))
        #expect(values.dropped == 0)
    }

    @Test("The 22, testReentrancy: an outlet sends to its own source, in any number of steps, and all see one order")
    func reentrancy() async throws {
        let source = Source<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let order = FlowProbe<String>()
        cell
            --< (
                Outlet(),
                {
                    order.add("A\($0)")
                    if $0 < 100 { source.send($0 + 1) }
                }
            )
            --< (Outlet(), { order.add("B\($0)") })
        source.send(1)
        try await source.graph.quiescence()
        #expect(order.values == (1...100).flatMap { ["A\($0)", "B\($0)"] })
    }

    @Test("The 22, testSubjectOrder: 100 tasks send, and every value arrives")
    func hundredTasks() async throws {
        let source = Source<Int>()
        let sum = source --+ (Cell(initialValue: 0, limit: 1), { $0 + $1 })
        await withDiscardingTaskGroup { group in for _ in 0..<100 { group.addTask { source.send(1) } } }
        try await source.graph.quiescence()
        #expect(sum.value == 100)
    }

    @Test("The 22, testDeadlock: an outlet on the main actor sends again, a hundred steps")
    func mainReentrancy() async throws {
        let source = Source<Int>()
        let cell = source --^ Cell(initialValue: 0)
        cell --< (MainOutlet(), { if $0 < 100 { source.send($0 + 1) } })
        let values = cell.updates
        source.send(1)
        #expect(await values.prefix(collecting: 100) == Array(1...100))
    }

    @Test("The 22, lifetimes: dropped sequences are forgotten by the graph, and sequences end with it")
    func lifetimes() async throws {
        var source: Source<Int>? = Source<Int>()
        var cell: Cell<Int>? = source! --^ Cell(initialValue: 0)
        do {
            let (one, two) = (cell!.values, cell!.updates(.latest(3)))
            #expect(await one.prefix(collecting: 1) == [0])
            try await source!.graph.quiescence()
            #expect(source!.graph.statistics.subscribers == 2)
            withExtendedLifetime(two) {}
        }
        try await source!.sendAndWait(1)
        try await source!.graph.quiescence()
        #expect(source!.graph.statistics.subscribers == 0)

        let kinds = [cell!.values, cell!.values(.latest(5)), cell!.values(.suspending(5))]
        try await source!.sendAndWait(2)
        source = nil
        cell = nil
        for values in kinds { #expect(await values.all() == [1, 2]) }
    }

    // MARK: Concurrency

    @Test("C1: 8,002 concurrent sends into a lift give 8,002 values, 5 times")
    func c1() async throws {
        for _ in 0..<5 {
            let (a, b) = (Source<Int>(), Source<Int>())
            let pair =
                (a --^ Cell(initialValue: 0), b --^ Cell(initialValue: 0)) --^ (
                    Cell(initialValue: [0, 0]), { [$0, $1] }
                )
            let probe = pair.probe()
            await withDiscardingTaskGroup { group in
                for source in [a, b] { group.addTask { for number in 1...4_001 { source.send(number) } } }
            }
            try await pair.graph.quiescence()
            #expect(probe.count == 8_002)
            #expect(probe.values.last == [4_001, 4_001] && pair.value == [4_001, 4_001])
        }
    }

    @Test("C3: two tasks send each other's values back, 2,000 rounds")
    func c3() async throws {
        let (ping, pong) = (Source<Int>(), Source<Int>())
        let (pings, pongs) = (ping --^ Cell(initialValue: 0), pong --^ Cell(initialValue: 0))
        _ = FlowGraph("C3") { (pings, pongs) --^ (Cell(initialValue: 0), +) }
        let (a, b) = (pings.updates, pongs.updates)
        await withDiscardingTaskGroup { group in
            group.addTask { for await number in a where number <= 2_000 { pong.send(number) } }
            group.addTask {
                for await number in b {
                    if number == 2_000 { pings.graph.finish() } else { ping.send(number + 1) }
                }
            }
            ping.send(1)
        }
        #expect(pings.value == 2_000 && pongs.value == 2_000)
    }

    @Test("C7: after cancel nothing comes out any more, in the middle of a flood, 50 times")
    func c7() async throws {
        for _ in 0..<50 {
            let source = Source<Int>()
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
        let source = Source<Int>()
        let cell = source --^ Cell(initialValue: 0, limit: 1)
        let (all, one, three) = (cell.updates, cell.updates(.latest(1)), cell.updates(.latest(3)))
        for number in 1...1_000 { source.send(number) }
        cell.graph.finish()
        try await cell.graph.quiescence()
        #expect(await all.all() == Array(1...1_000))
        let (last, lastThree) = (await one.all(), await three.all())
        // The buffers fill while they are read already, so more than the last ones may have been seen, each in its turn.
        #expect(last.last == 1_000 && lastThree.suffix(3) == [998, 999, 1_000])
        #expect(last == last.sorted() && lastThree == lastThree.sorted())
        #expect(one.dropped == 1_000 - last.count && three.dropped == 1_000 - lastThree.count && all.dropped == 0)
    }

    @Test(
        "a waiting sender that is cancelled is withdrawn or served: its wave has run exactly if it says so, 200 times"
    )
    func cancelledSender() async throws {
        for round in 0..<200 {
            let source = Source<Int>()
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

    @Test("a cancelled consumer ends, and its sequence goes on for others")
    func cancelledConsumer() async throws {
        let source = Source<Int>()
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
        let source = Source<Int>()
        let cell = Cell(initialValue: 0)
        let graph = FlowGraph("drawn") {
            let stream = Stream<Int>()
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

private struct Refused: Error {}
