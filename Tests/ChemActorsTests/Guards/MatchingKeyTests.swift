import ChemActors
import TestSupport
import Testing

/// Reactions whose inputs have the same key.
@Suite(.endsInTime)
struct MatchingKeyTests {
    struct Order: Sendable {
        let id: Int
        let item: String
    }
    struct Payment: Sendable {
        let orderID: Int
        let amount: Int
        var double: Int { orderID * 2 }
    }

    private func shop(
        on machine: ChemicalMachine = .shared
    ) -> (
        order: SlowMolecule<Order>, payment: SlowMolecule<Payment>, next: FastMolecule<Void, String>, definition: Join
    ) {
        let (order, payment, next, definition) = machine.define("shop") { join in
            let order = join.slow("order", of: Order.self)
            let payment = join.slow("payment", of: Payment.self)
            let shipped = join.slow("shipped", of: String.self, order: .oldestFirst)
            let next = join.fast("next", returning: String.self, order: .oldestFirst)
            join.when(order, payment, matching: \.id, \.orderID) { order, payment in
                shipped("\(order.item) for \(payment.amount)")
            }
            join.answer(next, with: shipped) { _, text in text }
            return (order, payment, next, join.definition)
        }
        return (order, payment, next, definition)
    }

    @Test func onlyThoseWithTheSameKeyReact() async throws {
        let (order, payment, next, definition) = shop()
        order(Order(id: 1, item: "tea"))
        order(Order(id: 2, item: "milk"))
        payment(Payment(orderID: 3, amount: 30))
        try await definition.quiescence()
        #expect(definition.snapshot().molecules == ["order": 2, "payment": 1])
        payment(Payment(orderID: 2, amount: 20))
        #expect(try await next() == "milk for 20")
        order(Order(id: 3, item: "honey"))
        #expect(try await next() == "honey for 30")
        try await definition.quiescence()
        #expect(definition.snapshot().molecules == ["order": 1])
        #expect(definition.statistics.isBalanced)
    }

    @Test func aSnapshotSaysWhatLacksWhichKey() async throws {
        let (order, _, next, definition) = shop()
        order(Order(id: 17, item: "tea"))
        try await definition.quiescence()
        let missing = definition.snapshot().reactions[0].missing
        #expect(missing == ["payment", "payment with orderID 17"])
        extendLifetime(next)
    }

    @Test("Whoever waits for long is told which key is missing")
    func patience() async throws {
        let log = EventLog()
        let machine = ChemicalMachine(.init(reporter: { log.add($0) }, patience: .milliseconds(1)))
        let (put, get) = machine.define("store") { join in
            let put = join.slow("put", of: String.self)
            let get = join.fast("get", of: String.self)
            join.answer(get, with: put, matching: \.self, \.self) { _, _ in }
            return (put, get)
        }
        put("tea")
        async let waiting: Void = get("milk")
        try await until { log.count { if case .waitsForLong = $0.kind { true } else { false } } == 1 }
        let text = log.all.map(\.description).joined()
        #expect(text.contains("get & put") && text.contains("lacks put \"milk\""), "\(text)")
        #expect(machine.explainStuck().description.contains("lacks put \"milk\""), "\(machine.explainStuck())")
        put("milk")
        try await waiting
    }

    @Test("A call that won't wait doesn't wait for others, whose keys have partners", .blocksThreads)
    func noWaitForOtherKeys() async throws {
        let machine = ChemicalMachine(.init(workerLimit: 1))
        let isHeld = Signal()
        let goesOn = Guarded(false)
        let (hold, put, get, definition) = machine.define("store") { join in
            let hold = join.slow("hold")
            let put = join.slow("put", of: Int.self)
            let get = join.fast("get", of: Int.self)
            join.when(hold) { _ in
                isHeld.send()
                while !goesOn.withLock({ $0 }) {}
            }
            join.answer(get, with: put, matching: \.self, \.self) { _, _ in }
            return (hold, put, get, join.definition)
        }
        hold()
        await isHeld.wait()
        let other = Task { try await get(1) }
        try await until { definition.snapshot().waitingCalls.count == 1 }
        put(1)
        try await until { definition.snapshot().reactions[1].missing.isEmpty }
        await #expect(throws: CallError.self) { try await get(7, within: .zero) }
        await #expect(throws: CallError.self) { try await get(7, within: .milliseconds(1)) }
        #expect(!goesOn.withLock { $0 })
        goesOn.withLock { $0 = true }
        try await other.value
        #expect(definition.statistics.isBalanced)
    }

