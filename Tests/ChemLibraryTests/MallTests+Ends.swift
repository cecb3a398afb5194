import ChemActors
import ChemLibrary
import Foundation
import TestSupport
import Testing

/// What fails, what belongs together, and how a mall ends.
extension MallTests {
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
