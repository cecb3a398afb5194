import ChemActors
import ChemBase
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChemInspection

private func machine(_ recorder: EventRecorder = .flight) -> ChemicalMachine {
    ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: recorder))
}

private struct Bank {
    let deposit: SlowMolecule<Int>
    let withdraw: FastMolecule<Int, Int>
    let close: SlowMolecule<Void>
}

private let bankLine = #line + 3

private func makeBank(_ machine: ChemicalMachine) -> Bank {
    let (deposit, withdraw, close) = machine.define("bank") { join in
        let account = join.state("account", 0)
        let deposit = join.slow("deposit", of: Int.self)
        let withdraw = join.fast("withdraw", of: Int.self, returning: Int.self)
        let (open, close) = (join.slow("open"), join.slow("close"))
        join.when(deposit, updating: account) { balance, amount in balance += amount }
        join.answer(withdraw, with: open, updating: account) { balance, amount, _ in
            balance -= amount
            return balance
        }
        join.when(close) {}
        return (deposit, withdraw, close)
    }
    return Bank(deposit: deposit, withdraw: withdraw, close: close)
}

/// Waits until a call waits on the machine.
private func callWaits(_ machine: ChemicalMachine) async throws {
    while machine.census().waitingCalls == 0 {
        try Task.checkCancellation()
        await Task.yield()
    }
}

