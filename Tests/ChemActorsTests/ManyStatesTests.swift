import ChemActors
import TestSupport
import Testing

/// Reactions of several states, updated and read mixed, and of arrays of states and molecules beside others.
@Suite("Many states", .endsInTime)
struct ManyStatesTests {
    struct Flaw: Error {}

    @Test(
        "A reaction updates four states in one step, with a synchronous and with an asynchronous body",
        arguments: [false, true]
    )
    func four(isAsynchronous: Bool) async throws {
        let (go, sum, definition) = Join.define("four") { join in
            let go = join.slow("go", of: Int.self)
            let sum = join.fast("sum", returning: [Int].self)
            let a = join.state("a", 0)
            let b = join.state("b", "")
            let c = join.state("c", [Int]())
            let d = join.state("d", 0.5)
            if isAsynchronous {
                join.when(go, updating: a, b, c, d) { a, b, c, d, n in
                    a += n
                    await Task.yield()
                    b += "x"
                    c.append(n)
                    d *= 2
                }
            } else {
                join.when(go, updating: a, b, c, d) { a, b, c, d, n in
                    a += n
                    b += "x"
                    c.append(n)
                    d *= 2
                }
            }
            join.answer(sum, with: a.value, b.value, c.value, d.value) { _, a, b, c, d in [a, b.count, c.count, Int(d)]
            }
            return (go, sum, join.definition)
        }
        for n in 1...10 { go(n) }
        try await definition.quiescence()
        #expect(try await sum() == [55, 10, 10, 512])
    }

    @Test(
        "States are updated and read in one reaction: the updated ones first, then the inputs as written",
        arguments: [false, true]
    )
    func mixed(isAsynchronous: Bool) async throws {
        let (order, price, total, definition) = Join.define("till") { join in
            let order = join.slow("order", of: Int.self)
            let setPrice = join.slow("price", of: Int.self)
            let price = join.state("price", 3)
            let tax = join.state("tax", 2)
            let total = join.state("total", 0)
            join.when(setPrice, updating: price) { price, new in price = new }
            if isAsynchronous {
                join.when(order, price.value, updating: total, tax) { total, tax, amount, price in
                    await Task.yield()
                    total += amount * price + tax
                }
            } else {
                join.when(order, price.value, updating: total, tax) { total, tax, amount, price in
                    total += amount * price + tax
                }
            }
            return (order, setPrice, total.reader, join.definition)
        }
        order(5)
        try await definition.quiescence()
        price(10)
        try await definition.quiescence()
        order(1)
        try await definition.quiescence()
        #expect(total.value == 5 * 3 + 2 + 10 + 2)
    }

    @Test("An array of states is updated as one: all of them, in their order", arguments: [false, true])
    func arrayOfStates(isAsynchronous: Bool) async throws {
        let (move, balances, definition) = Join.define("bank") { join in
            let move = join.slow("move", of: (from: Int, to: Int, amount: Int).self)
            let accounts = (0..<5).map { join.state("account \($0)", 100) }
            if isAsynchronous {
                join.when(move, updating: accounts) { accounts, move in
                    accounts[move.from] -= move.amount
                    await Task.yield()
                    accounts[move.to] += move.amount
                }
            } else {
                join.when(move, updating: accounts) { accounts, move in
                    accounts[move.from] -= move.amount
                    accounts[move.to] += move.amount
                }
            }
            return (move, accounts.map(\.reader), join.definition)
        }
        for round in 0..<100 { move((round % 5, (round * 3 + 1) % 5, round)) }
        try await definition.quiescence()
        var expected = Array(repeating: 100, count: 5)
        for round in 0..<100 {
            expected[round % 5] -= round
            expected[(round * 3 + 1) % 5] += round
        }
        #expect(balances.map(\.value) == expected)
        definition.clear()
        try await definition.quiescence()
        #expect(balances.map(\.value) == Array(repeating: 100, count: 5))
    }

    @Test("An array of states and a single one are updated together, with references that are released once")
    func arrayBesideOne() async throws {
        let (go, names, count, definition) = Join.define("names") { join in
            let go = join.slow("go", of: String.self)
            let names = ["a", "b"].map { join.state($0, [$0]) }
            let count = join.state("count", 0)
            join.when(go, updating: names, count) { names, count, text in
                for index in names.indices { names[index].append(text) }
                count += names.count
            }
            return (go, names.map(\.reader), count.reader, join.definition)
        }
        go("x")
        go("x")
        try await definition.quiescence()
        #expect(names.map(\.value) == [["a", "x", "x"], ["b", "x", "x"]])
        #expect(count.value == 4)
    }

