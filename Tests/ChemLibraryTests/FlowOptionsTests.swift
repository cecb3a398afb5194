import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What may be chosen: which values count, how many may wait, how often a cycle may go round.
@Suite("Flow options", .endsInTime)
struct FlowOptionsTests {
    // MARK: Cutoff

    @Test(
        "cutoff: an equal value is no event: no outlet, no history, nothing behind is computed",
        arguments: [FlowGraph.Mode.fused, .reference]
    )
    func cutoff(mode: FlowGraph.Mode) async throws {
        let source = EventSource<Int>()
        let (parity, result) = (Cell(initialValue: 0).cutoff(), Cell(initialValue: -1))
        let probe = FlowProbe<Int>()
        let graph = FlowGraph("cutoff", mode: mode) {
            source --^ (parity, { $0 % 2 }) --^ (result, { $0 * 10 })
            parity --< (Outlet(), { probe.add($0) })
        }
        for number in [2, 4, 3, 5, 7, 6] { source.send(number) }
        try await graph.quiescence()
        #expect(probe.values == [1, 0])
        #expect(parity.history.map(\.value) == [1, 0] && result.history.map(\.value) == [10, 0])
        // One for each value, and what is behind twice.
        #expect(graph.statistics.waves == 6 && graph.statistics.recomputations == 8)
    }

    @Test("cutoff: what takes several cells runs if one of them has changed, and sees all of them up to date")
    func cutoffInDiamond() async throws {
        let source = EventSource<Int>()
        let half = source --^ (Cell(initialValue: 0).cutoff(==), { $0 / 2 })
        let third = source --^ (Cell(initialValue: 0).cutoff(==), { $0 / 3 })
        let probe = ((half, third) --^ (Cell(initialValue: 0), { $0 * 10 + $1 })).probe()
        for number in 1...6 { source.send(number) }
        try await source.graph.quiescence()
        #expect(probe.values == [10, 11, 21, 32])  // 2, 3, 4, 6; with 1 and 5 both stay
    }

    @Test("cutoff: a cycle ends at its fixed point")
    func fixedPoint() async throws {
        for mode in [FlowGraph.Mode.fused, .reference] {
            let source = EventSource<Int>()
            let cell = Cell(initialValue: -1).cutoff(==)
            let graph = FlowGraph("fixed point", mode: mode, maxFeedback: 1_000) {
                let (start, next) = (EventStream<Int>(), EventStream<Int>())
                source >-- start
                [start, next] --& cell
                cell >-- (next, { $0 / 2 })
            }
            try await source.sendAndWait(100)
            #expect(cell.history.map(\.value) == [100, 50, 25, 12, 6, 3, 1, 0])
            #expect(graph.statistics.waves == 9 && graph.statistics.feedbackDropped == 0)
        }
    }

    @Test("cutoff: of several writers the last one is compared; accumulating and restoring work")
    func cutoffElsewhere() async throws {
        let source = EventSource<Int>()
        let (a, b) = (EventStream<Int>(), EventStream<Int>())
        source >-- (a, { $0 * 100 })
        source >-- (b, { $0 / 2 })
        let merged = [a, b] --& Cell(initialValue: 0).cutoff(==)
        let largest = source --+ (Cell(initialValue: 0).cutoff(==), { max($0, $1) })
        for number in [1, 2, 3, 2, 4] { source.send(number) }
        try await merged.graph.quiescence()
        #expect(merged.history.map(\.value) == [1, 2])
        #expect(largest.history.map(\.value) == [1, 2, 3, 4])
        try await merged.graph.restore(at: largest.history[1].time)
        #expect(largest.value == 2 && merged.value == 1)
        try await source.sendAndWait(2)
        #expect(largest.history.map(\.value) == [1, 2, 3, 4, 2] && merged.history.map(\.value) == [1, 2, 1])
    }

    @Test("cutoff: any two values may be the same; a second call replaces the first, a constant stays as it is")
    func cutoffByDistance() async throws {
        let source = EventSource<Double>()
        let level = Cell(initialValue: 0.0).cutoff { _, _ in true }.cutoff { abs($0 - $1) < 1 }
        let ten = Cell(constant: 10.0).cutoff { _, _ in true }
        let probe = ((source --^ level, ten) --^ (Cell(initialValue: 0), +)).probe()
        for value in [0.5, 1.5, 2.0, 2.75] { source.send(value) }
        try await source.graph.quiescence()
        #expect(probe.values == [11.5, 12.75])  // compared with the last that counted
    }

    @Test("cutoff: the type of a node is that of its value, also if that is written as 0.5")
    func cutoffOfDoubles() {
        let store: MallStore<Double> = {
            let store = MallStore(0.5).cutoff(); return store
        }()
        let cell: Cell<Double> = {
            let cell = Cell(initialValue: 0.5).cutoff(); return cell
        }()
        #expect(cell.value == 0.5)
        #expect(store.value == 0.5)
    }

