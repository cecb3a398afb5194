import ChemActors
import Dispatch
import TestSupport
import Testing

/// Reports of calls that wait for long.
@Suite("Patience")
struct PatienceTests {
    private let events = Shared<[ChemicalEvent]>([])
    private var machine: ChemicalMachine {
        let events = events
        return ChemicalMachine(
            .init(reporter: { event in events.update { $0.append(event) } }, patience: .milliseconds(10))
        )
    }

    private func firstReport() async -> (molecule: String, location: String, explanation: String) {
        while !Task.isCancelled {
            for event in events.value {
                if case .waitsForLong(let molecule, let location, let explanation) = event.kind {
                    return (molecule, location, explanation)
                }
            }
            await Task.yield()
        }
        return ("", "", "")
    }

    @Test(
        "A call that waits for long is reported once, with its line, what it lacks, and who could inject that",
        .endsInTime
    )
    func waiting() async throws {
        let line = #line + 2
        let (take, put) = machine.define("slot") { join in
            let put = join.slow("put", of: Int.self)
            let lid = join.slow("lid")
            let take = join.fast("take", returning: Int.self)
            join.answer(take, with: put, lid) { _, number, _ in number }
            lid()
            return (take, put)
        }
        let waiting = Task { try await take() }
        let report = await firstReport()
        #expect(report.molecule == "take")
        #expect(report.location.contains("PatienceTests.swift:"))
        #expect(report.explanation.contains("take & put & lid"))
        let cause = "nobody has injected put (\(here(line)))"
        #expect(report.explanation.contains(") lacks put; \(cause) so far; "), "\(report.explanation)")
        #expect(report.explanation.contains("whoever holds its names"))
        // A later call times out after another report would have come. And a call with a limit ends by that, and says
        // why: nobody has to be told before.
        await #expect(throws: CallError.self) { _ = try await take(within: .milliseconds(9)) }
        await #expect(throws: CallError.self) { _ = try await take(within: .milliseconds(100)) }
        #expect(events.value.count == 1)
        #expect(events.value.first?.isMishap == false)
        put(7)
        #expect(try await waiting.value == 7)
    }

    @Test(
        "If what is missing was never exported, the report says that a reaction has to inject it, and what else waits",
        .endsInTime
    )
    func neverExported() async throws {
        let line = #line + 5
        let (run, release, job) = machine.define("pool") { join in
            let (job, free) = (join.slow("job", of: Int.self), join.slow("free"))
            let (run, release) = (join.fast("run", returning: Int.self), join.slow("release"))
            let lid = join.slow("lid")
            join.answer(run, with: free) { _, _ in 1 }
            join.when(job, free) { _, _ in }
            join.when(release, lid) { _, _ in free() }
            return (run, release, job)
        }
        job(1)
        job(2)
        let waiting = Task { try await run() }
        let report = await firstReport()
        let expected =
            "run & free (\(here(line))) lacks free; nobody has injected free (\(here(line - 3))) so far; "
            + "job × 2 waits as well: job & free (\(here(line + 1))) lacks free; "
            + "no body of the definition runs: free was never exported, so a reaction of the definition has to inject it "
            + "(CHEMACTORS_RECORDER=flight says which bodies have made it)"
        #expect(report.explanation == expected)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        withExtendedLifetime(release) {}
    }

