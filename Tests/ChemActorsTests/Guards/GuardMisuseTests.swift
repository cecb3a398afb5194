public import ChemActors
import TestSupport
import Testing

/// What a definition with guards must not be. Each stops the program with a sentence that says where.
@Suite("Misused guards are refused", .endsInTime)
struct GuardMisuseTests {
    @Test("A condition that no reaction uses")
    func unusedCondition() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("store", fileID: "Shop/Store.swift", line: 10) { join in
                let put = join.slow("put", of: Int.self)
                let items = join.state("items", 0)
                _ = items.while({ $0 > 0 }, fileID: "Shop/Store.swift", line: 13)
                join.when(put, updating: items) { $0 += $1 }
            }
        }
        try expectRefusal("'store'", "Store.swift:10", "Store.swift:13", "'items'", "no reaction uses", in: result)
    }

    @Test("A condition that is declared when the chemistry is fixed")
    func lateCondition() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var kept: StateMolecule<Int>?
            Join.define("store") { join in
                let put = join.slow("put", of: Int.self)
                let items = join.state("items", 0)
                join.when(put, updating: items) { $0 += $1 }
                kept = items
            }
            _ = kept?.while({ $0 > 0 }, fileID: "Shop/Store.swift", line: 20)
        }
        try expectRefusal("'store.items'", "Store.swift:20", "in the closure of 'define'", in: result)
    }

    @Test("A guard over what belongs to another definition", arguments: 0..<5)
    func foreign(kind: Int) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            Join.define("outer") { outer in
                let other = outer.slow("other", of: Int.self)
                let level = outer.state("level", 0)
                outer.when(other, updating: level) { _, _ in }
                Join.define("inner") { join in
                    let own = join.slow("own", of: Int.self)
                    let state = join.state("state", 0)
                    switch kind {
                    case 0: join.when(own, other, matching: \.self, \.self, updating: state) { _, _, _ in }
                    case 1: join.when(own, other, where: { $0 == $1 }, updating: state) { _, _, _ in }
                    case 2: join.when(own, updating: level, amount: \.self, atMost: \.self) { _, _ in }
                    case 3: join.when(own, updating: level.while { $0 > 0 }) { _, _ in }
                    default: _ = join.part("part", of: other) { $0 > 0 }
                    }
                }
            }
        }
        try expectRefusal("'inner'", "GuardMisuseTests.swift:", "'outer.", "definition", in: result)
    }

    @Test("The rest of a split molecule, which no reaction consumes")
    func unconsumedRest() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("mail") { join in
                let letter = join.slow("letter", of: Int.self, fileID: "Post/Mail.swift", line: 3)
                let heavy = join.part("heavy", of: letter, where: { $0 > 20 })
                join.when(heavy) { _ in }
            }
        }
        try expectRefusal(
            "'mail'",
            "'letter'",
            "Mail.swift:3",
            "no reaction consumes what none of its parts takes",
            in: result
        )
    }

    private enum Size: CaseIterable {
        case small, large
    }

    @Test("One of all parts, which no reaction consumes; the molecule itself, of which nothing is left")
    func parts() async throws {
        let unused = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("mail") { join in
                let letter = join.slow("letter", of: Int.self)
                let letters = join.parts(of: letter) { $0 > 20 ? Size.large : .small }
                join.when(letters[.small]) { _ in }
            }
        }
        try expectRefusal("'mail'", "'letter.large'", "no reaction consumes", in: unused)

        let rest = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("mail") { join in
                let letter = join.slow("letter", of: Int.self)
                let letters = join.parts(of: letter) { $0 > 20 ? Size.large : .small }
                join.when(letters[.small]) { _ in }
                join.when(letters[.large]) { _ in }
                join.when(letter, fileID: "Post/Mail.swift", line: 7) { _ in }
            }
        }
        try expectRefusal("'mail'", "Mail.swift:7", "'letter'", "all of whose values belong to its parts", in: rest)
    }

    struct Order: Sendable {
        var id = 0
        var customer = 0
    }

    /// Two reactions with the same inputs. Whether they have the same guard depends on `kind`.
    private static func twins(_ kind: Int, on machine: ChemicalMachine = .shared) {
        machine.define("twins") { join in
            let a = join.slow("a", of: Order.self), b = join.slow("b", of: Order.self)
            let state = join.state("state", Order())
            let fileID: StaticString = "Shop/Twins.swift"
            switch kind {
            case 0:  // the same keys
                join.when(a, b, matching: \.id, \.customer, fileID: fileID, line: 3) { _, _ in }
                join.when(a, b, matching: \.id, \.customer, fileID: fileID, line: 4) { _, _ in }
                join.when(a, updating: state) { _, _ in }
            case 1:  // the same keys, in another order
                join.when(a, b, matching: \.id, \.customer, fileID: fileID, line: 3) { _, _ in }
                join.when(b, a, matching: \.customer, \.id, fileID: fileID, line: 4) { _, _ in }
                join.when(a, updating: state) { _, _ in }
            case 2:  // the same amounts
                join.when(a, b) { _, _ in }
                join.when(a, updating: state, amount: \.id, atMost: \.id, fileID: fileID, line: 3) { _, _ in }
                join.when(a, updating: state, amount: \.id, atMost: \.id, fileID: fileID, line: 4) { _, _ in }
            case 3:  // the same condition
                join.when(a, b) { _, _ in }
                let few = state.while { $0.id < 3 }
                join.when(a, updating: few, fileID: fileID, line: 3) { _, _ in }
                join.when(a, updating: few, fileID: fileID, line: 4) { _, _ in }
            case 4:  // other keys
                join.when(a, b, matching: \.id, \.customer) { _, _ in }
                join.when(a, b, matching: \.id, \.id) { _, _ in }
                join.when(a, b, matching: \.customer, \.id) { _, _ in }
                join.when(a, b) { _, _ in }
                join.when(a, b, where: { $0.id < $1.id }) { _, _ in }
                join.when(a, b, where: { $0.id > $1.id }) { _, _ in }
                join.when(a, updating: state) { _, _ in }
            default:  // other amounts, other conditions
                join.when(a, b) { _, _ in }
                join.when(a, updating: state, amount: \.id, atMost: \.id) { _, _ in }
                join.when(a, updating: state, amount: \.id, atMost: \.customer) { _, _ in }
                join.when(a, updating: state.while { $0.id < 3 }) { _, _ in }
                join.when(a, updating: state.while { $0.id > 3 }) { _, _ in }
                join.when(a, updating: state) { _, _ in }
            }
        }
    }

    @Test("Two reactions with the same inputs and the same guard", arguments: 0..<4)
    func sameGuard(kind: Int) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
            GuardMisuseTests.twins(kind)
        }
        try expectRefusal("'twins'", "same inputs", "Twins.swift:3", "Twins.swift:4", ".mayCompete()", in: result)
    }

    @Test("The same inputs with different guards are no repetition", arguments: 4..<6)
    func differentGuards(kind: Int) {
        Self.twins(kind, on: ChemicalMachine(.silent))
    }

    @Test("An amount of more than 64 bits")
    func wideAmount() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Amount(Int128(5))
        }
        try expectRefusal("ChemActors: an amount has at most 64 bits, not 5", in: result)
    }

    @Test("A part of a value that isn't among all cases")
    func caseOutsideOfAllCases() async throws {
        enum Kind: CaseIterable {
            case known, unknown
            static let allCases = [Kind.known]
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let letter = Join.define("mail") { join in
                let letter = join.slow("letter", of: Int.self)
                let letters = join.parts(of: letter) { $0 > 20 ? Kind.unknown : .known }
                join.when(letters[.known]) { _ in }
                return letter
            }
            letter(21)
        }
        try expectRefusal("'letter'", "unknown", "allCases", in: result)
    }

    /// Looks at a definition whenever two are compared.
    private struct Field: Hashable, Sendable {
        static let probe = Guarded<(@Sendable () -> Void)?>(nil)
        let number: Int

        static func == (one: Field, other: Field) -> Bool {
            probe.now?()
            return one.number == other.number
        }
    }

    private struct Line: Sendable {
        let cells = [1, 2]
        subscript(field: Field) -> Int { cells[field.number] }
    }

    @Test("Key paths are compared outside of the soup, since they may run code of a user")
    func comparison() {
        Join.define("lines") { join in
            let (a, b) = (join.slow("a", of: Line.self), join.slow("b", of: Line.self))
            let definition = join.definition
            Field.probe.withLock { $0 = { _ = definition.snapshot() } }
            for number in 0...1 {
                join.when(a, b, matching: \.[Field(number: number)], \.[Field(number: number)]) { _, _ in }
            }
        }
        Field.probe.withLock { $0 = nil }
    }

    @Test("The key of a number with a fraction is read outside of the soup, since a user says what it is")
    func fractions() async throws {
        let (a, b, met, definition) = Join.define("fractions") { join in
            let (a, b) = (join.slow("a", of: Double.self), join.slow("b", of: Double.self))
            let pairs = join.slow("pairs", of: Double.self)
            let met = join.fast("met", returning: Double.self)
            join.when(a, b, matching: \.self, \.self) { a, b in pairs(a + b) }
            join.answer(met, with: pairs) { _, pair in pair }
            return (a, b, met, join.definition)
        }
        // Under the lock of the soup this would never end.
        fractionIsRead.withLock { $0 = { _ = definition.statistics } }
        a(0.5)
        b(2.25)
        b(0.75)
        #expect(try await met() == 1.25)
        fractionIsRead.withLock { $0 = nil }
        #expect(definition.snapshot().molecules == ["b": 1])
    }
}

private let fractionIsRead = Guarded<(@Sendable () -> Void)?>(nil)

/// Equal if they are in the same whole.
extension Double: Matchable {
    /// Equal for all numbers of one whole.
    public var matchingKey: MatchingKey {
        fractionIsRead.withLock { $0 }?()
        return MatchingKey(Int(self))
    }
}
