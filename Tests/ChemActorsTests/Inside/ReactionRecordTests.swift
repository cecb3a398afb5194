import Testing

@testable import ChemActors

/// What is known of how long the bodies of a reaction take.
@Suite struct ReactionRecordTests {
    private func record() -> ReactionRecord {
        ReactionRecord(body: { $0 }, answered: nil, course: .synchronous, isLong: false)
    }

    private func expect(
        _ record: borrowing ReactionRecord,
        helps: Bool,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        let actual = record.helpsAnyCaller
        #expect(actual == helps, sourceLocation: sourceLocation)
    }

    @Test("A body that has been short 64 times is run by callers, after any number of starts")
    func staysShort() {
        var record = record()
        expect(record, helps: false)
        record.starts = 64
        expect(record, helps: true)
        // Looked at once in a million starts, twice around.
        for _ in 0..<(2 << 12) {
            record.starts &+= 1 << 20
            expect(record, helps: true)
            record.isLong = false
        }
    }

    @Test("One that takes long is left alone for 64 starts")
    func takesLong() {
        var record = record()
        record.starts = 1_000
        record.isLong = true
        expect(record, helps: false)
        record.isLong = false
        expect(record, helps: false)
        record.starts += 63
        record.isLong = false
        expect(record, helps: false)
        record.starts += 1
        expect(record, helps: true)
    }
}
