import ChemActors
import ChemLibrary
import TestSupport
import Testing

/// The cases of "22 Short Tests of Combine", and what this library gives in them: where Combine loses or reorders
/// values, it doesn't.
@Suite("The 22", .endsInTime)
struct TwentyTwoTests {
    @Test("testScan: 10, then 1 to 4 added, gives 11, 13, 16, 20")
    func scan() async throws {
        let source = EventSource<Int>()
        let values = (source --+ (Cell(initialValue: 10), { $0 + $1 })).updates
        for number in 1...4 { source.send(number) }
        source.finish()
        #expect(await values.all() == [11, 13, 16, 20])
    }

    @Test("testMulticast: a second subscriber after 1, 2 sees 16, 20, and the work is done once")
    func multicast() async throws {
        let source = EventSource<Int>()
        let scan = source --+ (Cell(initialValue: 10), { $0 + $1 })
        let first = scan.updates
        source.send(1)
        source.send(2)
        let second = scan.updates
        source.send(3)
        source.send(4)
        source.finish()
        #expect(await first.all() == [11, 13, 16, 20])
        #expect(await second.all() == [16, 20])
        try await scan.graph.quiescence()
        #expect(scan.graph.statistics.recomputations == 4)
    }

    @Test("testMulticastLatest: who comes first sees 0, 11, 13, 16, 20; who comes after 1, 2 sees 13, 16, 20")
    func multicastLatest() async throws {
        let source = EventSource<Int>()
        let scan = source --+ (Cell(initialValue: 10), { $0 + $1 })
        let latest = scan --^ Cell(initialValue: 0)
        let first = latest.values
        source.send(1)
        source.send(2)
        let second = latest.values
        source.send(3)
        source.send(4)
        source.finish()
        #expect(await first.all() == [0, 11, 13, 16, 20])
        #expect(await second.all() == [13, 16, 20])
    }

    @Test("testMulticastBuffer: the history of a cell, and what comes, are all four for a late subscriber too")
    func multicastBuffer() async throws {
        let source = EventSource<Int>()
        let scan = source --+ (Cell(initialValue: 10), { $0 + $1 })
        let first = scan.updates
        source.send(1)
        source.send(2)
        try await scan.graph.quiescence()
        let (before, second) = (scan.history.map(\.value), scan.updates)
        source.send(3)
        source.send(4)
        source.finish()
        #expect(await first.all() == [11, 13, 16, 20])
        let after = await second.all()
        #expect(before + after == [11, 13, 16, 20])
    }