    @Test("With one key the oldest go first; several reactions and those without a guard share the molecule")
    func oldestOfEachKey() async throws {
        let (n, take, takeAny) = Join.define("keys") { join in
            let n = join.slow("n", of: (Int, Int).self, order: .oldestFirst)
            let take = join.fast("take", of: Int.self, returning: Int.self)
            let takeSecond = join.fast("second", of: Int.self, returning: Int.self)
            let takeAny = join.fast("any", returning: Int.self)
            join.answer(take, with: n, matching: \.self, \.0) { _, n in n.1 }
            join.answer(takeSecond, with: n, matching: \.self, \.1) { _, n in n.0 }
            join.answer(takeAny, with: n) { _, n in n.1 }
            return (n, [take, takeSecond], takeAny)
        }
        for value in 0..<12 { n((value % 3, value)) }
        #expect(try await take[0](1) == 1)
        #expect(try await take[0](1) == 4)
        #expect(try await take[1](9) == 0)
        #expect(try await take[0](0) == 0)
        #expect(try await [takeAny(), takeAny()] == [2, 3])
        #expect(try await take[0](0) == 6)
        await #expect(throws: CallError.self) { try await take[0](0, within: .milliseconds(1)) }
        await #expect(throws: CallError.self) { try await take[0](5, within: .zero) }
    }

    @Test("Computed keys, texts of any length, pairs, identities")
    func kinds() async throws {
        enum Colour: String, Matchable { case red, green }
        struct Seat: Matchable, Equatable {
            let row: String, number: Int
            var matchingKey: MatchingKey { MatchingKey(row, number) }
        }
        func check<Key: Matchable & Sendable & Equatable>(_ keys: [Key], _ line: Int = #line) async throws {
            let (a, b, take) = Join.define("kinds") { join in
                let a = join.slow("a", of: Key.self)
                let b = join.slow("b", of: Key.self)
                let pair = join.slow("pair", of: (Key, Key).self)
                let take = join.fast("take", returning: Bool.self)
                join.when(a, b, matching: \.self, \.self) { a, b in pair((a, b)) }
                join.answer(take, with: pair) { _, pair in pair.0 == pair.1 }
                return (a, b, take)
            }
            for key in keys { a(key) }
            for key in keys.reversed() { b(key) }
            for _ in keys { #expect(try await take(), "line \(line)") }
        }
        try await check([0, -1, 1, .max, .min])
        try await check([UInt64.max, 0, 1 << 63])
        try await check([UInt8(1), 255])
        try await check([true, false])
        let long = String(repeating: "long ", count: 100)
        try await check(["", "a", "é", "123456789012345", "1234567890123456", long, long + "!", "\u{1F600}", "a\0"])
        try await check([Character("x"), "é", "👩‍👩‍👧"])
        try await check([Colour.red, .green])
        let seats = [
            Seat(row: "A", number: 1), Seat(row: "A", number: 2), Seat(row: "", number: 0), Seat(row: long, number: 1),
        ]
        try await check(seats)
        #expect(MatchingKey("e\u{301}") == MatchingKey("\u{E9}"))
        #expect(MatchingKey("a", 1) == MatchingKey("a", 1) && MatchingKey("a", 1) != MatchingKey("a", 2))
        #expect(MatchingKey(1, 2) != MatchingKey(2, 1))
        #expect(MatchingKey(UInt128(1) << 64) != MatchingKey(UInt128(1)))
        #expect(
            MatchingKey(bytes: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)).matchingKey
                == MatchingKey(bytes: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        )
    }

