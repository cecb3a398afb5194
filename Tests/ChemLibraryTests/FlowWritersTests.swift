import ChemLibrary
import TestSupport
import Testing

private let bothModes: [FlowGraph.Mode] = [.fused, .reference]

/// Stores that several write in one wave: operators, transactions, values that were fed back.
@Suite("Several writers", .endsInTime)
struct FlowWritersTests {
    @Test("A value for a store that has one gets a wave of its own, also from several writers", arguments: bothModes)
    func waveOfItsOwn(mode: FlowGraph.Mode) async throws {
        let (up, down, count) = (MallInput(1), MallInput(2), MallStore(0))
        let (negative, zipped) = (MallStore(0), Log<String>())
        let mall = TestMall {
            DataOp {
                up>!
                compute { (x: Int) in x * 10 }
                ~>count
            }
            DataOp {
                down>!
                compute { (y: Int) in y * 100 }
                ~>count
            }
            DataOp {
                count>!
                compute { (a: Int) in -a }
                ~>negative
            }
            DataOp {
                count>%
                negative>%
                compute { (a: Int, b: Int) in zipped.append("\(a)/\(b)") }
                ~>devNull
            }
        }
        let graph = mall.open(runInitially: true, mode: mode)
        for number in 4...8 { count.send(number) }
        try await graph.quiescence()
        let initial = zipped.all.count
        #expect(zipped.all.suffix(5) == ["4/-4", "5/-5", "6/-6", "7/-7", "8/-8"])
        #expect(graph.statistics.pending == 0)
        try await graph.transactionAndWait {
            count.send(1)
            up.send(2)
            down.send(3)
        }
        #expect(Array(zipped.all[initial...]) == ["1/-1", "300/-300"])
    }

    @Test("What a wave leaves for later comes from the end of the graph: nothing stale remains", arguments: bothModes)
    func nothingStale(mode: FlowGraph.Mode) async throws {
        let (a, k, b, c) = (MallInput(0), MallInput(0), MallStore(0), MallStore(0))
        let mall = TestMall {
            DataOp {
                a>!
                compute { (a: Int) in a * 10 }
                ~>b
            }
            DataOp {
                b>!
                k>!
                compute { (b: Int, k: Int) in b + 1_000 }
                ~>c
            }
        }
        let graph = mall.open(mode: mode)
        try await graph.transactionAndWait {
            a.send(2)
            b.send(1)
            c.send(100)
        }
        #expect((b.value, c.value) == (20, 1_020))
    }

    @Test("The operator listed last counts, whether it has a value or fails", arguments: bothModes, [false, true])
    func failures(mode: FlowGraph.Mode, isAsynchronous: Bool) async throws {
        let (x, first, last, cut) = (MallInput(0), MallStore(0), MallStore(0), MallStore(5))
        cut.cutoff()
        func failing(_ store: MallStore<Int>) -> DataOp {
            isAsynchronous
                ? DataOp {
                    x>!
                    compute { (_: Int) async throws -> Int in throw Mishap() }
                    ~>store
                }
                : DataOp {
                    x>!
                    compute { (_: Int) throws -> Int in throw Mishap() }
                    ~>store
                }
        }
        func copying(_ store: MallStore<Int>) -> DataOp {
            DataOp {
                x>!
                compute { (x: Int) in x }
                ~>store
            }
        }
        let mall = TestMall {
            failing(first)
            copying(first)
            copying(last)
            failing(last)
            copying(cut)
            failing(cut)
        }
        let graph = mall.open(mode: mode)
        try await x.sendAndWait(5)
        #expect((first.value, last.value, cut.value) == (5, 5, 5))
        #expect(first.failure == nil)
        #expect(last.failure is Mishap)
        #expect(cut.failure is Mishap)
        // One that sends to the store in the same wave doesn't hide it either.
        try await graph.transactionAndWait {
            last.send(9)
            x.send(6)
        }
        #expect(last.value == 6)
        #expect(last.failure is Mishap)
    }

