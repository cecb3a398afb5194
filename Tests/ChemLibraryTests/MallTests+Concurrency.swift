import ChemActors
import ChemLibrary
import Foundation
import TestSupport
import Testing

/// Who sends, runs and waits at the same time.
extension MallTests {
    @Test("M18, M24: 800 sends from 8 tasks at once are 800 runs; each task's values keep their order")
    func m18Senders() async throws {
        for seed in 0..<20 {
            let (a, b) = (MallInput(0), MallInput(0))
            let log = Log<[Int]>()
            let graph = TestMall {
                DataOp {
                    a>!
                    b>!
                    compute { (a: Int, b: Int) in log.append([a, b]) }
                    ~>devNull
                }
            }.open()
            await withDiscardingTaskGroup { group in
                for task in 0..<8 {
                    group.addTask { for number in 0..<100 { (task % 2 == 0 ? a : b).send(task * 1_000 + number) } }
                }
            }
            try await graph.quiescence()
            let all = log.all
            #expect(all.count == 800, "seed \(seed)")
            for task in 0..<8 {
                let own = all.map { $0[task % 2] }.filter { $0 / 1_000 == task && $0 > 0 }
                #expect(own == own.sorted(), "seed \(seed), task \(task)")
            }
        }
    }

    @Test(
        "M19: an operator never runs twice at once, with 8 senders, in both modes",
        arguments: [FlowGraph.Mode.fused, .reference]
    )
    func m19NoOverlap(mode: FlowGraph.Mode) async throws {
        final class Overlap: @unchecked Sendable {
            // A race on purpose, if operators overlap: ThreadSanitizer would see it.
            var runs = 0
            var isInside = false
        }
        let overlap = Overlap()
        let a = MallInput(0)
        let graph = TestMall {
            DataOp {
                a>!
                compute { (_: Int) -> Bool in
                    let wasInside = overlap.isInside
                    overlap.isInside = true
                    overlap.runs += 1
                    overlap.isInside = false
                    return wasInside
                }
                ~>devNull
            }
        }.open(mode: mode)
        await withDiscardingTaskGroup { group in
            for _ in 0..<8 { group.addTask { for number in 0..<100 { a.send(number) } } }
        }
        try await graph.quiescence()
        #expect(overlap.runs == 800)
    }

    @Test("M20: operators run on the graph and not on the sender's thread; those of the main actor on the main actor")
    func m20WhereOperatorsRun() async throws {
        let a = MallInput(0)
        let (onMain, value) = (MallOutput(false), MallOutput(0))
        TestMall {
            DataOp {
                a>!
                MainActorFunctions.isOnMain
                ~>onMain
            }
            DataOp {
                a>!
                compute { (x: Int) async throws -> Int in
                    await Task.yield()
                    return x + 1
                }
                ~>value
            }
        }.open()
        try await a.sendAndWait(1)
        #expect(onMain.value)
        #expect(value.value == 2)
    }

    private enum MainActorFunctions {
        @MainActor static func isOnMain(_ value: Int) -> Bool {
            MainActor.assertIsolated()
            return true
        }
    }

    @Test("M20: sending returns although an operator doesn't")
    func m20SendingReturns() async throws {
        let a = MallInput(0)
        let gate = AsyncStream.makeStream(of: Void.self)
        let graph = TestMall {
            DataOp {
                a>!
                compute { (_: Int) async -> Int in
                    for await _ in gate.stream { break }
                    return 0
                }
                ~>devNull
            }
        }.open()
        for number in 0..<1_000 { a.send(number) }  // nothing can have been processed yet
        #expect(graph.statistics.waves == 0)
        gate.continuation.finish()
        try await graph.quiescence()
        #expect(graph.statistics.waves == 1_000)
    }