    @Test("Whatever is equal to a text in ASCII has its key, of all characters that there are")
    func equivalentTexts() {
        let plain = Set((0..<128 as Range<UInt8>).map { String(Unicode.Scalar($0)) })
        var found = 0
        for number in UInt32(128)...0x10FFFF {
            guard let scalar = Unicode.Scalar(number), plain.contains(String(scalar)) else { continue }
            found += 1
            let same = plain.first { $0 == String(scalar) } ?? ""
            #expect(MatchingKey("a\(scalar)") == MatchingKey("a\(same)"), "U+\(String(number, radix: 16))")
        }
        #expect(found == 3)
        #expect(MatchingKey("\u{212A}\u{301}") == MatchingKey("K\u{301}"))
    }

    @Test("Numbers of more than 64 bits are equal to the same number of another type, and to nothing else")
    func wideNumbers() {
        #expect(MatchingKey(Int128(-1) << 100) != MatchingKey(UInt128.max << 100))
        #expect(MatchingKey(Int128(1) << 100) == MatchingKey(UInt128(1) << 100))
        #expect(MatchingKey(Int128.min) != MatchingKey(UInt128(1) << 127))
        #expect(MatchingKey(Int128(-1) << 64) != MatchingKey(UInt128(1) << 64))
        #expect(MatchingKey(Int128(-5)) == MatchingKey(-5))
        #expect(MatchingKey(UInt128(UInt64.max)) == MatchingKey(UInt64.max))
    }

    @Test("So many copies of one key that trying which would take for ever, and more stack than there is")
    func manyOfOneKey() async throws {
        struct Part: Sendable {
            let key: Int, number: Int
        }
        let count = 100_000
        let (part, taken, definition) = Join.define("kits") { join in
            let part = join.slow("part", of: Part.self, order: .oldestFirst)
            let taken = join.state("taken", [[Int]]())
            join.when(count, of: part, matching: \.key, updating: taken) { taken, parts in
                taken.append(parts.map(\.number))
            }
            return (part, taken.reader, join.definition)
        }
        part.inject(contentsOf: (0..<2 * count + 1).map { Part(key: 7, number: $0) })
        try await definition.quiescence()
        #expect(taken.value.map(\.count) == [count, count])
        #expect(taken.value.allSatisfy { $0 == $0.sorted() && $0[count - 1] - $0[0] == count - 1 })
    }

    @Test func aComputedPropertyIsAKeyToo() async throws {
        let (payment, get) = Join.define("computed") { join in
            let payment = join.slow("payment", of: Payment.self)
            let get = join.fast("get", of: Int.self, returning: Int.self)
            join.answer(get, with: payment, matching: \.self, \.double) { _, payment in payment.amount }
            return (payment, get)
        }
        payment(Payment(orderID: 4, amount: 44))
        #expect(try await get(8) == 44)
    }

    @Test("The same molecule twice, with the same key: two copies")
    func pairs() async throws {
        let (c, next, definition) = Join.define("pairs") { join in
            let c = join.slow("c", of: (n: Int, x: String).self)
            let pair = join.slow("pair", of: String.self)
            let next = join.fast("next", returning: String.self)
            join.when(c, c, matching: \.n, \.n) { a, b in pair("\(a.n): \([a.x, b.x].sorted().joined())") }
            join.answer(next, with: pair) { _, text in text }
            return (c, next, join.definition)
        }
        c((1, "a"))
        c((2, "b"))
        c((3, "c"))
        try await definition.quiescence()
        #expect(definition.snapshot().molecules == ["c": 3])
        c((2, "d"))
        #expect(try await next() == "2: bd")
        c((1, "e"))
        #expect(try await next() == "1: ae")
    }

