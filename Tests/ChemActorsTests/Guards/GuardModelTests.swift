import ChemActors
import TestSupport
import Testing

/// Random chemistries with guards, against a model that tries every combination.
@Suite(.endsInTime)
struct GuardModelTests {
    struct Value: Sendable, Hashable {
        let key: Int
        let n: Int
    }

    /// A reaction of the model.
    enum Kind: Sendable {
        case plain([Int])
        case match([Int])
        case copies(Int, of: Int)
        case trying([Int])
        case condition(Int, atLeast: Int)
        case threshold(Int, Join.Precedence)

        /// The molecules that it consumes.
        var inputs: [Int] {
            switch self {
            case .plain(let all), .match(let all), .trying(let all): all
            case .copies(let count, let molecule): Array(repeating: molecule, count: count)
            case .condition(let molecule, _), .threshold(let molecule, _): [molecule]
            }
        }

        /// Whether these values may react while the level is this.
        func admits(_ values: [Value], _ level: Int) -> Bool {
            switch self {
            case .plain: true
            case .match, .copies: Set(values.map(\.key)).count == 1
            case .trying: Self.fit(values)
            case .condition(_, let least): level >= least
            case .threshold: values[0].n <= level
            }
        }

        static func fit(_ values: [Value]) -> Bool { values.reduce(0) { $0 + $1.n } % 5 == 0 }
    }

    /// What happened: a reaction, what it consumed, and the level before.
    struct Event: Sendable {
        let reaction: Int
        let values: [Value]
        let level: Int
    }

    private static func random(_ generator: inout SplitMix) -> Kind {
        func molecule() -> Int { Int.random(in: 0..<4, using: &generator) }
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return .plain([molecule(), molecule(), molecule()])
        case 1, 2: return .match([molecule(), molecule()])
        case 3: return .match([molecule(), molecule(), molecule()])
        case 4: return .copies(Int.random(in: 2...3, using: &generator), of: molecule())
        case 5: return .trying([molecule(), molecule()])
        case 6: return .trying([molecule(), molecule(), molecule()])
        case 7: return .condition(molecule(), atLeast: Int.random(in: 0...6, using: &generator))
        default: return .threshold(molecule(), Bool.random(using: &generator) ? .smallest : .oldest)
        }
    }

    private static func declare(
        _ kind: Kind,
        _ index: Int,
        _ molecules: [SlowMolecule<Value>],
        _ level: StateMolecule<Int>,
        _ log: Guarded<[Event]>,
        to join: inout Join.Builder
    ) {
        @Sendable func note(_ values: [Value], _ level: Int = 0) {
            log.append(Event(reaction: index, values: values, level: level))
        }
        switch kind {
        case .plain(let all):
            join.when(all: all.map { molecules[$0] }) { note($0) }.mayCompete()
        case .match(let all) where all.count == 2:
            join.when(molecules[all[0]], molecules[all[1]], matching: \.key, \.key) { note([$0, $1]) }.mayCompete()
        case .match(let all):
            join.when(
                molecules[all[0]],
                molecules[all[1]],
                molecules[all[2]],
                matching: \.key,
                \.key,
                \.key
            ) { note([$0, $1, $2]) }.mayCompete()
        case .copies(let count, let molecule):
            join.when(count, of: molecules[molecule], matching: \.key) { note($0) }.mayCompete()
        case .trying(let all) where all.count == 2:
            join.when(molecules[all[0]], molecules[all[1]], where: { Kind.fit([$0, $1]) }) { note([$0, $1]) }
        case .trying(let all):
            join.when(molecules[all[0]], molecules[all[1]], molecules[all[2]], where: { Kind.fit([$0, $1, $2]) }) {
                note([$0, $1, $2])
            }
        case .condition(let molecule, let least):
            join.when(molecules[molecule], updating: level.while { $0 >= least }) { level, value in note([value], level)
            }
        case .threshold(let molecule, let precedence):
            join.when(molecules[molecule], updating: level, amount: \.n, atMost: \.self, first: precedence) {
                level,
                value in
                note([value], level)
                level -= value.n
            }.mayCompete()
        }
    }

    @Test("What reacts may react, and what may react does")
    func model() async throws {
        for seed in Soak.seeds(400, soak: 10_000) {
            var generator = SplitMix(state: seed)
            let kinds = (0..<Int.random(in: 1...4, using: &generator)).map { _ in Self.random(&generator) }
            let log = Guarded<[Event]>([])
            let orders: [Join.Order] = (0..<4).map { _ in Bool.random(using: &generator) ? .random : .oldestFirst }
            let machine = ChemicalMachine(.init(seed: seed))
            let (molecules, give, level, definition) = machine.define("model") { join in
                let molecules = (0..<4).map { join.slow("m\($0)", of: Value.self, order: orders[$0]) }
                let level = join.state("level", 0)
                let give = join.slow("give", of: Int.self)
                let never = join.slow("never")
                join.when(give, updating: level) { level, n in level += n }
                for molecule in molecules { join.when(molecule, never) { _, _ in }.mayCompete() }
                for (index, kind) in kinds.enumerated() { Self.declare(kind, index, molecules, level, log, to: &join) }
                return (molecules, give, level.reader, join.definition)
            }
            var soup: [[Value]] = Array(repeating: [], count: 4)
            for step in 0..<Int.random(in: 5...40, using: &generator) {
                let place = "seed \(seed), step \(step), \(kinds)"
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    give(Int.random(in: 0...4, using: &generator))
                } else {
                    let molecule = Int.random(in: 0..<4, using: &generator)
                    let value = Value(
                        key: Int.random(in: 0..<4, using: &generator),
                        n: Int.random(in: 0..<9, using: &generator)
                    )
                    soup[molecule].append(value)
                    molecules[molecule](value)
                }
                try await definition.quiescence()
                for event in log.withLock({ log in
                    defer { log = [] }
                    return log
                }) {
                    let kind = kinds[event.reaction]
                    #expect(kind.admits(event.values, event.level), "\(place): \(event)")
                    for (molecule, value) in zip(kind.inputs, event.values) {
                        let found = try #require(soup[molecule].firstIndex(of: value), "\(place): \(event)")
                        soup[molecule].remove(at: found)
                    }
                }
                let present = definition.snapshot().molecules
                #expect(soup.map(\.count) == (0..<4).map { present["m\($0)"] ?? 0 }, "\(place)")
                for kind in kinds {
                    #expect(
                        !Self.isPossible(kind, soup, level.value),
                        "\(place): \(kind) with \(soup), level \(level.value)"
                    )
                }
            }
            #expect(definition.statistics.isBalanced, "seed \(seed)")
        }
    }

    /// Whether some combination of present copies may react.
    private static func isPossible(_ kind: Kind, _ soup: [[Value]], _ level: Int) -> Bool {
        if case .threshold(let molecule, .oldest) = kind {
            // The oldest holds up the others; which one that is, only the soup knows.
            return !soup[molecule].isEmpty && soup[molecule].allSatisfy { $0.n <= level }
        }
        func search(_ chosen: [(molecule: Int, place: Int)], _ rest: ArraySlice<Int>) -> Bool {
            guard let molecule = rest.first else {
                return kind.admits(chosen.map { soup[$0.molecule][$0.place] }, level)
            }
            for place in soup[molecule].indices
            where !chosen.contains(where: { $0.molecule == molecule && $0.place == place }) {
                if search(chosen + [(molecule, place)], rest.dropFirst()) { return true }
            }
            return false
        }
        return search([], kind.inputs[...])
    }
}