    @Test("M21: a subscriber that sends to its own store: 1, 2, 3")
    func m21Reentrancy() async throws {
        let a = MallStore(0)
        let log = Log<Int>()
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int) in
                    log.append(x)
                    if x < 3 { a.send(x + 1) }
                }
                ~>devNull
            }
        }.open()
        a.send(1)
        try await graph.quiescence()
        #expect(log.all == [1, 2, 3])

        let b = MallStore(0)
        TestMall { Log<Int>().noting(b) }.open()
        let values = b.values
        b.send(1)
        var seen: [Int] = []
        for await value in values {
            seen.append(value)
            if value == 3 { break }
            if value > 0 { b.send(value + 1) }
        }
        #expect(seen == [0, 1, 2, 3])
    }

    @Test(
        "M22: what hangs on two ways of different length sees one consistent state",
        arguments: [FlowGraph.Mode.fused, .reference]
    )
    func m22NoGlitches(mode: FlowGraph.Mode) async throws {
        let a = MallInput(0)
        let (short, long1, long2) = (MallStore(0), MallStore(0), MallStore(0))
        let log = Log<[Int]>()
        let graph = TestMall {
            DataOp {
                short>!
                long2>!
                compute { (x: Int, y: Int) in log.append([x, y]) }
                ~>devNull
            }
            DataOp {
                a>!
                compute { (x: Int) in x * 3 }
                ~>short
            }
            DataOp {
                long1>!
                compute { (x: Int) in x + 0 }
                ~>long2
            }
            DataOp {
                a>!
                compute { (x: Int) in x * 5 }
                ~>long1
            }
        }.open(mode: mode)
        for number in 1...100 { a.send(number) }
        try await graph.quiescence()
        #expect(log.all == (1...100).map { [$0 * 3, $0 * 5] })
    }

    @Test("M23: two malls whose operators send to each other, 10,000 rounds from both sides, don't deadlock")
    func m23NoDeadlock() async throws {
        let (a, b) = (MallInput(0), MallInput(0))
        let one = TestMall {
            DataOp {
                a>!
                compute { (x: Int) in if x > 0 { b.send(x - 1) } }
                ~>devNull
            }
        }.open("one")
        let other = TestMall {
            DataOp {
                b>!
                compute { (x: Int) in if x > 0 { a.send(x - 1) } }
                ~>devNull
            }
        }.open("other")
        a.send(10_000)
        b.send(10_000)
        while one.statistics.waves + other.statistics.waves < 20_002 {
            try await one.quiescence()
            try await other.quiescence()
            await Task.yield()
        }
        #expect(one.statistics.waves + other.statistics.waves == 20_002)
    }

    @Test("M25: nodes of several kinds by one protocol, as many inputs as one likes")
    func m25Polymorphism() async throws {
        let nodes: [any MallNode<Int>] = [
            MallInput(1), MallStore(2), MallOutput(3), MallStore(4).input, MallStore(5).output,
        ]
        let sum = MallOutput(0)
        let start = MallInput(0)
        func read(_ node: some MallNode<Int>) -> Reads<Int> { Reads(node) }
        TestMall {
            DataOp {
                start>!
                read(nodes[0])
                read(nodes[1])
                read(nodes[2])
                read(nodes[3])
                read(nodes[4])
                Constant(6)>?
                Constant(7)>?
                Constant(8)>?
                Constant(9)>?
                compute { (s: Int, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int) in
                    a + b + c + d + e + f + g + h + i
                }
                ~>sum
            }
        }.open()
        try await start.sendAndWait(1)
        #expect(sum.value == 45)
    }

    @Test("M26, C4: the trigger, read in the same operator, has the trigger's value: 10,000 sends by 8 senders")
    func m26ReadsOfTheTrigger() async throws {
        let a = MallInput(0)
        let log = Log<Bool>()
        let graph = TestMall {
            DataOp {
                a>?
                a>!
                compute { (x: Int, y: Int) in log.append(x == y) }
                ~>devNull
            }
        }.open()
        await withDiscardingTaskGroup { group in
            for task in 0..<8 { group.addTask { for number in 0..<1_250 { a.send(task * 10_000 + number) } } }
        }
        try await graph.quiescence()
        #expect(log.all.count == 10_000)
        #expect(log.all.allSatisfy { $0 })
    }

    @Test("M26: what an operator reads is the value after the wave's earlier operators")
    func m26ReadsAreUpToDate() async throws {
        let a = MallInput(0)
        let b = MallStore(0)
        let log = Log<[Int]>()
        let graph = TestMall {
            DataOp {
                a>!
                b>?
                compute { (a: Int, b: Int) in log.append([a, b]) }
                ~>devNull
            }
            DataOp {
                a>!
                compute { (a: Int) in a * 2 }
                ~>b
            }
        }.open()
        for number in 1...5 { a.send(number) }
        try await graph.quiescence()
        #expect(log.all == (1...5).map { [$0, $0 * 2] })
    }

    @Test("M27: a push can be awaited: then everything that depends on it is up to date")
    func m27Awaiting() async throws {
        for seed in 0..<50 {
            let a = MallInput(0)
            let (b, c) = (MallStore(0), MallOutput(0))
            TestMall {
                DataOp {
                    a>!
                    compute { (x: Int) async in x + 1 }
                    ~>b
                }
                DataOp {
                    b>!
                    compute { (x: Int) in x * 10 }
                    ~>c
                }
            }.open()
            try await a.sendAndWait(seed)
            #expect(c.value == (seed + 1) * 10, "seed \(seed)")
        }
    }

    @Test("M27: a cancelled task's push doesn't take place, one that has begun does")
    func m27Cancelling() async throws {
        let a = MallInput(0)
        let log = Log<Int>()
        let graph = TestMall { log.noting(a) }.open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await a.sendAndWait(1)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await graph.quiescence()
        #expect(log.all == [])
        try await a.sendAndWait(2)
        #expect(log.all == [2])
    }

    @Test("M28: nothing runs at wiring; with runInitially the initial values are one wave")
    func m28Initially() async throws {
        func mall(_ log: Log<[Int]>) -> (TestMall, MallInput<Int>) {
            let (a, b) = (MallInput(1), MallInput(2))
            let (c, d) = (MallStore(0), MallStore(0))
            let mall = TestMall {
                DataOp {
                    a>!
                    b>!
                    compute { (a: Int, b: Int) in a + b }
                    ~>c
                }
                DataOp {
                    a>%
                    b>%
                    compute { (a: Int, b: Int) in a * b }
                    ~>d
                }
                DataOp {
                    c>!
                    d>!
                    compute { (c: Int, d: Int) in log.append([c, d]) }
                    ~>devNull
                }
            }
            return (mall, a)
        }
        let log = Log<[Int]>()
        let (quiet, a) = mall(log)
        let graph = quiet.open()
        try await graph.quiescence()
        #expect(log.all == [])
        try await a.sendAndWait(5)
        #expect(log.all == [[7, 0]])

        let early = Log<[Int]>()
        let (eager, e) = mall(early)
        let running = eager.open(runInitially: true)
        try await running.quiescence()
        #expect(early.all == [[3, 2]])
        #expect(running.statistics.waves == 1)
        try await e.sendAndWait(5)
        #expect(early.all == [[3, 2], [7, 2]])
    }
}
