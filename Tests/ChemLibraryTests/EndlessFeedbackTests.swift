import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// A graph whose values lead to themselves without end lets nothing from outside in. That is said.
@Suite("Endless feedback", .endsInTime)
struct EndlessFeedbackTests {
    /// Counts for ever, from what is sent.
    private struct Counter: Mall {
        let start = MallInput(0)
        static let line = #line + 1
        private let count = MallStore(0)

        private func same(_ number: Int) -> Int { number }
        private func next(_ number: Int) -> Int { number &+ 1 }

        func prepareDataOpsGraph() -> [DataOp] {
            op {
                start>!
                same
                ~>count
            }
            op {
                count>!
                next
                ~>count
            }
        }
    }

    private static func machine(patience: Duration?) -> (ChemicalMachine, Locked<[ChemicalEvent]>) {
        let events = Locked<[ChemicalEvent]>([])
        let configuration = ChemicalMachine.Configuration(
            reporter: { event in
                if case .runsForLong = event.kind { events.update { $0.append(event) } }
            },
            patience: patience
        )
        return (ChemicalMachine(configuration), events)
    }

    @Test("It is reported once, with the line of the store, when it has taken longer than patience")
    func isReported() async throws {
        let (machine, events) = Self.machine(patience: .milliseconds(20))
        let counter = Counter()
        let graph = counter.open("counter", machine: machine)
        counter.start.send(1)
        try await eventually { !events.value.isEmpty }
        let waves = graph.statistics.waves
        try await eventually { graph.statistics.waves >= waves }
        await graph.cancel()
        #expect(events.value.count == 1, "\(events.value)")
        let event = try #require(events.value.first)
        #expect(event.definition == "counter" && !event.isMishap)
        guard case .runsForLong(let what, let count) = event.kind else { throw NeverHappened() }
        #expect(what == "feedback to Int (\(#fileID):\(Counter.line))")
        #expect(count > 1_000)
    }

    @Test("Feedback that ends isn't, however many values have been fed back in all")
    func thatEnds() async throws {
        let (machine, events) = Self.machine(patience: .nanoseconds(1))
        let counter = Counter()
        let graph = counter.open("counter", maxFeedback: 900, machine: machine)
        for _ in 0..<20 { counter.start.send(1) }
        try await graph.quiescence()
        #expect(graph.statistics.feedbackDropped == 20)
        #expect(events.value.isEmpty, "\(events.value)")
    }

    /// Counts for ever, and suspends each time.
    private struct Ticking: Mall {
        let start = MallInput(0)
        static let line = #line + 1
        private let count = MallStore(0)

        func prepareDataOpsGraph() -> [DataOp] {
            op {
                start>!
                compute { (number: Int) in number }
                ~>count
            }
            op {
                count>!
                compute { (number: Int) async -> Int in
                    await Task.yield()
                    return number &+ 1
                }
                ~>count
            }
        }
    }

    @Test("It is reported, and counted, also if each wave suspends")
    func isReportedThoughItSuspends() async throws {
        let (machine, events) = Self.machine(patience: .milliseconds(20))
        let ticking = Ticking()
        let graph = ticking.open("ticking", machine: machine)
        ticking.start.send(1)
        try await eventually { !events.value.isEmpty }
        let waves = graph.statistics.waves
        #expect(waves > 1)
        try await eventually { graph.statistics.waves > waves + 10 }
        await graph.cancel()
        #expect(events.value.count == 1, "\(events.value)")
        guard case .runsForLong(let what, _)? = events.value.first?.kind else { throw NeverHappened() }
        #expect(what == "feedback to Int (\(#fileID):\(Ticking.line))")
    }
}
