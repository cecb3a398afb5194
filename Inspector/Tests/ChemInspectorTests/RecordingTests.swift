import ChemActors
import ChemInspector
import Foundation
import Testing

/// Recordings answer as far as they can what a program would.
@Suite(.timeLimit(.minutes(20)))
struct RecordingTests {
    /// Writes what has happened to 300 values and a call that nobody has answered.
    private func record(to path: String) async throws {
        let machine = quietMachine()
        let (put, take) = makeBox(on: machine)
        for number in 0..<300 {
            put(number)
            _ = try await take()
        }
        let waiting = Task { try await take() }
        await untilSomebodyWaits(on: machine)
        try machine.recording().write(to: path)
        waiting.cancel()
        _ = await waiting.result
    }

    @Test func itIsListedAndLooksAsItsProgramDidInTheEnd() async throws {
        try await Inspected.run(sources: { folder in
            try await record(to: "\(folder)/night.chemrec")
            return ["\(folder)/night.chemrec"]
        }) { inspected in
            let id = try await inspected.onlyProgram()
            #expect(try await inspected.programs().first?["recording"] as? Bool == true)
            let overview = try await inspected.get("programs", id, "overview").value
            #expect(overview["recording"] as? Bool == true)
            #expect(overview["definitions"] as? Int == 1)
            #expect(overview["started"] as? Int == 300)
            #expect(overview["waitingCalls"] as? Int == 1)
            #expect(overview["running"] as? Int == 0)
            let definition = try await inspected.get("programs", id, "definitions", "0").value
            #expect(definition["name"] as? String == "box")
            #expect((definition["waitingCalls"] as? [[String: Any]])?.count == 1)
            #expect((definition["drawing"] as? String)?.hasPrefix("<svg") == true)
            let group = try #require(
                (definition["group"] as? String)?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            )
            let whole = try await inspected.get("programs", id, "groups", group).value
            #expect(whole["drawing"] as? String == definition["drawing"] as? String)
            let stuck = try await inspected.get("programs", id, "stuck")
            #expect(stuck.status == 404)
            #expect(stuck.value["error"] as? String == "a recording doesn't tell why calls wait")
        }
    }

    @Test func eventsCanBeLeafedThrough() async throws {
        try await Inspected.run(sources: { folder in
            try await record(to: "\(folder)/r")
            return ["\(folder)/r"]
        }) { inspected in
            let id = try await inspected.onlyProgram()
            let last = try await inspected.get("programs", id, "events").value
            let total = try #require(last["total"] as? Int)
            #expect(last["from"] as? Int == total - 200)
            #expect((last["events"] as? [[String: Any]])?.last?["kind"] as? String == "called")
            var seen: [String] = []
            for from in stride(from: 0, to: total, by: 100) {
                let page = try await inspected.get("programs", id, "events?from=\(from)&count=100").value
                let shown = try #require(page["from"] as? Int)
                let events = try #require(page["events"] as? [[String: Any]])
                // The last page is as long as the others.
                seen += events.dropFirst(from - shown).compactMap { $0["kind"] as? String }
            }
            #expect(seen.count == total)
            #expect(seen.count { $0 == "started" } == 300)
        }
    }

    @Test func aFileThatIsNoRecordingIsRefusedByName() async throws {
        let path = NSTemporaryDirectory() + "/no-recording-\(UInt32.random(in: 0...UInt32.max))"
        try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let error = #expect(throws: Source.Failure.self) { try Source(path: path) }
        #expect(error?.description.hasPrefix("\(path): ") == true)
        let missing = #expect(throws: Source.Failure.self) { try Source(path: path + "-missing") }
        #expect(missing?.description == "\(path)-missing: No such file or directory")
    }
}
