import ChemActors
import TestSupport
import Testing

@Suite("Names", .endsInTime)
struct NameTests {
    /// A molecule that answers twice its argument, with the name of its definition to choose.
    private func double(_ name: String = "double") -> FastMolecule<Int, Int> {
        Join.define(name) { join in
            let double = join.fast("of", of: Int.self, returning: Int.self)
            join.answer(double) { 2 * $0 }
            return double
        }
    }

    @Test("Names are printed as definition.name")
    func printed() async throws {
        let (a, b, definition) = Join.define("shop") { join in
            let a = join.slow("open", of: Int.self)
            let b = join.fast("buy", of: String.self, returning: Int.self)
            let state = join.state("stock", 3)
            join.when(a, updating: state) { $0 += $1 }
            join.answer(b, reading: state) { n, _ in n }
            #expect("\(state)" == "shop.stock")
            #expect("\(a)" == "shop.open")
            return (a, b, join.definition)
        }
        #expect("\(a) \(b) \(definition)" == "shop.open shop.buy shop")
        #expect(String(reflecting: a) == "shop.open")
        var dumped = ""
        dump(a, to: &dumped)
        #expect(dumped.contains("shop.open") && !dumped.contains("anchor"))
    }

    @Test("Names are equal when they name the same molecule, local or exported; and only then")
    func compared() {
        let local = Guarded<SlowMolecule<Int>?>(nil)
        let (a, again, b) = Join.define { join in
            let a = join.slow("a", of: Int.self), b = join.slow("a", of: Int.self)
            join.when(a, b) { _, _ in }
            local.withLock { $0 = a }
            return (a, a, b)
        }
        #expect(a == again && a == a.exported && a == local.now)
        #expect(a.hashValue == local.now?.hashValue)
        #expect(a != b)
        #expect(Set([a, again, b, a.exported]).count == 2)
        let one = double(), other = double()
        #expect(one == one.exported && one != other)
        #expect(Set([one, other, one.exported]).count == 2)
        #expect([one: 1, other: 2][one.exported] == 1)
    }

    @Test("Names are stored, passed to functions and used as functions")
    func functions() async throws {
        let (add, total, definition) = Join.define { join in
            let add = join.slow("add", of: Int.self)
            let total = join.fast("total", returning: Int.self)
            let sum = join.state("sum", 0)
            join.when(add, updating: sum) { $0 += $1 }
            join.answer(total, reading: sum) { sum, _ in sum }
            return (add, total, join.definition)
        }
        func feed(_ numbers: Range<Int>, to name: SlowMolecule<Int>) { numbers.forEach(name.callAsFunction) }
        func feedFunction(_ numbers: Range<Int>, to function: (Int) -> Void) { numbers.forEach(function) }
        struct Holder { let name: SlowMolecule<Int> }
        let holder = Holder(name: add)
        feed(0..<10, to: holder.name)
        feedFunction(10..<20, to: add.callAsFunction)
        let function: @Sendable (Int) -> Void = { add($0) }
        feedFunction(20..<30, to: function)
        for name in [add, holder.name] { name(100) }
        try await definition.quiescence()
        #expect(try await total() == 30 * 29 / 2 + 200)
    }

    @Test("Molecules carry names, alone, in arrays and in optionals, and the carried names work")
    func carried() async throws {
        let got = Guarded<[Int]>([])
        let (call, many, maybe, definition) = Join.define("carrier") { join in
            let call = join.slow("call", of: FastMolecule<Int, Int>.self)
            let many = join.slow("many", of: [SlowMolecule<Int>].self)
            let maybe = join.slow("maybe", of: SlowMolecule<Int>?.self)
            join.when(call) { name in got.append(try await name(21)) }
            join.when(many) { names in for (n, name) in names.enumerated() { name(n) } }
            join.when(maybe) { name in name?(7) }
            return (call, many, maybe, join.definition)
        }
        let (sink, total, sinkDefinition) = Join.define("sink") { join in
            let sink = join.slow("sink", of: Int.self)
            let total = join.fast("total", returning: Int.self)
            let sum = join.state("sum", 0)
            join.when(sink, updating: sum) { $0 += $1 }
            join.answer(total, reading: sum) { sum, _ in sum }
            return (sink, total, join.definition)
        }
        call(double())
        many([sink, sink, sink])
        maybe(nil)
        maybe(sink)
        try await definition.quiescence()
        try await sinkDefinition.quiescence()
        #expect(got.now == [42])
        #expect(try await total() == 10)
    }

    @Test("Continuation passing: a molecule carries the name that gets its result")
    func higherOrder() async throws {
        struct Step: Exportable {
            let n: Int
            let product: Int
            let result: SlowMolecule<Int>
            var exported: Step { Step(n: n, product: product, result: result.exported) }
        }
        let step = Join.define("factorial") { join in
            let step = join.slow("step", of: Step.self)
            join.when(step) { now in
                if now.n <= 1 {
                    now.result(now.product)
                } else {
                    step(Step(n: now.n - 1, product: now.product * now.n, result: now.result))
                }
            }
            return step
        }
        func factorial(_ n: Int) async throws -> Int {
            let (result, get) = Join.define("result") { join in
                let result = join.slow("result", of: Int.self), get = join.fast("get", returning: Int.self)
                join.answer(get, with: result) { _, product in product }
                return (result, get)
            }
            step(Step(n: n, product: 1, result: result))
            return try await get()
        }
        for (n, expected) in [(0, 1), (1, 1), (5, 120), (20, 2_432_902_008_176_640_000)] {
            #expect(try await factorial(n) == expected)
        }
    }

