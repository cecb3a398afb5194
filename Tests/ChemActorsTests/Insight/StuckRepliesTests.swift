import ChemActors
import TestSupport
import Testing

/// What is said of calls whose replies somebody keeps, and of names that would make up lines.
@Suite("Stuck since replies are kept", .endsInTime)
struct StuckRepliesTests {
    @Test("Bodies that wait for each other's replies are told of once, and the first ones of many")
    func many() async throws {
        let machine = ChemicalMachine.observed
        let kept = Record<Reply<Int, Int>>()
        let ask = machine.define("desk") { join in
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            let go = join.slow("go", of: Int.self)
            join.when(ask) { reply in kept.append(reply) }
            join.when(go) { n async in _ = try? await ask(n) }
            go.inject(contentsOf: 1...40)
            return ask
        }
        let waiting = Task { try await ask(0) }
        let areToldOf = await Patience.until {
            let report = machine.explainStuck()
            return report.calls.count == 41 && report.says("… and 24 bodies more of 'desk'")
        }
        let report = machine.explainStuck()
        #expect(areToldOf && report.says("its body has ended: somebody has the reply"), "\(report)")
        #expect(report.says("runs: its body waits in desk.ask", "this is a cycle"))
        #expect("\(report)".split(separator: "\n").count < 200)
        machine.deactivate()
        for reply in kept.all { reply.fail(CancellationError()) }
        _ = await waiting.result
    }

    @Test("Whatever users call their molecules, and whatever keys they have: each sentence is one line")
    func oneLine() async throws {
        let machine = ChemicalMachine.observed
        let (get, put, other, definition) = machine.define("shop\n  all is well") { join in
            let get = join.fast("get\n  nothing is stuck", of: String.self)
            let put = join.slow("put\u{1b}[2J", of: String.self)
            let other = join.fast("other")
            join.answer(get, with: put, matching: \.self, \.self) { _, _ in }
            join.answer(other, with: join.slow("never\r\nseen")) { _, _ in }
            return (get, put, other, join.definition)
        }
        put("another")
        let keys = ["short\n", "a longer text\u{2028}which isn't stored in place"]
        let waiting = keys.map { key in Task { try await get(key) } } + [Task { try await other() }]
        let report = try await stuck(machine, calls: 3, saying: "never")
        let lines = "\(report)".split(whereSeparator: \.isNewline)
        #expect(!lines.contains { $0.hasPrefix("  nothing is") || $0.hasPrefix("  all is") || $0.hasPrefix("seen") })
        #expect(!"\(report)".unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{2028}" || $0 == "\r" })
        #expect(report.says(#""short\n""#) && report.says(#"a longer text\u{2028}which"#), "\(report)")
        definition.deactivate()
        for task in waiting { _ = await task.result }
    }
}