    @Test("cutoff: equal values of a mall run no operator, but the initial ones if they are to")
    func cutoffInMall() async throws {
        func mall(_ log: Log<[Int]>) -> (TestMall, MallInput<Int>) {
            let (a, parity) = (MallInput(4).cutoff(), MallStore(0).cutoff(==))
            let seen = Log<Int>()
            let mall = TestMall {
                DataOp {
                    a>!
                    compute { (a: Int) -> Int in
                        seen.append(a)
                        return a % 2
                    }
                    ~>parity
                }
                DataOp {
                    parity>!
                    compute { (parity: Int) in log.append(seen.all + [parity]) }
                    ~>devNull
                }
                seen.noting(a)
            }
            return (mall, a)
        }
        let log = Log<[Int]>()
        let (quiet, a) = mall(log)
        let graph = quiet.open()
        for number in [4, 5, 5, 7] { a.send(number) }
        try await graph.quiescence()
        #expect(log.all.map(\.last) == [1])
        #expect(graph.statistics.waves == 4)

        let eager = Log<[Int]>()
        let (initially, b) = mall(eager)
        let running = initially.open(runInitially: true)
        try await running.quiescence()
        #expect(running.statistics.recomputations == 2)  // both operators that take the input
        b.send(4)
        try await running.quiescence()
        #expect(running.statistics.recomputations == 2)
        b.send(5)
        try await running.quiescence()
        #expect(eager.all.map(\.last) == [1])
    }

