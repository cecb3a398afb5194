import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// Operators with several outputs, filters, views, cycles, and the words for them.
extension MallTests {
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

    static func withoutNumbers(_ text: String) -> String { text.filter { !$0.isNumber } }

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
}