    @Test("testDemand: 1, 2, 3, two taken, 4, 5, 6: with room for two all six arrive, where Combine loses 3 and 6")
    func demand() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let values = cell.updates(.suspending(2))
        for number in 1...3 { source.send(number) }
        #expect(await values.prefix(collecting: 2) == [1, 2])
        for number in 4...6 { source.send(number) }
        source.finish()
        #expect(await values.all() == [3, 4, 5, 6])
        #expect(values.dropped == 0)
    }

    @Test("a late second subscriber sees what the graph holds and what comes; finish doesn't overtake a value")
    func late() async throws {
        let source = EventSource<Int>()
        let scan = source --+ (Cell(initialValue: 10), { $0 + $1 })
        let first = scan.updates
        source.send(1)
        source.send(2)
        let (late, latest) = (scan.updates, scan.values)
        source.send(3)
        source.send(4)
        scan.graph.finish()
        source.send(5)
        #expect(await first.all() == [11, 13, 16, 20])
        #expect(await late.all() == [16, 20])
        #expect(await latest.all() == [13, 16, 20])
        #expect(await scan.updates.all() == [])  // already finished
    }

    @Test("testDemand: a subscriber with room for one value holds the graph back and loses nothing")
    func suspending() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let values = cell.updates(.suspending(1))
        for number in 1...100 { source.send(number) }
        cell.graph.finish()
        // It gets no further than the values that have room, and one that waits.
        let seen = await values.prefix(collecting: 2)
        #expect(seen == [1, 2])
        #expect(cell.value <= 5)
        #expect(await values.all() == Array(3...100))
        #expect(values.dropped == 0)
    }

    @Test("testReentrancy: an outlet sends to its own source, in any number of steps, and all see one order")
    func reentrancy() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        let order = FlowProbe<String>()
        cell
            --< (
                Outlet(),
                {
                    order.add("A\($0)")
                    if $0 < 100 { source.send($0 + 1) }
                }
            )
            --< (Outlet(), { order.add("B\($0)") })
        source.send(1)
        try await source.graph.quiescence()
        #expect(order.values == (1...100).flatMap { ["A\($0)", "B\($0)"] })
    }

    @Test("testDeadlock: an outlet on the main actor sends again, a hundred steps")
    func mainReentrancy() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        cell --< (MainOutlet(), { if $0 < 100 { source.send($0 + 1) } })
        let values = cell.updates
        source.send(1)
        #expect(await values.prefix(collecting: 100) == Array(1...100))
    }

    @Test("lifetimes: dropped sequences are forgotten by the graph, and sequences end with it")
    func lifetimes() async throws {
        var source: EventSource<Int>? = EventSource<Int>()
        var cell: Cell<Int>? = source! --^ Cell(initialValue: 0)
        do {
            let (one, two) = (cell!.values, cell!.updates(.latest(3)))
            #expect(await one.prefix(collecting: 1) == [0])
            try await source!.graph.quiescence()
            #expect(source!.graph.statistics.subscribers == 2)
            withExtendedLifetime(two) {}
        }
        try await source!.sendAndWait(1)
        try await source!.graph.quiescence()
        #expect(source!.graph.statistics.subscribers == 0)

        let kinds = [cell!.values, cell!.values(.latest(5)), cell!.values(.suspending(5))]
        try await source!.sendAndWait(2)
        source = nil
        cell = nil
        for values in kinds { #expect(await values.all() == [1, 2]) }
    }

    @Test("testReentrancy: 1, sent on by its own listener, gives 1, 2, 3")
    func reentrancyOfThree() async throws {
        let source = EventSource<Int>()
        let probe = (source --^ Cell(initialValue: 0) --< (Outlet(), { if $0 < 3 { source.send($0 + 1) } })).probe()
        source.send(1)
        try await source.graph.quiescence()
        #expect(probe.values == [1, 2, 3])
    }

    @Test("testDeliveryOrder: 1 to 10 arrive in order after a hop to the pool or to the main actor, 100 times")
    func deliveryOrder() async throws {
        for round in 1...100 {
            let source = EventSource<Int>()
            let onMain = FlowProbe<Int>()
            let cell = source --^ Cell(initialValue: 0) --< (MainOutlet(), { onMain.add($0) })
            let values = cell.updates
            let task = Task.detached { await values.all() }
            for number in 1...10 { source.send(number) }
            source.finish()
            #expect(await task.value == Array(1...10), "round \(round)")
            try await cell.graph.quiescence()
            #expect(onMain.values == Array(1...10), "round \(round)")
        }
    }

    @Test("testSubjectOrder: 100 threads send 1: the total is 100, and the listener never runs twice at once")
    func subjectOrder() async throws {
        let source = EventSource<Int>()
        let inside = Occupancy()
        let sum = source --+ (Cell(initialValue: 0, limit: 1), { $0 + $1 })
        sum
            --< (
                Outlet(),
                { _ in
                    inside.enter()
                    inside.leave()
                }
            )
        await withDiscardingTaskGroup { group in
            for _ in 0..<100 { group.addTask { await onThread { source.send(1) } } }
        }
        try await source.graph.quiescence()
        #expect(sum.value == 100)
        #expect(inside.total == 100 && inside.peak == 1)
    }

    @Test("testReceiveOn: what is sent right after subscribing arrives, though the listener comes later")
    func receiveOn() async throws {
        let source = EventSource<Int>()
        let values = (source --^ Cell(initialValue: 0)).updates
        source.send(1)
        let task = Task.detached { await values.all() }
        source.send(2)
        source.finish()
        #expect(await task.value == [1, 2])
    }

    @Test("testReceiveOnFailure: the end doesn't overtake the value: 1, then finished")
    func receiveOnFailure() async throws {
        for round in 1...100 {
            let source = EventSource<Int>()
            let values = (source --^ Cell(initialValue: 0)).updates
            let task = Task.detached { await values.all() }
            source.send(1)
            source.finish()
            #expect(await task.value == [1], "round \(round)")
        }
    }

    @Test("testAnyCancellable: a listener that is dropped after 1 is registered no more, and 2 goes nowhere")
    func anyCancellable() async throws {
        let source = EventSource<Int>()
        let cell = source --^ Cell(initialValue: 0)
        func listen() async -> [Int] {
            let values = cell.updates
            source.send(1)
            return await values.prefix(collecting: 1)
        }
        #expect(await listen() == [1])
        try await source.sendAndWait(2)
        #expect(cell.graph.statistics.subscribers == 0 && cell.value == 2)
    }

    @Test("testSinkCancellation: a listener that stops at 2 of 1, 2, 3 has seen 1, 2")
    func sinkCancellation() async throws {
        let source = EventSource<Int>()
        let values = (source --^ Cell(initialValue: 0)).updates
        let task = Task {
            var seen: [Int] = []
            for await number in values {
                seen.append(number)
                if number == 2 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return seen
        }
        for number in 1...3 { source.send(number) }
        #expect(await task.value == [1, 2])
    }

    @Test(
        "testOwnership: what listeners hold is gone after the end, and what operators and outlets hold with the graph"
    )
    func ownership() async throws {
        final class Token: Sendable {}
        weak var listener: Token?
        weak var wired: Token?
        var source: EventSource<Int>? = EventSource<Int>()
        let task: Task<Int, Never>
        do {
            let (one, other) = (Token(), Token())
            listener = one
            wired = other
            let cell =
                source! --^ (
                    Cell(initialValue: 0),
                    { number in withExtendedLifetime(other) { number } }
                ) --< (Outlet(), { _ in withExtendedLifetime(other) {} })
            let values = cell.updates
            task = Task {
                let count = await values.all().count
                withExtendedLifetime(one) {}
                return count
            }
        }
        source!.send(1)
        source!.finish()
        #expect(await task.value == 1)
        try await waitUntilGone { listener == nil }
        withExtendedLifetime(source) { #expect(wired != nil) }
        source = nil
        try await waitUntilGone { wired == nil }
    }
}
