import ChemActors
import ChemLibrary
import Foundation
import TestSupport
import Testing

/// What the Mall of the seed promises, by the numbers of the checklist; M22 to M26 are its gotchas, which must not be.
@Suite("Mall", .endsInTime)
struct MallTests {
    // MARK: Stores and operators

    /// The example of the seed.
    struct Thermometer: Mall {
        let celsius = MallInput(0)
        private let fahrenheit = MallStore(32)
        let text = MallOutput("")

        func prepareDataOpsGraph() -> [DataOp] {
            op {
                celsius>!
                Self.convert
                ~>fahrenheit
            }
            op("describe") {
                fahrenheit>!
                celsius>?
                Self.describe
                ~>text
            }
        }

        private static func convert(_ celsius: Int) -> Int { celsius * 9 / 5 + 32 }
        private static func describe(_ fahrenheit: Int, _ celsius: Int) -> String { "\(celsius) °C = \(fahrenheit) °F" }
    }

    @Test("M1: a mall is stores and the operators that prepareDataOpsGraph lists")
    func m1StoresAndOperators() async throws {
        let mall = Thermometer()
        let graph = mall.open()
        try await mall.celsius.sendAndWait(100)
        #expect(mall.text.value == "100 °C = 212 °F")
        #expect(graph.drawing.operators.map(\.symbol) == ["op", "describe"])
        #expect(graph.name == "Thermometer")
    }

