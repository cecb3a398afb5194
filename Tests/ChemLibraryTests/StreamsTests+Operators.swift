import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// The operators: map, filter, merge, lift, and in which order they are wired.
extension StreamsTests {
    @Test("F15: map, all six forms")
    func f15() async throws {
        let source = EventSource<Int>()
        let (a, b, c) = (EventStream<Int>(), EventStream<String>(), EventStream<String>())
        source >-- a >-- (b, { "\($0 + 1)" }) >-- (c, { $0 + "!" })
        let chained = c --^ Cell(initialValue: "")
        let (fromSource, fromCell, same, copy) = (
            EventStream<Int>(), EventStream<Int>(), EventStream<Int>(), EventStream<String>()
        )
        source >-- (fromSource, { $0 * 2 })
        let doubled = fromSource --^ Cell(initialValue: 0)
        doubled >-- (fromCell, { $0 * 10 })
        doubled >-- same
        c >-- copy
        let ten = fromCell --^ Cell(initialValue: 0)
        let twice = same --^ Cell(initialValue: 0)
        let copied = copy --^ Cell(initialValue: "")
        try await source.sendAndWait(4)
        #expect(chained.value == "5!" && copied.value == "5!")
        #expect(doubled.value == 8 && ten.value == 80 && twice.value == 8)
    }

    @Test("F16: filter, all three forms, and a chain behind it")
    func f16() async throws {
        let source = EventSource<Int>()
        let (a, b, c) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
        source >-- a --| (b, { $0 >= 0 }) >-- (c, { $0 * 10 })
        let (fromSource, fromCell) = (EventStream<Int>(), EventStream<Int>())
        let direct = source --| (fromSource, { $0 >= 0 }) --^ Cell(initialValue: -1)
        direct --| (fromCell, { $0 > 0 })
        let chain = (c --^ Cell(initialValue: -1)).probe()
        let positive = (fromCell --^ Cell(initialValue: -1)).probe()
        let passed = direct.probe()
        for number in [3, -1, 0] { source.send(number) }
        try await source.graph.quiescence()
        #expect(chain.values == [30, 0])
        #expect(passed.values == [3, 0])
        #expect(positive.values == [3])
    }

    @Test("F17: filterNil, all three forms")
    func f17() async throws {
        let texts = EventSource<String>()
        let (parsed, numbers) = (EventStream<Int?>(), EventStream<Int>())
        texts >-- (parsed, { Int($0) }) --! numbers
        let probe = (numbers --^ Cell(initialValue: 0)).probe()
        for text in ["1", "x", "7"] { texts.send(text) }
        try await texts.graph.quiescence()
        #expect(probe.values == [1, 7])

        let maybe = EventSource<Int?>()
        let (sure, again) = (EventStream<Int>(), EventStream<Int>())
        let fromSource = (maybe --! sure --^ Cell(initialValue: 0)).probe()
        let optional = maybe --^ Cell<Int?>(initialValue: nil)
        let fromCell = (optional --! again --^ Cell(initialValue: 0)).probe()
        for value in [nil, 5, nil, 6] { maybe.send(value) }
        try await maybe.graph.quiescence()
        #expect(fromSource.values == [5, 6] && fromCell.values == [5, 6])
    }

