import ChemActors
import ChemLibrary
import Foundation
import Observation
import TestSupport
import Testing

/// The operators by names, and what else there is beside SimpleSwiftFRP.
@Suite("Stream methods", .endsInTime)
struct StreamMethodsTests {
    @Test("methods are the operators: map, compactMap, filter, cell, scan, sink")
    func chain() async throws {
        let source = EventSource<String>()
        let seen = FlowProbe<Int>()
        let total = source.compactMap { Int($0) }.filter { $0 > 0 }.map { $0 * 10 }.scan(1, limit: 3) { $0 + $1 }
        let latest = source.cell("none")
        total.sink { seen.add($0) }.sink { seen.add(-$0) }
        #expect(total.value == 1 && latest.value == "none")
        for text in ["1", "x", "-5", "2"] { source.send(text) }
        try await source.graph.quiescence()
        #expect(seen.values == [11, -11, 31, -31] && latest.value == "2")
        #expect(total.graph === latest.graph)
        #expect(source.graph.drawing.operators.map(\.symbol) == ["compactMap", "filter", "map", "scan", "cell"])
    }

    @Test("methods of two: zip, merge, snapshot, combined; on sources, streams and cells, mixed with operators")
    func ofTwo() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let held = b.cell(5)
        let pairs = a.zip(with: held).map { "\($0.0)-\($0.1)" }.cell("")
        let merged = a.merge(with: b.map { $0 * 100 }) --^ Cell(initialValue: 0)
        let read = a.snapshot(of: held, merged) { [$0, $1, $2] }.cell([])
        let sum = held.combined(with: merged) { $0 * 1_000 + $1 }
        #expect(sum.value == 5_000 && sum.initialValue == 5_000)
        let (sums, merges) = (sum.probe(), merged.probe())
        a.send(1)
        try await a.graph.transactionAndWait {
            a.send(2)
            b.send(7)
        }
        #expect(pairs.value == "1-7" && merges.values == [1, 700])
        #expect(read.history.map(\.value) == [[1, 5, 0], [2, 5, 1]])
        #expect(sums.values == [5_001, 7_700])
    }

    @Test("sinks on the main actor run there, in order")
    func mainActor() async throws {
        let source = EventSource<Int>()
        let shown = MainLog()
        source.cell(0).sinkOnMainActor { shown.values.append($0) }
        for number in 1...100 { source.send(number) }
        try await source.graph.quiescence()
        #expect(await shown.values == Array(1...100))
    }

    @Test("a stream can be a parameter and a result where Foundation is imported")
    func name() async throws {
        let source = EventSource<Int>()
        func double(_ stream: EventStream<Int>) -> EventStream<Int> { stream.map { $0 * 2 } }
        let cell = double(source >-- EventStream<Int>()).cell(0)
        try await source.sendAndWait(4)
        #expect(cell.value == 8)
    }

    @Test("send takes its callback by name, and behind the call")
    func callback() async throws {
        let source = EventSource<Int>()
        let cell = source.cell(0)
        source.send(1, callback: { source.send(2) })
        source.send(3) { source.send(4) }
        try await source.graph.quiescence()
        #expect(cell.history.map(\.value) == [1, 2, 3, 4])
    }

    // MARK: send(contentsOf:)

    @Test("the elements of a sequence are sent in order, and wait for room; so are those of an asynchronous one")
    func contentsOf() async throws {
        let source = EventSource<Int>(capacity: 2)
        let cell = source.cell(0, limit: 1)
        let values = cell.updates(.suspending(1))
        let sent = Locked(0)
        let counted = (1...100).lazy.map { number in
            sent.update { $0 = number }
            return number
        }
        let numbers = AsyncStream<Int> { continuation in
            for number in 101...200 { continuation.yield(number) }
            continuation.finish()
        }
        let sender = Task {
            try await source.send(contentsOf: counted)
            try await source.send(contentsOf: numbers)
            source.finish()
        }
        var seen: [Int] = []
        for await value in values {
            seen.append(value)
            // Two in their places, one in the wave, one in the buffer, one that waits for its place.
            if value <= 90 { #expect(sent.value <= value + 5) }
        }
        try await sender.value
        #expect(seen == Array(1...200))
    }

    @Test("the error of a sequence ends the sending, and so does a cancelled task; what came before is sent")
    func contentsOfFailing() async throws {
        let source = EventSource<Int>()
        let cell = source.cell(0)
        let failing = AsyncThrowingStream<Int, any Error> { continuation in
            continuation.yield(1)
            continuation.finish(throwing: Mishap())
        }
        await #expect(throws: Mishap.self) { try await source.send(contentsOf: failing) }
        let cancelled = Task {
            try await source.send(
                contentsOf: (2...10).lazy.map { number in
                    if number == 4 { withUnsafeCurrentTask { $0?.cancel() } }
                    return number
                }
            )
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        try await cell.graph.quiescence()
        #expect(cell.history.map(\.value) == [1, 2, 3])
    }

    // MARK: Observation

    @Test("an observed cell has the cell's value on the main actor, and tells who has read it")
    @MainActor func observed() async throws {
        let source = EventSource<Int>()
        let cell = source.cell(1)
        let observed = ObservedCell(cell)
        #expect(observed.value == 1)
        for number in [5, 9] {
            await withCheckedContinuation { continuation in
                withObservationTracking {
                    _ = observed.value
                } onChange: {
                    continuation.resume()
                }
                source.send(number)
            }
            while observed.value != number { await Task.yield() }
        }
        // Only the last value counts.
        for number in 10...500 { source.send(number) }
        while observed.value != 500 { await Task.yield() }
        weak var gone: ObservedCell<Int>?
        do {
            let other = ObservedCell(cell)
            gone = other
        }
        while gone != nil { await Task.yield() }
        try await eventually { cell.graph.statistics.subscribers == 1 }
    }

    @Test("an observed cell shows what was sent before it was made, and is still on its way")
    @MainActor func observedInTime() async throws {
        let machine = ChemicalMachine()
        let (source, cell) = (EventSource<Int>(), Cell(initialValue: 0))
        let graph = FlowGraph("graph", machine: machine) { source --^ cell }
        machine.pause()
        source.send(5)
        let observed = ObservedCell(cell)
        machine.resume()
        try await graph.quiescence()
        while observed.value != 5 { await Task.yield() }
    }
}

@MainActor private final class MainLog {
    var values: [Int] = []
}
