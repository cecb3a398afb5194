import ChemActors
import TestSupport
import Testing

/// Molecules that are split by their values.
@Suite(.endsInTime)
struct PartTests {
    enum Message: Sendable, Equatable {
        case text(String)
        case number(Int)
        case bye
    }

    @Test func eachValueGoesToItsPartWithWhatThatMakesOfIt() async throws {
        let log = Guarded<[String]>([])
        let (message, definition) = Join.define("talk") { join in
            let message = join.slow("message", of: Message.self, order: .oldestFirst)
            let text = join.part("text", of: message) { message in
                if case .text(let text) = message { text } else { nil }
            }
            let number = join.part("number", of: message) { message in
                if case .number(let number) = message { number } else { nil }
            }
            join.when(text) { text in log.append("text \(text)") }
            join.when(number, number) { a, b in log.append("sum \(a + b)") }
            join.when(message) { message in log.append("\(message)") }
            return (message, join.definition)
        }
        message(.number(1))
        message(.text("hi"))
        message(.bye)
        try await definition.quiescence()
        #expect(definition.snapshot().molecules == ["number": 1])
        message.inject(contentsOf: [.number(2), .text("you")])
        try await definition.quiescence()
        #expect(log.withLock { $0.sorted() } == ["bye", "sum 3", "text hi", "text you"])
        let numbers = definition.statistics.molecules
        #expect(numbers["message"]?.injected == 1 && numbers["number"]?.injected == 2 && numbers["text"]?.injected == 2)
        #expect(definition.statistics.isBalanced)
    }

    enum Status: Sendable, CaseIterable { case open, paid, shipped }
    struct Order: Sendable {
        let number: Int
        let status: Status
    }

    @Test func aMoleculeIsSplitCompletelyByTheCasesOfAnEnumeration() async throws {
        let seen = Guarded<[Status: [Int]]>([:])
        let (order, definition) = Join.define("shop") { join in
            let order = join.slow("order", of: Order.self, order: .oldestFirst)
            let orders = join.parts(of: order, by: \.status)
            for status in Status.allCases {
                join.when(orders[status]) { order in
                    seen.withLock { $0[order.status, default: []].append(order.number) }
                }
            }
            return (order, join.definition)
        }
        for number in 0..<30 { order(Order(number: number, status: Status.allCases[number % 3])) }
        try await definition.quiescence()
        let all = seen.withLock { $0.mapValues { $0.sorted() } }
        #expect(all[.open] == Array(stride(from: 0, to: 30, by: 3)))
        #expect(all[.paid]?.count == 10 && all[.shipped]?.count == 10)
        #expect(definition.statistics.molecules["order.paid"]?.consumed == 10)
    }

    @Test("The part that was declared first takes a value, parts have parts, and each can be injected itself")
    func priorities() async throws {
        let (n, even, take) = Join.define("numbers") { join in
            let n = join.slow("n", of: Int.self, order: .oldestFirst)
            let even = join.part("even", of: n, where: { $0 % 2 == 0 })
            let large = join.part("large", of: n, where: { $0 > 10 })
            let largeEven = join.part("large even", of: even, where: { $0 > 10 })
            let take = (0..<4).map { join.fast("take \($0)", returning: Int.self) }
            for (take, part) in zip(take, [n, even, large, largeEven]) { join.answer(take, with: part) { _, n in n } }
            return (n, even, take)
        }
        for value in [1, 2, 11, 12] { n(value) }
        #expect(try take.map { try $0.tryCall() } == [1, 2, 11, 12])
        even(3)
        #expect(try take[1].tryCall() == 3)
    }

