import ChemActors
import TestSupport
import Testing

/// Reactions whose inputs have to meet a condition together.
@Suite(.endsInTime)
struct WhereTests {
    @Test func onlyThoseReactThatFitTogether() async throws {
        let (driver, rider, next, definition) = Join.define("rides") { join in
            let driver = join.slow("driver", of: Int.self)
            let rider = join.slow("rider", of: Int.self)
            let ride = join.slow("ride", of: [Int].self, order: .oldestFirst)
            let next = join.fast("next", returning: [Int].self, order: .oldestFirst)
            join.when(driver, rider, where: { abs($0 - $1) < 10 }) { driver, rider in ride([driver, rider]) }
            join.answer(next, with: ride) { _, ride in ride }
            return (driver, rider, next, join.definition)
        }
        driver(0)
        rider(50)
        driver(100)
        try await definition.quiescence()
        #expect(definition.snapshot().molecules == ["driver": 2, "rider": 1])
        #expect(definition.statistics.started == 0)
        rider(95)
        #expect(try await next() == [100, 95])
        driver(42)
        #expect(try await next() == [42, 50])
        #expect(definition.statistics.isBalanced)
    }

    @Test func theOldestThatFitGoFirst() async throws {
        let (a, pairs, definition) = Join.define("oldest") { join in
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            let pairs = join.state("pairs", [[Int]]())
            join.when(a, b, where: { $0 % 2 == $1 % 2 }, updating: pairs) { pairs, a, b in pairs.append([a, b]) }
            return ([a, b], pairs.reader, join.definition)
        }
        for value in 0..<6 { a[0](value) }
        a[1](1)
        a[1](0)
        try await definition.quiescence()
        #expect(pairs.value == [[1, 1], [0, 0]])
        a[1](7)
        try await definition.quiescence()
        #expect(pairs.value.last == [3, 7])
    }

    @Test func callsThatFitWithWhatIsThere() async throws {
        let (book, room, definition) = Join.define("hotel") { join in
            let book = join.fast("book", of: Int.self, returning: Int.self)
            let room = join.slow("room", of: Int.self)
            join.answer(book, with: room, where: { guests, beds in beds >= guests }) { _, beds in beds }
            return (book, room, join.definition)
        }
        for beds in [1, 2, 4] { room(beds) }
        #expect(try await book(2) == 2)
        #expect(try await book(2) == 4)
        await #expect(throws: CallError.self) { try await book(3, within: .milliseconds(1)) }
        let waiting = Task { try await book(3) }
        try await until { definition.snapshot().waitingCalls.count == 1 }
        try await definition.quiescence()
        #expect(definition.snapshot().reactions[0].missing == ["values that meet its condition"])
        room(5)
        #expect(try await waiting.value == 5)
    }

    @Test("Three inputs, and one molecule in several places: no copy is taken twice")
    func triples() async throws {
        let (n, sums, definition) = Join.define("triples") { join in
            let n = join.slow("n", of: Int.self)
            let sums = join.state("sums", [[Int]]())
            join.when(n, n, n, where: { $0 + $1 == $2 }, updating: sums) { sums, a, b, c in sums.append([a, b, c]) }
            return (n, sums.reader, join.definition)
        }
        for value in [1, 9, 2] { n(value) }
        try await definition.quiescence()
        #expect(sums.value.isEmpty)
        n(3)
        try await definition.quiescence()
        #expect(sums.value == [[1, 2, 3]])
        n(10)
        try await definition.quiescence()
        #expect(sums.value.count == 1)
        n(5)
        try await definition.quiescence()
        #expect(sums.value.count == 1)
        n(5)
        try await definition.quiescence()
        #expect(sums.value.last == [5, 5, 10])
    }

    @Test("The condition may look at the definition, and runs in one task at a time")
    func outsideOfTheSoup() async throws {
        let inside = Guarded((now: 0, most: 0))
        let (a, b, definition) = Join.define("looking") { join in
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            let handle = join.definition
            join.when(a, b) { _, _ in }.mayCompete()
            join.when(
                a,
                b,
                where: { a, b in
                    inside.withLock {
                        $0.now += 1
                        $0.most = max($0.most, $0.now)
                    }
                    defer { inside.withLock { $0.now -= 1 } }
                    return handle.statistics.isBalanced && a == b
                }
            ) { _, _ in }
            return (a, b, join.definition)
        }
        await withTaskGroup { group in
            for task in 0..<4 { group.addTask { for value in 0..<100 { (task % 2 == 0 ? a : b)(value % 7) } } }
        }
        try await definition.quiescence()
        #expect(inside.withLock { $0.most } <= 1)
        #expect(definition.statistics.isBalanced)
    }

    @Test("A long search is reported, once")
    func report() async throws {
        let log = EventLog()
        let machine = ChemicalMachine(.init(reporter: { log.add($0) }, patience: nil))
        let (a, b, definition) = machine.define("long") { join in
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            join.when(a, b, where: { $0 == $1 }, fileID: "App/Pairs.swift", line: 7) { _, _ in }
            return (a, b, join.definition)
        }
        a.inject(contentsOf: 0..<10_000)
        for value in [-1, -2, -3] { b(value) }
        try await definition.quiescence()
        let reports = log.all.filter { if case .searchesForLong = $0.kind { true } else { false } }
        #expect(reports.count == 1)
        #expect(reports.first?.description.contains("App/Pairs.swift:7") == true)
        b(9_999)
        try await definition.quiescence()
        #expect(definition.snapshot().molecules == ["a": 9_999, "b": 3])
    }

