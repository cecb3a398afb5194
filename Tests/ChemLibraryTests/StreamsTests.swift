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

    @Test("F15: map, all six forms")
    func f15() async throws {
        let source = EventSource<Int>()
        let (a, b, c) = (EventStream<Int>(), EventStream<String>(), EventStream<String>())
        source >-- a >-- (b, { "\($0 + 1)" }) >-- (c, { $0 + "!" })
        let chained = c --^ Cell(initialValue: "")
        let (fromSource, fromCell, same, copy) = (
            EventStream<Int>(), EventStream<Int>(), EventStream<Int>(), EventStream<String>()
        )
        source >-- (fromSource, { $0 * 2 })
        let doubled = fromSource --^ Cell(initialValue: 0)
        doubled >-- (fromCell, { $0 * 10 })
        doubled >-- same
        c >-- copy
        let ten = fromCell --^ Cell(initialValue: 0)
        let twice = same --^ Cell(initialValue: 0)
        let copied = copy --^ Cell(initialValue: "")
        try await source.sendAndWait(4)
        #expect(chained.value == "5!" && copied.value == "5!")
        #expect(doubled.value == 8 && ten.value == 80 && twice.value == 8)
    }

    @Test("F16: filter, all three forms, and a chain behind it")
    func f16() async throws {
        let source = EventSource<Int>()
        let (a, b, c) = (EventStream<Int>(), EventStream<Int>(), EventStream<Int>())
        source >-- a --| (b, { $0 >= 0 }) >-- (c, { $0 * 10 })
        let (fromSource, fromCell) = (EventStream<Int>(), EventStream<Int>())
        let direct = source --| (fromSource, { $0 >= 0 }) --^ Cell(initialValue: -1)
        direct --| (fromCell, { $0 > 0 })
        let chain = (c --^ Cell(initialValue: -1)).probe()
        let positive = (fromCell --^ Cell(initialValue: -1)).probe()
        let passed = direct.probe()
        for number in [3, -1, 0] { source.send(number) }
        try await source.graph.quiescence()
        #expect(chain.values == [30, 0])
        #expect(passed.values == [3, 0])
        #expect(positive.values == [3])
    }

    @Test("F17: filterNil, all three forms")
    func f17() async throws {
        let texts = EventSource<String>()
        let (parsed, numbers) = (EventStream<Int?>(), EventStream<Int>())
        texts >-- (parsed, { Int($0) }) --! numbers
        let probe = (numbers --^ Cell(initialValue: 0)).probe()
        for text in ["1", "x", "7"] { texts.send(text) }
        try await texts.graph.quiescence()
        #expect(probe.values == [1, 7])

        let maybe = EventSource<Int?>()
        let (sure, again) = (EventStream<Int>(), EventStream<Int>())
        let fromSource = (maybe --! sure --^ Cell(initialValue: 0)).probe()
        let optional = maybe --^ Cell<Int?>(initialValue: nil)
        let fromCell = (optional --! again --^ Cell(initialValue: 0)).probe()
        for value in [nil, 5, nil, 6] { maybe.send(value) }
        try await maybe.graph.quiescence()
        #expect(fromSource.values == [5, 6] && fromCell.values == [5, 6])
    }

    @Test("F18: merge stores what came last, with a closure of one value; no input, no event")
    func f18() async throws {
        let (a, b) = (EventSource<Int>(), EventSource<Int>())
        let (one, two) = (EventStream<Int>(), EventStream<Int>())
        a >-- one
        b --| (two, { $0 != 9 })
        let plain = [one, two] --& Cell(initialValue: 0)
        let text = [one, two] --& (Cell(initialValue: ""), { "<\($0)>" })
        let behind = plain --^ (Cell(initialValue: 0), { $0 * 10 })
        let (plains, texts, behinds) = (plain.probe(), text.probe(), behind.probe())
        a.send(1)
        b.send(2)
        b.send(9)  // doesn't pass
        a.send(3)
        try await a.graph.quiescence()
        #expect(plains.values == [1, 2, 3])
        #expect(texts.values == ["<1>", "<2>", "<3>"])
        #expect(behinds.values == [10, 20, 30])
    }

    @Test("F19: lift, all forms of one operand")
    func f19() async throws {
        let source = EventSource<Int>()
        let stream = EventStream<Int>()
        source >-- stream
        let plain = source --^ Cell(initialValue: 0)
        let mapped = source --^ (Cell(initialValue: ""), { "\($0)" })
        let fromStream = stream --^ Cell(initialValue: 0)
        let mappedStream = stream --^ (Cell(initialValue: 0), { $0 + 1 })
        let fromCell = plain --^ Cell(initialValue: 0)
        let mappedCell = plain --^ (Cell(initialValue: 0), { -$0 })
        try await source.sendAndWait(7)
        #expect(plain.value == 7 && mapped.value == "7" && fromStream.value == 7)
        #expect(mappedStream.value == 8 && fromCell.value == 7 && mappedCell.value == -7)
    }

    @Test("F19, F31: lift of two to nine cells")
    func f19many() async throws {
        let source = EventSource<Int>()
        func next() -> Cell<Int> { source --^ (Cell(initialValue: 1), { $0 }) }
        let (a, b, c, d, e, f, g, h, i) = (
            next(), next(), next(), next(), next(), next(), next(), next(), next()
        )
        func sum() -> Cell<Int> { Cell(initialValue: 0) }
        let two = (a, b) --^ (sum(), { $0 + $1 })
        let three = (a, b, c) --^ (sum(), { $0 + $1 + $2 })
        let four = (a, b, c, d) --^ (sum(), { $0 + $1 + $2 + $3 })
        let five = (a, b, c, d, e) --^ (sum(), { $0 + $1 + $2 + $3 + $4 })
        let six = (a, b, c, d, e, f) --^ (sum(), { [$0, $1, $2, $3, $4, $5].reduce(0, +) })
        let seven = (a, b, c, d, e, f, g) --^ (sum(), { [$0, $1, $2, $3, $4, $5, $6].reduce(0, +) })
        let eight = (a, b, c, d, e, f, g, h) --^ (sum(), { [$0, $1, $2, $3, $4, $5, $6, $7].reduce(0, +) })
        let nine = (a, b, c, d, e, f, g, h, i) --^ (sum(), { [$0, $1, $2, $3, $4, $5, $6, $7, $8].reduce(0, +) })
        let all = [two, three, four, five, six, seven, eight, nine]
        #expect(all.map(\.value) == Array(2...9))
        try await source.sendAndWait(10)
        #expect(all.map(\.value) == (2...9).map { $0 * 10 })
        #expect(all.allSatisfy { $0.history.count == 1 })
    }

    @Test("F21: a lift of several cells fires with each of them, with the present values of the others")
    func f21() async throws {
        let (first, last) = (EventSource<String>(), EventSource<String>())
        let full =
            (first --^ Cell(initialValue: ""), last --^ Cell(initialValue: "")) --^ (
                Cell(initialValue: ""), { $0 + $1 }
            )
        let probe = full.probe()
        first.send("Ada")
        last.send("Lovelace")
        try await first.graph.quiescence()
        #expect(probe.values == ["Ada", "AdaLovelace"])
    }

    @Test(
        "F22: a lift of several cells begins with their initial values, a lift of one doesn't; in any order of wiring"
    )
    func f22() {
        let sum = (Cell(initialValue: 9), Cell(initialValue: 13)) --^ (Cell(initialValue: 0), { $0 + $1 })
        #expect(sum.value == 22)
        let single = Cell(initialValue: 9) --^ (Cell(initialValue: 0), { $0 + 1 })
        #expect(single.value == 0)

        let (a, b, middle, end) = (
            Cell(initialValue: 1), Cell(initialValue: 2), Cell(initialValue: 0), Cell(initialValue: 0)
        )
        (middle, a) --^ (end, { $0 * 10 + $1 })  // before `middle` has its value
        (a, b) --^ (middle, { $0 + $1 })
        #expect(middle.value == 3 && end.value == 31)
        #expect(end.initialValue == 31 && end.history.isEmpty)
    }

    @Test("F22: initial values are right in any order of wiring, also where one depends on another twice")
    func f22order() {
        let (p, q, d) = (Cell(initialValue: 1), Cell(initialValue: 2), Cell(initialValue: 0))
        let (b, x) = (Cell(initialValue: 0), Cell(initialValue: 0))
        (x, b) --^ (d, +)
        (x, p) --^ (b, +)
        (p, q) --^ (x, +)
        #expect(x.value == 3 && b.value == 4 && d.value == 7)
        #expect(d.initialValue == 7 && d.history.isEmpty)
    }

    @Test("F22: 1,000 lifts that are wired from the end compute each initial value once")
    func f22cost() async throws {
        let (source, one, count) = (EventSource<Int>(), Cell(constant: 1), FlowCell(0))
        let first = source --^ Cell(initialValue: 0)
        let cells = [first] + (1...1_000).map { _ in Cell(initialValue: -1, limit: 1) }
        for index in (1...1_000).reversed() {
            (cells[index - 1], one) --^ (
                cells[index],
                {
                    count.update { $0 += 1 }
                    return $0 + $1
                }
            )
        }
        #expect(cells[1_000].value == 1_000)
        #expect(cells.map(\.value) == Array(0...1_000))
        #expect(count.update { $0 } == 1_000)
        try await source.sendAndWait(5)
        #expect(cells[1_000].value == 1_005 && cells[1_000].initialValue == 1_000)
        #expect(count.update { $0 } == 2_000)
    }

    @Test("F22: a cell that was read, and then wired to more, begins anew; in a cycle what was declared counts")
    func f22again() {
        let (a, b, sum) = (Cell(initialValue: 1), Cell(initialValue: 2), Cell(initialValue: 0))
        let end = (sum, a) --^ (Cell(initialValue: 0), { $0 * 10 + $1 })
        #expect(end.value == 1)
        (a, b) --^ (sum, +)
        #expect(end.value == 31 && sum.value == 3)

        let (x, y) = (Cell(initialValue: 5), Cell(initialValue: 7))
        (y, a) --^ (x, +)
        (x, a) --^ (y, +)
        #expect([x.value, y.value] == [7, 6])  // where it is read first, the declared value is taken: 5 + 1, and 1 more
    }

    @Test("F23: wirings are operands")
    func f23() async throws {
        let (s1, s2) = (EventSource<Int>(), EventSource<Int>())
        let (c1, c2, c3) = (Cell(initialValue: 0), Cell(initialValue: 0), Cell(initialValue: 0))
        (s1 --^ c1, s2 --^ c2) --^ (c3, +)
        try await s1.sendAndWait(2)
        try await s2.sendAndWait(3)
        #expect(c3.value == 5)
    }

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

    @Test("one source that reaches a cell on two ways updates it once; of a merge the last stream of the array counts")
    func sameSource() async throws {
        for isReversed in [false, true] {
            let source = EventSource<Int>()
            let (a, b) = (EventStream<Int>(), EventStream<Int>())
            let (long, merged) = (EventStream<Int>(), Cell(initialValue: 0))
            let (left, right) = (Cell(initialValue: 0), Cell(initialValue: 0))
            let sum = Cell(initialValue: 0)
            let wirings: [() -> Void] = [
                { source >-- (long, { $0 }) >-- (a, { $0 * 3 }) },
                { source >-- (b, { $0 * 5 }) },
                { [a, b] --& merged },
                { (left, right) --^ (sum, { $0 * 100 + $1 }) },
                { a --^ left },
                { b --^ right },
            ]
            for wire in isReversed ? wirings.reversed() : wirings { wire() }
            let (merges, sums) = (merged.probe(), sum.probe())
            source.send(1)
            source.send(2)
            try await source.graph.quiescence()
            #expect(merges.values == [5, 10])
            #expect(sums.values == [305, 610])
        }
    }

    @Test("reading seals nothing: what is wired afterwards belongs to the graph")
    func reading() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 3)
        #expect(cell.value == 3 && cell.initialValue == 3 && cell.history.isEmpty)
        #expect(cell.valueAt(.now) == 3 && cell.lookup(at: .now) == .exact(3))
        let sum = (cell, cell) --^ (Cell(initialValue: 0), +)
        #expect(sum.value == 6)
        let probe = sum.probe()
        try await source.sendAndWait(4)
        #expect(probe.values == [8] && sum.value == 8 && cell.history.map(\.value) == [4])
    }

    @Test("initial values are right while threads read, wire and send at once, 50 times")
    func readingConcurrently() async throws {
        for round in 0..<50 {
            let source = EventSource<Int>()
            let cells = [source --^ Cell(initialValue: 1)] + (0..<30).map { _ in Cell(initialValue: 0) }
            for index in (1...30).reversed() { (cells[index - 1], Cell(constant: 1)) --^ (cells[index], +) }
            await withDiscardingTaskGroup { group in
                for _ in 0..<3 { group.addTask { #expect([31, 42].contains(cells[30].value), "round \(round)") } }
                group.addTask { source.send(12) }
            }
            try await source.graph.quiescence()
            #expect(cells[30].value == 42 && cells[30].initialValue == 31)
        }
    }

    @Test("wiring after the first send or subscription stops the program")
    func sealed() async {
        await #expect(processExitsWith: .failure) {
            let source = EventSource<Int>()
            source --^ Cell(initialValue: 0)
            source.send(1)
            source --^ Cell(initialValue: 1)
        }
        await #expect(processExitsWith: .failure) {
            let cell = Cell(initialValue: 0)
            _ = cell.updates
            cell --< (Outlet(), { _ in })
        }
    }

    @Test(
        "snapshot reads what was before the wave, from any number of cells, for each kind of trigger, and with a condition"
    )
    func snapshot() async throws {
        let (source, other) = (EventSource<Int>(), EventSource<Int>())
        let total = source --+ (Cell(initialValue: 100), { $0 + $1 })
        let held = other --^ Cell(initialValue: 0)
        let stream = EventStream<Int>()
        source >-- stream
        let (one, two, three, some) = (
            EventStream<[Int]>(), EventStream<[Int]>(), EventStream<[Int]>(), EventStream<[Int]>()
        )
        (source, total) --% (one, { [$0, $1] })
        (stream, (total, held)) --% (two, { [$0, $1, $2] })
        (total, held) --% (three, { [$0, $1] })
        (source, held) --% (some, { [$0, $1] }, where: { number, held in held > 5 && number > 1 })
        func probe(_ stream: EventStream<[Int]>) -> FlowProbe<[Int]> { (stream --^ Cell(initialValue: [])).probe() }
        let probes = [one, two, three, some].map(probe)
        source.send(1)
        other.send(7)
        source.send(2)
        try await source.graph.quiescence()
        #expect(probes[0].values == [[1, 100], [2, 101]])
        #expect(probes[1].values == [[1, 100, 0], [2, 101, 7]])
        #expect(probes[2].values == [[101, 0], [103, 7]])
        #expect(probes[3].values == [[2, 7]])
    }

    @Test("accumulate folds into the value before the wave, for each kind of trigger, and with a condition")
    func accumulate() async throws {
        let source = EventSource<Int>()
        let stream = EventStream<Int>()
        source >-- stream
        let scan = source --+ (Cell(initialValue: 10), { $0 + $1 })
        let fromStream = stream --+ (Cell(initialValue: ""), { $0 + "\($1)" })
        let fromCell = scan --+ (Cell(initialValue: 0), { $0 + $1 })
        let odd = source --+ (Cell(initialValue: 0), { $0 + $1 }, where: { _, number in number % 2 == 1 })
        let probe = scan.probe()
        for number in 1...4 { source.send(number) }
        try await source.graph.quiescence()
        #expect(probe.values == [11, 13, 16, 20])  // as in "22 Short Tests of Combine"
        #expect(fromStream.value == "1234" && fromCell.value == 60 && odd.value == 4)
        #expect(odd.history.count == 2)
    }

    @Test(
        "several that accumulate into one cell in one wave all count, in the order of declaration",
        arguments: [FlowGraph.Mode.fused, .reference]
    )
    func accumulateTogether(mode: FlowGraph.Mode) async throws {
        let (a, b, c) = (EventSource<Int>(), EventSource<Int>(), EventSource<Int>())
        let (total, text) = (Cell(initialValue: 0), Cell(initialValue: ""))
        let odd = Cell(initialValue: 100)
        let graph = FlowGraph("together", mode: mode) {
            a --+ (total, +)
            b --+ (total, +)
            a --+ (text, { "\($0)a\($1)" })
            c --^ (text, { "c\($0)" })
            b --+ (text, { "\($0)b\($1)" })
            a --+ (odd, +, where: { _, number in number % 2 == 1 })
            b --+ (odd, +, where: { sum, _ in sum % 2 == 1 })
        }
        try await graph.transactionAndWait {
            a.send(1)
            b.send(10)
        }
        #expect(total.value == 11 && text.value == "a1b10")
        #expect(odd.value == 111)  // the second condition sees what the first one has made
        try await graph.transactionAndWait {
            b.send(2)
            a.send(4)
            c.send(3)
        }
        #expect(total.value == 17 && text.value == "c3b2" && odd.value == 113)
        try await graph.transactionAndWait {
            a.send(2)
            b.send(1)
        }
        #expect(odd.value == 114)
        try await graph.transactionAndWait {
            a.send(2)
            b.send(1)
        }
        #expect(odd.history.map(\.value) == [111, 113, 114])
        #expect(total.history.map(\.value) == [11, 17, 20, 23])
    }

    @Test("what accumulates by feedback folds into what is there when its turn comes")
    func accumulateByFeedback() async throws {
        let source = EventSource<Int>()
        let total = Cell(initialValue: 0)
        let graph = FlowGraph("feedback") {
            let small = EventStream<Int>()
            source --+ (total, +)
            total --| (small, { $0 < 3 })
            small --+ (total, { total, _ in total + 1 })
            small --+ (total, { total, _ in total + 1 })
        }
        try await source.sendAndWait(1)
        #expect(graph.drawing.operators.count { $0.outputs.contains { $0.isFeedback } } > 0)
        // 1, then both add one to it, one after the other; 2 is small too, and sends for two more.
        #expect(total.history.map(\.value) == [1, 2, 3, 4, 5])
    }

    @Test("D10: the sample of snapshot compiles: cells are a tuple of their own, if there are several")
    func snapshotSample() async throws {
        let clicks = EventSource<Int>()
        let (position, color) = (Cell(initialValue: 1.5), Cell(initialValue: "red"))
        let strokes = EventStream<String>()
        (clicks, (position, color)) --% (strokes, { click, position, color in "\(click) \(position) \(color)" })
        let last = strokes --^ Cell(initialValue: "")
        try await clicks.sendAndWait(2)
        #expect(last.value == "2 1.5 red")
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
