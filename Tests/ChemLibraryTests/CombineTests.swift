import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// The cases of Combine, of OpenCombine's tests, and of AsyncAlgorithms.
@Suite("Combine", .endsInTime)
struct CombineTests {
    @Test("zip: pairs by index, ends when a finished input has nothing left")
    func combineZip() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let (sa, sb, both) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
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

    @Test("zip: ends at once if a child finishes with no surplus; three inputs")
    func combineZipEnd() async throws {
        let (a, b, c) = (EventSource<Int>(), EventSource<Int>(), EventSource<Int>())
        let (sa, sb, sc, all) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
        a >-- sa
        b >-- sb
        c >-- sc
        (sa, sb, sc) --* (all, { $0 + $1 + $2 })
        let values = (all --^ Cell(initialValue: 0)).updates
        for source in [a, b, c] { source.send(1) }
        c.finish()
        #expect(await values.all() == [3])
    }

    @Test("combineLatest and merge end when all inputs have")
    func combineLatestEnd() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
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

        let (c, d) = (EventSource<Int>(), EventSource<Int>())
        let (sc, sd) = (EventStream<Int>(), EventStream<Int>())
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
            let (numbers, letters) = (EventSource<String>(), EventSource<String>())
            let (number, letter) = (numbers --^ Cell(initialValue: ""), letters --^ Cell(initialValue: ""))
            let both = (number, letter) --^ (Cell(initialValue: ""), { $0 + $1 })
            let complete = EventStream<String>()
            both --| (complete, { $0.count == 2 })
            let probe = (complete --^ Cell(initialValue: "")).probe()
            for symbol in script.map(String.init) { (Int(symbol) == nil ? letters : numbers).send(symbol) }
            try await both.graph.quiescence()
            #expect(probe.values.joined() == expected)
        }
    }

    @Test("zip: 1 for each of 2 to 4 children gives one value, which is their number")
    func zipArities() async throws {
        for arity in 2...4 {
            let sources = (0..<arity).map { _ in EventSource<Int>() }
            let s = sources.map { $0 >-- EventStream<Int>() }
            let sum = EventStream<Int>()
            switch arity {
            case 2: (s[0], s[1]) --* (sum, { $0 + $1 })
            case 3: (s[0], s[1], s[2]) --* (sum, { $0 + $1 + $2 })
            default: (s[0], s[1], s[2], s[3]) --* (sum, { $0 + $1 + $2 + $3 })
            }
            let values = (sum --^ Cell(initialValue: 0)).updates
            for source in sources {
                source.send(1)
                source.finish()
            }
            #expect(await values.all() == [arity])
        }
    }

    @Test("zip: a finished child that has surplus delays the end until the surplus is paired")
    func zipDelayedEnd() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let (sa, sb, both) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
        a >-- sa
        b >-- sb
        (sa, sb) --* (both, { $0 + $1 })
        let cell = both --^ Cell(initialValue: 0)
        let values = cell.updates
        a.send(100)
        a.send(200)
        a.finish()
        b.send(1)
        #expect(await values.prefix(collecting: 1) == [101])
        try await cell.graph.quiescence()
        #expect(cell.graph.statistics.pending == 1)  // and so it goes on
        b.send(2)
        #expect(await values.all() == [202])
        b.send(3)
        try await cell.graph.quiescence()
        #expect(cell.history.map(\.value) == [101, 202])
    }

    @Test("combineLatest: no value before all have produced: a = 100, 200, 300, b = 1, 2, 3 give 301, 302, 303")
    func combineLatestNeedsAll() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let sum = latest(a, b) { $0 + $1 }
        let values = sum.updates
        for number in [100, 200, 300] { a.send(number) }
        try await sum.graph.quiescence()
        #expect(sum.history.isEmpty)
        b.send(1)
        a.finish()
        b.send(2)
        b.send(3)
        b.finish()
        #expect(await values.all() == [301, 302, 303])
    }

    @Test("merge: 1 for each of 2 to 8 children gives as many values, and the end comes after that of all")
    func mergeArities() async throws {
        for arity in 2...8 {
            let sources = (0..<arity).map { _ in EventSource<Int>() }
            let merged = sources.map { $0 >-- EventStream<Int>() } --& Cell(initialValue: 0)
            let values = merged.updates
            for source in sources { source.send(1) }
            for source in sources.dropLast() { source.finish() }
            sources[arity - 1].send(2)
            sources[arity - 1].finish()
            #expect(await values.all() == Array(repeating: 1, count: arity) + [2])
        }
    }

    @Test("Swift Evolution, the table of prices: zip gives 2 tuples, combineLatest gives 3")
    func prices() async throws {
        struct Pair: Equatable { let apple, nikkei: Double }
        let (apple, nikkei) = (EventSource<Double>(), EventSource<Double>())
        let (apples, nikkeis, zipped) = (EventStream<Double>(), EventStream<Double>(), EventStream<Pair?>())
        apple >-- apples
        nikkei >-- nikkeis
        (apples, nikkeis) --* (zipped, { Pair(apple: $0, nikkei: $1) })
        let zip = zipped --^ Cell(initialValue: nil)
        let both = latest(apple, nikkei) { Pair(apple: $0, nikkei: $1) }
        let (zips, latests) = (zip.updates, both.updates)
        apple.send(173.91)
        nikkei.send(14_236.78)
        nikkei.send(14_218.34)
        apple.send(173.00)
        apple.finish()
        nikkei.finish()
        #expect(
            await zips.all() == [Pair(apple: 173.91, nikkei: 14_236.78), Pair(apple: 173.00, nikkei: 14_218.34)]
        )
        #expect(
            await latests.all() == [
                Pair(apple: 173.91, nikkei: 14_236.78), Pair(apple: 173.91, nikkei: 14_218.34),
                Pair(apple: 173.00, nikkei: 14_218.34),
            ]
        )
    }

    @Test("AsyncAlgorithms, zip: 1 to 5 with a, b, c give 3 pairs, then nil for ever")
    func zipShortest() async throws {
        let (numbers, letters) = (EventSource<Int>(), EventSource<String>())
        let (number, letter, both) = (EventStream<Int>(), EventStream<String>(), EventStream<String>())
        numbers >-- number
        letters >-- letter
        (number, letter) --* (both, { "\($0)\($1)" })
        let values = (both --^ Cell(initialValue: "")).updates
        for number in 1...5 { numbers.send(number) }
        numbers.finish()
        for letter in ["a", "b", "c"] { letters.send(letter) }
        letters.finish()
        var iterator = values.makeAsyncIterator()
        var seen: [String?] = []
        for _ in 1...6 { seen.append(await iterator.next()) }
        #expect(seen == ["1a", "2b", "3c", nil, nil, nil])
    }

    @Test(
        "AsyncAlgorithms, zip that throws at 2: (1, a), then its error on the output; and unlike there, (3, c) follows"
    )
    func zipThrows() async throws {
        let (numbers, letters) = (MallInput(0), MallInput(""))
        let pair = MallOutput("")
        TestMall {
            DataOp {
                numbers>%
                letters>%
                compute { (number: Int, letter: String) throws -> String in
                    if number == 2 { throw Mishap(number: number) }
                    return "\(number)\(letter)"
                }
                ~>pair
            }
        }.open()
        let values = pair.values
        var states: [String] = []
        for (number, letter) in [(1, "a"), (2, "b"), (3, "c")] {
            numbers.send(number)
            try await letters.sendAndWait(letter)
            states.append("\(pair.value) \((pair.failure as? Mishap)?.number ?? 0)")
        }
        #expect(states == ["1a 0", "1a 2", "3c 0"])
        #expect(await values.first(3) == ["", "1a", "3c"])
    }

    @Test("Observation: 3, 4, 5 sent one after the other are three events, however slow the listener is")
    func neverCoalesced() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let values = cell.updates
        for number in [3, 4, 5] { source.send(number) }
        try await cell.graph.quiescence()
        #expect(await values.prefix(collecting: 3) == [3, 4, 5])
    }
}

/// As `combineLatest`: there is no value before both have produced one.
private func latest<A: Sendable, B: Sendable, Result: Sendable>(
    _ first: EventSource<A>,
    _ second: EventSource<B>,
    _ combine: @escaping @Sendable (A, B) -> Result
) -> Cell<Result?> {
    let a = first --^ (Cell<A?>(initialValue: nil), { Optional($0) })
    let b = second --^ (Cell<B?>(initialValue: nil), { Optional($0) })
    let result = Cell<Result?>(initialValue: nil)
    (a, b) --^ (
        result,
        { a, b in
            guard let a, let b else { return nil }
            return combine(a, b)
        }
    )
    let complete = EventStream<Result?>()
    result --| (complete, { $0 != nil })
    return complete --^ Cell<Result?>(initialValue: nil)
}
