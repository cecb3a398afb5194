import ChemExamples
import TestSupport
import Testing

/// Every example of the gallery runs, small, and finds that its invariants hold.
@Suite("Gallery", .endsInTime)
struct GalleryTests {
    @Test(arguments: Gallery.all.map(\.name), [1, 2, 3] as [UInt64])
    func everyCheckHolds(name: String, seed: UInt64) async throws {
        let example = try #require(Gallery.example(named: name))
        let outcome = await example.run(on: Stage(size: .small, seed: seed))
        #expect(outcome.checks.count > 0)
        for check in outcome.checks where !check.holds {
            Issue.record("\(name), seed \(seed): \(check.statement)")
        }
    }

    @Test(arguments: [
        ("fibonacci", ["fibonacci 20: 6765"]),
        ("mergesort", ["10000 numbers are sorted", "sorted lists of 5: 2000"]),
        ("smokers", ["rounds: 10"]),
        ("savages", ["added: 70", "eaten: 77"]),
    ])
    func theFullProblemHasItsNumbers(name: String, statements: [String]) async throws {
        let example = try #require(Gallery.example(named: name))
        let outcome = await example.run(on: Stage(size: .full, seed: 1))
        #expect(outcome.holds)
        for statement in statements { #expect(outcome.checks.contains { $0.statement == statement }) }
    }

    @Test func namesAreUniqueAndNoneIsAWordOfTheCommandLine() {
        let names = Gallery.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(!names.contains { $0 == "all" || $0.hasPrefix("-") || $0.contains(" ") })
    }
}