    @Test("M2: a store outlives its values")
    func m2StoreOutlivesValues() async throws {
        final class Payload: Sendable {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        let input = MallInput<Payload?>()
        let output = MallOutput<Payload?>()
        let graph = TestMall {
            DataOp {
                input>!
                compute { (x: Payload?) in x }
                ~>output
            }
        }.open()
        weak var first: Payload?
        do {
            let payload = Payload(1)
            first = payload
            try await input.sendAndWait(payload)
        }
        #expect(output.value?.number == 1)
        #expect(first != nil)
        try await input.sendAndWait(Payload(2))
        #expect(output.value?.number == 2)
        #expect(first == nil, "the store keeps the value before")
        try await input.sendAndWait(nil)
        #expect(output.value == nil)
        #expect(graph.statistics.waves == 3)
    }

    @Test("M3: a published store gives a new subscriber the current value, then each new one: 9, 2, 7")
    func m3CurrentValueFirst() async throws {
        let store = MallStore(9)
        let graph = TestMall { Log<Int>().noting(store) }.open()
        let values = store.values
        store.send(2)
        store.send(7)
        #expect(await values.first(3) == [9, 2, 7])
        try await graph.quiescence()
        #expect(await store.output.values.first(1) == [7])
    }

    @Test("M4: a values cache with limit 2 keeps the last 2, one without keeps all")
    func m4ValuesCache() async throws {
        let input = MallInput(0)
        let two = ValuesCache<Int>(limit: 2)
        let all = ValuesCache<Int>()
        let count = MallOutput<Int?>()
        let graph = TestMall {
            DataOp {
                input>!
                compute { (x: Int) in (x * 10, x) }
                ~>two
                ~>all
            }
            DataOp {
                two>!
                compute { (x: Int?) in x }
                ~>count
            }
        }.open()
        #expect(two.cached == [] && two.value == nil)
        for number in 1...5 { input.send(number) }
        try await graph.quiescence()
        #expect(two.cached == [40, 50])
        #expect(all.cached == [1, 2, 3, 4, 5])
        #expect(two.value == 50)
        #expect(two.output.value == 50)
        #expect(count.value == 50)
    }

    @Test(
        "M5: operators are functions whose parameters are the inputs, in their order, and whose results are the outputs"
    )
    func m5Signature() async throws {
        let (a, b, c) = (MallInput(1), MallInput("x"), MallInput<Double?>())
        let (d, e) = (MallOutput(""), MallOutput(0))
        TestMall {
            DataOp {
                a>!
                b>!
                c>?
                Signature.function
                ~>d
                ~>e
            }
        }.open()
        try await b.sendAndWait("y")
        #expect(d.value == "1 y nil")
        #expect(e.value == 2)
    }

    private enum Signature {
        static func function(_ a: Int, _ b: String, _ c: Double?) -> (String, Int) {
            ("\(a) \(b) \(c.map { "\($0)" } ?? "nil")", a + 1)
        }
    }

    // MARK: Kinds of dependency

    @Test("M6: a trigger runs the operator on every update, also on an equal one")
    func m6Trigger() async throws {
        let input = MallInput(0)
        let log = Log<Int>()
        let graph = TestMall { log.noting(input) }.open()
        for value in [1, 1, 2, 2, 2] { input.send(value) }
        try await graph.quiescence()
        #expect(log.all == [1, 1, 2, 2, 2])
    }

    @Test("M7: what is only read never runs the operator")
    func m7Reads() async throws {
        let (a, b) = (MallInput(0), MallInput(0))
        let log = Log<[Int]>()
        let graph = TestMall {
            DataOp {
                a>!
                b>?
                compute { (a: Int, b: Int) in log.append([a, b]) }
                ~>devNull
            }
        }.open()
        for value in 1...5 { b.send(value) }
        try await graph.quiescence()
        #expect(log.all == [])
        a.send(1)
        try await graph.quiescence()
        #expect(log.all == [[1, 5]])
    }

    @Test("M8: a zip waits for all its inputs, and pairs by number")
    func m8Zip() async throws {
        let (a, b) = (MallInput(0), MallInput(""))
        let log = Log<String>()
        let graph = TestMall {
            DataOp {
                a>%
                b>%
                compute { (a: Int, b: String) in log.append("\(a)\(b)") }
                ~>devNull
            }
        }.open()
        for number in 1...3 { a.send(number) }
        try await graph.quiescence()
        #expect(log.all == [])
        #expect(graph.statistics.pending == 3)
        b.send("x")
        b.send("y")
        try await graph.quiescence()
        #expect(log.all == ["1x", "2y"])
        b.send("z")
        b.send("w")
        a.send(4)
        try await graph.quiescence()
        #expect(log.all == ["1x", "2y", "3z", "4w"])
        #expect(graph.statistics.pending == 0)
    }

    @Test("M9: the example: B=1, A=1 gives f(1,1), B=5, A=2 gives f(2,5)")
    func m9Example() async throws {
        let (inputA, inputB) = (MallInput(0), MallInput(0))
        let outputC = MallOutput([0, 0])
        let log = Log<[Int]>()
        let graph = TestMall {
            DataOp {
                Trigger(inputA)
                Reads(inputB)

                functionOf(a:b:)

                OutputNode(outputC)
            }
            log.noting(outputC)
        }.open()
        inputB.send(1)
        inputA.send(1)
        inputB.send(5)
        inputA.send(2)
        try await graph.quiescence()
        #expect(log.all == [[1, 1], [2, 5]])
    }

    // MARK: Outputs

    @Test("M11: an operator with two outputs updates both in one run, and observers see both or neither")
    func m11SeveralOutputs() async throws {
        let a = MallInput(0)
        let (b, c) = (MallStore(0), MallStore(0))
        let log = Log<Bool>()
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int) in (x, -x) }
                ~>b
                ~>c
            }
            DataOp {
                b>!
                c>!
                compute { (b: Int, c: Int) in log.append(b == -c) }
                ~>devNull
            }
        }.open()
        for number in 1...100 { a.send(number) }
        try await graph.quiescence()
        #expect(log.all == [Bool](repeating: true, count: 100))
    }

    @Test("M11: up to six outputs, some dropped, some withheld")
    func m11SixOutputs() async throws {
        let a = MallInput(0)
        let (b, c, d, e, f) = (MallOutput(0), MallOutput(""), MallOutput<Int>(-1), MallOutput(0), MallOutput(0))
        let (g, h) = (MallOutput(0), MallOutput(""))
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int) -> (Int, String, PossibleResult<Int>, Int, Int, Int) in
                    (x, "\(x)", x > 5 ? .value(x) : .stop, x + 1, x + 2, x + 3)
                }
                ~>b
                ~>c
                ~>d
                ~>devNull
                ~>e
                ~>f
            }
            DataOp {
                a>!
                compute { (x: Int) -> PossibleResult<(Int, String)> in x > 5 ? .value((x, "big")) : .stop }
                ~>g
                ~>h
            }
        }.open()
        try await a.sendAndWait(5)
        #expect(b.value == 5 && c.value == "5" && d.value == -1 && e.value == 7 && f.value == 8)
        #expect(g.value == 0 && h.value == "")
        try await a.sendAndWait(6)
        #expect(b.value == 6 && c.value == "6" && d.value == 6 && e.value == 8 && f.value == 9)
        #expect(g.value == 6 && h.value == "big")
        #expect(graph.statistics.failures == 0)
    }

    @Test("M11: a truth value and a number with two outputs are two results, with one output a filter")
    func m11PairOrFilter() async throws {
        let a = MallInput(0)
        let (flag, number, filtered) = (MallOutput(false), MallOutput(0), MallOutput(0))
        let (one, two, passed) = (MallOutput(false), MallOutput(false), MallOutput(false))
        TestMall {
            DataOp {
                a>!
                compute { (x: Int) in (x > 0, x) }
                ~>flag
                ~>number
            }
            DataOp {
                a>!
                compute { (x: Int) in (x > 0, x) }
                ~>filtered
            }
            DataOp {
                a>!
                compute { (x: Int) in (x > 0, x > 1) }
                ~>one
                ~>two
            }
            DataOp {
                a>!
                compute { (x: Int) in (x == 1, true) }
                ~>passed
            }
        }.open()
        try await a.sendAndWait(2)
        #expect(flag.value && number.value == 2 && filtered.value == 2)
        #expect(one.value && two.value && !passed.value)
        try await a.sendAndWait(-1)
        #expect(!flag.value && number.value == -1 && filtered.value == 2)
        try await a.sendAndWait(1)
        #expect(one.value && !two.value && passed.value)
    }

    @Test("M12: a filter that says false stops the chain, and the store keeps its value")
    func m12Filter() async throws {
        let a = MallInput<Int?>()
        let b = MallOutput<Int?>()
        let log = Log<Int?>()
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int?) in ((x ?? 0) >= 0, x) }
                ~>b
            }
            log.noting(b)
        }.open()
        for number in [3, -1, 0, -7] { a.send(number) }
        try await graph.quiescence()
        #expect(log.all == [3, 0])
        #expect(b.value == 0)
    }

    @Test("M13: (true, nil) propagates nil, (false, x) doesn't write x")
    func m13FilteringNil() async throws {
        let a = MallInput(0)
        let b = MallOutput<Int?>(7)
        TestMall {
            DataOp {
                a>!
                compute { (x: Int) -> (Bool, Int?) in (x == 1, x == 1 ? nil : 99) }
                ~>b
            }
        }.open()
        try await a.sendAndWait(0)
        #expect(b.value == 7)
        try await a.sendAndWait(1)
        #expect(b.value == .some(nil))
    }

    @Test("M14: views of one store: what is sent to its input comes out of its output")
    func m14Views() async throws {
        struct Echo: Mall {
            private let store = MallStore(0)
            var input: MallInput<Int> { store.input }
            var output: MallOutput<Int> { store.output }

            func prepareDataOpsGraph() -> [DataOp] {
                op {
                    store>!
                    compute { (_: Int) in }
                    ~>devNull
                }
            }
        }
        let mall = Echo()
        let graph = mall.open()
        mall.input.send(4)
        try await graph.quiescence()
        #expect(mall.output.value == 4)
        #expect(graph.drawing.nodes.map(\.role) == ["store"])
        #expect(Thermometer().open().drawing.nodes.map(\.role) == ["source", "store", "store"])
    }

    @Test("M15: a cycle that counts to ten, then is quiet")
    func m15Cycle() async throws {
        let a = MallInput(-1)
        let log = Log<Int>()
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int) in (x < 10, x + 1) }
                ~>a
            }
            log.noting(a)
        }.open()
        try await a.sendAndWait(0)
        #expect(log.all == Array(0...10))
        try await graph.quiescence()
        #expect(graph.statistics.waves == 11)
    }

    @Test("M15: a cycle of a hundred thousand rounds needs no stack, and an endless one can be limited")
    func m15LongCycle() async throws {
        let (a, b) = (MallInput(0), MallStore(0))
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int) in x + 1 }
                ~>b
            }
            DataOp {
                b>!
                compute { (x: Int) in (x < 100_000, x) }
                ~>a
            }
        }.open()
        try await a.sendAndWait(1)
        #expect(b.value == 100_000)
        #expect(graph.statistics.waves == 99_999)

        let endless = MallInput(0)
        let limited = TestMall {
            DataOp {
                endless>!
                compute { (x: Int) in x + 1 }
                ~>endless
            }
        }.open(maxFeedback: 50)
        let error = await #expect(throws: FlowError.self) { try await endless.sendAndWait(0) }
        #expect(error?.code == .feedbackLimit)
        #expect(limited.statistics.waves == 51)
        #expect(limited.statistics.feedbackDropped == 1)
    }

    @Test("M16: the words and the shorthand describe the same graph")
    func m16WordsAndShorthand() throws {
        func draw(_ make: (MallInput<Int>, MallInput<Int>, MallInput<Int>, MallOutput<Int>) -> DataOp) -> (
            String, [[String]]
        ) {
            let (a, b, c, d) = (MallInput(0), MallInput(0), MallInput(0), MallOutput(0))
            let drawing = TestMall { make(a, b, c, d) }.open("mall").drawing
            return (drawing.operators.map { "\($0)" }.joined(), drawing.nodes.map { [$0.role] })
        }
        let words = draw { a, b, c, d in
            DataOp {
                Trigger(a)
                Reads(b)
                MallZip(c)
                Reads(Constant(1))
                compute { (a: Int, b: Int, c: Int, d: Int) in a + b + c + d }
                OutputNode(d)
            }
        }
        let shorthand = draw { a, b, c, d in
            DataOp {
                a>!
                b>?
                c>%
                Constant(1)>?
                compute { (a: Int, b: Int, c: Int, d: Int) in a + b + c + d }
                ~>d
            }
        }
        #expect(Self.withoutNumbers(words.0) == Self.withoutNumbers(shorthand.0))
        #expect(words.1 == shorthand.1)
    }

    private static func withoutNumbers(_ text: String) -> String { text.filter { !$0.isNumber } }

    @Test("M17: a store may hold none, and one with an initial value needs no optional")
    func m17Optionals() async throws {
        let (a, b) = (MallInput<Int?>(), MallInput(5))
        let sum = MallOutput<Int?>()
        TestMall {
            DataOp {
                b>!
                a>?
                compute { (b: Int, a: Int?) in a.map { $0 + b } }
                ~>sum
            }
        }.open()
        #expect(sum.value == nil)
        try await b.sendAndWait(1)
        #expect(sum.value == nil)
        try await a.sendAndWait(2)
        try await b.sendAndWait(3)
        #expect(sum.value == 5)
        try await a.sendAndWait(nil)
        try await b.sendAndWait(4)
        #expect(sum.value == nil)
    }

    // MARK: Concurrency

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

    // MARK: Failures and ends

    private struct Refused: Error, Equatable { let number: Int }

    @Test("An operator that throws is recorded on its output, and the mall lives")
    func failures() async throws {
        let a = MallInput(0)
        let (b, c) = (MallOutput(0), MallOutput(0))
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int) throws -> Int in
                    if x < 0 { throw Refused(number: x) }
                    return x
                }
                ~>b
            }
            DataOp {
                a>!
                compute { (x: Int) async throws -> Int in
                    if x < 0 { throw Refused(number: x) }
                    return x
                }
                ~>c
            }
        }.open()
        try await a.sendAndWait(1)
        #expect(b.value == 1 && c.value == 1 && b.failure == nil)
        try await a.sendAndWait(-2)
        #expect(b.value == 1 && c.value == 1)
        #expect(b.failure as? Refused == Refused(number: -2))
        #expect(c.failure as? Refused == Refused(number: -2))
        #expect(graph.statistics.failures == 2)
        try await a.sendAndWait(3)
        #expect(b.value == 3 && c.value == 3 && b.failure == nil && c.failure == nil)
    }

    @Test("A store whose operator comes back to the value that a cutoff sees there isn't broken any more")
    func recoveringToTheSameValue() async throws {
        let a = MallInput(0)
        let b = MallStore(0).cutoff()
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int) throws -> Int in
                    if x < 0 { throw Refused(number: x) }
                    return x / 10
                }
                ~>b
            }
        }.open()
        for (sent, value, fails) in [(12, 1, false), (-1, 1, true), (13, 1, false), (-2, 1, true), (23, 2, false)] {
            try await a.sendAndWait(sent)
            #expect(b.value == value && (b.failure != nil) == fails, "\(sent)")
        }
        #expect(graph.statistics.failures == 2)
    }

    @Test("Asynchronous operators of one rank run at the same time, and their results count in the order of operators")
    func asynchronousOperatorsTogether() async throws {
        let a = MallInput(0)
        let (b, c) = (MallStore(0), MallStore(0))
        let log = Log<[Int]>()
        let (first, second) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let graph = TestMall {
            DataOp {
                a>!
                compute { (x: Int) async in
                    for await _ in second.stream { break }  // the other one has begun
                    return x
                }
                ~>b
            }
            DataOp {
                a>!
                compute { (x: Int) async in
                    second.continuation.finish()
                    for await _ in first.stream { break }
                    return -x
                }
                ~>c
            }
            DataOp {
                b>!
                c>!
                compute { (b: Int, c: Int) in log.append([b, c]) }
                ~>devNull
            }
        }.open()
        first.continuation.finish()
        a.send(1)
        try await graph.quiescence()
        #expect(log.all == [[1, -1]])
    }

    @Test("Asynchronous operators may zip, and several may write one store: the one declared last counts")
    func asynchronousZips() async throws {
        let (a, b) = (MallInput(0), MallInput(0))
        let (c, d) = (MallOutput(0), MallOutput(0))
        let (zipped, settled) = (Log<Int>(), Log<Int>())
        let graph = TestMall {
            DataOp {
                a>%
                b>%
                compute { (a: Int, b: Int) async in a * 10 + b }
                ~>c
            }
            DataOp {
                a>%
                compute { (a: Int) async in a }
                ~>d
            }
            DataOp {
                c>!
                compute { (c: Int) async in c }
                ~>d
            }
            zipped.noting(c)
            settled.noting(d)
        }.open()
        for number in 1...3 {
            b.send(number)
            a.send(number)
        }
        try await graph.quiescence()
        #expect(zipped.all == [11, 22, 33])
        #expect(settled.all == [11, 22, 33])
    }

    @Test("A transaction is one wave")
    func transactions() async throws {
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
        try await graph.transactionAndWait {
            a.send(1)
            b.send(2)
        }
        #expect(log.all == [[1, 2]])
    }

    @Test(
        "A store that is sent to and written in one wave has the sent value first, in any order, in both modes",
        arguments: [FlowGraph.Mode.fused, .reference]
    )
    func transactionsOfWritten(mode: FlowGraph.Mode) async throws {
        for isReversed in [false, true] {
            let (a, b) = (MallInput(0), MallInput(50))
            let (written, behind) = (Log<Int>(), Log<Int>())
            let end = MallOutput(0)
            let mall = TestMall {
                DataOp {
                    a>!
                    compute { (a: Int) in a + 100 }
                    ~>b
                }
                DataOp {
                    b>!
                    compute { (b: Int) in b * 2 }
                    ~>end
                }
                written.noting(b)
                behind.noting(end)
            }
            let graph = mall.open(runInitially: true, mode: mode)
            try await graph.quiescence()
            #expect(written.all == [50, 100] && behind.all == [100, 200])
            #expect(graph.statistics.waves == 2)
            graph.transaction {
                if isReversed { b.send(5) }
                a.send(1)
                if !isReversed { b.send(5) }
            }
            try await graph.quiescence()
            #expect(written.all == [50, 100, 5, 101] && behind.all == [100, 200, 10, 202])
            #expect(graph.statistics.waves == 4 && end.value == 202)
        }
    }

    @Test("A finished mall ends the sequences of its values, after what was sent before; a cancelled one too")
    func ends() async throws {
        let (a, b) = (MallInput(0), MallOutput(0))
        let mall = TestMall {
            DataOp {
                a>!
                compute { (x: Int) in x }
                ~>b
            }
        }
        let graph = mall.open()
        let values = b.values
        for number in 1...3 { a.send(number) }
        graph.finish()
        a.send(4)
        #expect(await values.all() == [0, 1, 2, 3])
        await graph.cancel()
        a.send(5)
        #expect(b.value == 3)
    }

    @Test("A mall that nobody holds is gone, with its operators")
    func lifetime() async throws {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let (a, b) = (MallInput(0), MallOutput(0))
            let mall = TestMall {
                DataOp {
                    a>!
                    compute { (x: Int) -> Int in withExtendedLifetime(held) { x + 1 } }
                    ~>b
                }
                DataOp {
                    b>!
                    compute { (x: Int) in (x < 5, x) }
                    ~>a
                }
            }
            mall.open()
            try await a.sendAndWait(1)
            #expect(b.value == 5)
        }
        while token != nil { await Task.yield() }
    }

    @Test("A store that isn't private is a node as the seed's: it is sent to, read, subscribed to and sunk")
    func nodes() async throws {
        let (a, b) = (MallStore(1), MallOutput(0))
        let mall = TestMall {
            DataOp {
                a>!
                compute { (x: Int) in x * 2 }
                ~>b
            }
        }
        #expect(a.value == 1)  // reading seals nothing: the mall can still open
        let graph = mall.open()
        let log = Log<String>()
        var sinks = [a.sink { log.append("a\($0)") }]
        sinks.append(b.sink { log.append("b\($0)") })
        a.send(5)
        try await graph.quiescence()
        #expect(a.value == 5 && b.value == 10)
        #expect(log.all == ["a1", "b0", "a5", "b10"])
        #expect(graph.statistics.subscribers == 2)
        sinks[0].cancel()
        sinks[0].cancel()
        a.send(6)
        try await graph.quiescence()
        sinks = []
        a.send(7)
        try await graph.quiescence()
        #expect(log.all == ["a1", "b0", "a5", "b10", "b12"])
        #expect(graph.statistics.subscribers == 0)
    }

    @Test("A sink that is cancelled is called no more, also for values that are sent already, 50 times")
    func cancelledSink() async throws {
        for round in 0..<50 {
            let (node, count) = (MallStore(0), Locked(0))
            let graph = TestMall { Log<Int>().noting(node) }.open()
            let sink = node.sink { _ in count.update { $0 += 1 } }
            for number in 1...(round * 5) + 1 { node.send(number) }
            for _ in 0..<round { await Task.yield() }
            sink.cancel()
            let seen = count.value
            node.send(-1)
            try await graph.quiescence()
            #expect(count.value <= seen + 1, "round \(round)")  // one call may have begun
        }
    }

    @Test("A sink may send to its own store: 1, 2, 3")
    func sendingSink() async throws {
        let node = MallStore(0)
        let log = Log<Int>()
        let sink = node.sink {
            log.append($0)
            if (1..<3).contains($0) { node.send($0 + 1) }
        }
        node.send(1)
        try await eventually { log.all == [0, 1, 2, 3] }
        sink.cancel()
    }

    @Test("Wiring a second time, or a store of another mall, stops the program")
    func misuse() async {
        let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let mall = Thermometer()
            mall.open()
            mall.open()
        }
        let message = twice.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
        #expect(message?.contains("a mall is opened once") == true, "\(message as Any)")
        let limit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ValuesCache<Int>(limit: 0)
        }
        #expect(
            limit.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains("keeps at least 1 value") }
                == true
        )
    }
}

/// The function of the seed's example.
private func functionOf(a: Int, b: Int) -> [Int] { [a, b] }
