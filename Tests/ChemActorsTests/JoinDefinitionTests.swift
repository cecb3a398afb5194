import ChemActors
import TestSupport
import Testing

/// Counts, and says how far.
private struct Counter: JoinDefinition {
    let increment = SlowMolecule<Int>()
    let value = FastMolecule<Void, Int>()
    private let count: StateMolecule<Int>

    init(from first: Int = 0) { count = StateMolecule(first) }

    func react(in join: inout Join.Builder) {
        join.when(increment, updating: count) { count, step in count += step }
        join.answer(value, reading: count) { count, _ in count }
    }
}

@Suite("A definition as a type", .endsInTime)
struct JoinDefinitionTests {
    private func quiet(_ reporter: @escaping @Sendable (ChemicalEvent) -> Void = { _ in }) -> ChemicalMachine {
        ChemicalMachine(.init(reporter: reporter, patience: nil))
    }

    @Test("It is made from an initializer, with arguments, and used by its properties")
    func counter() async throws {
        let machine = quiet()
        let (one, other) = (machine.make(Counter()), machine.make(Counter(from: 100)))
        for step in 1...10 { one.increment(step) }
        try await machine.quiescence()
        let values = try await (one.value(), other.value())
        #expect(values == (55, 100))
    }

    @Test("Its molecules are called after their properties, and it after its type or as it is told")
    func names() async throws {
        let machine = quiet()
        let (one, other) = (machine.make(Counter()), machine.make(Counter(), called: "visits"))
        #expect("\(one.increment) \(other.value)" == "Counter.increment visits.value")
        let snapshots = machine.snapshot().sorted { $0.definition < $1.definition }
        try #require(snapshots.map(\.definition) == ["Counter", "visits"])
        #expect(snapshots[0].reactions.map(\.inputs) == [["increment", "count"], ["value", "count"]])
        withExtendedLifetime((one, other)) {}
    }

    /// Whatever can hold molecules.
    private struct Parts: JoinDefinition {
        struct Side {
            let fork = SlowMolecule<Void>()
            let count = StateMolecule(0)
        }
        enum Way { case by(SlowMolecule<Int>), none }
        final class Box: Sendable { let hidden = SlowMolecule<Int>() }

        let numbers = Array(0..<100)
        let a = SlowMolecule<Int>(), b = SlowMolecule<Int>()
        let forks = (0..<3).map { _ in SlowMolecule<Void>() }
        let grid = [[SlowMolecule<Int>()], [SlowMolecule<Int>(), SlowMolecule<Int>()]]
        let byName = ["x": SlowMolecule<Int>()]
        let perhaps: SlowMolecule<Int>? = SlowMolecule<Int>()
        let pair = (left: Side(), right: Side())
        let nested = Counter()
        let page = BoundedMolecule<Int>(capacity: 3)
        let way = Way.by(SlowMolecule())
        let box = Box()
        let same: SlowMolecule<Int>
        let foreign: SlowMolecule<Int>

        init(_ foreign: SlowMolecule<Int>) {
            same = a
            self.foreign = foreign
        }

        func react(in join: inout Join.Builder) {
            nested.react(in: &join)
            for slow in [a, b, grid[0][0], grid[1][0], grid[1][1], byName["x"], perhaps, box.hidden] {
                if let slow { join.when(slow) { _ in } }
            }
            for fork in forks { join.when(fork) { _ in } }
            for side in [pair.left, pair.right] {
                join.when(side.fork, updating: side.count) { count, _ in count += 1 }
            }
            join.when(page) { _ in }
            if case .by(let way) = way { join.when(way, join.slow("own")) { _, _ in } }
        }
    }

