import Foundation
import TestSupport
import Testing

@testable import ChemActors

/// What is made of a recording: its file, pictures, a sequence and a trace.
@Suite(.endsInTime)
struct RecordingFilesTests {
    @Test func aFileGivesTheSameRecording() async throws {
        let recording = try await recordCounter(.full())
        let read = try Recording(bytes: recording.bytes)
        #expect(read.definitions == recording.definitions)
        #expect(read.events == recording.events)
        let path = NSTemporaryDirectory() + "recording-\(UUID().uuidString).chem"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try recording.write(to: path)
        #expect(try Recording(contentsOf: path).events == recording.events)
        #expect(throws: RecordingError.fileFailed(path: "/no/such/folder/run.chem", code: 2)) {
            try recording.write(to: "/no/such/folder/run.chem")
        }
    }

    @Test func aFileWithoutEndIsRefusedByItsBeginning() {
        #expect(throws: RecordingError.isNoRecording) { try Recording(contentsOf: "/dev/zero") }
    }

    @Test func whatIsNoRecordingIsRefusedWithItsPlace() async throws {
        #expect(throws: RecordingError.isNoRecording) { try Recording(bytes: Array("CHEMREC1".utf8)) }
        #expect(
            "\(RecordingError.isNoRecording)" == "this is no recording of version 2: it doesn't begin with 'CHEMREC2'"
        )
        let bytes = try await recordCounter(.full()).bytes
        for length in 8..<bytes.count {
            #expect(throws: RecordingError.self) { try Recording(bytes: Array(bytes[..<length])) }
        }
        #expect(throws: RecordingError.isDamaged("something follows", offset: bytes.count)) {
            try Recording(bytes: bytes + [0])
        }
        // A time is a sum: two that are too large together.
        let recording = try await recordCounter(.full())
        let one = Recording(definitions: recording.definitions, events: [recording.events[0]])
        let two = Recording(definitions: recording.definitions, events: Array(recording.events.prefix(2)))
        let rest = [UInt8](repeating: 0xff, count: 9) + [1] + two.bytes[(one.bytes.count + 1)...]
        let damage = #expect(throws: RecordingError.self) {
            try Recording(bytes: Array(two.bytes[..<one.bytes.count]) + rest)
        }
        #expect("\(damage.map { "\($0)" } ?? "")".contains("a time of more than 292 years"))
        // Whatever the bytes are, they are read or refused.
        for round in 0..<2000 {
            var damaged = bytes
            let place = 8 + round % (bytes.count - 8)
            damaged[place] = UInt8(truncatingIfNeeded: round / (bytes.count - 8) &* 37 &+ 1)
            if round % 2 == 0 { damaged[Int.random(in: 8..<bytes.count)] = UInt8.random(in: 0...255) }
            if let recording = try? Recording(bytes: damaged) {
                _ = (recording.description, recording.perfetto, recording.mermaid())
                for definition in recording.definitions { _ = (definition.drawing?.svg, definition.drawing?.mermaid) }
            }
        }
    }

    @Test("A recording has pictures of what was recorded, and its file too")
    func pictures() async throws {
        let recording = try await recordCounter(.full())
        let drawing = try #require(recording.definitions[0].drawing)
        #expect(drawing.molecules.map(\.name) == ["count", "increment", "value"])
        #expect(drawing.molecules.allSatisfy { $0.present == nil })
        #expect(drawing.reactions.map { $0.consumed.map(\.molecule) } == [[1, 0], [2, 0]])
        #expect(drawing.reactions.map(\.injected) == [[0], [0]])
        #expect(drawing.reactions.map(\.answered) == [nil, 2])
        // The client injects into the counter, and calls it.
        let client = try #require(recording.definitions[1].drawing)
        #expect(client.molecules.filter { $0.kind == .foreign }.map(\.name) == ["counter.increment", "counter.value"])
        let read = try Recording(bytes: recording.bytes)
        #expect(read.definitions.map(\.drawing) == recording.definitions.map(\.drawing))
        #expect(read.definitions.map(\.drawing?.svg) == recording.definitions.map(\.drawing?.svg))
    }

    @Test func theSequenceShowsWhoSendsWhat() async throws {
        let mermaid = try await recordCounter(.full()).mermaid()
        #expect(mermaid.hasPrefix("sequenceDiagram\n    participant outside\n"))
        #expect(mermaid.contains("    participant d0 as counter"))
        #expect(mermaid.contains("    outside-)d1: begin"))
        #expect(mermaid.contains("    d1-)d0: increment"))
        #expect(mermaid.contains("    Note over d0: increment & count"))
    }

    @Test func aStartMayTakeManyCalls() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: .full()))
        let arrive = machine.define("barrier") { join in
            let arrive = join.fast("arrive")
            join.when(40, of: arrive) { for reply in $0 { reply() } }
            return arrive
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 { group.addTask { try await arrive() } }
            try await group.waitForAll()
        }
        let recording = machine.recording()
        #expect(recording.events.count { $0.kind == .taken } >= 39)
        let ends = try Message(recording.perfetto).all(1).flatMap { try $0.all(11).flatMap { $0.numbers(48) } }
        #expect(ends.count == 4)
    }

    /// Each packet is read with the numbers of Perfetto's published schema.
    @Test func theArrowFromACallIsThatOfTheCallThatIsTaken() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: .full()))
        let (take, put, definition) = machine.define("slot") { join in
            let put = join.slow("put", of: Int.self)
            let take = join.fast("take", returning: Int.self)
            join.answer(take, with: put) { _, number in number }
            return (take, put, join.definition)
        }
        // The first one gives up, so each later arrow would begin at the call before, if calls were a queue.
        await #expect(throws: CallError.self) { try await take(within: .milliseconds(1)) }
        for number in 1...3 {
            async let taken = take()
            try await until { definition.statistics.waitingCalls == 1 }
            put(number)
            #expect(try await taken == number)
        }
        try await machine.quiescence()
        var begun: [UInt64] = []
        var ended: [[UInt64]] = []
        for packet in try Message(machine.recording().perfetto).all(1) {
            for event in try packet.all(11) {
                begun += event.numbers(47)
                if !event.numbers(48).isEmpty { ended.append(event.numbers(48)) }
            }
        }
        // A call, then for each of the others the call and the molecule that answers it.
        try #require(begun.count == 7)
        #expect(ended == [[begun[1], begun[2]], [begun[3], begun[4]], [begun[5], begun[6]]])
    }

    @Test func theTraceHasTracksSlicesThatNestAndArrows() async throws {
        let recording = try await recordCounter(.full())
        var open: [UInt64: Int] = [:]
        var tracks: Set<UInt64> = []
        var flows: (begun: Set<UInt64>, ended: Set<UInt64>) = ([], [])
        var names = 0
        var last: UInt64 = 0
        for packet in try Message(recording.perfetto).all(1) {
            #expect(packet.number(10) == 1)
            for descriptor in try packet.all(60) {
                if let track = descriptor.number(1) { tracks.insert(track) }
            }
            for interned in try packet.all(12) { names += try interned.all(2).count }
            for event in try packet.all(11) {
                let time = try #require(packet.number(8))
                #expect(time >= last)
                last = time
                let track = try #require(event.number(11))
                #expect(tracks.contains(track))
                switch event.number(9) {
                case 1: open[track, default: 0] += 1
                case 2: open[track, default: 0] -= 1
                default: #expect(event.number(9) == 3)
                }
                // A lane has one body at a time.
                #expect((0...1).contains(open[track, default: 0]))
                flows.begun.formUnion(event.numbers(47))
                flows.ended.formUnion(event.numbers(48))
            }
        }
        #expect(open.values.allSatisfy { $0 == 0 })
        #expect(names == 3 + 2 + 3 + 2)
        #expect(!flows.ended.isEmpty)
        #expect(flows.ended.isSubset(of: flows.begun))
    }
}

