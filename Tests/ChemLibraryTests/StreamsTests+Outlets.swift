import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// What leaves a graph, runs at the same time, and lives how long.
extension StreamsTests {
    @Test("F24: outlets chain, and get every event in order but not the initial value")
    func f24() async throws {
        let source = EventSource<String>()
        let (one, two) = (FlowProbe<String>(), FlowProbe<String>())
        let cell = Cell(initialValue: "initial")
        let same = source --^ cell --< (Outlet(), { one.add($0) }) --< (Outlet(), { two.add($0) })
        #expect(same === cell)
        source.send("Hello World!")
        source.send("Goodbye for now.")
        try await source.graph.quiescence()
        #expect(one.values == ["Hello World!", "Goodbye for now."] && two.values == one.values)
    }

    @Test("F25: a constant in a lift, in several graphs")
    func f25() async throws {
        let ten = Cell(constant: 10)
        for _ in 1...2 {
            let source = EventSource<Int>()
            let probe = ((source --^ Cell(initialValue: 0), ten) --^ (Cell(initialValue: 0), *)).probe()
            source.send(2)
            source.send(3)
            try await source.graph.quiescence()
            #expect(probe.values == [20, 30])
        }
        #expect(ten.value == 10)
    }

    @Test("F26, F27: the functions of a graph never run at the same time, with eight senders")
    func f27() async throws {
        let source = EventSource<Int>()
        let inside = FlowProbe<Int>()
        let stream = EventStream<Int>()
        let meter = Meter()
        let cell = source >-- (stream, { meter.enter($0) }) --^ Cell(initialValue: 0, limit: 1)
        cell --< (Outlet(), { inside.add(meter.enter($0)) })
        await withDiscardingTaskGroup { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<200 { source.send(task * 1_000 + number) } }
            }
        }
        try await source.graph.quiescence()
        #expect(meter.worst == 1)
        let values = inside.values
        #expect(values.count == 1_600)
        for task in 0..<8 {
            #expect(values.filter { $0 / 1_000 == task } == (0..<200).map { task * 1_000 + $0 })
        }
    }

    @Test("F28: a main outlet runs on the main actor, in order")
    func f28() async throws {
        let source = EventSource<Int>()
        let shown = Shown()
        source --^ Cell(initialValue: 0) --< (MainOutlet(), { shown.values.append($0) })
        for number in 1...200 { source.send(number) }
        try await source.graph.quiescence()
        #expect(await shown.values == Array(1...200))
    }

    @Test("F29: values are read on any thread while others are written, and are those after some wave")
    func f29() async throws {
        let source = EventSource<Int>()
        let cell = Cell(initialValue: 0, limit: 10)
        source --^ cell
        await withDiscardingTaskGroup { group in
            group.addTask { for number in 1...2_000 { source.send(number) } }
            for _ in 0..<3 {
                group.addTask {
                    var last = 0
                    while last < 2_000 {
                        let now = cell.value
                        #expect(now >= last)
                        last = now
                        await Task.yield()
                    }
                }
            }
        }
        #expect(cell.value == 2_000)
    }

    @Test("F30: all cells can be given back the values of an earlier time")
    func f30() async throws {
        let (name, age) = (EventSource<String>(), EventSource<Int>())
        let (names, ages) = (name --^ Cell(initialValue: "?"), age --^ Cell(initialValue: 0))
        let both = (names, ages) --^ (Cell(initialValue: ""), { "\($0) \($1)" })
        let probe = both.probe()
        let start = FlowTime.now
        try await name.sendAndWait("Ada")
        try await age.sendAndWait(36)
        let then = both.history[1].time
        try await name.sendAndWait("Grace")
        try await age.sendAndWait(85)
        try await both.graph.restore(at: then)
        #expect(names.value == "Ada" && ages.value == 36 && both.value == "Ada 36")
        #expect(both.history.last!.time > then && both.history.count == 5)
        try await age.sendAndWait(37)
        #expect(both.value == "Ada 37")
        try await both.graph.restore(at: start)
        #expect(both.value == "? 0" && names.value == "?")
        #expect(probe.values.suffix(2) == ["Ada 37", "? 0"])
    }

    @Test("F30: what isn't remembered can't be restored, and then nothing changes")
    func f30forgotten() async throws {
        let source = EventSource<Int>()
        let (short, long) = (source --^ Cell(initialValue: 0, limit: 1), source --^ Cell(initialValue: 0))
        for number in 1...3 { try await source.sendAndWait(number) }
        let error = await #expect(throws: FlowError.self) { try await long.graph.restore(at: long.history[0].time) }
        #expect(error?.code == .forgotten)
        #expect(short.value == 3 && long.value == 3 && long.history.count == 3)
    }

    @Test("F32, B7: a graph whose outlet is blocked doesn't hold up another")
    func f32() async throws {
        let (blocked, free) = (EventSource<Int>(), EventSource<Int>())
        let (door, entered) = (FlowDoor(), FlowProbe<Int>())
        let stuck = Cell(initialValue: 0)
        _ = blockingGraph("F32") {
            blocked --^ stuck
                --< (
                    Outlet(),
                    {
                        entered.add($0)
                        door.wait()
                    }
                )
        }
        let moving = free --^ Cell(initialValue: 0)
        blocked.send(1)
        while entered.count == 0 { await Task.yield() }
        for number in 1...100 { try await free.sendAndWait(number) }
        #expect(moving.value == 100)
        #expect(stuck.value == 1)  // after the wave, although its outlet still runs
        door.open()
        try await blocked.graph.quiescence()
    }

    @Test("F33: attaching an outlet twice stops the program")
    func f33() async {
        await #expect(processExitsWith: .failure) {
            let outlet = Outlet<Int>()
            Cell(initialValue: 0) --< (outlet, { _ in }) --< (outlet, { _ in })
        }
        await #expect(processExitsWith: .failure) {
            let outlet = MainOutlet<Int>()
            Cell(initialValue: 0) --< (outlet, { _ in }) --< (outlet, { _ in })
        }
    }

    @Test("B2, B3: what is filtered reaches neither outlets nor a merge")
    func b2() async throws {
        let source = EventSource<Int>()
        let (a, b) = (EventStream<Int>(), EventStream<Int>())
        source --| (a, { $0 > 0 })
        source --| (b, { $0 > 10 })
        let cell = [a, b] --& Cell(initialValue: 99)
        let probe = cell.probe()
        for number in [0, 5, -3, 20] { source.send(number) }
        try await source.graph.quiescence()
        #expect(probe.values == [5, 20])
        #expect(cell.history.map(\.value) == [5, 20])
    }

    @Test("B4: the order of wiring doesn't matter")
    func b4() async throws {
        let source = EventSource<Int>()
        let (a, b, cell) = (EventStream<Int>(), EventStream<Int>(), Cell(initialValue: 0))
        let probe = cell.probe()
        b --^ (cell, { $0 })
        a >-- (b, { $0 * 2 })
        source >-- (a, { $0 + 1 })
        source.send(4)
        try await source.graph.quiescence()
        #expect(probe.values == [10])
    }

    @Test("B5: a graph lives as long as one of its handles, and its nodes as long as it")
    func b5() async throws {
        final class Token: Sendable {}
        weak var token: Token?
        var source: EventSource<Int>? = EventSource<Int>()
        let probe: FlowProbe<Int>
        do {
            let held = Token()
            token = held
            let (a, b) = (EventStream<Int>(), EventStream<Int>())
            probe =
                (source! >-- a >-- (
                    b,
                    {
                        _ = held; return $0
                    }
                ) --^ Cell(initialValue: 0)).probe()
        }
        try await source!.sendAndWait(1)
        #expect(probe.values == [1])
        #expect(token != nil)
        source = nil
        try await waitUntilGone { token == nil }
    }

    @Test("B5: a graph that was never used is freed too")
    func b5unused() {
        final class Token: Sendable {}
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let source = EventSource<Int>()
            let cell =
                source --^ (
                    Cell(initialValue: 0),
                    {
                        _ = held; return $0
                    }
                )
            cell --< (Outlet(), { _ in _ = held })
        }
        #expect(token == nil)
    }

    @Test("B7: cancelling a graph ends it, and values can still be read")
    func b7() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let probe = cell.probe()
        try await source.sendAndWait(1)
        await cell.graph.cancel()
        source.send(2)
        await #expect(throws: CallError.self) { try await source.sendAndWait(3) }
        #expect(probe.values == [1] && cell.value == 1)
    }
}

/// How many are inside at once.
private final class Meter: Sendable {
    private let state = FlowCell((now: 0, worst: 0))

    func enter(_ value: Int) -> Int {
        state.update {
            $0.now += 1
            $0.worst = max($0.worst, $0.now)
        }
        defer { state.update { $0.now -= 1 } }
        return value
    }

    var worst: Int { state.update { $0.worst } }
}

@MainActor private final class Shown {
    var values: [Int] = []
}
