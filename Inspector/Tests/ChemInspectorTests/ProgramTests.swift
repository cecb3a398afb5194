import ChemActors
import ChemInspection
import ChemInspector
import Foundation
import NIOCore
import Testing

/// What the page hears of programs that run, and of those that don't answer as they should.
@Suite(.timeLimit(.minutes(20)))
struct ProgramTests {
    @Test func aPublishedMachineIsListedAndAnswers() async throws {
        try await Inspected.run { inspected in
            let machine = quietMachine()
            let (put, take) = makeBox(on: machine)
            let publication = try machine.publish(as: "warehouse", in: inspected.folder)
            defer { publication.end() }
            let waiting = Task { try await take() }
            await untilSomebodyWaits(on: machine)

            let programs = try await inspected.programs()
            #expect(programs.map { $0["machine"] as? String } == ["warehouse"])
            #expect(programs.first?["process"] as? Int == Int(ProcessInfo.processInfo.processIdentifier))
            let id = try await inspected.onlyProgram()
            let overview = try await inspected.get("programs", id, "overview")
            #expect(overview.status == 200)
            #expect(overview.value["definitions"] as? Int == 1)
            #expect(overview.value["waitingCalls"] as? Int == 1)
            let groups = try #require(overview.value["groups"] as? [[String: Any]])
            let group = try #require(groups.first?["id"] as? String)
            let escaped = try #require(group.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let members = try #require(
                try await inspected.get("programs", id, "groups", escaped).value["members"] as? [[String: Any]]
            )
            let member = try #require(members.first?["id"] as? String)
            let definition = try await inspected.get("programs", id, "definitions", member)
            #expect(definition.value["name"] as? String == "box")
            #expect((definition.value["drawing"] as? String)?.hasPrefix("<svg") == true)
            let stuck = try await inspected.get("programs", id, "stuck")
            let calls = try #require(stuck.value["calls"] as? [[String: Any]])
            #expect(calls.map { $0["call"] as? String } == ["box.take"])
            let events = try await inspected.get("programs", id, "events")
            #expect((events.value["events"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["called"])

            let gone = try await inspected.get("programs", id, "definitions", "1")
            #expect(gone.status == 404)
            #expect(gone.value["error"] as? String == "there is no definition 1 any more")
            put(1)
            _ = try await waiting.value
        }
    }

    @Test func aProgramThatHasEndedIsGone() async throws {
        try await Inspected.run { inspected in
            let machine = quietMachine()
            let publication = try machine.publish(in: inspected.folder)
            let id = try await inspected.onlyProgram()
            #expect(try await inspected.get("programs", id, "overview").status == 200)
            publication.end()
            withExtendedLifetime(machine) {}
            let answer = try await inspected.get("programs", id, "overview")
            #expect(answer.status == 410)
            #expect(answer.value["error"] as? String == "the program has ended")
            let programs = try await inspected.programs()
            #expect(programs.isEmpty)
        }
    }

    @Test func programsThatComeLaterAreFound() async throws {
        try await Inspected.run { inspected in
            let nobody = try await inspected.programs()
            #expect(nobody.isEmpty)
            let machines = (0..<3).map { _ in quietMachine() }
            let publications = try machines.enumerated().map { number, machine in
                try machine.publish(as: "m\(number)", in: inspected.folder)
            }
            let programs = try await inspected.programs()
            #expect(programs.compactMap { $0["machine"] as? String }.sorted() == ["m0", "m1", "m2"])
            for publication in publications { publication.end() }
            withExtendedLifetime(machines) {}
        }
    }

    /// As a program in a debugger does.
    @Test func aSilentProgramHoldsNobodyUp() async throws {
        var limits = Limits()
        limits.timeout = .milliseconds(50)
        limits.introduction = .milliseconds(50)
        try await Inspected.run(limits: limits) { inspected in
            try await withStub(at: "\(inspected.folder)/silent.sock", answering: nil) {
                let programs = try await inspected.programs()
                #expect(programs.first?["id"] as? String == "silent")
                #expect(programs.first?["answers"] as? Bool == false)
                for _ in 0..<3 {
                    let answer = try await inspected.get("programs", "silent", "overview")
                    #expect(answer.status == 504)
                    #expect(answer.value["error"] as? String == "the program doesn't answer")
                }
                let machine = quietMachine()
                let publication = try machine.publish(as: "other", in: inspected.folder)
                defer { publication.end() }
                // It has as little time as the silent one, and may need more of it at first.
                while try await inspected.programs().count(where: { $0["answers"] as? Bool == true }) != 1 {
                    await Task.yield()
                }
                withExtendedLifetime(machine) {}
            }
        }
    }

    @Test func whatIsNoAnswerIsNotPassedOn() async throws {
        try await Inspected.run { inspected in
            try await withStub(at: "\(inspected.folder)/odd.sock", answering: "hello\n") {
                let answer = try await inspected.get("programs", "odd", "overview")
                #expect(answer.status == 502)
                #expect(answer.value["error"] as? String == "the program has answered something that is no JSON object")
            }
        }
    }

    @Test func anAnswerWithoutAnEndIsCutOff() async throws {
        var limits = Limits()
        limits.answer = 1000
        try await Inspected.run(limits: limits) { inspected in
            try await withStub(at: "\(inspected.folder)/long.sock", answering: String(repeating: "x", count: 2000)) {
                let answer = try await inspected.get("programs", "long", "overview")
                #expect(answer.status == 502)
                #expect(answer.value["error"] as? String == "an answer has more than 1000 bytes")
            }
        }
    }

    @Test func filesThatAreNoSocketsAreNotAsked() async throws {
        try await Inspected.run { inspected in
            #expect(FileManager.default.createFile(atPath: "\(inspected.folder)/file.sock", contents: nil))
            let programs = try await inspected.programs()
            #expect(programs.isEmpty)
        }
    }

    @Test func manyMayAskAtOnce() async throws {
        try await Inspected.run { inspected in
            let machine = quietMachine()
            let boxes = (0..<100).map { _ in makeBox(on: machine) }
            for box in boxes { box.put(1) }
            let publication = try machine.publish(in: inspected.folder)
            defer { publication.end() }
            let id = try await inspected.onlyProgram()
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await inspected.get("programs", id, "overview").value["definitions"] as? Int }
                }
                for try await definitions in group { #expect(definitions == 100) }
            }
        }
    }
}