    @Test("Recursive definitions: merge sort of 1000 numbers by a tree of definitions")
    func mergeSort() async throws {
        var generator = SplitMix(state: 7)
        let numbers = (0..<1000).map { _ in Int.random(in: 0..<10_000, using: &generator) }
        #expect(try await sorted(numbers)() == numbers.sorted())
    }

    /// A definition that sorts `numbers` by two others, each of which sorts a half.
    private func sorted(_ numbers: [Int]) -> FastMolecule<Void, [Int]> {
        Join.define("sort \(numbers.count)") { join in
            let result = join.fast("result", returning: [Int].self)
            let left = join.slow("left", of: [Int].self), right = join.slow("right", of: [Int].self)
            let done = join.slow("done", of: [Int].self)
            join.when(left, right) { left, right in
                var merged: [Int] = []
                var (i, j) = (0, 0)
                while i < left.count || j < right.count {
                    if j == right.count || i < left.count && left[i] <= right[j] {
                        merged.append(left[i])
                        i += 1
                    } else {
                        merged.append(right[j])
                        j += 1
                    }
                }
                done(merged)
            }
            join.answer(result, with: done) { _, sorted in sorted }
            if numbers.count < 2 {
                done(numbers)
            } else {
                sort(numbers[..<(numbers.count / 2)], into: left)
                sort(numbers[(numbers.count / 2)...], into: right)
            }
            return result
        }
    }

    private func sort(_ numbers: ArraySlice<Int>, into name: SlowMolecule<[Int]>) {
        let half = sorted(Array(numbers))
        Join.define("pass on") { join in
            let begin = join.slow("begin")
            join.when(begin) { _ in name(try await half()) }
            begin()
        }
    }

    @Test("Definitions made inside reactions: a list of a hundred cells, each made by the one before")
    func list() async throws {
        let end = Signal()
        let total = Guarded(0)
        @Sendable func cell(_ depth: Int) {
            Join.define("cell \(depth)") { join in
                let grow = join.slow("grow", of: Int.self)
                join.when(grow) { n in
                    total.add(n)
                    if n == 100 { end.send() } else { cell(n + 1) }
                }
                grow(depth)
            }
        }
        cell(1)
        await end.wait()
        #expect(total.now == 5050)
    }

    @Test("define returns nothing, one name, many, arrays of names, and a type of one's own")
    func results() async throws {
        struct Lamp: Exportable {
            let on: SlowMolecule<Void>
            let isOn: FastMolecule<Void, Bool>
            let definition: Join
            var exported: Lamp { Lamp(on: on.exported, isOn: isOn.exported, definition: definition.exported) }
        }
        let lamp = Join.define("lamp") { join in
            let on = join.slow("on"), isOn = join.fast("isOn", returning: Bool.self)
            let lit = join.state("lit", false)
            join.when(on, updating: lit) { lit, _ in lit = true }
            join.answer(isOn, reading: lit) { lit, _ in lit }
            return Lamp(on: on, isOn: isOn, definition: join.definition)
        }
        #expect(try await lamp.isOn() == false)
        lamp.on()
        try await lamp.definition.quiescence()
        #expect(try await lamp.isOn())

        let (forks, first, none) = Join.define("table") { join in
            let forks = (0..<5).map { join.fast("fork\($0)", returning: Int.self) }
            for (index, fork) in forks.enumerated() { join.answer(fork) { index } }
            return (forks, Optional(forks[0]), FastMolecule<Void, Int>?.none)
        }
        for (index, fork) in forks.enumerated() { #expect(try await fork() == index) }
        #expect(try await first?() == 0)
        #expect(none == nil)
    }

    /// Names in a type that says nothing about them.
    private struct Till {
        enum Extra { case none, bell(SlowMolecule<Void>), both(left: SlowMolecule<Void>, right: [SlowMolecule<Void>]) }

        let label: String
        let add: SlowMolecule<Int>
        let sum: FastMolecule<Void, Int>
        var extras: [String: Extra] = [:]
    }

    @Test("What define returns may be anything that holds names, which live as long as one of them", .endsInTime)
    func anyResult() async throws {
        let machine = ChemicalMachine()
        let rung = Shared(0)
        func makeTill() -> (till: Till, number: Int, definition: Join) {
            machine.define("till") { join in
                let sum = join.state("sum", 0), bells = (0..<3).map { join.slow("bell\($0)") }
                let till = Till(
                    label: "left",
                    add: join.slow("add", of: Int.self),
                    sum: join.fast("sum", returning: Int.self),
                    extras: ["a": .bell(bells[0]), "b": .both(left: bells[1], right: [bells[2]]), "c": .none]
                )
                join.when(till.add, updating: sum) { sum, number in sum += number }
                join.answer(till.sum, reading: sum) { sum, _ in sum }
                for bell in bells { join.when(bell) { _ in rung.update { $0 += 1 } } }
                return (till: till, number: 42, definition: join.definition)
            }
        }
        var made: (till: Till, number: Int, definition: Join)? = makeTill()
        let definition = try #require(made?.definition)
        #expect(made?.number == 42)
        made?.till.add(3)
        try await definition.quiescence()
        #expect(try await made?.till.sum() == 3)

        // A name deep inside keeps it alone.
        var extra = made?.till.extras["b"]
        made = nil
        try await definition.quiescence()
        #expect(definition.snapshot().phase == .running)
        if case .both(let left, let right) = extra {
            left()
            right[0]()
        }
        try await definition.quiescence()
        #expect(rung.value == 2)
        extra = nil
        try await machine.quiescence()
        #expect(definition.snapshot().phase == .dissolved)
    }
}