    @Test("cutoff: after the graph was sealed it stops the program")
    func cutoffTooLate() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let cell = Cell(initialValue: 0)
            _ = cell.graph
            cell.cutoff(==)
        }
        expectMessage(result, "'cutoff' can't be wired", "FlowOptionsTests.swift:")
    }

    // MARK: Capacity

    /// A source whose graph stands still at each 0, until the door is opened.
    private struct Standing {
        let source: EventSource<Int>
        let cell = Cell(initialValue: -1)
        let door = FlowDoor()
        let entered = FlowProbe<Int>()
        let graph: FlowGraph

        init(capacity: Int) {
            let (source, cell) = (EventSource<Int>(capacity: capacity), self.cell)
            let (door, entered) = (self.door, self.entered)
            self.source = source
            graph = blockingGraph("standing") {
                source --^ cell
                    --< (
                        Outlet(),
                        {
                            guard $0 == 0 else { return }
                            entered.add(0)
                            door.wait()
                        }
                    )
            }
        }

        /// Has it stand still: its queue is empty then.
        func stop() async {
            let count = entered.count
            #expect(source.sendIfRoom(0))
            while entered.count == count { await Task.yield() }
        }
    }

    @Test(
        "capacity: with room for 3, three values wait, the fourth is refused or waits, and what is simply sent doesn't"
    )
    func capacity() async throws {
        let standing = Standing(capacity: 3)
        let source = standing.source
        await standing.stop()
        #expect((1...5).map { source.sendIfRoom($0) } == [true, true, true, false, false])
        let waiting = Task { try await source.sendWhenRoom(4) }
        source.send(100)
        standing.door.open()
        try await waiting.value
        try await standing.graph.quiescence()
        #expect(standing.cell.history.map(\.value) == [0, 1, 2, 3, 100, 4])
    }

    @Test("capacity: a cancelled sender has sent nothing, the others all, and no room is lost, with 100 seeds")
    func cancelledSenders() async throws {
        await with100Seeds { seed, dice in
            let standing = Standing(capacity: 2)
            let source = standing.source
            await standing.stop()
            #expect(source.sendIfRoom(1) && source.sendIfRoom(2))
            let isCancelled = (0..<6).map { _ in dice.flip() }
            let tasks = isCancelled.indices.map { number in Task { try await source.sendWhenRoom(10 + number) } }
            for _ in 0..<dice.roll(0...6) { await Task.yield() }
            for (task, isCancelled) in zip(tasks, isCancelled) where isCancelled {
                task.cancel()
                #expect(await task.result.wasCancelled, "seed \(seed)")
            }
            standing.door.open()
            for (task, isCancelled) in zip(tasks, isCancelled) where !isCancelled { try await task.value }
            try await standing.graph.quiescence()
            let values = standing.cell.history.map(\.value)
            let expected = isCancelled.indices.filter { !isCancelled[$0] }.map { 10 + $0 }
            #expect(values.prefix(3) == [0, 1, 2] && values.dropFirst(3).sorted() == expected, "seed \(seed)")
            await standing.stop()
            #expect((1...3).map { source.sendIfRoom($0) } == [true, true, false], "seed \(seed)")
            standing.door.open()
            try await standing.graph.quiescence()
        }
    }

    @Test("capacity: who waits when the graph is cancelled gets an error")
    func cancelledGraph() async throws {
        let standing = Standing(capacity: 1)
        let source = standing.source
        await standing.stop()
        #expect(source.sendIfRoom(1))
        let waiting = (2...4).map { number in Task { try await source.sendWhenRoom(number) } }
        let cancelling = Task { [graph = standing.graph] in await graph.cancel() }
        for task in waiting { await #expect(throws: CallError.self) { try await task.value } }
        standing.door.open()
        await cancelling.value
        #expect(!source.sendIfRoom(5))
        await #expect(throws: CallError.self) { try await source.sendWhenRoom(5) }
        #expect(standing.cell.value == 0)
    }

    @Test("capacity: what a transaction replaces or drops gives its place back")
    func transactions() async throws {
        let source = EventSource<Int>(capacity: 2)
        let cell = source --^ Cell(initialValue: 0)
        cell.graph.transaction { for number in 1...5 { #expect(source.sendIfRoom(number)) } }
        try await cell.graph.quiescence()
        #expect(cell.history.map(\.value) == [5])
        #expect(throws: Mishap.self) {
            try cell.graph.transaction {
                #expect(source.sendIfRoom(6))
                throw Mishap()
            }
        }
        #expect(source.sendIfRoom(7) && source.sendIfRoom(8))
        try await cell.graph.quiescence()
        #expect(cell.history.map(\.value) == [5, 7, 8])
    }

    @Test("capacity: a fast sender never is more than so many values ahead of a subscriber that the graph waits for")
    func backPressure() async throws {
        let source = EventSource<Int>(capacity: 4)
        let values = (source --^ Cell(initialValue: 0, limit: 1)).updates(.suspending(1))
        let sent = Locked(0)
        let sender = Task {
            for number in 1...1_000 {
                try await source.sendWhenRoom(number)
                sent.update { $0 = number }
            }
            source.finish()
        }
        var seen: [Int] = []
        var ahead = 0
        for await number in values {
            seen.append(number)
            ahead = max(ahead, sent.value - number)
        }
        try await sender.value
        #expect(seen == Array(1...1_000))
        // Four in their places, one in the wave, one in the buffer.
        #expect(ahead <= 6)
    }

    @Test("capacity: a source without one has always room; one without room stops the program")
    func noCapacity() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        for number in 1...100 { #expect(source.sendIfRoom(number)) }
        try await source.sendWhenRoom(101)
        try await cell.graph.quiescence()
        #expect(cell.history.map(\.value) == Array(1...101))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await source.sendWhenRoom(102)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await cell.graph.quiescence()
        #expect(cell.value == 101)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = EventSource<Int>(capacity: 0)
        }
        expectMessage(result, "room for at least one value", "FlowOptionsTests.swift")
    }

    // MARK: Surplus and fuel

    @Test("pending: the surplus of all zips of a graph can be seen")
    func pending() async throws {
        let (a, b, c) = (EventSource<Int>(), EventSource<Int>(), EventSource<Int>())
        let (sa, sb, sc) = (a >-- EventStream<Int>(), b >-- EventStream<Int>(), c >-- EventStream<Int>())
        let two = (sa, sb) --* (EventStream<Int>(), { $0 + $1 })
        let three = (sa, sb, sc) --* (EventStream<Int>(), { $0 + $1 + $2 })
        two --^ Cell(initialValue: 0)
        let graph = (three --^ Cell(initialValue: 0)).graph
        var seen: [Int] = []
        for source in [a, a, b, c, c, b] {
            try await source.sendAndWait(1)
            seen.append(graph.statistics.pending)
        }
        // Of the zip of two, and of that of three: 1 + 1, 2 + 2, 1 + 3, 1 + 1, 1 + 2, 0 + 0.
        #expect(seen == [2, 4, 4, 2, 3, 0])
    }

    @Test(
        "maxFeedback: who sends without waiting finds what was dropped in the statistics, and the next event has all the fuel"
    )
    func fuel() async throws {
        let source = EventSource<Int>()
        let cell = Cell(initialValue: 0)
        let graph = FlowGraph("endless", maxFeedback: 3) {
            let (start, next) = (EventStream<Int>(), EventStream<Int>())
            source >-- start
            [start, next] --& cell
            cell >-- (next, { $0 + 1 })
        }
        source.send(10)
        source.send(20)
        try await graph.quiescence()
        #expect(cell.history.map(\.value) == [10, 11, 12, 13, 20, 21, 22, 23])
        #expect(graph.statistics.feedbackDropped == 2)
        let error = await #expect(throws: FlowError.self) { try await source.sendAndWait(30) }
        #expect(error?.code == .feedbackLimit)
        #expect(error.map { "\($0)".contains("more than 3 waves of feedback to Int (\(#fileID):") } == true)
    }
}
