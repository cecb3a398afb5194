import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// The cases of Sodium's own tests, each with its name, input and output there. No registration is left after any of
/// them.
@Suite("Sodium", .endsInTime)
struct SodiumTests {
    @Test("liftGlitch: a diamond gives one consistent value a wave", arguments: [FlowGraph.Mode.fused, .reference])
    func liftGlitch(mode: FlowGraph.Mode) async throws {
        let source = EventSource<Int>()
        let result = Cell(initialValue: "")
        let graph = FlowGraph("glitch", mode: mode) {
            let a = source --^ Cell(initialValue: 1)
            let (three, five) = (Cell(initialValue: 3), Cell(initialValue: 5))
            // One way is longer than the other.
            a --^ (Cell(initialValue: 1), { $0 }) --^ (three, { $0 * 3 })
            a --^ (five, { $0 * 5 })
            (three, five) --^ (result, { "\($0) \($1)" })
        }
        let seen = try await listening(to: result) { source.send(2) }
        #expect(seen == ["3 5", "6 10"])
        // Three maps of one cell, the lift, and the way in: five operators, each once.
        #expect(graph.statistics.recomputations == 5 && graph.statistics.waves == 1)
    }

    @Test("lift: a = 12, then b = 6 give \"1 5\", \"12 5\", \"12 6\"")
    func lift() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let both =
            (a --^ Cell(initialValue: 1), b --^ Cell(initialValue: 5)) --^ (Cell(initialValue: ""), { "\($0) \($1)" })
        let seen = try await listening(to: both) {
            a.send(12)
            b.send(6)
        }
        #expect(seen == ["1 5", "12 5", "12 6"])
    }

    @Test("mapC: 6, then 8 give \"6\", \"8\"")
    func mapC() async throws {
        let source = EventSource<Int>()
        // A lift of one keeps its own initial value, so the map of a cell begins with the map of its value.
        let text = source --^ Cell(initialValue: 6) --^ (Cell(initialValue: "6"), { "\($0)" })
        let seen = try await listening(to: text) { source.send(8) }
        #expect(seen == ["6", "8"])
    }

    @Test("values: 9, then 2 and 7 give 9, 2, 7")
    func values() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 9)
        let seen = try await listening(to: cell) {
            source.send(2)
            source.send(7)
        }
        #expect(seen == [9, 2, 7])
    }

    @Test("updates: 9, then 2 and 7 give 2, 7")
    func updates() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 9)
        let seen = try await listening(to: cell, isUpdate: true) {
            source.send(2)
            source.send(7)
        }
        #expect(seen == [2, 7])
    }

    @Test("snapshot: s = 100, c = 2, s = 200, c = 9, c = 1, s = 300 give \"100 0\", \"200 2\", \"300 1\"")
    func snapshot() async throws {
        let (s, c) = (EventSource<Int>(), EventSource<Int>())
        let held = c --^ Cell(initialValue: 0)
        let snapshots = (s, held) --% (EventStream<String>(), { "\($0) \($1)" })
        let result = snapshots --^ Cell(initialValue: "")
        let seen = try await listening(to: result, isUpdate: true) {
            s.send(100)
            c.send(2)
            s.send(200)
            c.send(9)
            c.send(1)
            s.send(300)
        }
        #expect(seen == ["100 0", "200 2", "300 1"])
    }

    @Test("holdIsDelayed: a snapshot sees what was held before: \"2 0\", \"3 2\"")
    func holdIsDelayed() async throws {
        let source = EventSource<Int>()
        let held = source --^ Cell(initialValue: 0)
        let snapshots = (source, held) --% (EventStream<String>(), { "\($0) \($1)" })
        let result = snapshots --^ Cell(initialValue: "")
        let seen = try await listening(to: result, isUpdate: true) {
            source.send(2)
            source.send(3)
        }
        #expect(seen == ["2 0", "3 2"])
    }

    @Test("filter: of 2, 16, 9 those below 10 are 2, 9")
    func filter() async throws {
        let source = EventSource<Int>()
        let small = source --| (EventStream<Int>(), { $0 < 10 }) --^ Cell(initialValue: 0)
        let seen = try await listening(to: small, isUpdate: true) { for number in [2, 16, 9] { source.send(number) } }
        #expect(seen == [2, 9])
    }

    @Test("filterNotNull: of tomato, nil, peach there are tomato, peach")
    func filterNotNull() async throws {
        let source = EventSource<String?>()
        let some = source --! EventStream<String>() --^ Cell(initialValue: "")
        let seen = try await listening(to: some, isUpdate: true) {
            for word in ["tomato", nil, "peach"] { source.send(word) }
        }
        #expect(seen == ["tomato", "peach"])
    }

    @Test("gate: H, closed, O, open, I give H, I")
    func gate() async throws {
        let (letters, gate) = (EventSource<String>(), EventSource<Bool>())
        let isOpen = gate --^ Cell(initialValue: true)
        let through = EventStream<String>()
        (letters, isOpen) --% (through, { letter, _ in letter }, where: { _, isOpen in isOpen })
        let result = through --^ Cell(initialValue: "")
        let seen = try await listening(to: result, isUpdate: true) {
            letters.send("H")
            gate.send(false)
            letters.send("O")
            gate.send(true)
            letters.send("I")
        }
        #expect(seen == ["H", "I"])
    }

    @Test("loopCell: the running sum of 2, 3, 1, through a cell that is fed back, is 0, 2, 5, 6")
    func loopCell() async throws {
        let source = EventSource<Int>()
        let sum = Cell(initialValue: 0)
        let sums = (source, sum) --% (EventStream<Int>(), { $0 + $1 })
        sums --^ sum
        let seen = try await listening(to: sum) { for number in [2, 3, 1] { source.send(number) } }
        #expect(seen == [0, 2, 5, 6])
    }

    @Test("loop merge: a stream that is used before it is wired; 2, 52 give 2, 7")
    func loopMerge() async throws {
        let source = EventSource<Int>()
        let tens = Cell(initialValue: 0)
        let ones = source --^ (Cell(initialValue: 0), { $0 % 10 })
        // What Sodium's merge adds up within a transaction, a lift adds up within a wave.
        let sum = (ones, tens) --^ (Cell(initialValue: 0), +)
        source --^ (tens, { $0 / 10 })
        let seen = try await listening(to: sum, isUpdate: true) {
            source.send(2)
            source.send(52)
        }
        #expect(seen == [2, 7])
    }

    @Test("liftFromSimultaneous: b = 7 in one transaction gives 10, once")
    func liftFromSimultaneous() async throws {
        let (sa, sb) = (EventSource<Int>(), EventSource<Int>())
        let sum = (sa --^ Cell(initialValue: 3), sb --^ Cell(initialValue: 5)) --^ (Cell(initialValue: 0), +)
        let probe = sum.probe()
        sum.graph.transaction { sb.send(7) }
        let seen = try await listening(to: sum) {}
        #expect(seen == [10])
        #expect(probe.values == [10])
    }

    @Test("a transaction is one wave, a source's last value counts, and nothing is sent if it throws")
    func transaction() async throws {
        let (sa, sb) = (EventSource<Int>(), EventSource<Int>())
        let sum = (sa --^ Cell(initialValue: 3), sb --^ Cell(initialValue: 5)) --^ (Cell(initialValue: 0), +)
        let probe = sum.probe()
        sum.graph.transaction {
            sa.send(1)
            sb.send(7)
            sa.send(3)
        }
        #expect(throws: Mishap.self) {
            try sum.graph.transaction {
                sa.send(1_000)
                throw Mishap()
            }
        }
        try await sum.graph.transactionAndWait {
            sa.send(4)
            sb.send(4)
        }
        #expect(probe.values == [10, 8])
        #expect(sum.graph.statistics.waves == 2)
    }

    @Test("defer: what comes right behind a value sees it held: C, B, A give C, B, A")
    func deferred() async throws {
        let (source, later) = (EventSource<String>(), EventSource<Void>())
        let held = source --^ Cell(initialValue: " ")
        let snapshots = (later, held) --% (EventStream<String>(), { _, held in held })
        let result = snapshots --^ Cell(initialValue: "")
        let seen = try await listening(to: result, isUpdate: true) {
            for letter in ["C", "B", "A"] { source.send(letter) { later.send(()) } }
        }
        #expect(seen == ["C", "B", "A"])
    }

    @Test("defer: what an outlet sends is a wave of its own, and sees what was held: C, B, A give C, B, A")
    func deferredByOutlet() async throws {
        let (source, later) = (EventSource<String>(), EventSource<Void>())
        let held = source --^ Cell(initialValue: " ") --< (Outlet(), { _ in later.send(()) })
        let snapshots = (later, held) --% (EventStream<String>(), { _, held in held })
        let result = snapshots --^ Cell(initialValue: "")
        let probe = result.probe()
        for letter in ["C", "B", "A"] { try await source.sendAndWait(letter) }
        try await result.graph.quiescence()
        #expect(probe.values == ["C", "B", "A"])
    }

    @Test("calm: 2, 2, 4, 2, 4, 4, 2, 2 give 2, 4, 2, 4, 2, by cutoff and by accumulating")
    func calm() async throws {
        let source = EventSource<Int>()
        let calm = source --^ Cell(initialValue: 2).cutoff(==)
        let last = Cell(initialValue: 2)
        source --+ (last, { _, new in new }, where: { $0 != $1 })
        let other = last.values
        let seen = try await listening(to: calm) { for number in [2, 4, 2, 4, 4, 2, 2] { source.send(number) } }
        #expect(seen == [2, 4, 2, 4, 2])
        #expect(await other.all() == seen)
    }

    @Test("apply: a function that changes, of a value that changes: \"1 5\", \"12 5\", \"12 6\"")
    func apply() async throws {
        typealias Function = @Sendable (Int) -> String
        let (functions, values) = (EventSource<Function>(), EventSource<Int>())
        let function = functions --^ Cell<Function>(initialValue: { "1 \($0)" })
        let value = values --^ Cell(initialValue: 5)
        let result = (function, value) --^ (Cell(initialValue: ""), { $0($1) })
        let seen = try await listening(to: result) {
            functions.send({ "12 \($0)" })
            values.send(6)
        }
        #expect(seen == ["1 5", "12 5", "12 6"])
    }

    @Test("valueThenFilter: of 9, then 2, 7 the odd ones are 9, 7")
    func valueThenFilter() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 9)
        let odd = cell.values.filter { $0 % 2 == 1 }
        source.send(2)
        source.send(7)
        cell.graph.finish()
        var seen: [Int] = []
        for await number in odd { seen.append(number) }
        #expect(seen == [9, 7])
    }

    @Test("lateListen: 6, then 2; who listens now sees 2, then 8")
    func lateListen() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 6)
        source.send(2)
        let seen = try await listening(to: cell) { source.send(8) }
        #expect(seen == [2, 8])
    }

    @Test("listenTwice: one, two for two listeners are one, one, two, two")
    func listenTwice() async throws {
        let source = EventSource<String>()
        let probe = FlowProbe<String>()
        let cell =
            source --^ Cell(initialValue: "") --< (Outlet(), { probe.add($0) }) --< (Outlet(), { probe.add($0) })
        let other = cell.updates
        let seen = try await listening(to: cell, isUpdate: true) {
            source.send("one")
            source.send("two")
        }
        #expect(probe.values == ["one", "one", "two", "two"])
        #expect(seen == ["one", "two"])
        #expect(await other.all() == seen)
    }
}

/// What a listener is given until the graph is finished. Its registration is gone afterwards, those of others are not.
private func listening<Value>(
    to cell: Cell<Value>,
    isUpdate: Bool = false,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ script: () -> Void
) async throws -> [Value] {
    let graph = cell.graph
    try await graph.quiescence()
    let others = graph.statistics.subscribers
    let seen = await listened(isUpdate ? cell.updates : cell.values) {
        script()
        graph.finish()
    }
    try await graph.quiescence()
    #expect(graph.statistics.subscribers == others, sourceLocation: sourceLocation)
    return seen
}

/// All values of a sequence, which nobody holds any more when this returns.
private func listened<Value>(_ values: consuming FlowValues<Value>, _ script: () -> Void) async -> [Value] {
    script()
    return await values.all()
}
