import ChemActors
import TestSupport
import Testing

@Suite("What a recorder writes down of values", .endsInTime)
struct DescribedValuesTests {
    private struct Shop {
        let order: SlowMolecule<Int>
        let secret: SlowMolecule<Int>
        let deliver: FastMolecule<String, Int>
    }

    private func shop(_ machine: ChemicalMachine, _ described: Record<Int>? = nil) -> Shop {
        let (order, secret, deliver) = machine.define("shop") { join in
            let order = join.slow("order", of: Int.self, order: .oldestFirst)
            let secret = join.slow("secret", of: Int.self)
            let deliver = join.fast("deliver", of: String.self, returning: Int.self)
            join.describe(order) { number in
                described?.append(number)
                return number < 0 ? String(repeating: "é", count: 1_000) : "no. \(number)"
            }
            join.describe(deliver) { "to \($0)" }
            join.answer(deliver, with: order) { _, number in number }
            join.when(secret) { _ in }
            return (order, secret, deliver)
        }
        return Shop(order: order, secret: secret, deliver: deliver)
    }

    private func machine(_ recorder: EventRecorder) -> ChemicalMachine {
        ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: recorder))
    }

    /// One call that waits, and one order for it; another order, and something that nobody describes.
    private func run() async throws -> Recording {
        let machine = machine(.full())
        let shop = shop(machine)
        let call = Task { try await shop.deliver("Ada") }
        try await until { machine.census().waitingCalls == 1 }
        shop.order(17)
        let number = try await call.value
        #expect(number == 17)
        shop.order(18)
        shop.secret(4711)
        try await machine.quiescence()
        withExtendedLifetime(shop) {}
        return machine.recording()
    }

    @Test("What is described is written down, and nothing else")
    func written() async throws {
        let recording = try await run()
        func values(_ kind: Recording.Kind, _ molecule: String) -> [String?] {
            recording.events.filter { $0.kind == kind && recording.subject(of: $0) == molecule }.map(\.value)
        }
        #expect(values(.injected, "order") == ["no. 17", "no. 18"])
        #expect(values(.called, "deliver") == ["to Ada"])
        #expect(values(.injected, "secret") == [nil])
        #expect(recording.events.count { $0.value != nil } == 3)
        // The numbers of events are what they are without values.
        #expect(recording.events.allSatisfy { $0.kind != .injected || ($0.number == 0 && $0.count == 1) })
        #expect(recording.events.allSatisfy { $0.kind != .called || ($0.number == 1 && $0.count == 0) })
    }

    @Test("Texts, sequences, files and traces show them")
    func shown() async throws {
        let recording = try await run()
        #expect("\(recording)".contains("+ order(no. 17)"))
        #expect("\(recording)".contains("? deliver(to Ada) waits"))
        #expect(!"\(recording)".contains("4711"))
        #expect(recording.mermaid().contains("order(no. 18)"))
        let read = try Recording(bytes: recording.bytes)
        #expect(read.events.map(\.value) == recording.events.map(\.value))
        // Each but the last byte, so that a text is cut as well.
        for length in 0..<recording.bytes.count {
            #expect(throws: RecordingError.self) { try Recording(bytes: Array(recording.bytes.prefix(length))) }
        }
        let trace = recording.perfetto
        // Fields 10 and 6 of a DebugAnnotation in Perfetto's published schema: its name and its text.
        let annotation = [82, 5] + Array("value".utf8) + [50, 6] + Array("no. 17".utf8)
        #expect(trace.indices.contains { trace[$0...].starts(with: annotation) })
    }

    @Test("Without a full recorder, nothing is described")
    func onlyInFull() async throws {
        for recorder in [EventRecorder.off, .flight] {
            let described = Record<Int>()
            let machine = machine(recorder)
            let shop = shop(machine, described)
            shop.order(1)
            _ = try await shop.deliver("Ada")
            #expect(described.all.isEmpty)
            #expect(machine.recording().events.allSatisfy { $0.value == nil })
        }
    }

    @Test("Calls that don't enter the soup push no text out")
    func refusedCalls() async throws {
        let machine = machine(.full(limit: 128))
        let shop = shop(machine)
        machine.pause()
        shop.order(17)
        machine.deactivate()
        for _ in 0..<1_000 {
            await #expect(throws: CallError.self) { try await shop.deliver("nobody") }
        }
        let events = machine.recording().events
        #expect(events.map(\.kind) == [.injected, .dropped])
        #expect(events.first?.value == "no. 17")
        withExtendedLifetime(shop) {}
    }

    @Test("Of a sequence, each copy is described; a long text is cut")
    func sequences() async throws {
        let described = Record<Int>()
        let machine = machine(.full())
        let shop = shop(machine, described)
        shop.order.inject(contentsOf: [1, 2, -1])
        #expect(described.all == [1, 2, -1])
        let values = machine.recording().events.compactMap(\.value)
        #expect(values == ["no. 1", "no. 2", String(repeating: "é", count: 199) + "…"])
        withExtendedLifetime(shop) {}
    }

    @Test("The last events keep theirs, however many there were")
    func lastOnes() async throws {
        let machine = machine(.full(limit: 128))
        let shop = shop(machine)
        machine.pause()
        for number in 0..<1_000 {
            shop.order(number)
            // Not described, so that texts and events don't go together.
            for _ in 0..<number % 3 { shop.secret(number) }
        }
        let recording = machine.recording()
        let orders = recording.events.filter { recording.subject(of: $0) == "order" }
        #expect(orders.count > 10 && orders.count <= 128)
        #expect(orders.map(\.value) == (1_000 - orders.count..<1_000).map { "no. \($0)" })
        withExtendedLifetime(shop) {}
    }

    @Test("To describe another definition's molecule stops the program")
    func anotherDefinitions() async throws {
        for exits in [
            await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent],
                performing: {
                    let machine = ChemicalMachine()
                    let first = machine.define("first") { join in
                        let item = join.slow("item", of: Int.self)
                        join.when(item) { _ in }
                        return item
                    }
                    _ = machine.define("second") { join in
                        join.describe(first) { "\($0)" }
                        return join.slow("other")
                    }
                }
            ),
            await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent],
                performing: {
                    let machine = ChemicalMachine()
                    let first = machine.define("first") { join in
                        let item = join.fast("item", of: Int.self)
                        join.answer(item) { _ in }
                        return item
                    }
                    _ = machine.define("second") { join in
                        join.describe(first) { "\($0)" }
                        return join.slow("other")
                    }
                }
            ),
        ] {
            let text = String(decoding: try #require(exits).standardErrorContent, as: UTF8.self)
            #expect(text.contains("definition 'second' describes"), "\(text)")
            #expect(text.contains("'first.item', which belongs to another definition"), "\(text)")
        }
    }

    @Test("A name or a value that has line breaks stays on its line")
    func oneLine() async throws {
        let machine = ChemicalMachine(.init(recorder: .full()))
        let go = machine.define("a\nb") { join in
            let go = join.slow("go", of: String.self)
            join.describe(go) { $0 }
            join.when(go) { _ in }
            return go
        }
        go("first\n     0.001  bank  + stolen\u{1b}[31m\u{2028}")
        try await machine.quiescence()
        let recording = machine.recording()
        let text = recording.description
        #expect(text.split(whereSeparator: \.isNewline).count == recording.events.count)
        #expect(text.contains(#"a\nb"#) && text.contains(#"first\n     0.001"#), "\(text)")
        #expect(!text.unicodeScalars.contains("\u{1b}"))
    }
}