    @Test("An operator that may not wait has sent nothing")
    func waitsForItself() async throws {
        let (a, b) = (MallInput(0), MallInput(0))
        let (handled, sent) = (Locked(0), Locked(0))
        let error = Locked<(any Error)?>(nil)
        let graph = Locked<FlowGraph?>(nil)
        let mall = TestMall {
            DataOp {
                a>!
                compute { (_: Int) async in
                    do {
                        try await graph.value?.transactionAndWait {
                            b.send(7)
                            graph.value?.finish()
                        }
                    } catch let caught {
                        error.update { $0 = caught }
                    }
                    handled.update { $0 += 1 }
                }
                ~>devNull
            }
            DataOp {
                b>!
                compute { (_: Int) in sent.update { $0 += 1 } }
                ~>devNull
            }
        }
        let opened = mall.open()
        graph.update { $0 = opened }
        try await a.sendAndWait(1)
        #expect((error.value as? FlowError)?.code == .waitsForItself)
        try await a.sendAndWait(2)
        #expect(opened.statistics.ignored == 0)
        #expect((handled.value, sent.value) == (2, 0))
        graph.update { $0 = nil }
    }

    @Test("A transaction in another one that throws has sent nothing")
    func nestedTransaction() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let (one, other) = (Cell(initialValue: 0), Cell(initialValue: 0))
        let graph = FlowGraph("two") {
            a --^ one
            b --^ other
        }
        graph.transaction {
            a.send(1)
            try? graph.transaction {
                a.send(10)
                b.send(100)
                graph.finish()
                try? graph.transaction {
                    a.send(1_000)
                    throw Mishap()
                }
                throw Mishap()
            }
            graph.transaction { b.send(5) }
        }
        try await graph.quiescence()
        #expect((one.value, other.value) == (1, 5))
        try await a.sendAndWait(2)
        #expect(one.value == 2)
    }

    @Test("Random malls behave in one mode as in the other, in 8 kinds × 60 seeds")
    func modes() async throws {
        for kind in AnyMall.Kind.all {
            for seed in 1...UInt64(Soak.isOn ? 2_000 : 60) {
                let fused = try await AnyMall(kind, seed).run(.fused)
                let reference = try await AnyMall(kind, seed).run(.reference)
                #expect(fused == reference, "\(kind), seed \(seed)")
            }
        }
    }
}

/// A mall of random operators, to which random values are sent.
private struct AnyMall: Mall {
    struct Kind: Sendable {
        let hasWriters, hasCycles, hasTransactions: Bool

        static var all: [Kind] {
            (0..<8).map {
                Kind(hasWriters: $0 & 1 != 0, hasCycles: $0 & 2 != 0, hasTransactions: $0 & 4 != 0)
            }
        }
    }

    struct Outcome: Equatable {
        let logs: [[Int]]
        let pending: Int
        let waves: Int
    }

    private struct Shape {
        var kind = 0
        var (a, b, c, target, other, constant) = (0, 0, 0, 0, 0, 0)
    }

    private let stores: [MallStore<Int>]
    private let shapes: [Shape]
    private let runsInitially: Bool
    private let sends: [[(store: Int, value: Int)]]

