import ChemActors
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
        while true {
            for event in events.value {
                if case .waitsForLong(let molecule, let location, let explanation) = event.kind {
                    return (molecule, location, explanation)
                }
            }
            await Task.yield()
        }
    }

    @Test(
        "A call that waits for long is reported once, with its line, what it lacks, and who could inject that",
        .endsInTime
    )
    func waiting() async throws {
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
        #expect(report.explanation.contains(") lacks put;"))
        #expect(report.explanation.contains("whoever holds its names"))
        // A later call times out after another report would have come.
        await #expect(throws: CallError.self) { _ = try await take(within: .milliseconds(9)) }
        #expect(events.value.count == 1)
        #expect(events.value.first?.isMishap == false)
        put(7)
        #expect(try await waiting.value == 7)
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
        #expect(explanation == "a reaction has taken it and not answered it yet: ask (\(here(line)))")
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
}
