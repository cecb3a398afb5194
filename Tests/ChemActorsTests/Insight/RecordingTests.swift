import ChemActors
import TestSupport
import Testing

@Suite(.endsInTime)
struct RecordingTests {
    @Test func aFullRecorderWritesDownWhoInjectsWhatAndWhatStarts() async throws {
        let recording = try await recordCounter(.full())
        #expect(recording.definitions.map(\.name) == ["counter", "client"])
        #expect(recording.definitions[0].molecules == ["count", "increment", "value"])
        #expect(recording.definitions[0].reactions == ["increment & count", "value & count"])
        #expect(recording.definitions.allSatisfy { $0.lost == 0 })
        let increments = recording.events.filter { $0.kind == .injected && recording.subject(of: $0) == "increment" }
        #expect(increments.count == 3)
        // The body of the client has sent them: its only start.
        let start = try #require(recording.events.first { $0.kind == .started && $0.definition == 1 })
        #expect(increments.allSatisfy { $0.sender == Recording.Start(definition: 1, number: start.number) })
        let starts = recording.events.count { $0.kind == .started && recording.subject(of: $0) == "increment & count" }
        #expect(starts == 3)
        #expect(recording.events.count { $0.kind == .started } == recording.events.count { $0.kind == .ended })
        #expect(zip(recording.events, recording.events.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(recording.events[0].time == .zero)
    }

    @Test func aFlightRecorderKeepsTheLastEvents() async throws {
        let recording = try await recordCounter(.flight, times: 500)
        let counter = try #require(recording.definitions.firstIndex { $0.name == "counter" })
        let events = recording.events.filter { $0.definition == counter }
        // Each start with its end.
        #expect((128...256).contains(events.count))
        #expect(recording.definitions[counter].lost >= 1000 - 256)
        #expect(!recording.events.contains { $0.kind == .injected })
        #expect(events.last?.kind == .ended)
    }

    @Test func withoutARecorderNothingIsWrittenDown() async throws {
        let recording = try await recordCounter(.off)
        #expect(recording.events.isEmpty)
        #expect("\(recording)".isEmpty)
    }