    @Test("What was injected before the part was declared, and while the definition is made, goes to the part as well")
    func early() async throws {
        let take = Join.define("early") { join in
            let n = join.slow("n", of: Int.self, order: .oldestFirst)
            for value in 0..<10 { n(value) }
            let even = join.part("even", of: n, where: { $0.isMultiple(of: 2) })
            for value in 10..<20 { n(value) }
            let odd = join.fast("odd", returning: Int.self)
            let takeEven = join.fast("even", returning: Int.self)
            join.answer(odd, with: n) { _, n in n }
            join.answer(takeEven, with: even) { _, n in n }
            return [odd, takeEven]
        }
        for value in 0..<20 { #expect(try await take[value % 2 == 0 ? 1 : 0]() == value) }
    }

    @Test func callsAreSplitByTheirArguments() async throws {
        let (access, open, definition) = Join.define("file") { join in
            let access = join.fast("access", of: Int.self, returning: String.self)
            let write = join.part("write", of: access, where: { $0 < 0 })
            let key = join.slow("key")
            join.answer(access) { n in "read \(n)" }
            join.answer(write, with: key) { n, _ in "write \(-n)" }
            return (access, key, join.definition)
        }
        #expect(try await access(1) == "read 1")
        #expect(try access.tryCall(2) == "read 2")
        #expect(try access.tryCall(-1) == nil)
        await #expect(throws: CallError.self) { try await access(-1, within: .milliseconds(1)) }
        async let written = access(-7)
        try await until { definition.snapshot().waitingCalls.map(\.molecule) == ["write"] }
        open()
        #expect(try await written == "write 7")
        #expect(definition.statistics.isBalanced)
    }

    @Test("The parts of a bounded molecule share its capacity")
    func bounded() async throws {
        let (job, takes, definition) = Join.define("jobs") { join in
            let job = join.bounded("job", of: Int.self, capacity: 3, order: .oldestFirst)
            let urgent = join.part("urgent", of: job, where: { $0 >= 100 })
            let take = join.fast("take", returning: Int.self)
            let takeUrgent = join.fast("take urgent", returning: Int.self)
            join.answer(take, with: job) { _, n in n }
            join.answer(takeUrgent, with: urgent) { _, n in n }
            return (job, [take, takeUrgent], join.definition)
        }
        #expect(job.tryInject(1) && job.tryInject(100) && job.tryInject(2))
        #expect(!job.tryInject(3) && !job.tryInject(101))
        let waiting = Task { try await job.inject(102) }
        try await until { definition.snapshot().waitingCalls.map(\.molecule) == ["urgent.inject"] }
        #expect(try await takes[0]() == 1)
        try await waiting.value
        #expect(try await takes[1]() == 100)
        #expect(try await takes[1]() == 102)
        #expect(try await takes[0]() == 2)
        #expect(job.tryInject(1) && job.tryInject(100) && job.tryInject(2) && !job.tryInject(4))
        definition.clear()
        #expect(job.tryInject(1) && job.tryInject(100) && job.tryInject(2) && !job.tryInject(4))
    }

    @Test("Whoever only tries to inject doesn't overtake an injector that waits for room at another part")
    func boundedInOrder() async throws {
        let refused = Guarded(false)
        let (job, definition) = Join.define("jobs") { join in
            let job = join.bounded("job", of: Int.self, capacity: 1, order: .oldestFirst)
            let urgent = join.part("urgent", of: job, where: { $0 >= 100 })
            let go = join.slow("go")
            let log = join.state("log", [Int]())
            join.when(job, go, updating: log) { log, n, _ in
                // There is room now, and a worker is about to give it to the urgent one.
                refused.withLock { $0 = !job.tryInject(2) }
                log.append(n)
            }
            join.when(urgent, updating: log) { log, n in log.append(n) }
            return ((job, go, log.reader), join.definition)
        }
        #expect(job.0.tryInject(1))
        let waiting = Task { try await job.0.inject(100) }
        try await until { definition.snapshot().waitingCalls.map(\.molecule) == ["urgent.inject"] }
        job.1()
        try await waiting.value
        try await definition.quiescence()
        #expect(refused.withLock { $0 } && job.2.value == [1, 100])
        #expect(job.0.tryInject(3))
    }

    @Test("A projection runs outside of the soup, in the injector, and may look at the definition")
    func outsideOfTheSoup() async throws {
        let definition = Join.define("looking") { join in
            let n = join.slow("n", of: Int.self)
            let handle = join.definition
            let big = join.part("big", of: n) { [weak handle] n in
                handle.map { $0.statistics.started >= 0 } == true && n > 2 ? n : nil
            }
            join.when(n) { _ in }
            join.when(big, n) { _, _ in }
            for value in 0..<100 { n(value % 5) }
            return join.definition
        }
        try await definition.quiescence()
    }

    @Test("What carries names may be split")
    func names() async throws {
        let (request, take) = Join.define("server") { join in
            let request = join.slow("request", of: (Int, SlowMolecule<Int>).self)
            let large = join.part("large", of: request, where: { $0.0 > 9 })
            let take = join.fast("take")
            join.when(request) { n, reply in reply(n) }
            join.when(large, take) { request, take in
                request.1(request.0 * 2)
                take()
            }
            return (request, take)
        }
        let (reply, get) = Join.define("client") { join in
            let reply = join.slow("reply", of: Int.self)
            let get = join.fast("get", returning: Int.self)
            join.answer(get, with: reply) { _, n in n }
            return (reply, get)
        }
        request((1, reply))
        #expect(try await get() == 1)
        request((10, reply))
        try await take()
        #expect(try await get() == 20)
    }

    @Test("Injectors on several tasks, with workers between them, lose nothing")
    func storm() async throws {
        for seed in Soak.seeds(5, soak: 200) {
            let machine = ChemicalMachine(.init(seed: seed))
            let sums = Guarded([0, 0, 0])
            let (n, definition) = machine.define("numbers") { join in
                let n = join.slow("n", of: Int.self)
                let even = join.part("even", of: n, where: { $0 % 2 == 0 })
                let big = join.part("big", of: even, where: { $0 > 500 })
                for (index, part) in [n, even, big].enumerated() {
                    join.when(part) { n in sums.withLock { $0[index] += n } }
                }
                return (n, join.definition)
            }
            await withTaskGroup { group in
                for task in 0..<4 { group.addTask { for value in 0..<1000 where value % 4 == task { n(value) } } }
            }
            try await definition.quiescence()
            let expected = [
                (0..<1000).filter { $0 % 2 == 1 }.reduce(0, +),
                (0...500).filter { $0 % 2 == 0 }.reduce(0, +),
                (501..<1000).filter { $0 % 2 == 0 }.reduce(0, +),
            ]
            #expect(sums.withLock { $0 } == expected, "seed \(seed)")
            #expect(definition.statistics.isBalanced, "seed \(seed)")
        }
    }
}