@Suite(.endsInTime)
struct PublicationTests {
    @Test func anOverviewCountsGroupsAndNamesTheOldestCall() async throws {
        let (folder, machine) = (Folder(), machine())
        let publication = try machine.publish(as: "shop", in: folder.path)
        defer { publication.end() }
        let banks = (0..<5).map { _ in makeBank(machine) }
        for bank in banks { bank.deposit(10) }
        try await machine.quiescence()
        let line = #line + 1
        let waiting = Task { try await banks[0].withdraw(3) }
        try await callWaits(machine)

        let inspector = try InspectorLine(publication.path)
        let overview = try inspector.ask(#"{"get": "overview"}"#, for: Overview.self)
        #expect(overview.format == 1)
        #expect(overview.machine == "shop")
        #expect(overview.process == ProcessInfo.processInfo.processIdentifier)
        #expect(overview.recorder == "flight")
        #expect((overview.definitions, overview.waitingCalls, overview.started) == (5, 1, 5))
        let group = try #require(overview.groups.first)
        #expect(group.name == "bank")
        #expect(group.location == "ChemInspectionTests/PublicationTests.swift:\(bankLine)")
        #expect((group.definitions, group.started, group.waitingCalls, group.present) == (5, 5, 1, 5))
        #expect(try #require(group.longestWait) > 0)
        let call = try #require(overview.oldestCalls.first)
        #expect(call.call == "bank.withdraw")
        #expect(call.location == "ChemInspectionTests/PublicationTests.swift:\(line)")
        #expect(call.group == group.id)

        // From the group to the definition that the call waits in.
        let detail = try inspector.ask(#"{"get": "group", "id": "\#(group.id)"}"#, for: GroupDetail.self)
        #expect(detail.definitions == 5)
        #expect(detail.members.count == 5)
        #expect(detail.members[0].id == call.definition)
        #expect(detail.molecules.map(\.name) == ["account", "deposit", "withdraw", "open", "close"])
        #expect(detail.molecules.map(\.present) == [5, 0, 1, 0, 0])
        #expect(detail.molecules.map(\.kind) == ["state", "slow", "fast", "slow", "slow"])
        #expect(detail.reactions.map(\.inputs) == ["deposit & account", "withdraw & open & account", "close"])
        #expect(detail.drawing.hasPrefix("<svg"))
        let definition = try inspector.ask(
            #"{"get": "definition", "id": "\#(call.definition)"}"#,
            for: DefinitionDetail.self
        )
        #expect(definition.group == group.id)
        #expect(definition.phase == "running")
        #expect(definition.waitingCalls.map(\.call) == ["withdraw"])
        #expect(definition.reactions.map(\.missing) == [["deposit"], ["open"], ["close"]])
        #expect(definition.molecules[1].injected == 1)
        #expect(definition.events.map(\.kind) == ["started", "ended", "called"])
        #expect(definition.events[0].subject == "deposit & account")
        #expect(definition.events.allSatisfy { $0.time <= definition.time })

        waiting.cancel()
        _ = await waiting.result
        withExtendedLifetime(banks) {}
    }

    @Test func whyACallIsStuckIsToldAsATree() async throws {
        let (folder, machine) = (Folder(), machine())
        let publication = try machine.publish(in: folder.path)
        defer { publication.end() }
        let bank = makeBank(machine)
        let waiting = (0..<3).map { _ in Task { try await bank.withdraw(3) } }
        while machine.census().waitingCalls < 3 { await Task.yield() }
        let inspector = try InspectorLine(publication.path)
        let stuck = try inspector.ask(#"{"get": "stuck"}"#, for: Stuck.self)
        #expect(!stuck.lacksRecorder)
        let call = try #require(stuck.calls.first)
        #expect(stuck.calls.count == 1)
        #expect((call.call, call.count) == ("bank.withdraw", 3))
        #expect(call.causes.first?.text.contains("lacks open") == true)
        #expect(call.causes.first?.causes.first?.text.contains("nobody has injected 'open'") == true)
        for task in waiting { task.cancel() }
        for task in waiting { _ = await task.result }
        let none = try InspectorLine(publication.path).ask(#"{"get": "stuck"}"#, for: Stuck.self)
        #expect(none.calls.isEmpty)
    }

    @Test func theTimelineHasTheLastEventsOfAllDefinitionsInOrder() async throws {
        let (folder, machine) = (Folder(), machine(.full()))
        let publication = try machine.publish(in: folder.path)
        defer { publication.end() }
        let banks = (0..<4).map { _ in makeBank(machine) }
        for amount in 0..<100 {
            for bank in banks { bank.deposit(amount) }
            try await machine.quiescence()
        }
        let timeline = try InspectorLine(publication.path).ask(#"{"get": "events"}"#, for: Timeline.self)
        #expect(timeline.recorder == "full")
        #expect(timeline.events.count == 200)
        #expect(zip(timeline.events, timeline.events.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(timeline.events.last?.kind == "ended")
        #expect(timeline.events.allSatisfy { $0.definition == "bank" && $0.time <= timeline.time })
        withExtendedLifetime(banks) {}

        let (silent, other) = (Folder(), ChemActors.ChemicalMachine())
        let second = try other.publish(in: silent.path)
        defer { second.end() }
        #expect(try InspectorLine(second.path).ask(#"{"get": "events"}"#, for: Timeline.self).events.isEmpty)
    }

    @Test func noValueIsShownWhateverIsDescribed() async throws {
        let (folder, machine) = (Folder(), machine(.full()))
        let publication = try machine.publish(in: folder.path)
        defer { publication.end() }
        let (item, take, other) = machine.define("vault") { join in
            let (item, other) = (join.slow("item", of: String.self), join.slow("other"))
            let take = join.fast("take", of: String.self, returning: String.self)
            join.describe(item) { "item \($0)" }
            join.describe(take) { "take \($0)" }
            join.answer(take, with: item, other) { _, item, _ in item }
            return (item, take, other)
        }
        item("swordfish")
        let waiting = Task { try await take("swordfish") }
        try await callWaits(machine)
        #expect(machine.recording().events.compactMap(\.value) == ["item swordfish", "take swordfish"])
        let inspector = try InspectorLine(publication.path)
        let overview = try inspector.ask(#"{"get": "overview"}"#, for: Overview.self)
        let (group, definition) = (
            try #require(overview.groups.first).id, try #require(overview.oldestCalls.first).definition
        )
        for request in [
            #"{"get": "overview"}"#, #"{"get": "group", "id": "\#(group)"}"#,
            #"{"get": "definition", "id": "\#(definition)"}"#, #"{"get": "stuck"}"#, #"{"get": "events"}"#,
        ] {
            let answer = try #require(inspector.ask(request))
            #expect(answer.contains("vault"), "\(request)")
            #expect(!answer.contains("swordfish"), "\(request)")
        }
        other()
        _ = try await waiting.value
    }

    @Test func whatCannotBeAnsweredIsRefusedInWords() throws {
        let (folder, machine) = (Folder(), machine())
        let publication = try machine.publish(in: folder.path)
        defer { publication.end() }
        let inspector = try InspectorLine(publication.path)
        func refusal(_ request: String) throws -> String { try inspector.ask(request, for: Failure.self).error }
        #expect(try refusal("hello").contains("JSON"))
        #expect(try refusal("").contains("JSON"))
        #expect(
            try refusal(#"{"get": "secrets"}"#)
                == "there is no 'secrets': ask for overview, group, definition, stuck or events"
        )
        #expect(try refusal(#"{"get": "group"}"#) == "group needs an id")
        #expect(try refusal(#"{"get": "group", "id": "x@y"}"#) == "there are no definitions 'x@y' any more")
        #expect(try refusal(#"{"get": "definition", "id": "7f"}"#) == "there is no definition 7f any more")
        #expect(try refusal(#"{"get": "definition", "id": "no number"}"#).contains("no number"))
        // Several requests at once are answered one after the other.
        inspector.send(#"{"get": "stuck"}"# + "\n" + #"{"get": "x"}"# + "\n")
        #expect(inspector.receive()?.contains("lacksRecorder") == true)
        #expect(inspector.receive()?.contains("there is no 'x'") == true)
    }

    @Test func whoeverSendsTooMuchIsHungUpOn() throws {
        let (folder, machine) = (Folder(), machine())
        let publication = try machine.publish(in: folder.path)
        defer { publication.end() }
        let inspector = try InspectorLine(publication.path)
        inspector.send(String(repeating: "x", count: 100_000))
        #expect(inspector.receive() == nil)
        #expect(try InspectorLine(publication.path).ask(#"{"get": "stuck"}"#) != nil)
    }

    @Test func aClientThatTakesNothingHoldsUpNobody() throws {
        let (folder, machine) = (Folder(), machine())
        let publication = try machine.publish(in: folder.path)
        defer { publication.end() }
        let bank = makeBank(machine)
        let deaf = try InspectorLine(publication.path)
        // More answers than any buffer takes: what is asked stays unread while they wait.
        let requests = String(repeating: #"{"get": "overview"}"# + "\n", count: 200)
        _ = Platform.send(Array(requests.utf8)[...], to: deaf.descriptor)
        for _ in 0..<20 {
            #expect(
                try InspectorLine(publication.path).ask(#"{"get": "overview"}"#, for: Overview.self).definitions == 1
            )
        }
        var answers = 0
        while answers < 200, let line = deaf.receive(), line.contains("bank") { answers += 1 }
        #expect(answers == 200)
        withExtendedLifetime(bank) {}
    }

    @Test func fortyClientsAreServed() throws {
        let (folder, machine) = (Folder(), machine())
        let publication = try machine.publish(in: folder.path)
        defer { publication.end() }
        var clients = try (0..<40).map { _ in try InspectorLine(publication.path) }
        for client in clients { client.send(#"{"get": "stuck"}"# + "\n") }
        // Those beyond the first 32 have their turn when somebody leaves.
        while !clients.isEmpty {
            let answer = clients.removeFirst().receive()
            #expect(answer?.contains("calls") == true)
        }
    }

    @Test func itAnswersWhileEveryThreadOfThePoolIsBlocked() async throws {
        // Blocked for good in a process of its own.
        await #expect(processExitsWith: .exitCode(7)) {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil))
            let folder = Folder()
            let publication = try machine.publish(in: folder.path)
            let path = publication.path
            let go = machine.define("blocker") { join in
                let go = join.slow("go")
                join.when(go) { while true { Platform.sleepThread(microseconds: 1000) } }
                return go
            }
            Thread {
                while let inspector = try? InspectorLine(path),
                    let overview = try? inspector.ask(#"{"get": "overview"}"#, for: Overview.self)
                {
                    // With one thread, that of the loop below, no body ever begins.
                    if overview.running > 0 || ProcessInfo.processInfo.activeProcessorCount == 1 { exit(7) }
                }
            }.start()
            for _ in 0..<100 { go() }
            for _ in 0..<100 { Task { while true { Platform.sleepThread(microseconds: 1000) } } }
            while true { Platform.sleepThread(microseconds: 1000) }
        }
    }

    @Test func manyPublishAtTheSameTimeAndNothingIsRemovedThatIsNoAbandonedSocket() async throws {
        let folder = Folder()
        let notes = "\(folder.path)/notes.sock"
        try machine().publish(as: "first", in: folder.path).end()
        #expect(FileManager.default.createFile(atPath: notes, contents: Data("mine".utf8)))
        let path = folder.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    for _ in 0..<50 { try ChemicalMachine().publish(as: "shop \(number)", in: path).end() }
                }
            }
            try await group.waitForAll()
        }
        #expect(FileManager.default.contents(atPath: notes) == Data("mine".utf8))
        #expect(folder.sockets == ["notes.sock"])
    }

    @Test func onlyThisUserMayEnterAndWhatIsLeftIsRemoved() throws {
        let (folder, machine) = (Folder(), machine())
        let first = try machine.publish(as: "a/shop — 1", in: folder.path)
        let process = ProcessInfo.processInfo.processIdentifier
        #expect(folder.sockets == ["a-shop---1-\(process).sock"])
        let files = FileManager.default
        func permissions(_ path: String) throws -> Int? {
            try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try permissions(folder.path) == 0o700)
        #expect(try permissions(first.path) == 0o600)
        let second = try machine.publish(as: "a/shop — 1", in: folder.path)
        #expect(second.path.hasSuffix("-\(process)-2.sock"))
        first.end()
        first.end()
        #expect(Platform.connect(to: first.path) == nil)
        #expect(folder.sockets == ["a-shop---1-\(process)-2.sock"])

        // Left by a program that has ended: a socket at which nobody listens.
        let abandoned = "\(folder.path)/gone-1.sock"
        guard case .success(let descriptor) = Platform.listen(at: abandoned) else { throw Failed() }
        Platform.closeDescriptor(descriptor)
        #expect(folder.sockets.contains("gone-1.sock"))
        let third = try machine.publish(as: "third", in: folder.path)
        #expect(folder.sockets == ["a-shop---1-\(process)-2.sock", "third-\(process).sock"])
        second.end()
        third.end()
        #expect(folder.sockets.isEmpty)
    }

    @Test func aFolderThatIsNotOursIsRefused() throws {
        let (folder, machine) = (Folder(), machine())
        try FileManager.default.createDirectory(
            atPath: folder.path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        func reason(_ path: String) -> String {
            do throws(PublicationError) {
                try machine.publish(in: path).end()
                return "none"
            } catch {
                #expect(error.path.hasPrefix(path))
                return error.reason
            }
        }
        #expect(reason(folder.path).contains("isn't this user's alone"))
        #expect(reason(folder.path + "/no/such/folder").contains("CHEM_INSPECTOR_DIR"))
        #expect(reason("/dev/null").contains("directory"))
        let long = "\(folder.path)/\(String(repeating: "x", count: 120))"
        try FileManager.default.createDirectory(
            atPath: long,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        #expect(reason(long).contains("too long"))
    }

    @Test func aMachineThatIsReleasedIsPublishedNoLonger() throws {
        let folder = Folder()
        let path = try machine().publish(in: folder.path).path
        // Whoever asks is told so, if it is not noticed before.
        if let inspector = try? InspectorLine(path), let answer = inspector.ask(#"{"get": "overview"}"#) {
            #expect(answer.contains("the machine is gone"))
            #expect(inspector.receive() == nil)
        }
        #expect(Platform.connect(to: path) == nil)
    }

    @Test func whatIsAskedTooOftenIsAnsweredFromMemoryAndThenNotAtAll() throws {
        var budget = Budget(now: 0)
        var used: UInt64 = 0
        func state(_ now: UInt64) -> Budget.State { budget.state(now: now, used: used) }
        #expect(state(0) == .isLeft)
        used += 50_000_000
        #expect(state(0) == .isLeft)
        used += 1_000_000
        #expect(state(0) == .isShort)
        #expect(state(99_000_000) == .isShort)
        #expect(state(100_000_000) == .isLeft)
        // However long nobody asks, the next burst is no longer than the first one.
        #expect(state(1_000_000_000_000) == .isLeft)
        used += 51_000_000
        #expect(state(1_000_000_000_000) == .isShort)
        used += 50_000_000
        #expect(state(1_000_000_000_000) == .isSpent)
        #expect(state(1_000_099_000_000) == .isSpent)
        #expect(state(1_000_100_000_000) == .isShort)
        // An answer that has taken very long is forgiven at the end.
        used += 9_000_000_000
        #expect(state(1_000_100_000_000) == .isSpent)
        #expect(state(1_010_100_000_000) == .isShort)
    }

    @Test("What is asked for most often leaves something for the rest")
    func theOldestAnswerIsMadeAnew() {
        var memory = AnswerMemory()
        let (often, seldom) = ([UInt8(1)], [UInt8(2)])
        memory.remember([10], for: often, now: 0)
        memory.remember([20], for: seldom, now: 1)
        #expect(memory.answer(to: often, .isLeft, now: 2) == nil)
        memory.remember([11], for: often, now: 3)
        // Little is left, and the one that was made last is young.
        #expect(memory.answer(to: often, .isShort, now: 2_000_000_000) == [11])
        #expect(memory.answer(to: seldom, .isSpent, now: 2_000_000_000) == [20])
        #expect(memory.answer(to: seldom, .isShort, now: 2_000_000_000) == nil)
        memory.remember([21], for: seldom, now: 2_000_000_000)
        #expect(memory.answer(to: seldom, .isShort, now: 2_000_000_001) == [21])
        // Nobody waits for what nobody asks for any more.
        #expect(memory.answer(to: seldom, .isShort, now: 20_000_000_000) == nil)
    }

    @Test func aFloodOfMadeUpQuestionsIsRefused() throws {
        let machine = ChemicalMachine()
        let keep = (0..<200).map { number in
            machine.define("definition \(number % 50)") { join in
                let put = join.slow("put", of: Int.self)
                join.when(put) { _ in }
                return put
            }
        }
        let responder = Responder(machine, name: "flood", program: "test")
        func answer(_ request: String) -> String {
            String(decoding: responder.answer(Array(request.utf8)), as: UTF8.self)
        }
        // Each is a new one, so none can be answered from memory.
        var refused: String?
        for number in 0..<1_000_000 where refused == nil {
            let text = answer(#"{"get": "overview", "id": "\#(number)"}"#)
            if text.contains("ask again later") { refused = text }
        }
        let refusal = try #require(refused, "a hundredth of a core is enough for all of it")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(refusal.utf8)) as? [String: Any])
        #expect(object["time"] is Double)
        withExtendedLifetime(keep) {}
    }
}

private struct Failed: Error {}
