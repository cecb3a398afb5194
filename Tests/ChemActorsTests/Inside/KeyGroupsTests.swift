import TestSupport
import Testing

@testable import ChemActors

/// The keys of an index, beside a dictionary that does the same.
@Suite("Keys of an index", .endsInTime)
struct KeyGroupsTests {
    /// The keys, and where the dictionary says that they are.
    private final class Table {
        private var groups = KeyGroups()
        private(set) var model: [Int: Int32] = [:]

        /// From some thousand keys on, the table reads ahead, and keys leave it several at a time.
        init(_ keys: Range<Int>) {
            groups.addMember()
            for key in keys { _ = come(key) }
        }

        private static func feature(_ key: Int) -> Feature { Feature(UInt64(key), UInt64(key & 1)) }

        var count: Int { groups.count }
        var isWide: Bool { groups.isWide }

        func expect(_ keys: [Int]) {
            for key in keys { groups.expect(Self.feature(key)) }
            groups.expectGroups()
        }

        /// Whether a key that is there has kept its group.
        func come(_ key: Int) -> Bool {
            let number = groups.findOrMake(Self.feature(key))
            let known = model.updateValue(number, forKey: key)
            return known == nil || known == number
        }

        func go(_ key: Int) {
            if let number = model.removeValue(forKey: key) { groups.drop(number) }
        }

        /// Whether a look-up finds the key exactly if it's there.
        func isRight(_ key: Int) -> Bool {
            let found = groups.find(Self.feature(key))
            let isUsed = found.map { groups.group($0).pointee.standing == .used } ?? false
            guard let number = model[key] else { return !isUsed }
            return isUsed && found == number && groups.group(number).pointee.a == UInt64(key)
        }
    }

    @Test("Keys that come, go and come again are found, whichever way", arguments: 1...20)
    func comingAndGoing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let base = seed.isMultiple(of: 2) ? 20_000 : 20
        let table = Table(0..<base)
        #expect(table.isWide == (base > 20))
        // Those that went last may still be in the table.
        var gone: [Int] = []
        var (next, oldest) = (base, 0)
        for _ in 0..<5_000 {
            switch generator.below(4) {
            case 0:
                #expect(table.come(next), "seed \(seed)")
                next += 1
            case 1 where !gone.isEmpty:
                let key = gone.suffix(6)[gone.suffix(6).startIndex + generator.below(gone.suffix(6).count)]
                table.expect([key])
                #expect(table.come(key), "seed \(seed): key \(key) has two groups")
            default:
                let key = generator.below(2) == 0 ? oldest : generator.below(next)
                oldest += key == oldest ? 1 : 0
                table.go(key)
                gone.append(key)
            }
            #expect(table.count == table.model.count, "seed \(seed)")
        }
        for key in 0..<next where !table.isRight(key) { Issue.record("seed \(seed): key \(key)") }
        #expect(Set(table.model.values).count == table.model.count, "seed \(seed): two keys in one group")
    }

    @Test("When the last key has gone, whatever was kept back goes too, and its memory")
    func allGone() {
        let table = Table(0..<20_000)
        for key in 0..<20_000 { table.go(key) }
        #expect(table.count == 0)
        #expect(!table.isWide)
        #expect((0..<20_000).allSatisfy(table.isRight))
        #expect(table.come(7) && table.isRight(7) && table.count == 1)
    }

    @Test("More keys are expected than are read ahead at once")
    func manyExpected() {
        let table = Table(0..<20_000)
        table.expect(Array(19_950..<20_050))
        for key in 19_950..<20_050 { #expect(table.come(key)) }
        #expect((0..<20_050).allSatisfy(table.isRight))
    }
}