    init(_ kind: Kind, _ seed: UInt64) {
        var random = SplitMix(seed: seed)
        let count = Int.random(in: 3..<9, using: &random)
        stores = (0..<count).map { MallStore($0) }
        for store in stores where Int.random(in: 0..<4, using: &random) == 0 { store.cutoff() }
        var written: Set<Int> = []
        var shapes: [Shape] = []
        for _ in 0..<Int.random(in: 2..<8, using: &random) {
            func pick(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
            var shape = Shape()
            shape.kind = pick(8)
            (shape.target, shape.other, shape.constant) = (pick(count), pick(count), pick(100))
            if !kind.hasCycles {
                shape.target = max(shape.target, 1)
                shape.other = min(shape.target + 1, count - 1)
            }
            let limit = kind.hasCycles ? count : shape.target
            (shape.a, shape.b, shape.c) = (pick(limit), pick(limit), pick(limit))
            let writes = shape.kind == 6 ? [shape.target, shape.other] : [shape.target]
            if Set(writes).count < writes.count { continue }
            if !kind.hasWriters, writes.contains(where: written.contains) { continue }
            written.formUnion(writes)
            shapes.append(shape)
        }
        self.shapes = shapes
        runsInitially = Int.random(in: 0..<3, using: &random) == 0
        let inputs = Set(shapes.map(\.a)).sorted()
        var sends: [[(store: Int, value: Int)]] = []
        for _ in 0..<(inputs.isEmpty ? 0 : 25) {
            let size = kind.hasTransactions ? Int.random(in: 1..<4, using: &random) : 1
            sends.append(
                (0..<size).map { _ in
                    (inputs.randomElement(using: &random)!, Int.random(in: 0..<1_000, using: &random))
                }
            )
        }
        self.sends = sends
    }

    func prepareDataOpsGraph() -> [DataOp] { shapes.map(operation) }

    func run(_ mode: FlowGraph.Mode) async throws -> Outcome {
        if shapes.isEmpty { return Outcome(logs: [], pending: 0, waves: 0) }
        let used = Set(shapes.flatMap { [$0.a, $0.target] }).sorted()
        let logs = used.map { _ in Log<Int>() }
        let graph = open(runInitially: runsInitially, mode: mode, maxFeedback: 30)
        let sinks = zip(used, logs).map { index, log in stores[index].sink { log.append($0) } }
        for values in sends { graph.transaction { for (store, value) in values { stores[store].send(value) } } }
        try await graph.quiescence()
        withExtendedLifetime(sinks) {}
        let statistics = graph.statistics
        return Outcome(logs: logs.map(\.all), pending: statistics.pending, waves: statistics.waves)
    }

    private func operation(_ shape: Shape) -> DataOp {
        let (a, b, c) = (stores[shape.a], stores[shape.b], stores[shape.c])
        let (target, other, k) = (stores[shape.target], stores[shape.other], shape.constant)
        switch shape.kind {
        case 0:
            return op {
                a>!
                b>?
                compute { (x: Int, y: Int) in (x &* 3 &+ y &+ k) % 1_009 }
                ~>target
            }
        case 1:
            return op {
                a>!
                b>!
                compute { (x: Int, y: Int) in (x &* 5 &+ y &+ k) % 1_009 }
                ~>target
            }
        case 2:
            return op {
                a>%
                b>%
                compute { (x: Int, y: Int) in (x &* 7 &+ y &+ k) % 1_009 }
                ~>target
            }
        case 3:
            return op {
                a>!
                compute { (x: Int) in (x % 3 != 0, (x &+ k) % 1_009) }
                ~>target
            }
        case 4:
            return op {
                a>%
                b>%
                c>!
                compute { (x: Int, y: Int, z: Int) in (x &* 7 &+ y &* 3 &+ z &+ k) % 1_009 }
                ~>target
            }
        case 5:
            return op {
                a>!
                b>!
                compute { (x: Int, y: Int) async in
                    await Task.yield()
                    return (x &* 11 &+ y &+ k) % 1_009
                }
                ~>target
            }
        case 6:
            return op {
                a>!
                b>?
                compute { (x: Int, y: Int) in ((x &+ k) % 1_009, (y &+ x) % 1_009) }
                ~>target
                ~>other
            }
        default:
            return op {
                a>%
                b>?
                compute { (x: Int, y: Int) async throws -> Int in
                    if x % 5 == 4 { throw Mishap() }
                    return (x &+ y &+ k) % 1_009
                }
                ~>target
            }
        }
    }
}