    @Test("The same molecule twice, with different keys: adjacent ranges grow together, whatever the order")
    func adjacent() async throws {
        for seed in Soak.seeds(20, soak: 1000) {
            var generator = SplitMix(state: seed)
            let machine = ChemicalMachine(.init(seed: seed))
            let count = Int.random(in: 1...40, using: &generator)
            let (range, definition) = machine.define("ranges") { join in
                let range = join.slow("range", of: (start: Int, end: Int, text: String).self)
                join.when(range, range, matching: \.end, \.start) { a, b in range((a.start, b.end, a.text + b.text)) }
                let whole = join.fast("whole", of: Int.self, returning: String.self)
                join.answer(whole, with: range, matching: \.self, \.end) { _, range in range.text }
                join.when(whole) { whole in whole("") }.mayCompete()
                return (range, join.definition)
            }
            for start in (0..<count).shuffled(using: &generator) { range((start, start + 1, "\(start),")) }
            try await definition.quiescence()
            #expect(definition.snapshot().molecules == ["range": 1], "seed \(seed)")
        }
    }

    @Test("A copy isn't taken twice, also if it has the key of both inputs")
    func emptyRange() async throws {
        let (range, definition) = Join.define("ranges") { join in
            let range = join.slow("range", of: (start: Int, end: Int).self)
            let joined = join.slow("joined", of: Int.self)
            join.when(range, range, matching: \.end, \.start) { a, b in joined(a.start * 10 + b.end) }
            join.when(joined, joined) { _, _ in }
            return (range, join.definition)
        }
        range((5, 5))
        try await definition.quiescence()
        #expect(definition.snapshot().molecules == ["range": 1])
        range((5, 5))
        try await definition.quiescence()
        #expect(definition.snapshot().molecules == ["joined": 1])
    }

    @Test("Several copies with one key: map and reduce by key")
    func copies() async throws {
        let totals = Guarded<[String: Int]>([:])
        let (part, definition) = Join.define("sums") { join in
            let part = join.slow("part", of: (key: String, n: Int).self)
            join.when(3, of: part, matching: \.key) { parts in
                totals.withLock { $0[parts[0].key, default: 0] += parts.reduce(0) { $0 + $1.n } }
            }
            return (part, join.definition)
        }
        for n in 1...7 { for key in ["a", "b", "c"] { part((key, n)) } }
        try await definition.quiescence()
        #expect(totals.withLock { $0 } == ["a": 21, "b": 21, "c": 21])
        #expect(definition.snapshot().molecules == ["part": 3])
    }

    @Test func threeAndFourInputsWithAState() async throws {
        let (names, definition, count) = Join.define("four") { join in
            let names = (0..<4).map { join.slow("m\($0)", of: Int.self) }
            let count = join.state("count", 0)
            join.when(
                names[0],
                names[1],
                names[2],
                names[3],
                matching: \.self,
                \.self,
                \.self,
                \.self,
                updating: count
            ) { count, a, b, c, d in
                count += a == b && b == c && c == d ? 1 : 1000
            }
            join.when(names[0], names[1], names[2], matching: \.self, \.self, \.magnitude2) { _, _, _ in }
            return (names, join.definition, count.reader)
        }
        for name in names { for value in (0..<50).shuffled() { name(value) } }
        try await definition.quiescence()
        #expect(count.value + definition.snapshot().molecules.values.reduce(0, +) / 4 >= 0)
        #expect(definition.statistics.isBalanced)
        #expect(definition.snapshot().reactions.allSatisfy { !$0.missing.isEmpty })
    }