/// A message of protocol buffers.
private struct Message {
    struct Malformed: Error {}
    private enum Value {
        case number(UInt64)
        case bytes([UInt8])
    }
    private var fields: [(number: UInt64, value: Value)] = []

    init(_ bytes: [UInt8]) throws {
        var offset = 0
        func varint() throws -> UInt64 {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while offset < bytes.count {
                defer { offset += 1 }
                value |= UInt64(bytes[offset] & 0x7f) << shift
                if bytes[offset] < 0x80 { return value }
                shift += 7
            }
            throw Malformed()
        }
        while offset < bytes.count {
            let key = try varint()
            switch key & 7 {
            case 0: fields.append((key >> 3, .number(try varint())))
            case 1:
                guard offset + 8 <= bytes.count else { throw Malformed() }
                let value = bytes[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                offset += 8
                fields.append((key >> 3, .number(value)))
            case 2:
                let length = Int(try varint())
                guard offset + length <= bytes.count else { throw Malformed() }
                fields.append((key >> 3, .bytes(Array(bytes[offset..<offset + length]))))
                offset += length
            default: throw Malformed()
            }
        }
    }

    func numbers(_ field: UInt64) -> [UInt64] {
        fields.compactMap { if $0.number == field, case .number(let value) = $0.value { value } else { nil } }
    }

    func number(_ field: UInt64) -> UInt64? { numbers(field).first }

    func all(_ field: UInt64) throws -> [Message] {
        try fields.compactMap {
            guard $0.number == field, case .bytes(let bytes) = $0.value else { return nil }
            return try Message(bytes)
        }
    }
}
