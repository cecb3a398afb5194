import ChemActors
import TestSupport
import Testing

@Suite("Definitions are refused", .endsInTime)
struct RefusedDefinitionTests {
    @Test("A molecule that no reaction consumes")
    func unusedMolecule() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("lamp", fileID: "Home/Lamp.swift", line: 10) { join in
                let on = join.slow("on")
                _ = join.slow("off", of: Int.self, fileID: "Home/Lamp.swift", line: 12)
                join.when(on) { _ in }
            }
        }
        try expectRefusal(
            "ChemActors: ",
            "'lamp'",
            "Home/Lamp.swift:10",
            "'off'",
            "Home/Lamp.swift:12",
            "no reaction consumes",
            in: result
        )
    }

    @Test("Two molecules of one name in different lines, among few and among many", arguments: [0, 30])
    func namesakes(others: Int) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [others] in
            Join.define("lamp") { join in
                let more = (0..<others).map { join.slow("more\($0)") }
                for one in more { join.when(one) { _ in } }
                let on = join.slow("on", fileID: "Home/Lamp.swift", line: 12)
                let off = join.slow("on", fileID: "Home/Lamp.swift", line: 13)
                join.when(on, off) { _, _ in }
            }
        }
        try expectRefusal(
            "'lamp'",
            "two molecules named 'on'",
            "Home/Lamp.swift:12",
            "Home/Lamp.swift:13",
            in: result
        )
    }

    @Test("Molecules of one name that one line declares are no mistake", arguments: [2, 40])
    func namesakesOfALine(count: Int) async throws {
        let names = Join.define("table") { join in
            let forks = (0..<count).map { _ in join.slow("fork") }
            for fork in forks { join.when(fork) { _ in } }
            return forks
        }
        #expect(names.count == count)
    }

    @Test("A reaction that updates a state and reads it as well")
    func stateTwice() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("till") { join in
                let go = join.slow("go")
                let sum = join.state("sum", 0)
                join.when(go, sum.value, updating: sum) { sum, _, old in sum = old + 1 }
            }
        }
        try expectRefusal("'till'", "uses state 'sum' twice", in: result)
    }

    @Test("A reaction whose inputs are nothing but states that it reads")
    func onlyStates() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("shop") { join in
                let price = join.state("price", 3)
                join.when(price.value, fileID: "Home/Shop.swift", line: 12) { _ in }
            }
        }
        try expectRefusal("'shop'", "Home/Shop.swift:12", "nothing but states", in: result)
    }

    @Test("A reaction of an empty array of molecules", arguments: [false, true])
    func emptyArray(isLabelled: Bool) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isLabelled] in
            Join.define("parts") { join in
                let parts: [SlowMolecule<Int>] = []
                if isLabelled { join.when(all: parts) { _ in } } else { join.when(parts) { _ in } }
            }
        }
        try expectRefusal("'parts'", "reaction", in: result)
    }

    /// A tree of names, whose inner nodes lie in boxes that copies of the tree share.
    indirect enum Tree: Sendable {
        case leaf(SlowMolecule<Int>)
        case node(Tree, Tree)
    }

    @Test("A molecule whose names lie where they can't be exported", arguments: 0..<3)
    func namesInBoxes(kind: Int) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            Join.define("forest") { join in
                switch kind {
                case 0: _ = join.slow("tree", of: Tree.self, fileID: "Wood/Forest.swift", line: 12)
                case 1: _ = join.fast("tree", of: [String: Tree].self, fileID: "Wood/Forest.swift", line: 12)
                default: _ = join.fast("tree", returning: (Int, Tree?).self, fileID: "Wood/Forest.swift", line: 12)
                }
            }
        }
        try expectRefusal("'forest'", "'tree' (Wood/Forest.swift:12)", "Tree'", "Exportable", in: result)
    }

    /// Makes a definition that returns what `names` makes of its names.
    private static func shop<Result>(_ names: (SlowMolecule<Int>, StateMolecule<Int>) -> Result) {
        _ = Join.define("shop", fileID: "Town/Shop.swift", line: 7) { join in
            let (sell, stock) = (join.slow("sell", of: Int.self), join.state("stock", 3))
            join.when(sell, updating: stock) { stock, number in stock -= number }
            return names(sell, stock)
        }
    }

    @Test("One that returns what can't leave it, or can't be exported", arguments: 0..<5)
    func results(kind: Int) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            switch kind {
            case 0: RefusedDefinitionTests.shop { _, stock in stock }
            case 1: RefusedDefinitionTests.shop { sell, stock in (sell: sell, stock: [stock]) }
            case 2: RefusedDefinitionTests.shop { sell, _ in [{ sell(1) }] }
            case 3: RefusedDefinitionTests.shop { sell, _ in (sell, { @Sendable (number: Int) in sell(number) }) }
            default: RefusedDefinitionTests.shop { sell, _ in (1, Tree.node(.leaf(sell), .leaf(sell))) }
            }
        }
        let expected =
            switch kind {
            case 0, 1: ["a state, 'StateMolecule<Int>'", "return 'state.reader'"]
            case 2: ["a closure, '() -> ()'", "return the names, and write the closure outside"]
            case 3: ["a closure, '@Sendable (Int) -> ()'", "return the names, and write the closure outside"]
            default: ["indirect case of 'Tree'", "make that type conform to Exportable"]
            }
        try expectRefusal("definition 'shop' (Town/Shop.swift:7) returns", in: result)
        for text in expected { try expectRefusal(text, in: result) }
    }

    @Test("A reaction of no molecules at all")
    func emptyArray() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("lamp", fileID: "Home/Lamp.swift", line: 10) { join in
                _ = join.when(all: [SlowMolecule<Int>](), fileID: "Home/Lamp.swift", line: 14) { _ in }
            }
        }
        try expectRefusal("'lamp'", "Home/Lamp.swift:14", "empty array", in: result)
    }

    @Test("A fast molecule that no reaction consumes")
    func unusedFastMolecule() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("lamp") { join in
                let on = join.slow("on")
                _ = join.fast("isOn", returning: Bool.self, fileID: "Home/Lamp.swift", line: 13)
                join.when(on) { _ in }
            }
        }
        try expectRefusal(
            "'lamp'",
            "DefinitionTests.swift:",
            "'isOn'",
            "Home/Lamp.swift:13",
            "no reaction consumes",
            in: result
        )
    }

    @Test("Two reactions with the same inputs, in any order of the inputs")
    func sameInputs() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("twins") { join in
                let a = join.slow("a"), b = join.slow("b")
                join.when(a, b, fileID: "Home/Twins.swift", line: 3) { _, _ in }
                join.when(b, a, fileID: "Home/Twins.swift", line: 4) { _, _ in }
            }
        }
        try expectRefusal("'twins'", "same inputs", "Twins.swift:3", "Twins.swift:4", ".mayCompete()", in: result)
    }

    @Test("Two reactions with the same inputs, one of which answers")
    func sameInputsAnswering() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("twins") { join in
                let ask = join.fast("ask", returning: Int.self)
                join.answer(ask) { 1 }
                join.when(ask) { $0(2) }
            }
        }
        try expectRefusal("'twins'", "same inputs", "ask", in: result)
    }

    @Test("Three reactions with the same inputs of which only one may repeat, wherever that stands")
    func sameInputsThrice() async throws {
        await #expect(processExitsWith: .failure) { RefusedDefinitionTests.triplets(allowed: 0) }
        await #expect(processExitsWith: .failure) { RefusedDefinitionTests.triplets(allowed: 1) }
        await #expect(processExitsWith: .failure) { RefusedDefinitionTests.triplets(allowed: 2) }
    }

    private static func triplets(allowed: Int) {
        Join.define("triplets") { join in
            let a = join.slow("a")
            for index in 0..<3 {
                let reaction = join.when(a) { _ in }
                if index == allowed { reaction.mayCompete() }
            }
        }
    }

    @Test("Molecules and no reaction")
    func noReaction() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Join.define("idle", fileID: "Home/Idle.swift", line: 1) { join in
                join.slow("a", of: Int.self, fileID: "Home/Idle.swift", line: 2)
            }
        }
        try expectRefusal("'idle'", "Idle.swift:1", "'a'", "Idle.swift:2", "no reaction", in: result)
    }

    @Test("A state that nothing uses")
    func unusedState() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("lamp") { join in
                let on = join.slow("on")
                _ = join.state("level", 3, fileID: "Home/Lamp.swift", line: 14)
                join.when(on) { _ in }
            }
        }
        try expectRefusal("'lamp'", "state 'level'", "Lamp.swift:14", in: result)
    }

    @Test("A reaction that consumes another definition's molecule")
    func foreignMolecule() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let a = Join.define("theirs") { join in
                let a = join.slow("a")
                join.when(a) { _ in }
                return a
            }
            Join.define("ours") { join in
                let b = join.slow("b")
                join.when(b, a, fileID: "Home/Ours.swift", line: 9) { _, _ in }
            }
        }
        try expectRefusal("'ours'", "Ours.swift:9", "'theirs.a'", in: result)
    }

    @Test("A reaction that consumes an outer definition's local molecule")
    func outerMolecule() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("outer") { join in
                let a = join.slow("a")
                Join.define("inner") { inner in
                    let b = inner.slow("b")
                    inner.when(b, a) { _, _ in }
                }
                join.when(a) { _ in }
            }
        }
        try expectRefusal("'inner'", "'outer.a'", in: result)
    }

    @Test("More about a reaction after its definition is fixed")
    func lateMayRepeat() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let kept = Guarded<Reaction?>(nil)
            let a = Join.define("fixed") { join in
                let a = join.slow("a")
                let reaction = join.when(a) { _ in }
                kept.withLock { $0 = reaction }
                return a
            }
            kept.now?.mayCompete()
            a()
        }
        try expectRefusal("'fixed'", in: result)
    }

    @Test("A machine whose worker limit is zero")
    func noWorkers() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ChemicalMachine.Configuration(workerLimit: 0)
        }
        try expectRefusal("worker limit", "0", in: result)
    }

    @Test("A definition without molecules and reactions is allowed, and so is a repetition that is meant")
    func allowed() async throws {
        let log = EventLog()
        log.machine.define("empty") { _ in }
        #expect(log.all.count == 1)
        #expect(log.all.allSatisfy { if case .doesNothing = $0.kind { true } else { false } })
        let (a, definition) = Join.define("meant") { join in
            let a = join.slow("a")
            join.when(a) { _ in }
            join.when(a) { _ in }.mayCompete()
            join.when(a, a) { _, _ in }
            return (a, join.definition)
        }
        a.inject(contentsOf: repeatElement((), count: 101))
        try await definition.quiescence()
    }
}