    @Test("F18: merge stores what came last, with a closure of one value; no input, no event")
    func f18() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let (one, two) = (EventStream<Int>(), EventStream<Int>())
        a >-- one
        b --| (two, { $0 != 9 })
        let plain = [one, two] --& Cell(initialValue: 0)
        let text = [one, two] --& (Cell(initialValue: ""), { "<\($0)>" })
        let behind = plain --^ (Cell(initialValue: 0), { $0 * 10 })
        let (plains, texts, behinds) = (plain.probe(), text.probe(), behind.probe())
        a.send(1)
        b.send(2)
        b.send(9)  // doesn't pass
        a.send(3)
        try await a.graph.quiescence()
        #expect(plains.values == [1, 2, 3])
        #expect(texts.values == ["<1>", "<2>", "<3>"])
        #expect(behinds.values == [10, 20, 30])
    }

    @Test("F19: lift, all forms of one operand")
    func f19() async throws {
        let source = EventSource<Int>()
        let stream = EventStream<Int>()
        source >-- stream
        let plain = source --^ Cell(initialValue: 0)
        let mapped = source --^ (Cell(initialValue: ""), { "\($0)" })
        let fromStream = stream --^ Cell(initialValue: 0)
        let mappedStream = stream --^ (Cell(initialValue: 0), { $0 + 1 })
        let fromCell = plain --^ Cell(initialValue: 0)
        let mappedCell = plain --^ (Cell(initialValue: 0), { -$0 })
        try await source.sendAndWait(7)
        #expect(plain.value == 7 && mapped.value == "7" && fromStream.value == 7)
        #expect(mappedStream.value == 8 && fromCell.value == 7 && mappedCell.value == -7)
    }

    @Test("F19, F31: lift of two to nine cells")
    func f19many() async throws {
        let source = EventSource<Int>()
        func next() -> Cell<Int> { source --^ (Cell(initialValue: 1), { $0 }) }
        let (a, b, c, d, e, f, g, h, i) = (
            next(), next(), next(), next(), next(), next(), next(), next(), next()
        )
        func sum() -> Cell<Int> { Cell(initialValue: 0) }
        let two = (a, b) --^ (sum(), { $0 + $1 })
        let three = (a, b, c) --^ (sum(), { $0 + $1 + $2 })
        let four = (a, b, c, d) --^ (sum(), { $0 + $1 + $2 + $3 })
        let five = (a, b, c, d, e) --^ (sum(), { $0 + $1 + $2 + $3 + $4 })
        let six = (a, b, c, d, e, f) --^ (sum(), { [$0, $1, $2, $3, $4, $5].reduce(0, +) })
        let seven = (a, b, c, d, e, f, g) --^ (sum(), { [$0, $1, $2, $3, $4, $5, $6].reduce(0, +) })
        let eight = (a, b, c, d, e, f, g, h) --^ (sum(), { [$0, $1, $2, $3, $4, $5, $6, $7].reduce(0, +) })
        let nine = (a, b, c, d, e, f, g, h, i) --^ (sum(), { [$0, $1, $2, $3, $4, $5, $6, $7, $8].reduce(0, +) })
        let all = [two, three, four, five, six, seven, eight, nine]
        #expect(all.map(\.value) == Array(2...9))
        try await source.sendAndWait(10)
        #expect(all.map(\.value) == (2...9).map { $0 * 10 })
        #expect(all.allSatisfy { $0.history.count == 1 })
    }

    @Test("F21: a lift of several cells fires with each of them, with the present values of the others")
    func f21() async throws {
        let (first, last) = (EventSource<String>(), EventSource<String>())
        let full =
            (first --^ Cell(initialValue: ""), last --^ Cell(initialValue: "")) --^ (
                Cell(initialValue: ""), { $0 + $1 }
            )
        let probe = full.probe()
        first.send("Ada")
        last.send("Lovelace")
        try await first.graph.quiescence()
        #expect(probe.values == ["Ada", "AdaLovelace"])
    }

    @Test(
        "F22: a lift of several cells begins with their initial values, a lift of one doesn't; in any order of wiring"
    )
    func f22() {
        let sum = (Cell(initialValue: 9), Cell(initialValue: 13)) --^ (Cell(initialValue: 0), { $0 + $1 })
        #expect(sum.value == 22)
        let single = Cell(initialValue: 9) --^ (Cell(initialValue: 0), { $0 + 1 })
        #expect(single.value == 0)

        let (a, b, middle, end) = (
            Cell(initialValue: 1), Cell(initialValue: 2), Cell(initialValue: 0), Cell(initialValue: 0)
        )
        (middle, a) --^ (end, { $0 * 10 + $1 })  // before `middle` has its value
        (a, b) --^ (middle, { $0 + $1 })
        #expect(middle.value == 3 && end.value == 31)
        #expect(end.initialValue == 31 && end.history.isEmpty)
    }

    @Test("F22: initial values are right in any order of wiring, also where one depends on another twice")
    func f22order() {
        let (p, q, d) = (Cell(initialValue: 1), Cell(initialValue: 2), Cell(initialValue: 0))
        let (b, x) = (Cell(initialValue: 0), Cell(initialValue: 0))
        (x, b) --^ (d, +)
        (x, p) --^ (b, +)
        (p, q) --^ (x, +)
        #expect(x.value == 3 && b.value == 4 && d.value == 7)
        #expect(d.initialValue == 7 && d.history.isEmpty)
    }

    @Test("F22: 1,000 lifts that are wired from the end compute each initial value once")
    func f22cost() async throws {
        let (source, one, count) = (EventSource<Int>(), Cell(constant: 1), FlowCell(0))
        let first = source --^ Cell(initialValue: 0)
        let cells = [first] + (1...1_000).map { _ in Cell(initialValue: -1, limit: 1) }
        for index in (1...1_000).reversed() {
            (cells[index - 1], one) --^ (
                cells[index],
                {
                    count.update { $0 += 1 }
                    return $0 + $1
                }
            )
        }
        #expect(cells[1_000].value == 1_000)
        #expect(cells.map(\.value) == Array(0...1_000))
        #expect(count.update { $0 } == 1_000)
        try await source.sendAndWait(5)
        #expect(cells[1_000].value == 1_005 && cells[1_000].initialValue == 1_000)
        #expect(count.update { $0 } == 2_000)
    }

    @Test("F22: a cell that was read, and then wired to more, begins anew; in a cycle what was declared counts")
    func f22again() {
        let (a, b, sum) = (Cell(initialValue: 1), Cell(initialValue: 2), Cell(initialValue: 0))
        let end = (sum, a) --^ (Cell(initialValue: 0), { $0 * 10 + $1 })
        #expect(end.value == 1)
        (a, b) --^ (sum, +)
        #expect(end.value == 31 && sum.value == 3)

        let (x, y) = (Cell(initialValue: 5), Cell(initialValue: 7))
        (y, a) --^ (x, +)
        (x, a) --^ (y, +)
        #expect([x.value, y.value] == [7, 6])  // where it is read first, the declared value is taken: 5 + 1, and 1 more
    }

    @Test("F23: wirings are operands")
    func f23() async throws {
        let (s1, s2) = (EventSource<Int>(), EventSource<Int>())
        let (c1, c2, c3) = (Cell(initialValue: 0), Cell(initialValue: 0), Cell(initialValue: 0))
        (s1 --^ c1, s2 --^ c2) --^ (c3, +)
        try await s1.sendAndWait(2)
        try await s2.sendAndWait(3)
        #expect(c3.value == 5)
    }
}