    @Test("Clearing, pausing and other reactions during a search: what has left doesn't react", .blocksThreads)
    func interrupted() async throws {
        for round in 0..<20 {
            let gate = Guarded(false)
            let reacted = Guarded<[Int]>([])
            let (a, b, take, definition) = Join.define("interrupted") { join in
                let a = join.slow("a", of: Int.self)
                let b = join.slow("b", of: Int.self)
                let take = join.fast("take", returning: Int.self)
                join.answer(take, with: a) { _, a in a }
                join.when(
                    a,
                    b,
                    where: { a, b in
                        while !gate.withLock({ $0 }) {}
                        return a == b
                    }
                ) { a, _ in reacted.append(a) }
                return (a, b, take, join.definition)
            }
            a(1)
            b(1)
            switch round % 3 {
            case 0:
                #expect(try await take() == 1)
                gate.withLock { $0 = true }
                try await definition.quiescence()
                #expect(definition.snapshot().molecules == ["b": 1], "round \(round)")
                a(1)
            case 1:
                definition.clear()
                gate.withLock { $0 = true }
                try await definition.quiescence()
                #expect(definition.snapshot().molecules.isEmpty, "round \(round)")
                b(1)
                a(1)
            default:
                definition.pause()
                gate.withLock { $0 = true }
                #expect(reacted.withLock { $0.isEmpty } || round > 0)
                definition.resume()
            }
            try await definition.quiescence()
            #expect(reacted.withLock { $0 } == [1], "round \(round)")
            #expect(definition.statistics.isBalanced, "round \(round)")
        }
    }

    @Test("A state that another reaction takes during a search isn't taken twice", .blocksThreads)
    func stateTakenMeanwhile() async throws {
        let isLooking = Signal()
        let goesOn = Guarded(false)
        let (a, b, hold, release, definition, log) = Join.define("states") { join in
            let a = join.slow("a", of: Int.self)
            let b = join.slow("b", of: Int.self)
            let hold = join.slow("hold")
            let release = join.fast("release")
            let free = join.slow("free")
            let log = join.state("log", [String]())
            join.when(
                a,
                b,
                where: { a, b in
                    isLooking.send()
                    while !goesOn.withLock({ $0 }) {}
                    return a == b
                },
                updating: log
            ) { log, _, _ in log.append("pair") }
            join.when(hold, updating: log) { log, _ in
                log.append("held")
                try? await release()
                log.append("freed")
            }
            join.answer(release, with: free) { _, _ in }
            return (a, b, hold, free, join.definition, log.reader)
        }
        a(1)
        b(1)
        await isLooking.wait()
        hold()
        try await until { definition.snapshot().waitingCalls.count == 1 }
        goesOn.withLock { $0 = true }
        // The pair has been found, and has to wait for the state.
        try await until { definition.snapshot().running == 1 }
        release()
        try await definition.quiescence()
        #expect(log.value == ["held", "freed", "pair"])
        #expect(definition.snapshot().molecules["a"] == nil && definition.statistics.isBalanced)
    }

    @Test("A call that won't wait, while a search is under way that may find it", .blocksThreads)
    func callDuringSearch() async throws {
        let isLooking = Signal()
        let goesOn = Guarded(false)
        let (book, room, definition) = Join.define("hotel") { join in
            let book = join.fast("book", of: Int.self, returning: Int.self)
            let room = join.slow("room", of: Int.self)
            join.answer(
                book,
                with: room,
                where: { guests, beds in
                    isLooking.send()
                    while !goesOn.withLock({ $0 }) {}
                    return beds >= guests
                }
            ) { _, beds in beds }
            return (book, room, join.definition)
        }
        room(2)
        let first = Task { try await book(3) }
        await isLooking.wait()
        let fitting = Task { try await book(2, within: .zero) }
        let tooMany = Task { try await book(4, within: .zero) }
        // Nobody has tried them yet.
        try await until { definition.snapshot().waitingCalls.count == 3 }
        goesOn.withLock { $0 = true }
        #expect(try await fitting.value == 2)
        let error = await #expect(throws: CallError.self) { try await tooMany.value }
        #expect(error?.code == .timedOut)
        await #expect(throws: CallError.self) { try await book(4, within: .zero) }
        room(3)
        #expect(try await first.value == 3)
        #expect(definition.statistics.isBalanced)
    }

    @Test("Definitions with a condition dissolve")
    func dissolves() async throws {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let kept = Token()
            token = kept
            let a = Join.define("gone") { join in
                let a = join.slow("a", of: Int.self)
                let b = join.fast("b", of: Int.self)
                join.when(
                    a,
                    b,
                    where: { a, b in
                        extendLifetime(kept); return a == b
                    }
                ) { _, b in b() }
                return a
            }
            a(1)
        }
        try await until { token == nil }
    }
}
