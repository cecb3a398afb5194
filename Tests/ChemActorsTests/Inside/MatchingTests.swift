import Testing

@testable import ChemActors

/// A chemistry that is small enough to be tried in every way: how many copies of each molecule each reaction consumes.
private struct SmallChemistry {
    let needs: [[Int]]

    /// The reactions that are possible with `present` copies, said as simply as it can be.
    func possible(with present: [Int]) -> Set<Int> {
        Set(needs.indices.filter { reaction in zip(needs[reaction], present).allSatisfy { $0 <= $1 } })
    }

    /// For each molecule, the reactions that consume it.
    var uses: [[Matching.Use]] {
        needs[0].indices.map { molecule in
            needs.indices.compactMap { reaction in
                let copies = needs[reaction][molecule]
                return copies > 0 ? Matching.Use(reaction: Int32(reaction), copies: Int32(copies)) : nil
            }
        }
    }

    /// Puts and takes as `changes` say, and compares what is possible with what ought to be after each one.
    func flaw(after changes: [(molecule: Int, difference: Int)], seed: UInt64) -> String? {
        var matching = Matching(seed: seed)
        let block = SealedBlock(reactions: needs.count, uses: 0)
        matching.seal(
            molecules: needs.map { $0.count { $0 > 0 } },
            in: block.places(reactions: needs.count, uses: 0).matching
        )
        defer { withExtendedLifetime(block) {} }
        var present = needs[0].map { _ in 0 }
        for (step, change) in changes.enumerated() {
            let before = present[change.molecule]
            let after = before + change.difference
            guard after >= 0 else { continue }
            present[change.molecule] = after
            uses[change.molecule].withUnsafeBufferPointer { uses in
                if after > before {
                    matching.grown(uses, from: before, to: after)
                } else {
                    matching.shrunk(uses, from: before, to: after)
                }
            }
            let found = Set((0..<matching.possibleCount).map { Int(matching.possible[$0]) })
            let expected = possible(with: present)
            if found != expected || found.count != matching.possibleCount {
                return "\(needs), step \(step) of \(changes): \(found), not \(expected)"
            }
            if matching.possibleCount > 0, !expected.contains(matching.pick()) {
                return "\(needs), step \(step) of \(changes): picks what isn't possible"
            }
        }
        return nil
    }
}

@Suite("Which reactions are possible, as a value")
struct MatchingTests {
    /// All pairs of different reactions over two molecules, of which they consume up to two copies each.
    private static let pairs: [SmallChemistry] = {
        let needs = (0..<9).map { [$0 / 3, $0 % 3] }.filter { $0 != [0, 0] }
        return needs.flatMap { a in needs.filter { $0 != a }.map { SmallChemistry(needs: [a, $0]) } }
    }()

    @Test("Two reactions over two molecules, in every order of up to five changes by one or two copies")
    func everyOrder() {
        let changes = [(0, 1), (0, -1), (1, 1), (1, -1), (0, 2), (1, -2)].map { (molecule: $0.0, difference: $0.1) }
        var tried = 0
        for chemistry in Self.pairs {
            // Each number in base six is a way.
            for number in stride(from: 0, to: 7776, by: 31) {
                let way = (0..<5).map { digit in changes[(0..<digit).reduce(number) { rest, _ in rest / 6 } % 6] }
                if let flaw = chemistry.flaw(after: way, seed: 1) {
                    Issue.record("\(flaw)")
                    return
                }
                tried += 1
            }
        }
        #expect(tried == 56 * 251)
    }

    @Test("Random chemistries of up to six molecules and eight reactions, in 200 seeds")
    func randomChemistries() {
        for seed in UInt64(1)...200 {
            var random = SeededGenerator(seed: seed)
            let molecules = 1 + random.below(6)
            let chemistry = SmallChemistry(
                needs: (0..<(1 + random.below(8))).map { _ in
                    var needs = (0..<molecules).map { _ in random.below(4) }
                    if needs.allSatisfy({ $0 == 0 }) { needs[0] = 1 }
                    return needs
                }
            )
            let changes = (0..<60).map { _ in
                (molecule: random.below(molecules), difference: random.below(7) - 3)
            }
            if let flaw = chemistry.flaw(after: changes, seed: seed) { Issue.record("seed \(seed): \(flaw)") }
        }
    }

    @Test("Each possible reaction has the same chance, the repetition of failed ones among them")
    func chances() {
        var matching = Matching(seed: 7)
        let block = SealedBlock(reactions: 3, uses: 0)
        matching.seal(molecules: [1, 1, 1], in: block.places(reactions: 3, uses: 0).matching)
        defer { withExtendedLifetime(block) {} }
        for reaction in 0..<3 {
            [Matching.Use(reaction: Int32(reaction), copies: 1)].withUnsafeBufferPointer {
                matching.grown($0, from: 0, to: 1)
            }
        }
        matching.canRepeat = true
        var counts = [0, 0, 0, 0]
        for _ in 0..<40_000 { counts[matching.pick()] += 1 }
        for count in counts { #expect((9_500...10_500).contains(count), "\(counts)") }
        matching.canRepeat = false
        #expect((0..<1_000).allSatisfy { _ in matching.pick() < 3 })
    }
}
