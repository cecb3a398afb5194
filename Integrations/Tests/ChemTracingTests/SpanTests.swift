import ChemActors
import ChemTracing
import InMemoryTracing
import Testing
import Tracing

@Suite(.timeLimit(.minutes(20)))
struct SpanTests {
    struct Flaw: Error {}

    private struct Moment: TracerInstant {
        let nanosecondsSinceEpoch: UInt64
        static func < (first: Self, second: Self) -> Bool { first.nanosecondsSinceEpoch < second.nanosecondsSinceEpoch }
    }

    /// A chain of three bodies, the last of which throws.
    private func recorded() async throws -> Recording {
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .full())
        )
        let order = machine.define("shop") { join in
            let (order, paid, sent) = (
                join.slow("order", of: Int.self), join.slow("paid", of: Int.self), join.slow("sent")
            )
            join.when(order) { number in paid(number) }
            join.when(paid) { _ in sent() }
            join.when(sent) { _ in throw Flaw() }
            return order
        }
        order(1)
        try await machine.quiescence()
        order(2)
        try await machine.quiescence()
        return machine.recording()
    }

    @Test func eachBodyIsASpanBelowTheOneThatCausedIt() async throws {
        let tracer = InMemoryTracer()
        let recording = try await recorded()
        recording.exportSpans(to: tracer, startingAt: Moment(nanosecondsSinceEpoch: 1_000))
        let spans = tracer.finishedSpans
        #expect(tracer.activeSpans.isEmpty)
        #expect(spans.count == 6)
        for name in ["order", "paid", "sent"] {
            #expect(spans.count { $0.operationName == "shop: \(name)" } == 2)
        }
        for span in spans {
            let parent = spans.first { $0.spanID == span.parentSpanID }
            switch span.operationName {
            case "shop: order": #expect(parent == nil)
            case "shop: paid": #expect(parent?.operationName == "shop: order")
            default: #expect(parent?.operationName == "shop: paid")
            }
            if let parent { #expect(parent.traceID == span.traceID) }
        }
        #expect(Set(spans.map(\.traceID)).count == 2)
    }

    @Test("A name may look like two")
    func aNameWithAnAmpersand() async throws {
        let configuration = ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .full())
        let machine = ChemicalMachine(configuration)
        let cook = machine.define("kitchen") { join in
            let (cook, spices) = (join.slow("cook"), join.slow("salt & pepper"))
            join.when(cook) { _ in spices() }
            join.when(spices) { _ in }
            return cook
        }
        cook()
        try await machine.quiescence()
        let tracer = InMemoryTracer()
        machine.recording().exportSpans(to: tracer, startingAt: Moment(nanosecondsSinceEpoch: 1_000))
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["kitchen: cook", "kitchen: salt & pepper"])
        #expect(spans.last?.parentSpanID == spans.first?.spanID)
        extendLifetime(cook)
    }

    @Test func timesAndErrorsAreThoseOfTheRecording() async throws {
        let tracer = InMemoryTracer()
        let recording = try await recorded()
        recording.exportSpans(to: tracer, startingAt: Moment(nanosecondsSinceEpoch: 1_000_000))
        let last = try #require(recording.events.last)
        let whole = UInt64(last.time / .nanoseconds(1))
        for span in tracer.finishedSpans {
            #expect(span.startInstant.nanosecondsSinceEpoch >= 1_000_000)
            #expect(span.endInstant.nanosecondsSinceEpoch >= span.startInstant.nanosecondsSinceEpoch)
            #expect(span.endInstant.nanosecondsSinceEpoch <= 1_000_000 + whole)
            #expect((span.status?.code == .error) == (span.operationName == "shop: sent"))
            #expect(span.attributes["chem.definition"]?.toSpanAttribute() == "shop".toSpanAttribute())
        }
    }

    @Test func whatWasDroppedHasCausedNothing() async throws {
        let configuration = ChemicalMachine.Configuration(reporter: { _ in }, recorder: .full())
        let machine = ChemicalMachine(configuration)
        let (make, release, definition) = machine.define("shop") { join in
            let make = join.slow("make", of: Int.self, order: .oldestFirst)
            let job = join.slow("job", order: .oldestFirst)
            let release = join.slow("release")
            join.when(make) { _ in job() }
            join.when(job, release) { _, _ in }
            return (make, release, join.definition)
        }
        for number in 1...3 { make(number) }
        try await machine.quiescence()
        definition.clear()
        for number in 4...5 {
            make(number)
            try await machine.quiescence()
            release()
            try await machine.quiescence()
        }
        let tracer = InMemoryTracer()
        machine.recording().exportSpans(to: tracer, startingAt: Moment(nanosecondsSinceEpoch: 1_000))
        let spans = tracer.finishedSpans
        let makers = spans.filter { $0.operationName == "shop: make" }
        let jobs = spans.filter { $0.operationName == "shop: job & release" }
        #expect((makers.count, jobs.count) == (5, 2))
        #expect(jobs.map(\.parentSpanID) == makers.suffix(2).map(\.spanID))
    }

    @Test func manyInjectionsFindTheirSendersInOrder() async throws {
        let configuration = ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .full())
        let machine = ChemicalMachine(configuration)
        let count = 5_000
        let (first, last) = machine.define("relay") { join in
            let first = join.slow("first", of: Int.self, order: .oldestFirst)
            let second = join.slow("second", of: Int.self, order: .oldestFirst)
            let last = join.fast("last")
            let all = join.state("all", 0)
            join.when(first) { number in second(number) }
            join.answer(last, with: second, updating: all) { all, _, _ in all += 1 }
            return (first, last)
        }
        for number in 0..<count { first(number) }
        try await machine.quiescence()
        for _ in 0..<count { try await last() }
        let tracer = InMemoryTracer()
        machine.recording().exportSpans(to: tracer, startingAt: Moment(nanosecondsSinceEpoch: 1_000))
        let spans = tracer.finishedSpans
        let senders = spans.filter { $0.operationName == "relay: first" }.map(\.spanID)
        let parents = spans.filter { $0.operationName.hasPrefix("relay: last") }.map(\.parentSpanID)
        #expect(senders.count == count && parents.count == count)
        #expect(Set(parents.compactMap(\.self)).count == count)
    }
}