    @Test(
        "What a body has made of an array of states before it threw stays, and each attempt goes on from there",
        arguments: [false, true]
    )
    func retriedArray(isAsynchronous: Bool) async throws {
        let attempts = Shared(0)
        let (go, values, definition) = Join.define("tries") { join in
            join.failurePolicy = .retry(3)
            let go = join.slow("go")
            let states = (0..<3).map { join.state("s\($0)", 0) }
            if isAsynchronous {
                join.when(go, updating: states) { states, _ in
                    for index in states.indices { states[index] += 1 }
                    await Task.yield()
                    if attempts.increment() < 3 { throw Flaw() }
                }
            } else {
                join.when(go, updating: states) { states, _ in
                    for index in states.indices { states[index] += 1 }
                    if attempts.increment() < 3 { throw Flaw() }
                }
            }
            return (go, states.map(\.reader), join.definition)
        }
        go()
        try await definition.quiescence()
        #expect(values.map(\.value) == [3, 3, 3])
        #expect(attempts.value == 3)
    }

    @Test("Arrays of molecules and several copies stand beside other inputs, and give back what a failed body had")
    func arraysAmongInputs() async throws {
        let received = Shared<[String]>([])
        let attempts = Shared(0)
        let (parts, vote, end, definition) = ChemicalMachine(.silent).define("mixed") { join in
            join.failurePolicy = .putBack(after: .nanoseconds(1))
            let parts = (0..<2).map { join.slow("part \($0)", of: Int.self) }
            let vote = join.slow("vote", of: Int.self, order: .oldestFirst)
            let end = join.slow("end", of: String.self)
            let rounds = join.state("rounds", 0)
            join.when(parts, join.copies(3, of: vote), end, updating: rounds) { rounds, parts, votes, end in
                rounds += 1
                if attempts.increment() < 3 { throw Flaw() }
                received.update { $0.append("\(parts) \(votes.sorted()) \(end) \(rounds)") }
            }
            return (parts, vote, end, join.definition)
        }
        for n in [7, 8, 9] { vote(n) }
        parts[1](2)
        end("!")
        try await definition.quiescence()
        #expect(received.value.isEmpty)
        parts[0](1)
        try await definition.quiescence()
        #expect(received.value == ["[1, 2] [7, 8, 9] ! 3"])
    }

    @Test("More inputs than 'when' has parameters are one input by 'all', replies among them")
    func tenInputs() async throws {
        let received = Shared<[Int]>([])
        let (names, ask, definition) = Join.define("ten") { join in
            let m = (0..<10).map { join.slow("m\($0)", of: Int.self) }
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            join.when(join.all(m[0], m[1], m[2], m[3], m[4]), join.all(m[5], m[6], m[7], m[8], m[9], ask)) {
                first,
                second in
                let numbers = [
                    first.0, first.1, first.2, first.3, first.4, second.0, second.1, second.2, second.3, second.4,
                ]
                received.update { $0 = numbers }
                second.5(second.5.value + 1)
            }
            return (m, ask, join.definition)
        }
        for (index, name) in names.enumerated() { name(index) }
        try await definition.quiescence()
        #expect(received.value.isEmpty)
        #expect(try await ask(41) == 42)
        #expect(received.value == Array(0..<10))
    }

    @Test("The values of an array of states are values: they can be swapped, assigned, kept and put into other states")
    func valuesLeaveTheirStates() async throws {
        typealias Values = StateValues<String>
        let (swapAll, assign, get, definition) = Join.define("arrays") { join in
            let (exchange, assign) = (join.fast("exchange"), join.fast("assign"))
            let get = join.fast("get", returning: [Values].self)
            let a = (0..<2).map { join.state("a\($0)", "a\($0)") }
            let b = (0..<2).map { join.state("b\($0)", "b\($0)") }
            join.answer(exchange, updating: a, b) { a, b, _ in swap(&a, &b) }
            join.answer(assign, updating: a, b) { a, b, _ in a = b }
            join.answer(get, updating: a, b) { a, b, _ in [a, b] }
            return (exchange, assign, get, join.definition)
        }
        #expect(try await get().map(Array.init) == [["a0", "a1"], ["b0", "b1"]])
        try await swapAll()
        #expect(try await get().map(Array.init) == [["b0", "b1"], ["a0", "a1"]])
        try await assign()
        var kept = try await get()[0]
        #expect(Array(kept) == ["a0", "a1"])
        try await definition.quiescence()
        // Into the states of another definition, when those that they come from may be gone.
        kept[0] = "changed"
        let (load, other) = Join.define("other") { join in
            let load = join.fast("load", of: Values.self, returning: [String].self)
            let states = (0..<2).map { join.state("state \($0)", "\($0)") }
            join.answer(load, updating: states) { states, values in
                defer { states = values }
                return Array(states)
            }
            return (load, join.definition)
        }
        #expect(try await load(kept) == ["0", "1"])
        #expect(try await load(kept) == ["changed", "a1"])
        try await other.quiescence()
    }
}

extension Shared where Value == Int {
    /// One more. Returns how many there are.
    fileprivate func increment() -> Int {
        update { number in
            number += 1
            return number
        }
    }
}