    @Test(
        "Of what else waits, the first three are told, and nothing that lies ready for whoever may call",
        .endsInTime
    )
    func whatElseWaits() async throws {
        let (run, room, permit) = machine.define("pool") { join in
            let (one, other) = (join.slow("one"), join.slow("other"))
            let (run, acquire) = (join.fast("run"), join.fast("acquire"))
            let (room, permit) = (join.bounded("room", of: Int.self, capacity: 3), join.slow("permit"))
            join.answer(run, with: one, other) { _, _, _ in }
            join.answer(acquire, with: permit) { _, _ in }
            join.when(room) { _ in }
            for number in 0..<5 {
                let (job, tool) = (join.slow("job \(number)"), join.slow("tool \(number)"))
                join.when(job, tool, one) { _, _, _ in }
                job()
                if number == 0 { tool() }
            }
            permit()
            return (run, room, permit)
        }
        let waiting = Task { try await run() }
        let text = await firstReport().explanation
        #expect(text.contains("; job 0, tool 0 wait as well: job 0 & tool 0 & one ("), "\(text)")
        #expect(
            text.contains("; job 1 waits as well: job 1 & tool 1 & one (") && text.contains("; job 2 waits"),
            "\(text)"
        )
        #expect(!text.contains("job 3") && text.contains("; and so it is with 2 more reactions; "), "\(text)")
        #expect(!text.contains("permit") && !text.contains("room"), "\(text)")
        #expect(
            text.contains("one, other were never exported, so reactions of the definition have to inject them"),
            "\(text)"
        )
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        withExtendedLifetime((room, permit)) {}
    }

    @Test("A part comes from whoever injects the whole, so it need not be exported itself", .endsInTime)
    func partFromOutside() async throws {
        let (take, number) = machine.define("sorted") { join in
            let number = join.slow("number", of: Int.self)
            let even = join.part("even", of: number, where: { $0.isMultiple(of: 2) })
            let odd = join.part("odd", of: number, where: { !$0.isMultiple(of: 2) })
            let take = join.fast("take", returning: Int.self)
            join.answer(take, with: even, odd) { _, even, odd in even + odd }
            // What is in no part, which is nothing.
            join.when(number) { _ in }
            return (take, number)
        }
        number(1)
        let waiting = Task { try await take() }
        let report = await firstReport()
        #expect(report.explanation.contains(") lacks even; "), "\(report.explanation)")
        #expect(report.explanation.contains("it is up to whoever holds its names"), "\(report.explanation)")
        number(2)
        #expect(try await waiting.value == 3)
    }

    @Test("A call with a limit that was taken in time is reported when the limit is over", .endsInTime)
    func takenInTime() async throws {
        let mayAnswer = ControlProbe.Gate()
        let take = machine.define("slot") { join in
            let take = join.fast("take", returning: Int.self)
            // The body begins on the caller's thread.
            join.answer(take) { _ async in
                await mayAnswer.pass()
                return 7
            }
            return take
        }
        let begin = ContinuousClock.now
        let waiting = Task { try await take(within: .milliseconds(50)) }
        let report = await firstReport()
        #expect(begin.duration(to: .now) >= .milliseconds(60))
        #expect(report.explanation.contains("a reaction has taken it"))
        // A limit that covers the body ends it.
        await #expect(throws: CallError.self) { try await take(within: .milliseconds(30), coveringBody: true) }
        #expect(events.value.count == 1)
        mayAnswer.open()
        #expect(try await waiting.value == 7)
    }

    @Test("Waiting for a quiet that doesn't come is reported once, with what keeps the definition busy", .endsInTime)
    func quiet() async throws {
        // On a busy machine the time may be up before the body waits at the gate. Then once more.
        var explanation = ""
        let line = #line + 7
        let expected = "the body of start (\(here(line))) runs"
        while explanation != expected, !Task.isCancelled {
            events.update { $0 = [] }
            let mayEnd = ControlProbe.Gate()
            let (start, definition) = machine.define("clock") { join in
                let start = join.slow("start")
                join.when(start) { _ in await mayEnd.pass() }
                return (start, join.definition)
            }
            start()
            let quiet = Task { try await definition.quiescence() }
            let report = await firstReport()
            #expect(report.molecule == "quiescence()")
            #expect(report.location == here(line - 2))
            explanation = report.explanation
            mayEnd.open()
            try await quiet.value
            try await definition.quiescence()
            #expect(events.value.count == 1)
        }
        #expect(explanation == expected)
    }

    @Test("So is one that a reaction has taken and doesn't answer", .endsInTime)
    func taken() async throws {
        // On a busy machine the time may be up before a worker comes. Then once more.
        var explanation = ""
        let line = #line + 6
        while !explanation.hasPrefix("a reaction has taken it") {
            events.update { $0 = [] }
            let mayAnswer = ControlProbe.Gate()
            let ask = machine.define("ask") { join in
                let ask = join.fast("ask", returning: Int.self)
                join.when(ask) { reply in
                    await mayAnswer.pass()
                    reply(7)
                }
                return ask
            }
            let waiting = Task { try await ask() }
            explanation = await firstReport().explanation
            mayAnswer.open()
            #expect(try await waiting.value == 7)
        }
        #expect(explanation.hasPrefix("a reaction has taken it and not answered it yet: ask (\(here(line))); "))
    }

    @Test("The report of a call whose molecule was lost by a failed body says so", .endsInTime)
    func lostToken() async throws {
        struct Boom: Error {}
        let line = #line + 4
        let (use, fail) = machine.define("lock") { join in
            let (token, use, fail) = (join.slow("token"), join.fast("use"), join.fast("fail"))
            join.answer(use, with: token) { _, _ in token() }
            join.answer(fail, with: token) { _, _ in throw Boom() }
            token()
            return (use, fail)
        }
        await #expect(throws: Boom.self) { try await fail() }
        let waiting = Task { try await use() }
        let report = await firstReport()
        let loss = "fail & token (\(here(line))) has failed once with Boom, and has consumed what it had taken"
        #expect(report.explanation.contains("lacks token; \(loss)"))
        #expect(events.value.first?.droppedInputs == ["token"])
        #expect("\(events.value[0])".hasSuffix("threw: Boom(); it has consumed 'token'"))
        waiting.cancel()
        _ = try? await waiting.value
    }

    @Test("What a policy puts back is not lost", .endsInTime)
    func putBack() async throws {
        struct Boom: Error {}
        let fail = machine.define("lock") { join in
            join.failurePolicy = .putBack(after: .milliseconds(1))
            let (token, fail) = (join.slow("token"), join.fast("fail"))
            join.answer(fail, with: token) { _, _ in throw Boom() }
            token()
            return fail
        }
        for _ in 0..<2 { await #expect(throws: Boom.self) { try await fail() } }
        #expect(events.value.allSatisfy { $0.droppedInputs.isEmpty })
    }

    @Test("The report of a call names the body that makes it and has what it lacks", .endsInTime)
    func ownToken() async throws {
        let line = #line + 4
        let outer = machine.define("lock") { join in
            let (token, outer, inner) = (join.slow("token"), join.fast("outer"), join.fast("inner"))
            join.answer(inner, with: token) { _, _ in token() }
            join.answer(outer, with: token) { _, _ async throws in
                try await inner()
                token()
            }
            token()
            return outer
        }
        let waiting = Task { try await outer() }
        // The outer call waits as long as the inner one: either may be reported first.
        try await until { events.value.contains { "\($0)".contains("'inner'") } }
        let inner = events.value.map { "\($0)" }.first { $0.contains("'inner'") }
        let who = "the call is made by the body of outer & token (\(here(line))), which has taken token itself"
        #expect(inner?.contains(who) == true, "\(inner ?? "")")
        waiting.cancel()
        _ = try? await waiting.value
    }

    private static let lineOfBlock = #line + 12

    private static func blockAllThreads() async throws {
        let machine = ChemicalMachine(
            .init(
                workerLimit: 100,
                reporter: { event in if case .keepsThread = event.kind { fatalError("\(event)") } },
                patience: .milliseconds(10)
            )
        )
        let block = machine.define("blocker") { join in
            let block = join.slow("block")
            join.when(block) { DispatchSemaphore(value: 0).wait() }
            return block
        }
        for _ in 0..<100 { block() }
        try await machine.quiescence()
    }

    @Test("A body that keeps its thread is reported with its line, even if no thread is left for tasks", .endsInTime)
    func keptThread() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await Self.blockAllThreads()
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let body = "the body of block (\(here(Self.lineOfBlock)))"
        let text = "blocker: \(body) has kept its thread for a long time: if it blocks"
        #expect(output.contains(text), "\(output)")
    }

    @Test("A call that is answered in time is not, and leaves nothing behind", .endsInTime)
    func inTime() async throws {
        let machine = ChemicalMachine(.init(patience: .seconds(3600)))
        let (take, put) = machine.define("slot") { join in
            let put = join.slow("put", of: Int.self)
            let take = join.fast("take", returning: Int.self)
            join.answer(take, with: put) { _, number in number }
            return (take, put)
        }
        let callers = Callers()
        let waiting = (0..<10).map { _ in Task { try await callers.call { try await take() } } }
        await callers.suspended(10)
        for number in 0..<10 { put(number) }
        for task in waiting { _ = try await task.value }
        #expect(machine.pendingDeadlines == 0)
    }

    @Test("By default debug builds have ten seconds of it, and release builds none")
    func byDefault() {
        #if DEBUG
            #expect(ChemicalMachine.Configuration().patience == .seconds(10))
        #else
            #expect(ChemicalMachine.Configuration().patience == nil)
        #endif
    }

    @Test("Many calls that wait for long are each reported once, with what they lack", .endsInTime)
    func manyCalls() async throws {
        let events = events
        let machine = ChemicalMachine(
            .init(
                reporter: { event in events.update { $0.append(event) } },
                patience: .milliseconds(1),
                recorder: .flight
            )
        )
        let names = (0..<20).map { number in
            machine.define("slot \(number)") { join in
                let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
                join.answer(take, with: put) { _, number in number }
                return (put, take)
            }
        }
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for (_, take) in names { for _ in 0..<20 { group.addTask { try await take() } } }
            try await until { events.value.count == 400 }
            for (put, _) in names { for number in 0..<20 { put(number) } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 20 * 190)
        #expect(events.value.count == 400)
        #expect(events.value.allSatisfy { "\($0)".contains("put") })
    }

    @Test("A scope whose end doesn't come is reported once, with what keeps it", .endsInTime)
    func scope() async throws {
        let events = events
        let mayEnd = ControlProbe.Gate()
        let waiting = Task {
            try await withChemicalMachine(
                .init(reporter: { event in events.update { $0.append(event) } }, patience: .milliseconds(10))
            ) { _ in
                Join.define("session") { join in
                    let session = join.slow("session")
                    join.when(session) { _ in await mayEnd.pass() }
                    session()
                }
            }
        }
        let report = await firstReport()
        #expect(report.molecule == "quiescence()")
        #expect(report.location.contains("PatienceTests.swift"))
        mayEnd.open()
        try await waiting.value
        #expect(events.value.count == 1)
    }

    @Test("Who waits for a state that a body has hears that", .endsInTime)
    func heldState() async throws {
        let (machine, mayEnd) = (machine, ControlProbe.Gate())
        let (hold, read) = machine.define("cell") { join in
            let number = join.state("number", 0)
            let (hold, read) = (join.slow("hold"), join.fast("read", returning: Int.self))
            join.when(hold, updating: number) { number, _ in
                await mayEnd.pass()
                number += 1
            }
            join.answer(read, reading: number) { number, _ in number }
            return (hold, read)
        }
        hold()
        try await until { machine.statistics.running == 1 }
        let waiting = Task { try await read() }
        let report = await firstReport()
        #expect(report.explanation.contains("has number until it ends"), "\(report.explanation)")
        #expect(report.explanation.contains("read & number"), "\(report.explanation)")
        mayEnd.open()
        #expect(try await waiting.value == 1)
    }
}
