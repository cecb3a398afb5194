import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// SimpleSwiftFRP, statement by statement. Some of F1, F6, F13, F14 and F20 are fixtures that must not compile.
@Suite("Streams", .endsInTime)
struct StreamsTests {
    @Test("F2: what one thread sends is processed in that order, and sending never waits")
    func f2() async throws {
        let source = EventSource<Int>()
        let door = FlowDoor()
        let probe = FlowProbe<Int>()
        let cell = Cell(initialValue: 0)
        let graph = blockingGraph("F2") {
            source --^ cell
                --< (
                    Outlet(),
                    {
                        if $0 == 1 { door.wait() }
                        probe.add($0)
                    }
                )
        }
        for number in 1...1_000 { source.send(number) }  // the first one is held up, and sending goes on
        #expect(probe.values.isEmpty)
        door.open()
        try await graph.quiescence()
        #expect(probe.values == Array(1...1_000))
    }

    @Test("F3: the callback runs when the value is sent, and not when it is processed")
    func f3() async throws {
        let source = EventSource<Int>()
        let door = FlowDoor()
        let probe = FlowProbe<String>()
        _ = blockingGraph("F3") {
            source --^ Cell(initialValue: 0)
                --< (
                    Outlet(),
                    { _ in
                        door.wait()
                        probe.add("outlet")
                    }
                )
        }
        source.send(1) { probe.add("callback") }
        #expect(probe.values == ["callback"])
        door.open()
        try await source.graph.quiescence()
        #expect(probe.values == ["callback", "outlet"])
    }

    @Test("F4, B6: nothing comes between a value and what its callback sends, with eight threads, 20 times")
    func f4() async throws {
        for round in 0..<20 {
            let source = EventSource<String>()
            let probe = (source --^ Cell(initialValue: "", limit: 1)).probe()
            await withDiscardingTaskGroup { group in
                for thread in 0..<8 {
                    group.addTask {
                        for number in 0..<50 {
                            source.send("A\(thread).\(number)") { source.send("B\(thread).\(number)") }
                        }
                    }
                }
            }
            try await source.graph.quiescence()
            let values = probe.values
            #expect(values.count == 800)
            for place in stride(from: 0, to: values.count - 1, by: 2) {
                #expect(values[place].first == "A", "round \(round)")
                #expect(values[place + 1] == "B" + values[place].dropFirst(), "round \(round)")
            }
        }
    }

    @Test("F4: eight threads send 500 pairs each, and every second value follows its first one directly")
    func f4threads() async throws {
        let source = EventSource<Int>()
        let probe = (source --^ Cell(initialValue: 0, limit: 1)).probe()
        await withDiscardingTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    await onThread {
                        for number in 0..<500 {
                            let first = (thread * 500 + number) * 2
                            source.send(first) { source.send(first + 1) }
                        }
                    }
                }
            }
        }
        try await source.graph.quiescence()
        let values = probe.values
        #expect(values.count == 8_000)
        for place in stride(from: 0, to: values.count - 1, by: 2) {
            #expect(values[place] % 2 == 0 && values[place + 1] == values[place] + 1)
        }
        for thread in 0..<8 {
            #expect(values.filter { $0 / 1_000 == thread } == Array(thread * 1_000..<(thread + 1) * 1_000))
        }
    }

    @Test("F4: deeper nesting, and a graph that has caught up with an open group")
    func f4deep() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let probe = cell.probe()
        let reached = FlowDoor()
        cell --< (Outlet(), { if $0 == 1 { reached.open() } })
        await onThread {
            source.send(1) {
                reached.wait()  // the graph has processed it and waits for this callback
                source.send(2) { source.send(3) }
                source.send(4)
            }
        }
        source.send(5)
        try await source.graph.quiescence()
        #expect(probe.values == [1, 2, 3, 4, 5])
    }

    @Test("F5: a source keeps nothing of what it has sent")
    func f5() async throws {
        final class Payload: Sendable {}
        let source = EventSource<Payload>()
        let count = Cell(initialValue: 0)
        source --^ (count, { _ in 1 })
        weak var payload: Payload?
        do {
            let sent = Payload()
            payload = sent
            try await source.sendAndWait(sent)
        }
        try await source.graph.quiescence()
        #expect(payload == nil)
        #expect(count.value == 1)
    }

    @Test("F7: a cell has a value before any event")
    func f7() {
        #expect(Cell(initialValue: 9).value == 9)
        #expect(Cell(initialValue: "a", limit: 3).value == "a")
        #expect(Cell(constant: 10).value == 10)
    }

    @Test("F8: every event has a time, and times increase strictly in a graph")
    func f8() async throws {
        let source = EventSource<Int>()
        let first = source --^ Cell(initialValue: 0)
        let second = source --^ (Cell(initialValue: 0), { -$0 })
        (first, second) --^ (Cell(initialValue: 0), { $0 + $1 })
        for number in 1...500 { source.send(number) }
        try await source.graph.quiescence()
        let times = first.history.map(\.time)
        #expect(times.count == 500)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(second.history.map(\.time) == times)  // one wave has one time
    }

    @Test("F9, B1: a limit of 2 keeps the initial value and the last two events; a limit of 1 the last one")
    func f9() async throws {
        let source = EventSource<Int>()
        let two = source --^ Cell(initialValue: 0, limit: 2)
        let one = source --^ Cell(initialValue: 0, limit: 1)
        for number in 1...3 { try await source.sendAndWait(number) }
        #expect([two.initialValue] + two.history.map(\.value) == [0, 2, 3])
        #expect([one.initialValue] + one.history.map(\.value) == [0, 3])
        for number in 4...1_000 { source.send(number) }
        try await source.graph.quiescence()
        #expect(two.history.map(\.value) == [999, 1_000])
    }

    @Test("F9: a limit of 0 stops the program")
    func f9zero() async {
        await #expect(processExitsWith: .failure) { _ = Cell(initialValue: 0, limit: 0) }
    }

    @Test("F10: the value is that of now")
    func f10() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        for number in 1...50 {
            try await source.sendAndWait(number)
            #expect(cell.value == number)
            #expect(cell.valueAt(.now) == number)
        }
    }

    @Test("F11: valueAt gives the last event up to a time; lookup says what is forgotten")
    func f11() async throws {
        let source = EventSource<Int>()
        let cell = Cell(initialValue: 0)
        let short = Cell(initialValue: 0, limit: 2)
        source --^ cell
        source --^ short
        let start = FlowTime.now
        for number in 1...5 { try await source.sendAndWait(number) }
        let history = cell.history
        #expect(cell.valueAt(start) == 0)
        #expect(cell.valueAt(.distantPast) == 0 && cell.valueAt(.distantFuture) == 5)
        for (time, value) in history {
            #expect(cell.valueAt(time) == value)
            #expect(cell.valueAt(FlowTime.before(time)) == value - 1)
            #expect(cell.lookup(at: time) == .exact(value))
            #expect(short.lookup(at: time) == (value <= 3 ? .evicted : .exact(value)))
            #expect(short.valueAt(time) == (value <= 3 ? 0 : value))
        }
        #expect(short.lookup(at: start) == .exact(0))
    }

    @Test("F12: writing into a constant stops the program when it is wired")
    func f12() async {
        await #expect(processExitsWith: .failure) { EventSource<Int>() --^ Cell(constant: 1) }
        await #expect(processExitsWith: .failure) {
            (Cell(initialValue: 1), Cell(initialValue: 2)) --^ (Cell(constant: 1), { $0 + $1 })
        }
    }
}