    @Test("Molecules in arrays, dictionaries, optionals, tuples, structures and other definitions have names as well")
    func partNames() async throws {
        let machine = quiet()
        let counter = machine.make(Counter())
        let parts = machine.make(Parts(counter.increment))
        let snapshot = try #require(machine.snapshot().first { $0.definition == "Parts" })
        let names = Set(snapshot.reactions.flatMap(\.inputs) + snapshot.molecules.keys)
        let line = try #require(names.first { $0.hasPrefix("line ") })
        #expect(
            names == [
                "a", "b", "forks[0]", "forks[1]", "forks[2]", "grid[0][0]", "grid[1][0]", "grid[1][1]", "byName[x]",
                "perhaps", "pair.left.fork", "pair.left.count", "pair.right.fork", "pair.right.count",
                "nested.increment", "nested.value", "nested.count", "page", "page.room", "page.inject", "way.by", "own",
                line,
            ]
        )
        #expect("\(parts.same) \(parts.foreign)" == "Parts.a Counter.increment")
        parts.nested.increment(3)
        parts.foreign(4)
        try await machine.quiescence()
        let values = try await (parts.nested.value(), counter.value())
        #expect(values == (3, 4))
    }

    @Test("It lives as long as a copy is held or one of its names, wherever these are kept, and then leaves nothing")
    func lifetime() async throws {
        struct Holder: JoinDefinition {
            let keep = SlowMolecule<Payload>()
            let all = [FastMolecule<Void, Int>(), FastMolecule<Void, Int>()]
            private let kept = StateMolecule<[Payload]>([])
            func react(in join: inout Join.Builder) {
                join.when(keep, updating: kept) { kept, payload in kept.append(payload) }
                for (number, call) in all.enumerated() {
                    // Captures the structure, with all its names.
                    join.answer(call, reading: kept) { kept, _ in kept.count * 10 + number + (all.count - 2) }
                }
            }
        }
        let living = Living()
        var holder: Holder? = quiet().make(Holder())
        holder?.keep(Payload(living))
        var copy = holder
        holder = nil
        let count = try await copy?.all[1]()
        #expect(count == 1 || count == 11)
        var name = copy?.all[0]
        copy = nil
        let rest = try await name?()
        #expect(rest == 10 || rest == 0)
        #expect(living.count == 1)
        name = nil
        await living.areGone()
    }

    @Test("It travels on molecules, and its handle controls it")
    func travels() async throws {
        struct Watched: JoinDefinition {
            let definition = Join.beingMade
            let go = SlowMolecule<Int>()
            let value = FastMolecule<Void, Int>()
            func react(in join: inout Join.Builder) {
                let count = join.state("count", 0)
                join.when(go, updating: count) { count, step in count += step }
                join.answer(value, reading: count) { count, _ in count }
                go(1)
            }
        }
        let machine = quiet()
        let ask = machine.define("asker") { join in
            let ask = join.fast("ask", of: Watched.self, returning: Int.self)
            join.answer(ask) { watched in
                watched.go(2)
                try await watched.definition.quiescence()
                return try await watched.value()
            }
            return ask
        }
        let answer = try await ask(machine.make(Watched()))
        #expect(answer == 3)
    }

    @Test("What the initializer throws is thrown, and there is no definition")
    func throwing() async throws {
        struct Flaw: Error {}
        struct Refusing: JoinDefinition {
            let go = SlowMolecule<Payload>()
            init(_ living: Living) throws {
                go(Payload(living))
                throw Flaw()
            }
            func react(in join: inout Join.Builder) { join.when(go) { _ in } }
        }
        let (machine, living) = (quiet(), Living())
        #expect(throws: Flaw.self) { try machine.make(Refusing(living)) }
        await living.areGone()
        #expect(machine.snapshot().isEmpty)
        // Nothing is left of it here either.
        let counter = machine.make(Counter())
        counter.increment(1)
        try await machine.quiescence()
        let value = try await counter.value()
        #expect(value == 1)
    }

    @Test("It belongs to the machine of the scope or body in which it is made, and may make others")
    func machines() async throws {
        struct Outer: JoinDefinition {
            let inner = Join.make(Counter(), called: "inner")
            let make = FastMolecule<Void, Counter>()
            func react(in join: inout Join.Builder) {
                join.answer(make) { _ in Join.make(Counter(from: 7)) }
            }
        }
        let values = try await withChemicalMachine { machine in
            let outer = Join.make(Outer())
            outer.inner.increment(1)
            let made = try await outer.make()
            try await machine.quiescence()
            #expect(machine.snapshot().count == 3)
            return try await (outer.inner.value(), made.value())
        }
        #expect(values == (1, 7))
    }

    @Test("On the main actor") @MainActor
    func mainActor() {
        struct Label: JoinDefinition {
            let show = SlowMolecule<String>(order: .oldestFirst)
            let shown: Record<String>
            func react(in join: inout Join.Builder) {
                join.when(show) { [shown] text in MainActor.assumeIsolated { shown.append(text) } }
            }
        }
        let shown = Record<String>()
        let label = quiet().make(Label(shown: shown), on: MainActor.self)
        label.show("a")
        label.show("b")
        #expect(shown.all == ["a", "b"])
    }

    @Test("Many are made at once, in several tasks")
    func atOnce() async throws {
        let machine = quiet()
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<100 {
                        let counter = machine.make(Counter(from: task))
                        let name = "\(counter.increment)"
                        let value = try await counter.value()
                        #expect(value == task && name == "Counter.increment", "task \(task), round \(round)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

@Suite("A definition as a type is refused", .endsInTime)
struct RefusedJoinDefinitionTests {
    @Test("A molecule that is made elsewhere", arguments: 0..<6)
    func elsewhere(kind: Int) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            let (go, definition) = Join.define("body") { join in
                let go = join.slow("go")
                // Within a body, although that belongs to a definition.
                join.when(go) { _ in _ = SlowMolecule<Int>(fileID: "Home/Lamp.swift", line: 7) }
                return (go, join.definition)
            }
            switch kind {
            case 0: _ = SlowMolecule<Int>(fileID: "Home/Lamp.swift", line: 7)
            case 1: _ = FastMolecule<Int, Bool>(fileID: "Home/Lamp.swift", line: 7)
            case 2: _ = StateMolecule(0, fileID: "Home/Lamp.swift", line: 7)
            case 3: _ = BoundedMolecule<Int>(capacity: 3, fileID: "Home/Lamp.swift", line: 7)
            case 4:
                // Made before.
                let counter = Counter(line: 7)
                _ = Join.make(counter)
            default:
                go()
                try await definition.quiescence()
            }
        }
        let call = ["SlowMolecule<Int>()", "FastMolecule<Int, Bool>()", "StateMolecule<Int>(…)"]
        try expectRefusal(
            kind < 3 ? call[kind] : kind == 3 ? "BoundedMolecule<Int>(capacity: …)" : call[0],
            "Home/Lamp.swift:7",
            "JoinDefinition",
            "Join.make(Counter())",
            in: result
        )
    }

    private struct Counter: JoinDefinition {
        let increment: SlowMolecule<Int>
        init(line: UInt) { increment = SlowMolecule(fileID: "Home/Lamp.swift", line: line) }
        func react(in join: inout Join.Builder) { join.when(increment) { _ in } }
    }

    @Test("The handle of a definition, where none is being made")
    func handleElsewhere() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Join.beingMade
        }
        try expectRefusal("Join.beingMade", "JoinDefinition", in: result)
    }

    @Test("A value that is made already can't be made again")
    func madeTwice() async throws {
        struct Lamp: JoinDefinition {
            let press = SlowMolecule<Void>()

            func react(in join: inout Join.Builder) { join.when(press) { _ in } }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let lamp = Join.make(Lamp())
            _ = Join.make(lamp)
        }
        try expectRefusal("'Lamp.press'", "What 'Join.make' has returned is made already.", in: result)
    }

    @Test("A molecule without a name, in the closure of define and in react", arguments: [false, true])
    func nameless(isType: Bool) async throws {
        struct Lamp: JoinDefinition {
            func react(in join: inout Join.Builder) {
                join.when(SlowMolecule<Int>(fileID: "Home/Lamp.swift", line: 7)) { _ in }
            }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isType] in
            if isType {
                _ = Join.make(Lamp())
            } else {
                Join.define("Lamp") { join in
                    _ = join.when(SlowMolecule<Int>(fileID: "Home/Lamp.swift", line: 7)) { _ in }
                }
            }
        }
        try expectRefusal("'Lamp'", "without a name", "Home/Lamp.swift:7", "join.slow(", in: result)
    }

    @Test("A property that no reaction consumes; one of another definition whose react isn't called")
    func unused() async throws {
        struct Inner: JoinDefinition {
            let reset = SlowMolecule<Void>(fileID: "Home/Lamp.swift", line: 7)
            func react(in join: inout Join.Builder) { join.when(reset) { _ in } }
        }
        struct Lamp: JoinDefinition {
            let on = SlowMolecule<Void>()
            let inner = Inner()
            func react(in join: inout Join.Builder) { join.when(on) { _ in } }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Join.make(Lamp())
        }
        try expectRefusal("'Lamp'", "'inner.reset' (Home/Lamp.swift:7)", "no reaction consumes", in: result)
    }

    /// Names in boxes that copies share.
    private indirect enum Tree: Sendable { case leaf(SlowMolecule<Int>) }

    private final class Lamp: JoinDefinition {
        let on = SlowMolecule<Void>()
        func react(in join: inout Join.Builder) { join.when(on) { _ in } }
    }

    @Test("A class; names that can't be exported; a capacity of zero", arguments: 0..<3)
    func others(kind: Int) async throws {
        struct Wood: JoinDefinition {
            let tree = Tree.leaf(SlowMolecule())
            func react(in join: inout Join.Builder) {}
        }
        struct Printer: JoinDefinition {
            let page = BoundedMolecule<Int>(capacity: 0, fileID: "Home/Lamp.swift", line: 7)
            func react(in join: inout Join.Builder) { join.when(page) { _ in } }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            switch kind {
            case 0: _ = Join.make(Lamp(), fileID: "Home/Lamp.swift", line: 7)
            case 1: _ = Join.make(Wood(), fileID: "Home/Lamp.swift", line: 7)
            default: _ = Join.make(Printer())
            }
        }
        let words = [["'Lamp'", "is no structure"], ["'Wood'", "Tree'"], ["'Printer'", "at least 1"]]
        try expectRefusal(words[kind][0], "(Home/Lamp.swift:7)", words[kind][1], in: result)
    }
}