    @Test("Asynchronous bodies, and retries and put-backs, find their inputs by key again")
    func putBack() async throws {
        struct Failure: Error {}
        let failures = Guarded(3)
        let (a, b, next) = ChemicalMachine(.silent).define("failing") { join in
            join.failurePolicy = .putBack(after: .milliseconds(1), limit: 10)
            let a = join.slow("a", of: Int.self)
            let b = join.bounded("b", of: Int.self, capacity: 2)
            let done = join.slow("done", of: Int.self)
            let next = join.fast("next", returning: Int.self)
            join.when(a, b, matching: \.self, \.self) { a, b in
                await Task.yield()
                try failures.withLock {
                    $0 -= 1
                    if $0 >= 0 { throw Failure() }
                }
                done(a + b)
            }
            join.answer(next, with: done) { _, n in n }
            return (a, b, next)
        }
        a(1)
        try await b.inject(2)
        try await b.inject(1)
        #expect(try await next() == 2)
        a(2)
        #expect(try await next() == 4)
        #expect(b.tryInject(8) && b.tryInject(9) && !b.tryInject(10))
    }

    @Test("Waiting injectors of a bounded molecule bring their key along")
    func boundedInjectors() async throws {
        let (a, b, definition, got) = Join.define("bounded") { join in
            let a = join.slow("a", of: Int.self)
            let b = join.bounded("b", of: Int.self, capacity: 1)
            let got = join.state("got", [Int]())
            join.when(a, b, matching: \.self, \.self, updating: got) { got, a, b in got.append(a * 100 + b) }
            return (a, b, join.definition, got.reader)
        }
        await withTaskGroup { group in
            for value in 0..<10 { group.addTask { try? await b.inject(value) } }
            for value in 0..<10 { a(value) }
        }
        try await definition.quiescence()
        #expect(got.value.sorted() == (0..<10).map { $0 * 101 })
    }

    @Test("Clearing, deactivating and dissolving", arguments: ["clear", "deactivate", "dissolve"])
    func ends(_ how: String) async throws {
        final class Token: Sendable {}
        struct Held: Sendable { let key: Int; let token: Token }
        weak var token: Token?
        do {
            let (a, call, definition) = Join.define("ends") { join in
                let a = join.slow("a", of: Held.self)
                let call = join.fast("call", of: Int.self, returning: Int.self)
                join.answer(call, with: a, matching: \.self, \.key) { key, _ in key }
                return (a, call, join.definition)
            }
            let first = Token()
            token = first
            a(Held(key: 1, token: first))
            let waiting = Task { try await call(2) }
            try await until { definition.snapshot().waitingCalls.count == 1 }
            switch how {
            case "clear":
                definition.clear()
                await #expect(throws: CallError.self) { try await waiting.value }
                a(Held(key: 2, token: Token()))
                #expect(try await call(2) == 2)
            case "deactivate":
                definition.deactivate()
                await #expect(throws: CallError.self) { try await waiting.value }
                try await definition.quiescence()
                definition.activate()
                a(Held(key: 3, token: Token()))
                #expect(try await call(3) == 3)
            default:
                waiting.cancel()
                _ = await waiting.result
            }
            #expect(definition.statistics.isBalanced)
        }
        try await until { token == nil }
    }

    @Test("With equal seeds on a serial executor, equal runs", arguments: 1...20)
    func equalRuns(_ seed: UInt64) throws {
        func run() throws -> [Int] {
            let executor = SeededExecutor(seed: seed)
            return try executor.run {
                let machine = ChemicalMachine(.init(seed: seed, executor: executor))
                let (a, b, log, definition) = machine.define("equal") { join in
                    let a = join.slow("a", of: Int.self)
                    let b = join.slow("b", of: Int.self)
                    let log = join.state("log", [Int]())
                    join.when(a, b, matching: \.self, \.self, updating: log) { log, a, _ in log.append(a) }
                    return (a, b, log.reader, join.definition)
                }
                for value in 0..<50 { a(value) }
                for value in 0..<50 { b(value) }
                try await definition.quiescence()
                return log.value
            }
        }
        let first = try run()
        #expect(first.sorted() == Array(0..<50))
        #expect(try run() == first, "seed \(seed)")
    }
}

extension Int {
    fileprivate var magnitude2: Int { Int(magnitude) }
}
