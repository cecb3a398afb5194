import ChemActors
import ChemLibrary
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
        // The body that has answered may not have ended yet.
        try await waitUntilGone { first == nil }
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
}

/// The function of the seed's example.
private func functionOf(a: Int, b: Int) -> [Int] { [a, b] }