    @Test func failuresAndWithdrawalsAreWrittenDown() async throws {
        struct Bad: Error {}
        let events = Record<ChemicalEvent>()
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { events.append($0) }, patience: nil, recorder: .flight)
        )
        let (work, take) = machine.define("work") { join in
            let (work, take) = (join.slow("work"), join.fast("take", returning: Void.self))
            join.when(work) { _ in throw Bad() }
            join.when(take, take) { one, other in
                one()
                other()
            }
            return (work, take)
        }
        work()
        try await machine.quiescence()
        await #expect(throws: CallError.self) { try await take(within: .milliseconds(1)) }
        #expect(machine.recording().events.map(\.kind) == [.started, .failed, .ended, .called, .withdrawn])
        // The report of the mishap has what went before.
        let mishap = try #require(events.all.first { $0.isMishap })
        #expect(mishap.lastEvents?.contains("> work (ChemActorsTests/RecordingTests.swift:") == true)
        #expect(mishap.lastEvents?.contains("! work #1 has thrown") == true)
    }

    @Test("A flight recorder knows the number of a body that throws alone, though it doesn't follow each any more")
    func theNumberOfAFailure() async throws {
        struct Bad: Error {}
        // With a second worker, a body may run beside the one that throws, and then its number isn't known.
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(workerLimit: 1, reporter: { _ in }, patience: nil, recorder: .flight)
        )
        let work = machine.define("worker") { join in
            let work = join.slow("work", of: Int.self, order: .oldestFirst)
            join.when(work) { number in if number == 1_050 { throw Bad() } }
            return work
        }
        work.inject(contentsOf: 1...1_100)
        try await machine.quiescence()
        let recording = machine.recording()
        let failure = try #require(recording.events.first { $0.kind == .failed })
        #expect(failure.number == 1_050)
        #expect("\(recording)".contains("! work #1050 has thrown"))
    }

    @Test("In a sequence diagram, a call that is withdrawn goes back to the definition whose body made it")
    func aWithdrawalGoesBack() async throws {
        let machine = ChemicalMachine.observed
        let get = machine.define("shelf") { join in
            let (get, put) = (join.fast("get"), join.slow("put"))
            join.answer(get, with: put) { _, _ in }
            return get
        }
        let go = machine.define("customer") { join in
            let go = join.slow("go")
            join.when(go) { _ async in try? await get(within: .milliseconds(1)) }
            return go
        }
        go()
        try await machine.quiescence()
        let lines = machine.recording().mermaid().split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        #expect(lines.contains("d1->>d0: get"), "\(lines)")
        #expect(lines.contains("d0--xd1: get is withdrawn"), "\(lines)")
    }

    @Test("What is put back and what is dropped is written down", arguments: [EventRecorder.flight, .full()])
    func putBacksAndDrops(_ recorder: EventRecorder) async throws {
        struct Bad: Error {}
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: recorder))
        let attempts = Shared(0)
        let (order, stock, definition) = machine.define("shop") { join in
            join.failurePolicy = .putBack(after: .milliseconds(200), limit: 1)
            let (order, stock) = (join.slow("order"), join.slow("stock", of: Int.self))
            join.when(order, stock) { _, _ in
                if attempts.update({
                    $0 += 1; return $0
                }) == 1 {
                    throw Bad()
                }
            }
            return (order, stock, join.definition)
        }
        stock(1)
        order()
        try await machine.quiescence()
        for number in 2...4 { stock(number) }
        definition.deactivate()
        stock(5)
        try await machine.quiescence()
        let recording = machine.recording()
        func line(_ event: Recording.Event) -> String {
            "\(event.kind) \(recording.subject(of: event)) \(event.count) \(event.number)"
        }
        let run = ["started order & stock 0", "failed order & stock 0", "ended order & stock 0"]
        let flight =
            run.map { $0 + " 1" } + ["putBack order 1 0", "putBack stock 1 0"] + [run[0] + " 2", run[2] + " 2"]
            + ["dropped stock 3 0"]
        if recorder == .flight {
            #expect(recording.events.map(line) == flight)
        } else {
            let injected = [String](repeating: "injected stock 1 0", count: 4)
            let full =
                ["injected stock 1 0", "injected order 1 0"] + flight.dropLast() + injected.prefix(3)
                + ["dropped stock 3 0", "injected stock 1 0", "dropped stock 1 0"]
            #expect(recording.events.map(line) == full)
        }
        #expect(try Recording(bytes: recording.bytes).events == recording.events)
        let text = recording.description
        #expect(text.contains("+ order, put back") && text.contains("- stock × 3 dropped"))
        #expect(recording.mermaid().contains("Note over d0: order is back"))
        #expect(recording.mermaid().contains("Note over d0: stock × 3 is dropped"))
    }

    @Test("However many inject, no reaction comes before what it takes, nor a body's injection before its start")
    func injectionsStandBeforeWhatTakesThem() async throws {
        for round in 1...10 {
            let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: .full()))
            let token = machine.define("relay") { join in
                let token = join.slow("token", of: Int.self)
                join.when(token) { left in
                    if left > 0 { token(left - 1) }
                }
                return token
            }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { for _ in 0..<50 { token(3) } } }
            }
            try await machine.quiescence()
            let events = machine.recording().events
            // 4 tasks, 50 tokens each, each of them 4 copies in turn: one is injected, its reaction starts, and ends.
            let count = 4 * 50 * 4 * 3
            #expect(events.count == count, "round \(round)")
            var (present, started): (Int, Set<Int>) = (0, [])
            for event in events {
                switch event.kind {
                case .injected:
                    present += 1
                    if let sender = event.sender { #expect(started.contains(sender.number), "round \(round)") }
                case .started:
                    present -= 1
                    started.insert(event.number)
                    #expect(present >= 0, "round \(round): \(event)")
                default: break
                }
            }
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }, "round \(round)")
        }
    }

    @Test func whatGoesWithItsDefinitionIsDropped() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: .full()))
        do {
            let (left, never) = machine.define("gone") { join in
                let (left, never) = (join.slow("left", of: Int.self), join.slow("never"))
                join.when(left, never) { _, _ in }
                return (left, never)
            }
            for number in 1...3 { left(number) }
            try await machine.quiescence()
            withExtendedLifetime(never) {}
        }
        #expect(await Patience.until { machine.snapshot().isEmpty })
        let recording = machine.recording()
        let last = try #require(recording.events.last)
        #expect(recording.events.map(\.kind) == [.injected, .injected, .injected, .dropped])
        #expect(recording.subject(of: last) == "left" && last.count == 3)
        #expect(machine.drawings.map(\.definition) == ["gone"])
    }

    @Test("Inputs that can't be put back, since all was deactivated meanwhile, are reported and written down")
    func putBackAfterDeactivation() async throws {
        struct Bad: Error {}
        let events = Record<ChemicalEvent>()
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { events.append($0) }, recorder: .flight)
        )
        let (work, definition) = machine.define("work") { join in
            let work = join.slow("work", of: Int.self)
            let definition = join.definition
            join.failurePolicy = .putBack(after: .seconds(3600))
            join.when(work) { number in
                if number == 1 { definition.deactivate() }
                throw Bad()
            }
            return (work, definition)
        }
        work(1)
        try await machine.quiescence()
        #expect(machine.recording().events.map(\.kind).suffix(3) == [.putBack, .dropped, .ended])
        #expect(events.all.contains { if case .dropped("work", 1) = $0.kind { true } else { false } })
        // While it waits to be put back, the same.
        definition.activate()
        work(2)
        try await until {
            let statistics = definition.statistics
            return statistics.pendingRetries == 1 && statistics.running == 0
        }
        definition.deactivate()
        try await machine.quiescence()
        #expect(machine.recording().events.map(\.kind).suffix(2) == [.putBack, .dropped])
        #expect(events.all.contains { if case .droppedRetry = $0.kind { true } else { false } })
    }

    @Test func whatIsLostIsOlderThanAllThatIsThere() async throws {
        struct Bad: Error {}
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: .full(limit: 128)))
        let fail = machine.define("fragile") { join in
            let fail = join.slow("fail")
            join.when(fail) { _ in throw Bad() }
            return fail
        }
        for _ in 0..<1_000 {
            fail()
            try await machine.quiescence()
        }
        let recording = machine.recording()
        // Three events of each reaction are kept, and its injection.
        let (injected, started) = (
            recording.events.count { $0.kind == .injected }, recording.events.count { $0.kind == .started }
        )
        #expect(started >= 42 && abs(injected - started) <= 1)
        #expect(recording.definitions[0].lost + recording.events.count == 4_000)
    }

    @Test func whatHasDissolvedIsKept() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: .flight))
        for number in 0..<100 {
            let ping = machine.define("definition \(number)") { join in
                let ping = join.slow("ping")
                join.when(ping) { _ in }
                return ping
            }
            ping()
        }
        try await machine.quiescence()
        #expect(await Patience.until { machine.snapshot().isEmpty })
        let names = machine.recording().definitions.map(\.name)
        #expect(names.count == 64)
        #expect(names.last == "definition 99")
    }

    @Test func aBoundedInjectionIsWrittenDownOnceItIsAccepted() async throws {
        let machine = ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: .full()))
        let (begin, ready, definition) = machine.define("sender") { join in
            let job = join.bounded("job", of: Int.self, capacity: 2)
            let (begin, never) = (join.slow("begin"), join.slow("never"))
            let (end, ready) = (join.slow("end"), join.fast("ready"))
            join.describe(job) { "no. \($0)" }
            join.when(begin) { _ in
                for number in 1...3 { #expect(job.tryInject(number) == (number < 3)) }
                end()
            }
            join.when(job, never) { _, _ in }
            join.answer(ready, with: end) { _, _ in }
            return (begin, ready, join.definition)
        }
        begin()
        try await ready()
        let recording = machine.recording()
        let jobs = recording.events.filter { $0.kind == .injected && recording.subject(of: $0) == "job" }
        #expect(jobs.map(\.value) == ["no. 1", "no. 2"], "the third was refused")
        #expect(jobs.allSatisfy { $0.sender?.definition == 0 && $0.sender?.number == 1 })
        #expect("\(definition.drawing)".contains("job"))
        let lines = definition.drawing.mermaid.split(separator: "\n")
        let edges = lines.filter { $0.contains("-->") || $0.contains("-.->") }
        #expect(edges.count >= 7, "the body makes jobs: \(edges)")
    }

    @Test func aSenderOnAnotherMachineIsNobodyHere() async throws {
        func machine() -> ChemicalMachine {
            ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, recorder: .full()))
        }
        let (here, there) = (machine(), machine())
        let (put, take) = here.define("here") { join in
            let (put, take) = (join.slow("put"), join.fast("take"))
            join.answer(take, with: put) { _, _ in }
            return (put, take)
        }
        let go = there.define("there") { join in
            let go = join.slow("go")
            join.when(go) { _ in put() }
            return go
        }
        go()
        try await take()
        let injected = here.recording().events.filter { $0.kind == .injected }
        #expect(injected.count == 1 && injected.allSatisfy { $0.sender == nil }, "\(here.recording())")
    }

    @Test func theLastEventsAreToldOfADefinitionThatHasDissolved() async throws {
        let events = Record<ChemicalEvent>()
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { events.append($0) }, patience: nil, recorder: .flight)
        )
        let names = Record<SlowMolecule<Int>>()
        do {
            let put = machine.define("gone") { join in
                let put = join.slow("put", of: Int.self)
                join.when(put) { _ in }
                names.append(put)
                return put
            }
            put(1)
            try await machine.quiescence()
        }
        #expect(await Patience.until { machine.snapshot().isEmpty })
        names.all[0](2)
        let mishap = try #require(events.all.first { if case .ignoredInjection = $0.kind { true } else { false } })
        #expect(mishap.lastEvents?.contains("> put (ChemActorsTests/RecordingTests.swift:") == true)
    }
}
